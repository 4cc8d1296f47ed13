// No bytes make the reader of vector clocks do anything but return a computation or an error.
#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lightcone::fuzz::read_and_return(data, size, lightcone::Format::clocks);
  return 0;
}
