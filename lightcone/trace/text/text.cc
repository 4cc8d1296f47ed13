// Reads text logs by an expression, with the reader of JSON Lines.
#include <lightcone/trace/text/text.h>

#include <lightcone/base/wording.h>
#include <lightcone/trace/jsonl/jsonl.h>
#include <lightcone/trace/text/text_lines.h>

#include <algorithm>
#include <iterator>

namespace lightcone {
namespace {

template <class Log>
[[nodiscard]] Expected<Reading> read_by_expression(Log&& log, const std::string& name,
                                                   ReadOptions options) {
  const auto lines = TextLines::with_expression(options.regex, name);
  if (!lines) return failure(lines.error());
  options.numbers = true;  // groups are texts, whatever they say
  auto reading = read_lines(log, **lines, name, options);
  if (!reading) return reading;
  if ((*lines)->events() == 0 && !(*lines)->first_other_line().empty()) {
    return failure("the expression " + options.regex + " matches no line of this log", name, 0,
                   "the log begins\n    " + printable((*lines)->first_other_line(), 100));
  }
  std::ranges::move((*lines)->notes(), std::back_inserter(reading->notes));
  return reading;
}

}  // namespace

Expected<Reading> read_text(InputFile& file, const std::string& name, const ReadOptions& options) {
  return read_by_expression(file, name, options);
}

Expected<Reading> read_text(std::string_view text, const std::string& name,
                            const ReadOptions& options) {
  return read_by_expression(text, name, options);
}

}  // namespace lightcone
