// Spans in a stream that monitors share: written, read, and decided by whoever has the partition.
#include "model/generators/arbitrary.h"
#include "monitor/monitor_process.h"
#include "monitor/shared/nats_server.h"
#include "monitor/shared/streamed_verdicts.h"
#include "monitor/shared/taken_over_partition.h"
#include "monitor/shop_trace.h"

#include <gtest/gtest.h>
#include <lightcone/trace/spans/span_table.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>

#include "nats/message_writer.h"
#include "nats/partition_names.h"
#include "otlp/otlp_protobuf.h"
#include "otlp/span_intake.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using service::SpanBatch;

/// A table with everything that a span can have.
[[nodiscard]] SpanTable random_table(std::mt19937_64& random) {
  SpanTable table;
  const auto attributes = [&] {
    const std::size_t begin = table.attributes.size();
    for (std::size_t i = random() % 4; i > 0; --i) {
      const std::string name = "a" + std::to_string(random() % 5);
      switch (random() % 4) {
        case 0: table.add_attribute(name, random() % 2 == 0); break;
        case 1: table.add_attribute(name, static_cast<std::int64_t>(random())); break;
        case 2: table.add_attribute(name, static_cast<double>(random() % 100) / 7); break;
        default: table.add_attribute(name, std::string_view("text \"\xc3\xa4\"")); break;
      }
    }
    return table.attributes_since(begin);
  };
  for (std::size_t i = 1 + random() % 3; i > 0; --i) table.resources.push_back(attributes());
  for (std::size_t i = 1 + random() % 20; i > 0; --i) {
    Span span;
    span.trace = {random() % 3, random() % 3 + 1};
    span.id = random() | 1;
    span.parent = random() % 2 == 0 ? 0 : random();
    span.start = random();
    span.end = random();
    span.name = table.names.intern("n" + std::to_string(random() % 4));
    span.resource = static_cast<std::uint32_t>(random() % table.resources.size());
    span.kind = static_cast<SpanKind>(random() % 5);
    span.failed = random() % 3 == 0;
    span.attributes = attributes();
    span.events.begin = static_cast<std::uint32_t>(table.events.size());
    std::vector<SpanEvent> events;
    for (std::size_t k = random() % 3; k > 0; --k) {
      events.push_back({random(), table.names.intern("e"), attributes()});
    }
    table.events.insert(table.events.end(), events.begin(), events.end());
    span.events.end = static_cast<std::uint32_t>(table.events.size());
    span.links.begin = static_cast<std::uint32_t>(table.links.size());
    for (std::size_t k = random() % 3; k > 0; --k) {
      table.links.push_back({{random(), random()}, random()});
    }
    span.links.end = static_cast<std::uint32_t>(table.links.size());
    table.spans.push_back(span);
  }
  return table;
}

/// Everything that a span says, as text.
[[nodiscard]] std::string words_of(const SpanTable& table, const Span& span) {
  const auto attributes = [&](SpanRange range) {
    std::string text;
    for (const Assignment& one : table[range]) {
      text += ' ' + std::string(table.names[one.variable]) + '=' +
              std::to_string(one.value.index()) + table.spelled(one.value);
    }
    return text + ';';
  };
  std::string text = hex_of(span.trace) + hex_of(span.id) + hex_of(span.parent) + ' ' +
                     std::to_string(span.start) + ' ' + std::to_string(span.end) + ' ' +
                     std::string(table.names[span.name]) +
                     std::to_string(static_cast<int>(span.kind)) + (span.failed ? "!" : "") +
                     attributes(table.resources[span.resource]) + attributes(span.attributes);
  for (std::uint32_t i = span.events.begin; i < span.events.end; ++i) {
    text += std::to_string(table.events[i].time) + std::string(table.names[table.events[i].name]) +
            attributes(table.events[i].attributes);
  }
  for (std::uint32_t i = span.links.begin; i < span.links.end; ++i) {
    text += hex_of(table.links[i].trace) + hex_of(table.links[i].span);
  }
  return text;
}

[[nodiscard]] std::multiset<std::string> words_of(const SpanTable& table) {
  std::multiset<std::string> all;
  for (const Span& span : table.spans) all.insert(words_of(table, span));
  return all;
}

/// What a client sends is in the messages once, each span in the partition of its trace, and no
/// message is too large.
TEST(SpanMessages, HoldEachSpanOnce) {
  std::mt19937_64 random(8);
  std::size_t messages = 0;
  for (int round = 0; round < 300; ++round) {
    auto batch = std::make_shared<SpanBatch>();
    batch->table = std::make_shared<SpanTable>(random_table(random));
    class Source final : public service::LineSource {
     public:
      void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {
        is_stored = true;
      }
      void refused(const std::string& why) override { refusal = why; }
      bool is_stored = false;
      std::string refusal;
    };
    const auto source = std::make_shared<Source>();
    constexpr std::size_t most_bytes = 700;
    service::MessageWriter writer(4, most_bytes);
    writer.add({source, batch, {}});
    std::multiset<std::string> found;
    for (const auto& message : writer.take()) {
      ++messages;
      EXPECT_TRUE(message.is_spans);
      EXPECT_LE(message.bytes.size(), most_bytes);
      const auto read = service::read_otlp_protobuf(message.bytes);
      ASSERT_TRUE(read) << read.error().text();
      for (const Span& span : read->spans) {
        EXPECT_EQ(service::partition_of(hex_of(span.trace), 4), message.partition);
      }
      found.merge(words_of(*read));
    }
    EXPECT_FALSE(source->is_stored);
    writer.tell_clients();
    if (source->refusal.empty()) {
      EXPECT_EQ(found, words_of(*batch->table));
      EXPECT_TRUE(source->is_stored);
    } else {
      EXPECT_TRUE(found.empty());
    }
  }
  EXPECT_GT(messages, 600U);
}

