// No bytes make the ShiViz reader do anything but return a computation or an error.
#include "fuzz/round_trip.h"

#include <algorithm>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  fuzz::read_and_return(data, size, Format::shiviz);

  // The same bytes as a user's expressions and a log: the first two lines are what was asked for.
  const auto* const end = data + size;
  const auto* const first = std::find(data, end, '\n');
  const auto* const second = first == end ? end : std::find(first + 1, end, '\n');
  if (second == end) return 0;
  const ReadOptions options{.regex = std::string(data, first),
                            .delimiter = std::string(first + 1, second)};
  fuzz::read_and_return(second + 1, static_cast<std::size_t>(end - second - 1), Format::shiviz,
                        options);
  return 0;
}
