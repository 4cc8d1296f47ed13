// Requests with spans: each is answered when it is stored.
#pragma once

#include <chrono>
#include <string>

#include "accept/arrival_taker.h"
#include "accept/span_batch.h"
#include "decide/span_decider.h"
#include "decide/watched_execution.h"

namespace lightcone::service {

/// Reads the bytes, offers them to a monitor, and waits until they are stored.
[[nodiscard]] SpanAnswer take_spans(ArrivalTaker& monitor, const std::string& client,
                                    SpanBatch::Encoding encoding, std::string bytes,
                                    std::chrono::milliseconds patience = std::chrono::seconds(10));

/// Who decides spans.
[[nodiscard]] SpanDeciderMaker span_decider(SpanMemory most = {},
                                            Limits limits = ExecutionLimits().decision);

}  // namespace lightcone::service
