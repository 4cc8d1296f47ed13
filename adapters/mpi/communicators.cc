// All members of a communicator make others out of it in the same order: counting names them.
#include "communicators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <numeric>

#include "real.h"

namespace lightcone::mpi {

Communicator::Communicator(std::string name, std::vector<int> members, int self)
    : name_(std::move(name)), members_(std::move(members)), self_(self) {
  if (name_ != "world") suffix_ = '@' + name_;
}

Communicator::Messages& Communicator::find(Table& table, int rank, int tag, bool outward) {
  const std::uint64_t key = Channel{rank, tag}.key();
  if (table.last != nullptr && table.last_key == key) return *table.last;
  auto place = table.messages.find(key);
  if (place == table.messages.end()) {
    const int peer = world_rank(rank);
    const auto [from, to] = outward ? std::pair(self_, peer) : std::pair(peer, self_);
    auto messages = std::make_unique<Messages>();
    messages->prefix = fmt::format("{}>{}/{}{}:", from, to, tag, suffix_);
    place = table.messages.emplace(key, std::move(messages)).first;
  }
  table.last_key = key;
  table.last = place->second.get();
  return *table.last;
}

const std::string& Communicator::gift_of(int world_rank) {
  const auto [place, is_new] = gifts_.try_emplace(world_rank);
  if (is_new) place->second = fmt::format("{}>all{}:", world_rank, suffix_);
  return place->second;
}

void Communicators::begin() {
  LIGHTCONE_REAL(Comm_group)(MPI_COMM_WORLD, &world_);
  LIGHTCONE_REAL(Comm_rank)(MPI_COMM_WORLD, &rank_);
  LIGHTCONE_REAL(Comm_size)(MPI_COMM_WORLD, &size_);
  add(MPI_COMM_WORLD, "world");
  add(MPI_COMM_SELF, fmt::format("self{}", rank_));
}

std::vector<int> Communicators::world_ranks(MPI_Group group) const {
  int size = 0;
  LIGHTCONE_REAL(Group_size)(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size)), in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  LIGHTCONE_REAL(Group_translate_ranks)(group, size, ranks.data(), world_, in_world.data());
  return in_world;
}

std::vector<int> Communicators::members_of(MPI_Comm handle, bool of_this_side) const {
  int is_inter = 0;
  LIGHTCONE_REAL(Comm_test_inter)(handle, &is_inter);
  MPI_Group group = MPI_GROUP_NULL;
  if (is_inter != 0 && !of_this_side) {
    LIGHTCONE_REAL(Comm_remote_group)(handle, &group);
  } else {
    LIGHTCONE_REAL(Comm_group)(handle, &group);
  }
  std::vector<int> members = world_ranks(group);
  LIGHTCONE_REAL(Group_free)(&group);
  return members;
}

void Communicators::add(MPI_Comm handle, std::string name) {
  all_.push_back(std::make_unique<Communicator>(std::move(name), members_of(handle, false), rank_));
  by_handle_[key_of(handle)] = all_.back().get();
  last_ = nullptr;
}

Communicator& Communicators::of(MPI_Comm handle) {
  const std::uint64_t key = key_of(handle);
  if (last_ != nullptr && last_key_ == key) return *last_;
  const auto place = by_handle_.find(key);
  if (place != by_handle_.end()) {
    last_key_ = key;
    last_ = place->second;
    return *last_;
  }
  add(handle, "unknown");  // made in a way that is not wrapped
  return *all_.back();
}

void Communicators::made(Communicator& parent, MPI_Comm handle, bool several) {
  const std::uint64_t number = ++parent.creations;
  if (handle == MPI_COMM_NULL) return;
  std::string name = fmt::format("{}.{}", parent.name(), number);
  if (several) {
    const auto members = members_of(handle, true);
    name += fmt::format("/{}", *std::min_element(members.begin(), members.end()));
  }
  add(handle, std::move(name));
}

void Communicators::made_by_members(const std::string& how, MPI_Comm handle) {
  if (handle == MPI_COMM_NULL) return;
  auto members = members_of(handle, true);
  auto others = members_of(handle, false);
  std::sort(members.begin(), members.end());
  std::sort(others.begin(), others.end());
  if (others < members) members.swap(others);
  const std::string sides =
      fmt::format("{}{}{}", fmt::join(members, ","), members == others ? "" : "-",
                  members == others ? "" : fmt::format("{}", fmt::join(others, ",")));
  constexpr std::size_t longest = 24;
  const std::string name =
      sides.size() <= longest
          ? fmt::format("{}.{}", how, sides)
          : fmt::format("{}.{}+{:08x}", how, members.front(),
                        static_cast<std::uint32_t>(XXH3_64bits(sides.data(), sides.size())));
  add(handle, fmt::format("{}.{}", name, ++made_by_members_[how + sides]));
}

}  // namespace lightcone::mpi
