// No bytes make the reader of Zipkin JSON do anything but return computations or an error.
#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lightcone::fuzz::read_spans(data, size, lightcone::Format::zipkin);
  return 0;
}
