// What a live process tells a monitor in a snapshot, as lines of JSON.
#pragma once

#include <lightcone/process.h>
#include <lightcone/snapshot.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// The last values of a process's variables, as JSON text.
class LastValues {
 public:
  /// Variables beyond these are not kept.
  static constexpr std::size_t most = 500;

  void set(const LiveList<std::pair<std::string_view, LiveValue>>& variables);
  /// As an object.
  [[nodiscard]] std::string json() const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// What is told of a process besides what its program saves.
struct LocalSituation {
  std::uint64_t events = 0;
  const LastValues& values;
  std::optional<Awaited> waits = {};  ///< nothing: the program does not tell
};

/// A longer state, or the contents of a longer message, is left out. Its size is told.
inline constexpr std::size_t longest_told = 64 << 10;

[[nodiscard]] std::string part_line(const LocalPart& part, const LocalSituation& situation);
[[nodiscard]] std::string part_line(const InTransitPart& part);
/// The last snapshot that a process has saved its state for.
[[nodiscard]] std::string colour_line(std::string_view process, std::uint64_t colour,
                                      bool takes_part);

}  // namespace lightcone
