// Which receives without wildcards were cancelled: a replay must know this before they begin.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace lightcone::mpi {

/// The receives without wildcards that a process begins, by number, and a file with those that were
/// cancelled. Few programs cancel any, so there is one only then, and it is written at once.
class CancelledReceives {
 public:
  /// The file of this process in a recording; a replay reads it.
  void open(const std::string& folder, const std::string& process, bool replays);
  /// The number of the next receive.
  [[nodiscard]] std::uint64_t next() { return ++begun_; }
  /// Returns whether it was cancelled when it was recorded.
  [[nodiscard]] bool contains(std::uint64_t number) const { return cancelled_.contains(number); }
  void add(std::uint64_t number);
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Why a number is missing in the file.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::string path_;
  std::uint64_t begun_ = 0;
  std::set<std::uint64_t> cancelled_;
  std::optional<Error> error_;
};

}  // namespace lightcone::mpi
