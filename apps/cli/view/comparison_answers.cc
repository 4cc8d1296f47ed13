// Asks `diff` about two runs.
#include "view/comparison_answers.h"

#include <lightcone/compare/diff_json.h>
#include <lightcone/diff.h>

namespace lightcone::cli {

Json comparison_json(const TraceSnapshot& a, const TraceSnapshot& b) {
  const Comparison comparison = diff(ComparedRun::of(a.reading()), ComparedRun::of(b.reading()));
  Json document{{"lightcone", 1}};
  add_comparison(comparison, a.computation(), b.computation(), document);
  return document;
}

}  // namespace lightcone::cli
