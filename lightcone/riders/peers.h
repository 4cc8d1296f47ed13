// The processes that a process has heard of, and what each is known to know.
#pragma once

#include <lightcone/causal/error.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Numbers processes for one of them. Members, whom all were told of in the same order, have the
/// same number everywhere; others come as they are heard of, and are known by a hash of their name.
class Peers {
 public:
  static constexpr std::uint32_t most = 1 << 16;

  explicit Peers(std::vector<std::string> members);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
  [[nodiscard]] std::uint32_t member_count() const { return members_; }
  [[nodiscard]] bool is_member(std::uint32_t peer) const { return peer < members_; }
  /// Its name; `#` and its hash as long as only that is known.
  [[nodiscard]] const std::string& name(std::uint32_t peer) const { return names_[peer]; }
  [[nodiscard]] std::uint64_t hash(std::uint32_t peer) const { return hashes_[peer]; }
  /// The process of this name or hash, which is added if it is new. Fails when there are too many.
  [[nodiscard]] Expected<std::uint32_t> find_or_add(std::string_view name);
  [[nodiscard]] Expected<std::uint32_t> find_or_add(std::uint64_t hash);
  [[nodiscard]] static std::uint64_t hash_of(std::string_view name);

 private:
  std::vector<std::string> names_;
  std::vector<std::uint64_t> hashes_;
  std::uint32_t members_;
  tsl::robin_map<std::uint64_t, std::uint32_t> by_hash_;
};

/// What each peer is known to hold of a vector whose entries only grow: an entry that a peer holds
/// already need not be sent to it (Anceaume, Hélary and Raynal's rule, which needs no FIFO order).
/// Their matrix of bits says "holds as much as I"; here the value itself is kept, so that nothing
/// has to be cleared when an entry grows.
class Knowledge {
 public:
  /// The peer has shown that it holds this much of an entry.
  void learn(std::uint32_t peer, std::uint32_t entry, std::uint32_t value) {
    if (peer >= rows_.size()) rows_.resize(peer + 1);
    auto& row = rows_[peer];
    if (entry >= row.size()) row.resize(entry + 1, 0);
    if (row[entry] < value) row[entry] = value;
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t peer, std::uint32_t entry) const {
    if (peer >= rows_.size() || entry >= rows_[peer].size()) return 0;
    return rows_[peer][entry];
  }

 private:
  std::vector<std::vector<std::uint32_t>> rows_;
};

}  // namespace lightcone
