// Requests with spans: each is answered when it is stored.
#pragma once

#include <lightcone/error.h>

#include <string>

#include "accept/arrival_taker.h"
#include "accept/span_batch.h"
#include "decide/span_decider.h"

namespace lightcone::service {

/// Reads the bytes, offers them to a monitor, and waits until they are stored.
[[nodiscard]] Expected<void> take_spans(ArrivalTaker& monitor, const std::string& client,
                                        SpanBatch::Encoding encoding, std::string bytes);

/// Who decides spans.
[[nodiscard]] SpanDeciderMaker span_decider(SpanMemory most = {});

}  // namespace lightcone::service
