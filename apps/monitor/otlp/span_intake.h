// Requests with spans: each is answered when it is stored.
#pragma once

#include <lightcone/error.h>

#include <string>

#include "accept/span_batch.h"
#include "monitor_service.h"

namespace lightcone::service {

/// Reads the bytes, offers them to the service, and waits until they are stored.
[[nodiscard]] Expected<void> take_spans(MonitorService& service, const std::string& client,
                                        SpanBatch::Encoding encoding, std::string bytes);

/// Who decides spans.
[[nodiscard]] SpanDeciderMaker span_decider();

}  // namespace lightcone::service
