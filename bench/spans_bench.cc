// Reading spans against bare parsing; checking many executions against reading them.
#include "ratio.h"

#include <fmt/format.h>
#include <lightcone/base/random.h>
#include <lightcone/check.h>
#include <lightcone/executions.h>
#include <lightcone/trace.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lightcone::bench {
namespace {

/// A file of spans as a collector writes it: documents of some hundred spans, one per line. Each
/// execution is a tree of calls between a few services.
class SpanSample {
 public:
  SpanSample(std::uint32_t executions, std::uint32_t spans_each) : random_(1) {
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("lightcone-bench-{}-{}.otlp.json", ::getpid(), executions);
    out_.open(path_);
    for (trace_ = 1; trace_ <= executions; ++trace_) add_execution(spans_each);
    out_ << line();
    if (!out_.flush()) std::abort();
  }
  SpanSample(const SpanSample&) = delete;
  SpanSample& operator=(const SpanSample&) = delete;
  ~SpanSample() { std::filesystem::remove(path_); }

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  static constexpr std::uint32_t services = 8;
  static constexpr std::size_t batch_bytes = 30'000;  // of one service
  enum Kind : int { internal = 1, server = 2, client = 3 };

  /// A span that has begun.
  struct Begun {
    std::uint32_t id, parent, service;
    Kind kind;
    std::uint64_t start;
  };

  /// Services call each other, each call is waited for, and a span is written when it ends.
  void add_execution(std::uint32_t spans) {
    next_id_ = 1;
    begin(server, 0);
    if (spans % 2 == 0) {
      begin(internal, 0);
      end();
    }
    while (next_id_ < spans) {
      constexpr std::size_t deepest = 9;
      const bool calls = begun_.size() == 1 || (begun_.size() < deepest && random_.below(2) == 0);
      if (calls) {
        begin(client, begun_.back().service);
        begin(server, (begun_.back().service + 1 + random_.below(services - 1)) % services);
      } else {
        end();
        end();
      }
    }
    while (!begun_.empty()) end();
  }

  std::uint64_t tick() { return clock_ += 1 + random_.below(100'000); }

  void begin(Kind kind, std::uint32_t service) {
    const std::uint32_t parent = begun_.empty() ? 0 : begun_.back().id;
    begun_.push_back({next_id_++, parent, service, kind, tick()});
  }

  void end() {
    const Begun span = begun_.back();
    begun_.pop_back();
    std::string& batch = batches_[span.service];
    if (!batch.empty()) batch += ',';
    batch += fmt::format(
        R"({{"traceId":"{:032x}","spanId":"{:016x}",{}"name":"{} /api/orders/{{id}}","kind":{},)"
        R"("startTimeUnixNano":"{}","endTimeUnixNano":"{}","attributes":[)"
        R"({{"key":"http.request.method","value":{{"stringValue":"POST"}}}},)"
        R"({{"key":"url.path","value":{{"stringValue":"/api/orders/{}"}}}},)"
        R"({{"key":"http.response.status_code","value":{{"intValue":"200"}}}},)"
        R"({{"key":"network.peer.port","value":{{"intValue":"{}"}}}},)"
        R"({{"key":"server.address","value":{{"stringValue":"orders.internal"}}}}],)"
        R"("droppedAttributesCount":0,"events":[],"links":[],"status":{{"code":0}},"flags":257}})",
        trace_, span.id,
        span.parent == 0 ? "" : fmt::format(R"("parentSpanId":"{:016x}",)", span.parent),
        span.kind == server   ? "POST"
        : span.kind == client ? "GET"
                              : "look",
        int(span.kind), span.start, tick(), trace_ % 1000, 40'000 + random_.below(20'000));
    if (batch.size() > batch_bytes) out_ << line();
  }

  [[nodiscard]] std::string line() {
    std::string text = R"({"resourceSpans":[)";
    for (std::uint32_t s = 0; s < services; ++s) {
      if (batches_[s].empty()) continue;
      if (!text.ends_with('[')) text += ',';
      text +=
          fmt::format(R"({{"resource":{{"attributes":[{{"key":"service.name",)"
                      R"("value":{{"stringValue":"s{0}"}}}},)"
                      R"({{"key":"service.instance.id","value":{{"stringValue":"s{0}-1"}}}}]}},)"
                      R"("scopeSpans":[{{"scope":{{"name":"http"}},"spans":[{1}]}}]}})",
                      s, batches_[s]);
      batches_[s].clear();
    }
    return text + "]}\n";
  }

  PortableRandom random_;
  std::filesystem::path path_;
  std::ofstream out_;
  std::uint32_t trace_ = 0;
  std::uint32_t next_id_ = 1;
  std::vector<Begun> begun_;
  std::string batches_[services];
  std::uint64_t clock_ = 1'700'000'000'000'000'000;
};

/// The rival: simdjson parses every line of the file, and that is all.
void parse_lines(const std::string& path) {
  auto bytes = simdjson::padded_string::load(path);
  simdjson::dom::parser parser;
  std::size_t documents = 0;
  simdjson::dom::document_stream stream;
  constexpr std::size_t batch = 16 << 20;
  if (parser.parse_many(bytes.value(), batch).get(stream)) std::abort();
  for (auto document : stream) documents += document.error() == simdjson::SUCCESS;
  if (documents == 0) std::abort();
}

/// A million spans in one execution, so that the computation is made, too.
void SpansAgainstBareParsing(benchmark::State& state) {
  constexpr std::uint32_t spans = 1'000'000;
  const SpanSample sample(1, spans);
  compare(
      state,
      [&] {
        const auto reading = read_trace(sample.path(), Format::otlp);
        if (!reading || reading->computation.event_count() != 2 * spans) std::abort();
      },
      [&] { parse_lines(sample.path()); }, 3);
  state.counters["bytes_per_span"] =
      static_cast<double>(std::filesystem::file_size(sample.path())) / spans;
}
BENCHMARK(SpansAgainstBareParsing)->Iterations(5)->UseManualTime()->Unit(benchmark::kMillisecond);

/// 100,000 executions of 20 spans, three properties.
void CheckingExecutionsAgainstReadingThem(benchmark::State& state) {
  const SpanSample sample(100'000, 20);
  const auto properties = parse_properties(
      "require called : every longest flow over {\"POST /api/orders/{id}\", \"GET "
      "/api/orders/{id}\"}"
      " at \"GET /api/orders/{id}\" contains \"POST /api/orders/{id}\"\n"
      "forbid  failed : some flow ends with error -> \"GET /api/orders/{id}\"\n"
      "watch   twice  : some flow ends with \"GET /api/orders/{id}\" -> \"end GET "
      "/api/orders/{id}\"\n",
      "bench.prop");
  if (!properties) std::abort();
  compare(
      state,
      [&] {
        const auto executions = read_executions(sample.path(), Format::otlp);
        if (!executions || executions->size() != 100'000) std::abort();
        const auto report = check(*properties, *executions);
        if (!report || report->verdict() == Verdict::unknown) std::abort();
      },
      [&] {
        const auto executions = read_executions(sample.path(), Format::otlp);
        if (!executions || executions->size() != 100'000) std::abort();
      },
      6);
}
BENCHMARK(CheckingExecutionsAgainstReadingThem)
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lightcone::bench
