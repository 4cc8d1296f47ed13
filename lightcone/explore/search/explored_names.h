// Maps the names of processes, mailboxes and contexts to the numbers that explorations use.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// The numbers of names. They are the same in every execution, and in all parts of an exploration.
/// Safe from several threads.
class ExploredNames {
 public:
  ExploredNames() = default;
  ExploredNames(const ExploredNames&) = delete;
  ExploredNames& operator=(const ExploredNames&) = delete;

  [[nodiscard]] std::uint32_t process(std::string_view name) { return number(processes_, name); }
  [[nodiscard]] std::uint32_t mailbox(std::string_view name) { return number(mailboxes_, name); }
  /// The context that has no name is 0.
  [[nodiscard]] std::uint32_t context(std::string_view name) {
    return name.empty() ? 0 : 1 + number(contexts_, name);
  }
  [[nodiscard]] std::string process_name(std::uint32_t process) const;
  [[nodiscard]] std::string mailbox_name(std::uint32_t mailbox) const;
  [[nodiscard]] std::vector<std::string> processes() const;

  /// A process takes part in every execution from its beginning.
  void expect(const std::string& process);
  [[nodiscard]] std::set<std::string> expected() const;

 private:
  [[nodiscard]] std::uint32_t number(Names& names, std::string_view name);

  mutable std::mutex mutex_;
  Names processes_, mailboxes_, contexts_;
  std::set<std::string> expected_;
};

}  // namespace lightcone
