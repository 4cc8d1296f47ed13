// An exploration of programs whose processes and mailboxes have names.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/explore/exploration.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// A guide, and the names of the processes in it.
struct NamedGuide {
  std::vector<std::string> names = {};
  Guide guide = {};
  friend bool operator==(const NamedGuide&, const NamedGuide&) = default;
};

/// An exploration, and the numbers that names have in it. They are the same in every execution.
class Explorer {
 public:
  explicit Explorer(const ExplorationOptions& options = {}, const NamedGuide& first = {})
      : exploration_(options, first.guide) {
    for (const std::string& name : first.names) static_cast<void>(process(name));
  }

  [[nodiscard]] std::uint32_t process(std::string_view name) {
    return static_cast<std::uint32_t>(processes_.intern(name));
  }
  [[nodiscard]] std::uint32_t mailbox(std::string_view name) {
    return static_cast<std::uint32_t>(mailboxes_.intern(name));
  }
  [[nodiscard]] Exploration& exploration() { return exploration_; }
  /// The choices of the execution that runs, or ended last.
  [[nodiscard]] NamedGuide guide() const;
  /// Why the exploration cannot go on, for people; empty if it can.
  [[nodiscard]] std::string trouble() const;

 private:
  Exploration exploration_;
  Names processes_, mailboxes_;
};

}  // namespace lightcone
