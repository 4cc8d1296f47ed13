// What a folder of state holds besides the log: whose it is, and where the log is taken up again.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace lightcone::service {

/// All executions that began in earlier files of the log have ended.
struct LogPosition {
  std::uint64_t file = 1;      ///< of the log
  std::uint64_t sequence = 0;  ///< verdicts before it
  /// Executions and traces that began before it, and went on in it. They have been decided.
  std::vector<std::string> decided = {};
  /// Digests of the names of executions that ended before it, the oldest first; not all of them.
  std::vector<std::uint64_t> ended = {};
};

/// Returns a descriptor that keeps other monitors from the folder until it is closed.
[[nodiscard]] Expected<int> lock_folder(const std::string& folder);
/// The folder belongs to the properties with these texts, or to none yet.
[[nodiscard]] Expected<void> check_identity(const std::string& folder, const std::string& identity);

/// In the folder of the log: `position`, and `ended.N` for the file N that it names.
[[nodiscard]] Expected<LogPosition> read_position(const std::string& folder);
/// Whole, or not at all.
[[nodiscard]] Expected<void> write_position(const std::string& folder, const LogPosition& position);

/// The names of executions that ended last, as digests. Each has a number.
class EndedExecutions {
 public:
  explicit EndedExecutions(std::size_t most) : most_(most) {}

  void add(std::uint64_t digest);
  /// How many there have been.
  [[nodiscard]] std::uint64_t count() const { return forgotten_ + digests_.size(); }
  /// The last ones of the first `count`, as far as they are remembered.
  [[nodiscard]] std::vector<std::uint64_t> first(std::uint64_t count, std::size_t most) const;

 private:
  std::size_t most_;
  std::uint64_t forgotten_ = 0;
  std::deque<std::uint64_t> digests_;
};

}  // namespace lightcone::service
