// Levels, intervals and conditions as bytes, for workers that have not read the trace.
#pragma once

#include <lightcone/base/wire.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>

namespace lightcone {

void write(WireWriter& writer, const Cut& cut);
void write(WireWriter& writer, const Interval& interval);
/// What goes through its cuts needs of a level: chains and pasts, but no computation.
void write(WireWriter& writer, const Level& level);
/// A condition placed on a level, as far as `holds` reads it.
void write(WireWriter& writer, const Condition& condition);

// What was written so, read again. Levels have no computation; texts in a condition stay where the
// reader found them.

[[nodiscard]] Cut read_cut(WireReader& reader);
[[nodiscard]] Interval read_interval(WireReader& reader);
[[nodiscard]] Level read_level(WireReader& reader);
[[nodiscard]] Condition read_condition(WireReader& reader);

}  // namespace lightcone
