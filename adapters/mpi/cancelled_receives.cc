// One number a line.
#include "cancelled_receives.h"

#include <fstream>

namespace lightcone::mpi {

void CancelledReceives::open(const std::string& folder, const std::string& process, bool replays) {
  path_ = folder + '/' + process + ".cancelled";
  if (!replays) return;
  std::ifstream file(path_);
  for (std::uint64_t number = 0; file >> number;) cancelled_.insert(number);
}

void CancelledReceives::add(std::uint64_t number) const {
  std::ofstream(path_, std::ios::app) << number << '\n';
}

}  // namespace lightcone::mpi
