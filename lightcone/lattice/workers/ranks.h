// Processes of the operating system that work on one answer, maybe on several machines.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace lightcone {

/// The ranks of one run, as one of them sees the others; how letters travel is not known here. Only
/// one thread of a rank may use it.
class Ranks {
 public:
  struct Letter {
    std::size_t from = 0;
    std::string bytes = {};
  };

  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  /// Which one this is, from 0 on, and how many there are.
  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Returns how many of them are on this machine, with this one.
  [[nodiscard]] virtual std::size_t neighbours() const = 0;

  /// Sends a letter to another rank, and does not wait until it is there. Letters from one rank to
  /// another do not overtake each other.
  virtual void send(std::size_t to, std::shared_ptr<const std::string> bytes) = 0;
  /// A letter that has come, if there is one.
  [[nodiscard]] virtual std::optional<Letter> poll() = 0;
};

/// What a library that knows a way for letters exports under this name: joins the other ranks of
/// the run. Whoever is given them deletes them, when all letters have been read.
inline constexpr const char* join_ranks_name = "lightcone_join_ranks";
using JoinRanks = Ranks*();

}  // namespace lightcone
