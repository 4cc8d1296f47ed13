// What an MPI process got in a recording, so that the first execution of an exploration can be that
// one.
#pragma once

#include <lightcone/error.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

/// The answers of a recorded process that could have been different, each kind in its order. An
/// explored process asks for them by their numbers, counted from 0, and would like to get the same.
class RecordedWishes {
 public:
  /// Where a message came from: a rank of its communicator, and a tag.
  struct Match {
    std::int32_t source = 0, tag = 0;
  };

  /// Reads a journal, which is a full one.
  [[nodiscard]] static Expected<RecordedWishes> read(const std::string& journal);

  /// What a receive or probe with wildcards got; nothing if it got no message.
  [[nodiscard]] std::optional<Match> match(std::uint64_t wildcard) const;
  /// Returns whether a poll found something.
  [[nodiscard]] std::optional<bool> poll(std::uint64_t number) const;
  /// Which of several requests was complete.
  [[nodiscard]] std::optional<std::uint64_t> request(std::uint64_t number) const;

 private:
  std::map<std::uint64_t, Match> matches_;
  std::map<std::uint64_t, bool> polls_;  // from the first of a row on; the last ends all of them
  std::uint64_t poll_count_ = 0;
  std::vector<std::uint64_t> requests_;
};

}  // namespace lightcone
