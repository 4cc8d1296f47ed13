// No expression and no text make the reader of text logs do anything but return a computation or an
// error. The first line is the expression.
#include <algorithm>
#include <string>

#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  const auto* const end = data + size;
  const auto* const first = std::find(data, end, '\n');
  if (first == end) return 0;
  ReadOptions options;
  options.lenient = true;
  options.regex = std::string(data, first);
  fuzz::read_and_return(first + 1, static_cast<std::size_t>(end - first - 1), Format::text,
                        options);
  return 0;
}