[[nodiscard]] std::string quiet_heading(const std::string& trace) {
  return "{\"lightcone\": 1, \"execution\": \"" + trace + "\", \"quiet\": true}\n";
}

/// The spans of many traces in any order, some twice, with a monitor that is taken over again and
/// again, beside one that is not.
TEST(SpanMessages, AreDecidedOnceThoughThePartitionIsTakenOver) {
  std::size_t failing = 0, again = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    service::PartitionOptions options;
    options.span_decider = service::span_decider({.spans = 40, .traces = 0});
    options.acceptance.traces = 6;
    const auto rules = parse_properties(shop_rules, "rules");
    TakenOverPartition one(*rules, options), other(*rules, options);
    const auto publish = [&](const std::string& bytes, bool is_spans) {
      one.publish(bytes, is_spans);
      other.publish(bytes, is_spans);
      if (random() % 4 == 0) other.save();
      if (random() % 4 == 0) other.take_up();
    };
    std::vector<ShopTrace> traces;
    for (char id = 'A'; id < 'Z'; ++id) traces.push_back({id, random() % 2 == 0});
    for (int step = 0; step < 120; ++step) {
      const ShopTrace& trace = traces[std::min<std::size_t>(
          traces.size() - 1, static_cast<std::size_t>(step) / 5 + random() % 3)];
      if (random() % 3 == 0) {
        publish(quiet_heading(trace.hex()), false);
      } else {
        publish(trace.request(), true);
      }
      // A span that comes late, perhaps.
      if (random() % 6 != 0) continue;
      const auto late = ShopTrace::resource(
          "bank", {ShopTrace::span(trace.trace(), static_cast<char>('4' + random() % 5), '2',
                                   "charge", 2, 206)});
      publish(ProtoText().bytes(1, late).text(), true);
    }
    for (const ShopTrace& trace : traces) publish(quiet_heading(trace.hex()), false);
    std::vector<std::string> told, expected;
    for (const auto& line : one.verdicts()) expected.push_back(line.words);
    for (const auto& line : other.verdicts()) told.push_back(line.words);
    ASSERT_EQ(told, expected) << seed;
    for (const auto& line : one.verdicts()) {
      again += line.json.find("\"again\":true") != std::string::npos ? 1 : 0;
      failing += line.json.find("\"fail\"") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(failing, 200U);
  EXPECT_GT(again, 20U);
}

/// Real monitors with a real server. The spans of a trace go to both, over gRPC and HTTP.
TEST(SharedSpans, AreDecidedOnceThoughAMonitorIsKilled) {
  if (!NatsServer::is_installed()) GTEST_SKIP() << "there is no nats-server";
  const TemporaryFolder folder;
  NatsServer server(folder.path());
  std::ofstream(folder.path() + "/rules.prop") << shop_rules;
  std::vector<std::unique_ptr<MonitorProcess>> monitors;
  const auto start = [&](const std::string& name) {
    std::filesystem::create_directories(folder.path() + "/" + name);
    monitors.push_back(std::make_unique<MonitorProcess>(
        folder.path() + "/" + name,
        std::vector<std::string>{folder.path() + "/rules.prop", "--json", "--nats", server.url(),
                                 "--takeover", "1", "--otlp", "127.0.0.1:0", "--listen",
                                 "127.0.0.1:0", "--quiet", "5", "--http", "127.0.0.1:0"}));
    ASSERT_NE(monitors.back()->port(), 0) << monitors.back()->errors();
  };
  start("a");
  start("b");
  std::set<std::string> bad;
  for (char id = 'A'; id <= 'Z'; ++id) {
    const ShopTrace trace{id, id % 3 != 0};
    if (!trace.is_authorised) bad.insert(trace.hex());
    // The bank speaks to the other monitor.
    const auto bank =
        ShopTrace::resource("bank", {ShopTrace::span(trace.trace(), '5', '2', "charge", 2, 207)});
    const MonitorProcess &one = *monitors[id % 2], &other = *monitors[1 - id % 2];
    const auto status = send_spans_by_grpc(one, ProtoText().bytes(1, bank).text());
    ASSERT_TRUE(status.ok()) << status.error_message();
    ASSERT_EQ(send_spans_by_http(other, trace.json(), "application/json"), "HTTP/1.1 200 OK\r");
  }
  monitors[0]->kill();
  StreamedVerdicts verdicts(server.url(), "lightcone", 16);
  for (const std::string& trace : bad) {
    EXPECT_TRUE(verdicts.wait_for_end(trace, 1)) << trace << monitors[1]->errors();
  }
  EXPECT_EQ(verdicts.told.size(), bad.size());
  for (const auto& [execution, told] : verdicts.told) {
    EXPECT_TRUE(bad.contains(execution)) << execution;
    EXPECT_EQ(told.trouble, "");
    EXPECT_EQ(told.last, 1U);
  }
  const auto open_traces = [&] {
    const std::string metrics = web_get(monitors[1]->web_port(), "/metrics");
    return metrics.find("\nlightcone_traces_open 0\n") == std::string::npos;
  };
  for (int i = 0; i < 1000 && open_traces(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(open_traces());
  EXPECT_EQ(monitors[1]->end(), 0) << monitors[1]->errors();
}

}  // namespace
}  // namespace lightcone
