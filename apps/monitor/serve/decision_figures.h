// How many events were accepted and decided, and who holds up the rest: as metrics and as JSON.
#pragma once

#include <lightcone/base/json.h>

#include <vector>

#include "accept/acceptance.h"
#include "decide/decider.h"
#include "serve/metrics.h"
#include "serve/silence.h"

namespace lightcone::service {

void add_counts(MetricsText& text, const AcceptanceCounts& counts);
void add_counts(MetricsText& text, const DeciderCounts& counts, const PropertyFile& properties);

/// `open` traces are not decided yet.
void add_counts(MetricsText& text, const SpanCounts& counts, std::size_t open);

/// Who is silent, and who waits.
void add_silence(MetricsText& text, const std::vector<SilentProcess>& silent,
                 const std::vector<LongWait>& waits);
[[nodiscard]] Json silence_document(const std::vector<SilentProcess>& silent);
[[nodiscard]] Json waits_document(const std::vector<LongWait>& waits);

/// Adds one monitor's or partition's counts to another's.
void add(AcceptanceCounts& to, const AcceptanceCounts& counts);
void add(DeciderCounts& to, const DeciderCounts& counts);
void add(SpanCounts& to, const SpanCounts& counts);
/// Returns how many verdicts there are of all properties.
[[nodiscard]] std::uint64_t verdicts_in(const DeciderCounts& counts);

}  // namespace lightcone::service
