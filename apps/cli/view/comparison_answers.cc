// Asks `diff` about two runs.
#include "view/comparison_answers.h"

#include <lightcone/compare/diff_json.h>
#include <lightcone/diff.h>

#include "run/source_lines.h"

namespace lightcone::cli {

Json comparison_json(const ViewedRun& a, const ViewedRun& b) {
  const Comparison comparison =
      diff(ComparedRun::of(a.trace.reading()), ComparedRun::of(b.trace.reading()));
  Json document{{"lightcone", 1}};
  add_comparison(comparison, a.trace.computation(), b.trace.computation(), document,
                 SourceLines::read(a.path), SourceLines::read(b.path));
  return document;
}

}  // namespace lightcone::cli
