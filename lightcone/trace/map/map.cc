// Reads JSON logs by a map, with the reader of JSON Lines.
#include <lightcone/trace/map/map.h>

#include <lightcone/trace/jsonl/jsonl.h>
#include <lightcone/trace/map/mapped_lines.h>

#include <algorithm>
#include <iterator>

namespace lightcone {
namespace {

template <class Log>
[[nodiscard]] Expected<Reading> read_mapped(Log&& log, const std::string& name,
                                            const ReadOptions& options) {
  const auto lines = MappedLines::with_map(options.map, name);
  if (!lines) return failure(lines.error());
  auto reading = read_lines(log, **lines, name, options);
  if (reading) std::ranges::move((*lines)->notes(), std::back_inserter(reading->notes));
  return reading;
}

}  // namespace

Expected<Reading> read_map(InputFile& file, const std::string& name, const ReadOptions& options) {
  return read_mapped(file, name, options);
}

Expected<Reading> read_map(std::string_view text, const std::string& name,
                           const ReadOptions& options) {
  return read_mapped(text, name, options);
}

}  // namespace lightcone
