// Messages by name, where names mostly count up.
#pragma once

#include <lightcone/computation.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// Finds messages by the two parts of their names. Programs number their messages one after the
/// other, so that the numbers of a prefix index an array; what does not fit in goes to a hash
/// table.
class MessageTable {
 public:
  /// The message of this name; if there is none, it is `fresh` from now on.
  MessageIndex find_or_add(NameIndex prefix, std::uint64_t number, MessageIndex fresh);

 private:
  struct Key {
    NameIndex prefix;
    std::uint64_t number;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Numbered {
    std::vector<MessageIndex> by_number;  // none: not there, or in the hash table
    std::size_t count = 0;
  };

  std::vector<Numbered> by_prefix_;  // indexed by NameIndex, as far as needed
  tsl::robin_map<Key, MessageIndex, KeyHash> others_;
};

}  // namespace lightcone
