// A global term as a choice of conjunctions of local ones, whatever the states will be.
#pragma once

#include <lightcone/property/states/global_reads.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// A term that reads one process only, and the truth that it must have.
struct LocalLiteral {
  ProcessIndex process = 0;
  Term term = {};
  bool expected = true;

  [[nodiscard]] bool holds(std::span<const Datum> columns) const {
    return is_true(value_of(term, columns)) == expected;
  }
};

/// All of them must hold.
using Conjunction = std::vector<LocalLiteral>;

/// Returns conjunctions of which one holds wherever the term does, and not elsewhere. Returns
/// nothing if the term is not made of local ones in such a way (a sum of several processes is not),
/// or if there are more than `most`. `count(L) >= 2` is a choice of pairs.
[[nodiscard]] std::optional<std::vector<Conjunction>> conjunctions(
    const Term& term, const std::vector<GlobalReads::Column>& columns, std::size_t most);

}  // namespace lightcone
