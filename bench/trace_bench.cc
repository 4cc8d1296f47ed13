// Loading traces: JSON Lines against bare parsing, lct against JSON Lines.
#include "ratio.h"

#include <lightcone/base/file.h>
#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/trace.h>
#include <simdjson.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

namespace lightcone::bench {
namespace {

constexpr std::uint32_t events = 1'000'000;
constexpr std::uint32_t processes = 16;

/// A trace of a million events as a user might have it, in memory and in files of each format.
class Sample {
 public:
  static const Sample& get() {
    static const Sample sample;
    return sample;
  }

  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  ~Sample() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const Computation& computation() const { return computation_; }
  [[nodiscard]] std::string path(Format format) const {
    return (folder_ / "sample.").string() + std::string(name_of(format));
  }
  [[nodiscard]] double size(Format format) const {
    return static_cast<double>(std::filesystem::file_size(path(format)));
  }

 private:
  Sample() {
    RandomShape shape;
    shape.seed = 1;
    shape.processes = processes;
    shape.events = events;
    shape.labels = {{"enter", 0.1}, {"leave", 0.1}, {"commit", 0.02}};
    shape.variables = {{"load", 0.2, VariableRate::Type::integer},
                       {"paused", 0.05, VariableRate::Type::boolean}};
    auto made = random_computation(shape);
    if (!made) std::abort();
    computation_ = std::move(*made);
    folder_ =
        std::filesystem::temp_directory_path() / ("lightcone-bench-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    for (const Format format : {Format::jsonl, Format::lct}) {
      if (!write_trace(computation_, path(format), format)) std::abort();
    }
  }

  Computation computation_;
  std::filesystem::path folder_;
};

void load(Format format) {
  auto reading = read_trace(Sample::get().path(format), format);
  if (!reading || reading->computation.event_count() != events) std::abort();
  benchmark::DoNotOptimize(reading->computation.order().data());
}

/// The rival of reading JSON Lines: simdjson parses every line of the file, and that is all.
void parse_only() {
  auto bytes = simdjson::padded_string::load(Sample::get().path(Format::jsonl));
  simdjson::dom::parser parser;
  std::size_t objects = 0;  // events, the header, initial states
  simdjson::dom::document_stream stream;
  if (parser.parse_many(bytes.value()).get(stream)) std::abort();
  for (auto document : stream) objects += document.error() == simdjson::SUCCESS;
  if (objects < events) std::abort();
}

void JsonlAgainstBareParsing(benchmark::State& state) {
  compare(
      state, [] { load(Format::jsonl); }, parse_only, 2.5);
  state.counters["bytes_per_event"] = Sample::get().size(Format::jsonl) / events;
}
BENCHMARK(JsonlAgainstBareParsing)->Iterations(7)->UseManualTime()->Unit(benchmark::kMillisecond);

void LctAgainstJsonlLoading(benchmark::State& state) {
  compare(
      state, [] { load(Format::lct); }, [] { load(Format::jsonl); }, 8, true);
}
BENCHMARK(LctAgainstJsonlLoading)->Iterations(7)->UseManualTime()->Unit(benchmark::kMillisecond);

void LctAgainstJsonlSize(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(0);
  const Sample& sample = Sample::get();
  state.counters["ours_bytes_per_event"] = sample.size(Format::lct) / events;
  state.counters["rival_bytes_per_event"] = sample.size(Format::jsonl) / events;
  state.counters["ratio"] = sample.size(Format::jsonl) / sample.size(Format::lct);
  state.counters["at_least"] = 5;
}
BENCHMARK(LctAgainstJsonlSize)->Iterations(1)->UseManualTime();

void TimestampsAgainstMemoryPass(benchmark::State& state) {
  const Computation& computation = Sample::get().computation();
  const std::size_t bytes = timestamps(computation).bytes();
  const auto pass = [&] {
    // Fresh memory on both sides, written once from front to back.
    const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(64, bytes),
                                                             &std::free);
    std::memset(memory.get(), 1, bytes);
    benchmark::DoNotOptimize(memory.get());
  };
  const auto ours = [&] {
    const Timestamps all = timestamps(computation);
    benchmark::DoNotOptimize(all.at(0, 0));
  };
  compare(state, ours, pass, 2);
}
BENCHMARK(TimestampsAgainstMemoryPass)
    ->Iterations(15)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// What the columns of the sample take, an event.
void MemoryOfAComputation(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(0);
  state.counters["bytes_per_event"] =
      static_cast<double>(Sample::get().computation().bytes()) / events;
}
BENCHMARK(MemoryOfAComputation)->Iterations(1)->UseManualTime();

}  // namespace
}  // namespace lightcone::bench
