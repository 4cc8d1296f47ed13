// No bytes make the lct reader do anything but return a computation or an error.
#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  fuzz::read_and_return(data, size, Format::lct);
  fuzz::read_and_return(data, size, Format::lct, {.lenient = true});
  return 0;
}
