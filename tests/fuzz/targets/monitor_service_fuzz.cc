// Whatever clients send, a monitor goes on; and what it logged gives the same verdicts again.
#include <lightcone/check/growing/growing_lines.h>
#include <lightcone/property.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "accept/acceptance.h"
#include "accept/accepted_log.h"
#include "accept/line_cutter.h"
#include "decide/decider.h"
#include "nats/partition.h"
#include "otlp/span_traces.h"

namespace {

using namespace lightcone;
using namespace lightcone::service;

const char* const property_text = R"(
forbid  f1 : some flow over {a, b} ends with a -> b without a
require f2 : every longest flow over {a, b} at b contains a
forbid  g1 : possibly all(x > 1)
)";

[[nodiscard]] const PropertyFile& properties() {
  static const PropertyFile file = *parse_properties(property_text, "fuzz.prop");
  return file;
}

class FuzzedSource final : public LineSource {
 public:
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {}
  void refused(const std::string&) override {}
};

[[nodiscard]] std::string without_time(const VerdictLog::Line& line) {
  return line.json.substr(0, line.json.find(",\"time\""));
}

/// A monitor without threads, and what it told.
class PlainMonitor {
 public:
  PlainMonitor()
      : log_([this](const VerdictLog::Line& line) { told.push_back(without_time(line)); }),
        decider_(properties(), {1000, 1000}, log_, [](const std::string&) {}),
        acceptance_({.executions = 8, .processes = 8, .held_bytes = 4096, .ended = 4}) {
    decider_.decide_spans_by([](const PropertyFile& all, SpanCallbacks callbacks) {
      return std::make_unique<SpanTraces>(all, std::move(callbacks));
    });
  }

  void accept(const Arrival& arrival) {
    acceptance_.accept(arrival, [this](const AcceptedItem& item) { take(item); });
    acceptance_.tell_clients();
  }
  void take(const AcceptedItem& item) {
    logged.push_back(bytes_of(item));
    decider_.decide(item, 1);
    (void)log_.flush();
  }
  void end() {
    const auto now = std::chrono::steady_clock::now();
    const auto all = std::chrono::seconds(0);
    acceptance_.decide_quiet(now, all, [this](const AcceptedItem& item) { take(item); });
    acceptance_.end_quiet(now, all, [this](const AcceptedItem& item) { take(item); });
  }

  std::vector<std::string> told, logged;

 private:
  VerdictLog log_;
  Decider decider_;
  Acceptance acceptance_;
};

void send_lines(PlainMonitor& monitor, std::string_view bytes) {
  auto source = std::make_shared<FuzzedSource>();
  LineCutter cutter(source, "run", {.longest_line = 10'000, .longest_name = 100});
  const auto take = [&](const Arrival& arrival) { monitor.accept(arrival); };
  for (std::size_t at = 0, size = 1; at < bytes.size(); at += size) {
    size = size * 7 % 61 + 1;
    if (!cutter.add(bytes.substr(at, size), take)) return;
  }
  (void)cutter.finish(take);
}

void send_spans(PlainMonitor& monitor, std::string_view bytes, SpanBatch::Encoding encoding) {
  auto batch = std::make_shared<SpanBatch>();
  batch->encoding = encoding;
  batch->bytes = bytes;
  if (!read_batch(*batch)) return;
  monitor.accept({std::make_shared<FuzzedSource>(), std::move(batch), {}});
}

/// What messages of a stream lead to, from this one on.
[[nodiscard]] std::vector<std::string> verdicts_on(Partition& partition,
                                                   const std::vector<StreamMessage>& stream,
                                                   std::uint64_t first, std::uint64_t last) {
  std::vector<std::string> told;
  for (const StreamMessage& message : stream) {
    if (message.sequence < first || message.sequence > last) continue;
    partition.take(message);
    for (const VerdictLog::Line& line : partition.verdicts()) told.push_back(without_time(line));
  }
  std::ranges::sort(told);
  return told;
}

/// Messages end with a byte of value 1. Half way, another monitor takes over.
void share_stream(std::string_view bytes) {
  std::vector<StreamMessage> stream;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\1', at), bytes.size());
    stream.push_back({stream.size() + 1, "", std::string(bytes.substr(at, end - at))});
    at = end + 1;
  }
  PartitionOptions options;
  options.acceptance = {.executions = 8, .processes = 8};
  options.lines = {.longest_line = 10'000, .longest_name = 100};
  options.note = [](const std::string&) {};
  Partition first(properties(), options, {}, {});
  const std::uint64_t half = stream.size() / 2;
  (void)verdicts_on(first, stream, 1, half);
  const auto state = partition_state_of(bytes_of(first.state(0)));
  if (!state) std::abort();
  Partition second(properties(), options, *state, {});
  const auto alone = verdicts_on(first, stream, half + 1, stream.size());
  const auto taken_over = verdicts_on(second, stream, second.first_needed(), stream.size());
  if (alone == taken_over) return;
  std::fprintf(stderr, "the monitor that takes over tells other verdicts\n");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'r') {
    (void)item_of(bytes);
    return 0;
  }
  if (data[0] == 's') {
    (void)partition_state_of(bytes);
    return 0;
  }
  if (data[0] == 'n') {
    share_stream(bytes);
    return 0;
  }
  PlainMonitor monitor;
  if (data[0] == 'p') {
    send_spans(monitor, bytes, SpanBatch::Encoding::protobuf);
  } else if (data[0] == 'j') {
    send_spans(monitor, bytes, SpanBatch::Encoding::json);
  } else {
    send_lines(monitor, bytes);
  }
  monitor.end();
  PlainMonitor again;
  for (const std::string& record : monitor.logged) {
    auto item = item_of(record);
    if (!item || (item->spans && !read_batch(*item->spans))) {
      std::fprintf(stderr, "a record cannot be read back\n");
      std::abort();
    }
    again.take(*item);
  }
  if (again.told != monitor.told) {
    std::fprintf(stderr, "the log gives other verdicts\n");
    std::abort();
  }
  return 0;
}
