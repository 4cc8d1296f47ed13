// Processes of the operating system that work on one answer, maybe on several machines.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace lightcone {

/// The workers of one run, as one of them sees the others; how letters travel is not known here.
/// Only one thread of a worker may use it.
class Workers {
 public:
  struct Letter {
    std::size_t from = 0;
    std::string bytes = {};
  };

  Workers() = default;
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  virtual ~Workers() = default;

  /// Which one this is, from 0 on, and how many there are.
  [[nodiscard]] virtual std::size_t number() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Returns how many of them are on this machine, with this one.
  [[nodiscard]] virtual std::size_t neighbours() const = 0;

  /// Sends a letter to another worker, and does not wait until it is there. Letters from one worker
  /// to another do not overtake each other.
  virtual void send(std::size_t to, std::shared_ptr<const std::string> bytes) = 0;
  /// A letter that has come, if there is one.
  [[nodiscard]] virtual std::optional<Letter> poll() = 0;
};

/// What a library that knows a way for letters exports under this name: joins the other workers of
/// the run. Whoever is given them deletes them, when all letters have been read.
inline constexpr const char* join_workers_name = "lightcone_join_ranks";
using JoinWorkers = Workers*();

}  // namespace lightcone
