// A process that takes snapshots, written as a program would: the rider decides, the rest carries.
#include "model/programs/snapshot_program.h"

#include <gtest/gtest.h>
#include <lightcone/base/wire.h>
#include <lightcone/live/snapshot/snapshot_part.h>

#include <algorithm>

namespace lightcone {
namespace {

/// What rides on a parcel: 0 as its number makes it a marker.
[[nodiscard]] std::string tag(std::uint64_t colour, std::uint64_t number) {
  WireWriter wire;
  wire.number(colour);
  wire.number(number);
  return std::move(wire.bytes());
}

}  // namespace

SnapshotProgram::SnapshotProgram(SimulationOptions options, std::uint32_t processes,
                                 SnapshotMethod method)
    : method_(method), network_([&] {
        options.fifo = fifo();
        return options;
      }()) {
  for (std::uint32_t p = 0; p < processes; ++p) {
    names_.push_back("p" + std::to_string(p));
    indices_.push_back(p);
  }
  for (const std::string& name : names_) {
    members_.push_back({.name = name, .peers = Peers(names_), .rider = SnapshotRider(fifo())});
  }
}

void SnapshotProgram::spawn(std::uint32_t process, std::function<void()> body) {
  network_.spawn(names_[process], std::move(body));
}

void SnapshotProgram::send(std::uint32_t from, std::uint32_t to, std::string contents) {
  Member& member = members_[from];
  member.rider.sends(to);
  member.contents.push_back(contents);
  const std::uint64_t number = member.contents.size();
  member.history.push_back({true, to, number});
  ++in_transit_;
  const std::uint64_t colour = method_ == SnapshotMethod::markers ? 0 : member.rider.colour();
  network_.send(names_[to], {member.name, std::move(contents), tag(colour, number)});
}

std::optional<SnapshotProgram::Taken> SnapshotProgram::take(std::uint32_t process,
                                                            SimulatedTime patience) {
  while (const auto parcel = network_.receive_within(patience, names_[process])) {
    if (auto taken = handle(process, *parcel)) return taken;
  }
  return {};
}

std::optional<SnapshotProgram::Taken> SnapshotProgram::handle(std::uint32_t process,
                                                              const Parcel& parcel) {
  Member& member = members_[process];
  const std::uint32_t sender = *member.peers.find_or_add(parcel.from);
  WireReader wire(parcel.tag);
  const std::uint64_t colour = wire.number(), number = wire.number();
  if (number == 0) {
    save(process, member.rider.marker(sender, colour));
    return {};
  }
  if (!member.taken.emplace(sender, number).second) return {};  // a copy
  save(process, member.rider.reach(colour));
  const std::uint64_t closed_before = fifo() ? closed(process) : 0;
  const SnapshotRange in_transit = member.rider.takes(sender, colour);
  member.history.push_back({false, sender, number});
  --in_transit_;
  if (!in_transit.empty()) {
    EXPECT_GT(in_transit.first, closed_before);
    on_part(encode(InTransitPart{member.name, in_transit, parcel.from, number, parcel.content}));
  }
  return Taken{sender, parcel.content};
}

void SnapshotProgram::begin(std::uint32_t process) {
  save(process, members_[process].rider.begin());
  if (method_ == SnapshotMethod::colours) tell_all(process);
}

void SnapshotProgram::save(std::uint32_t process, const SnapshotRange& snapshots) {
  if (snapshots.empty()) return;
  Member& member = members_[process];
  if (snapshots.last == SnapshotRange::for_ever) {
    member.ended = member.history.size();
  } else {
    for (std::uint64_t k = snapshots.first; k <= snapshots.last; ++k) {
      EXPECT_TRUE(member.saved.emplace(k, member.history.size()).second) << "saved twice";
    }
  }
  on_part(encode(LocalPart{member.name, snapshots, state(process),
                           counts_by_name(member.rider.sent(), member.peers),
                           counts_by_name(member.rider.received(), member.peers)}));
  if (fifo() && !member.ended) tell_all(process);
}

void SnapshotProgram::tell_all(std::uint32_t process) {
  for (const std::string& name : names_) {
    network_.send(name, {names_[process], {}, tag(members_[process].rider.colour(), 0)});
  }
}

void SnapshotProgram::end(std::uint32_t process) { save(process, members_[process].rider.end()); }

std::uint64_t SnapshotProgram::last_snapshot() const {
  std::uint64_t last = 0;
  for (const Member& member : members_) last = std::max(last, member.rider.colour());
  return last;
}

std::uint64_t SnapshotProgram::closed(std::uint32_t process) const {
  return members_[process].rider.closed(indices_);
}

}  // namespace lightcone
