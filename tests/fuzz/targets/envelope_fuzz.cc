// Whatever bytes come as a tag, a process refuses or takes them, and goes on.
#include <lightcone/live/watch/watcher.h>
#include <lightcone/process.h>
#include <lightcone/property/language/parser.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <string>

namespace {

constexpr std::string_view properties = R"(
  forbid a : some longest flow ends with a -> b without c
  require b : every longest flow over {a, b} contains a
  watch c : logic {
    x := a or any x
    y := b and any x
  }
)";

/// A checksum that fits: a forger can compute it as well as we can.
[[nodiscard]] std::string sealed(std::string bytes, std::uint64_t agreement) {
  if (bytes.size() < 6) return bytes;
  bytes[0] = static_cast<char>(lightcone::envelope_mark);
  if (bytes[1] != 1) bytes[1] = static_cast<char>(lightcone::envelope_version);
  const auto sum = static_cast<std::uint32_t>(
      XXH3_64bits_withSeed(bytes.data() + 6, bytes.size() - 6, agreement));
  for (std::size_t i = 0; i < 4; ++i) bytes[2 + i] = static_cast<char>(sum >> (8 * i));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  ProcessOptions options;
  options.name = "p2";
  options.members = {"p1", "p2", "p3"};
  options.clocks = true;
  Watcher watcher(CompiledProperties::compile(*parse_property_syntax(properties, "fuzz")), 1,
                  options);
  watcher.start({});
  const std::string raw(reinterpret_cast<const char*>(data), size);
  for (const std::string& tag : {raw, sealed(raw, 1)}) {
    const auto envelope = watcher.open(tag);
    if (!envelope) {
      if (envelope.error().what.empty()) __builtin_trap();
      continue;
    }
    watcher.receive(std::span(&*envelope, 1), {.labels = {"b"}});
  }
  watcher.event(Kind::internal, {.labels = {"a"}});
  const std::string_view to = "p1";
  options.name = "p1";
  Watcher peer(CompiledProperties::compile(*parse_property_syntax(properties, "fuzz")), 1, options);
  peer.start({});
  const auto own = peer.open(watcher.send(std::span(&to, 1), 0));
  // What was forged may speak of events that p1 has not made; nothing else is wrong with our own.
  if (!own && own.error().what.find("forged") == std::string::npos) __builtin_trap();
  return 0;
}
