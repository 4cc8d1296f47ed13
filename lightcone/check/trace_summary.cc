// Looks at a whole computation once, some columns of clocks at a time.
#include <lightcone/check/trace_summary.h>

#include <lightcone/causal/races/races.h>
#include <lightcone/lattice/visit/inevitable.h>

#include <algorithm>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] NameCounts by_name(const Computation& computation,
                                 const std::vector<std::uint64_t>& by_index) {
  NameCounts counts;
  for (std::uint32_t i = 0; i < by_index.size(); ++i) {
    if (by_index[i] > 0) counts.emplace(computation.names()[NameIndex{i}], by_index[i]);
  }
  return counts;
}

void count_names(const Computation& computation, TraceSummary& summary) {
  std::vector<std::uint64_t> labels(computation.names().size());
  std::vector<std::uint64_t> variables(computation.names().size());
  for (Row row = 0; row < computation.row_count(); ++row) {
    for (const NameIndex label : computation.labels(row)) ++labels[std::size_t(label)];
    for (const Assignment& a : computation.assignments(row)) ++variables[std::size_t(a.variable)];
  }
  summary.labels = by_name(computation, labels);
  summary.variables = by_name(computation, variables);
}

}  // namespace

double TraceSummary::concurrency() const {
  if (all_pairs == 0) return 0;
  return static_cast<double>(concurrent_pairs) / static_cast<double>(all_pairs);
}

TraceSummary summary_of(const Computation& computation, const Progress& progress) {
  TraceSummary summary;
  const std::uint64_t n = computation.event_count();
  summary.counts = counts(computation);
  summary.shape = shape(computation);
  summary.all_pairs = n < 2 ? 0 : n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  count_names(computation, summary);
  const RacesOfReceivers races(computation);
  const auto processes = all_processes(computation);
  const PastSurvey survey = survey_pasts(computation, {processes, races.missing(), true}, progress);
  summary.races = races.traced(survey).size();
  summary.races_in_transit = races.unreceived(survey).size();
  summary.concurrent_pairs = concurrent_pairs(survey.sizes);
  if (summary.concurrent_pairs == 0) {  // one chain covers all events
    summary.shape.width_at_most = std::min(summary.shape.width_at_most, 1U);
  }
  summary.inevitable = inevitable_sizes(survey.sizes).size();
  return summary;
}

}  // namespace lightcone
