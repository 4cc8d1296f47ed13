// Whatever bytes stand in the journal of an MPI process, a replay gets answers to what it asks, or
// is told where it stands.
#include <lightcone/run/answers/mpi_replayer.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/run/journal/journal_file.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/file_in_memory.h"

namespace {

using namespace lightcone;

/// A standstill says why.
template <class T>
[[nodiscard]] bool answered(const Prompted<T>& answer) {
  if (!answer && answer.error().text.empty()) __builtin_trap();
  return answer.has_value();
}

/// Asks as a program may, in an order that the number decides; whether there was an answer.
[[nodiscard]] bool ask(MpiReplayer& script, std::uint64_t number, std::uint64_t& events) {
  switch (number % 10) {
    case 0: return answered(script.match(script.open()));
    case 1: return answered(script.match(number / 10));  // of a wildcard that may come later
    case 2: return answered(script.poll("a poll"));
    case 3: {
      const auto which = script.choose(2, "a choice");
      if (which && *which > 2) __builtin_trap();
      return answered(which);
    }
    case 4: return answered(script.read_clock(static_cast<std::int32_t>(number / 10 % 3)));
    case 5: return answered(script.take(KeptContents::What::fetched, "a fetch"));
    case 6: {
      const auto count = script.count(2, "a count");
      if (count && *count > 3) __builtin_trap();
      return answered(count);
    }
    case 7: return script.refused() || script.was_cancelled();
    case 8: return script.take_if_next(KeptContents::What::received).has_value();
    default: return answered(script.made(++events, 0, [] { return std::string("an event"); }));
  }
}

void follow(const std::string& path) {
  constexpr int most_questions = 2000, most_refused = 30;
  for (const std::uint64_t seed : {1, 5, 11}) {
    auto script = MpiReplayer::open(path);
    if (!script) {
      if (script.error().what.empty()) __builtin_trap();
      return;
    }
    std::uint64_t events = 0, state = seed;
    for (int i = 0, refused = 0; i < most_questions && refused < most_refused; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      refused = ask(*script, state >> 33, events) ? 0 : refused + 1;
    }
    static_cast<void>(answered(script->end()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  follow(fuzz::file_in_memory(bytes));
  // A forger can compute checksums as well as we can: the same bytes as the payload of a block.
  if (size == 0 || size > (1 << 16)) return 0;
  for (std::uint32_t version = 2; version <= journal::version; ++version) {
    const std::string header = journal::file_header({"rank0", JournalKind::full, false, version});
    std::uint64_t checksum = journal::file_header_checksum(header);
    const std::string block = journal::seal(bytes, checksum);
    follow(fuzz::file_in_memory(header + block + journal::seal(bytes, checksum)));
  }
  return 0;
}
