// Reads, writes and reads again, and ends the program where something got lost on the way.
#include "fuzz/round_trip.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lightcone::fuzz {
namespace {

/// The bytes of the computation in this format, by way of a file as writers need one.
std::string written(const Computation& computation, Format format) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("lightcone-fuzz-" + std::to_string(::getpid()) + ".trace");
  const auto notes = write_trace(computation, file.string(), format);
  if (!notes) {
    std::fprintf(stderr, "%s\n", notes.error().text().c_str());
    std::abort();
  }
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  return bytes;
}

/// Writes as `format`, reads that, and writes it as JSON Lines, which must be `expected`.
void check_way(const Computation& computation, Format format, const std::string& expected) {
  const std::string bytes = written(computation, format);
  const auto again = read_trace_text(bytes, "again", format);
  if (!again) {
    std::fprintf(stderr, "%s\n%s\n", again.error().text().c_str(), expected.c_str());
    std::abort();
  }
  const std::string returned = written(again->computation, Format::jsonl);
  if (returned == expected) return;
  std::fprintf(stderr, "--- was\n%s\n--- became\n%s\n", expected.c_str(), returned.c_str());
  std::abort();
}

}  // namespace

void read_and_return(const std::uint8_t* data, std::size_t size, Format format,
                     const ReadOptions& options) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto reading = read_trace_text(bytes, "fuzz", format, options);
  if (reading) check_returns(reading->computation);
}

void check_returns(const Computation& computation) {
  const std::string text = written(computation, Format::jsonl);
  check_way(computation, Format::jsonl, text);
  check_way(computation, Format::lct, text);
}

}  // namespace lightcone::fuzz
