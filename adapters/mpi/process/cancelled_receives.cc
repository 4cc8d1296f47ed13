// Reads and writes the numbers of cancelled receives, one per line.
#include "process/cancelled_receives.h"

#include <lightcone/base/file.h>

#include <fstream>

namespace lightcone::mpi {

void CancelledReceives::open(const std::string& folder, const std::string& process, bool replays) {
  path_ = folder + '/' + process + ".cancelled";
  if (!replays) return;
  std::ifstream file(path_);
  for (std::uint64_t number = 0; file >> number;) cancelled_.insert(number);
}

void CancelledReceives::add(std::uint64_t number) {
  auto file = AppendedFile::open(path_);
  const auto done = file ? file->write(std::to_string(number) + '\n') : failure(file.error());
  if (!done && !error_) error_ = done.error();
}

}  // namespace lightcone::mpi
