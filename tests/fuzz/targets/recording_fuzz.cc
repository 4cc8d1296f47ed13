// Whatever bytes stand in one of the files of a recording, it is read up to there, or an error says
// what is wrong with it.
#include <lightcone/explore/recorded_guide.h>
#include <lightcone/live/process/checkpoint.h>
#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/trace.h>
#include <lightcone/trace/row_words.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "temporary_folder.h"

namespace {

using namespace lightcone;

constexpr std::array<const char*, 4> files = {"recording.json", "p.journal", "p.lct",
                                              "p.checkpoints"};

/// A recording of one process that sends to itself, in a folder that goes away with the program.
class Sample {
 public:
  Sample() {
    make();
    for (std::size_t i = 0; i < files.size(); ++i) {
      std::ifstream in(path(i), std::ios::binary);
      contents_[i] = {std::istreambuf_iterator<char>(in), {}};
    }
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  [[nodiscard]] const std::string& folder() const { return folder_.path(); }
  [[nodiscard]] std::string path(std::size_t file) const {
    return folder_.path() + "/" + files[file];
  }
  void put(std::size_t file, std::string_view bytes) const {
    std::ofstream(path(file), std::ios::binary | std::ios::trunc) << bytes;
  }
  void restore(std::size_t file) const { put(file, contents_[file]); }

 private:
  void make() const {
    const Recording recording{{"./p"}, JournalKind::full, false, {}};
    if (!recording.write(folder_.path())) __builtin_trap();
    auto journal = JournalWriter::create(path(1), {"p", JournalKind::full, false});
    const std::uint32_t self = *journal->sender("p");
    for (std::uint64_t i = 1; i < 9; ++i) {
      if (!journal->add(ReceivedMessage{self, i, i, {}}, i)) __builtin_trap();
      journal->note(2 * i, 7);
      if (!journal->flush()) __builtin_trap();
    }
    if (!journal->end()) __builtin_trap();
    std::string lines;
    for (int i = 1; i < 9; ++i) {
      const std::string message = R"(", "message": "p:)" + std::to_string(i) + "\"}\n";
      lines += R"({"process": "p", "kind": "send)" + message;
      lines += R"({"process": "p", "kind": "receive)" + message;
    }
    const auto reading = read_trace_text(lines, "sample", Format::jsonl);
    if (!reading || !write_trace(reading->computation, path(2), Format::lct)) __builtin_trap();
    auto checkpoints = CheckpointFile::create(path(3));
    Checkpoint checkpoint;
    checkpoint.state = "state";
    const LocalPart part{"p", {1, 2}, checkpoint.encode(), {{"p", 3}}, {{"p", 3}}};
    if (!checkpoints->add(part)) __builtin_trap();
  }

  TemporaryFolder folder_;
  std::array<std::string, files.size()> contents_;
};

template <class T>
void must_say_why(const Expected<T>& result) {
  if (!result && result.error().text().empty()) __builtin_trap();
}

void read_all(const std::string& folder, const std::string& trace) {
  must_say_why(Recording::read(folder));
  must_say_why(Recording::processes(folder));
  must_say_why(Recording::is_complete(folder));
  must_say_why(complete_checkpoints(folder));
  must_say_why(must_be_complete(folder, 1));
  must_say_why(read_beginning(folder, "p", 1));
  must_say_why(recorded_guide(folder));
  for (const bool lenient : {false, true}) {
    ReadOptions options;
    options.lenient = lenient;
    must_say_why(read_trace(folder, Format::lct, options));
  }
  auto rows = RecordedRows::open(trace);
  must_say_why(rows);
  if (!rows) return;
  while (const auto row = rows->next()) {
    if (row->line().empty()) __builtin_trap();
  }
}

}  // namespace

/// The first byte says which of the files the rest is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sample sample;
  if (size == 0) return 0;
  const std::size_t file = data[0] % files.size();
  sample.put(file, {reinterpret_cast<const char*>(data) + 1, size - 1});
  read_all(sample.folder(), sample.path(2));
  sample.restore(file);
  return 0;
}
