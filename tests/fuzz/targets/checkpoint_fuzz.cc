// No bytes make the reader of checkpoints do anything but give parts that could have been written,
// or an error.
#include <lightcone/live/process/checkpoint.h>
#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/run/journal/journal_block.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "fuzz/file_in_memory.h"

namespace {

using namespace lightcone;

void read(const std::string& path) {
  const auto done = CheckpointFile::read(path, [](const SnapshotPart& part) {
    const auto* state = std::get_if<LocalPart>(&part);
    if (state == nullptr) return;
    const auto checkpoint = Checkpoint::decode(state->state);
    if (!checkpoint && checkpoint.error().what.empty()) __builtin_trap();
  });
  if (!done && (done.error().what.empty() || done.error().file != path)) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read(fuzz::file_in_memory(bytes));
  const auto checkpoint = Checkpoint::decode(bytes);
  if (!checkpoint && checkpoint.error().what.empty()) __builtin_trap();
  // A forger can compute checksums as well as we can: the same bytes as a part of the file.
  if (size == 0 || size > (1 << 16)) return 0;
  const std::string header("\x89LCK\r\n\x1a\n\x01\0\0\0", 12);
  std::uint64_t checksum = 0;
  const std::string block = journal::seal(bytes, checksum);
  read(fuzz::file_in_memory(header + block + journal::seal(bytes, checksum)));
  return 0;
}
