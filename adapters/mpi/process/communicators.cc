// All members of a communicator make others out of it in the same order: counting names them.
#include "process/communicators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <numeric>

#include "calls/mpi_functions.h"
#include "process/errors_return.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {

namespace {

/// Returns whether the MPI knows this handle.
[[nodiscard]] bool is_valid(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL) return false;
  const ErrorsReturn quiet;
  int size = 0;
  return LIGHTCONE_REAL(Comm_size)(handle, &size) == MPI_SUCCESS;
}

void put_number(std::string& text, int number) {
  std::array<char, 12> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

}  // namespace

Communicator::Communicator(std::string name, CommunicatorFacts facts, int self)
    : name_(std::move(name)), facts_(std::move(facts)), self_(self) {
  if (name_ != "world") suffix_ = '@' + name_;
}

const std::string& Communicator::keep(Prefixes& prefixes, const Channel& channel) {
  const auto [place, is_new] = prefixes.kept.try_emplace(channel.key(), nullptr);
  if (is_new) place.value() = std::make_unique<const std::string>(spell(prefixes, channel));
  return *place->second;
}

/// Into the memory of the one before: a program may use a tag for each of its messages.
void Communicator::spell(const Prefixes& prefixes, const Channel& channel,
                         Prefixes::Spelled& spelled) const {
  constexpr int bits_of_tag = 32;
  std::string& text = spelled.text;
  if (spelled.is_there && spelled.key >> bits_of_tag == channel.key() >> bits_of_tag) {
    text.resize(spelled.head);
  } else {
    const int peer = world_rank(channel.source);
    text.clear();
    put_number(text, prefixes.outward ? self_ : peer);
    text += '>';
    put_number(text, prefixes.outward ? peer : self_);
    text += '/';
    spelled.head = text.size();
  }
  put_number(text, channel.tag);
  text += suffix_;
  text += ':';
  spelled.key = channel.key();
  spelled.is_there = true;
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
  add(MPI_COMM_WORLD, "world", facts_of(MPI_COMM_WORLD));
  add(MPI_COMM_SELF, fmt::format("self{}", rank_), facts_of(MPI_COMM_SELF));
}

void Communicators::begin_alone(int rank, int size) {
  rank_ = rank;
  size_ = size;
  CommunicatorFacts world{.rank = rank}, self;
  world.members.resize(static_cast<std::size_t>(size));
  std::iota(world.members.begin(), world.members.end(), 0);
  self.members = {rank};
  add(MPI_COMM_WORLD, "world", std::move(world));
  add(MPI_COMM_SELF, fmt::format("self{}", rank), std::move(self));
}

void Communicators::add(MPI_Comm handle, std::string name, CommunicatorFacts facts) {
  all_.push_back(std::make_unique<Communicator>(std::move(name), std::move(facts), rank_));
  by_handle_[key_of(handle)] = all_.back().get();
  last_ = nullptr;
}

void Communicators::forget(MPI_Comm handle) {
  const auto place = by_handle_.find(key_of(handle));
  if (place == by_handle_.end()) return;
  unknown_.erase(place->second->name());
  by_handle_.erase(place);
  last_ = nullptr;
}

Communicator* Communicators::look_up(MPI_Comm handle, std::uint64_t key) {
  const auto place = by_handle_.find(key);
  if (place == by_handle_.end()) return is_valid(handle) ? add_unknown(handle) : nullptr;
  last_key_ = key;
  last_ = place->second;
  return last_;
}

MPI_Comm Communicators::handle_of(const Communicator& communicator) const {
  const auto place = std::ranges::find_if(
      by_handle_, [&](const auto& entry) { return entry.second == &communicator; });
  return place == by_handle_.end() ? MPI_COMM_SELF : handle_of_key<MPI_Comm>(place->first);
}

/// One that was made in a way that is not wrapped. Its members tell it from others, unless there is
/// another with the same.
Communicator* Communicators::add_unknown(MPI_Comm handle) {
  CommunicatorFacts facts;
  if (world_ == MPI_GROUP_NULL) {  // it runs alone, and has made this one for itself
    facts.members = {rank_};
  } else {
    facts = facts_of(handle);
  }
  auto members = facts.members;
  members.insert(members.end(), facts.others.begin(), facts.others.end());
  std::sort(members.begin(), members.end());
  std::string name = fmt::format("unknown.{}", fmt::join(members, ","));
  if (!unknown_.insert(name).second) {
    MpiProcess::refuse_exploration(
        "two communicators with the same members that Lightcone did not see being made");
    std::fprintf(
        stderr,
        "lightcone: rank%d uses two communicators with the same members that Lightcone did "
        "not see being made: their messages cannot be told apart, and are not recorded\n",
        rank_);
    LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 1);
  }
  add(handle, std::move(name), std::move(facts));
  return all_.back().get();
}

void Communicators::made(Communicator& parent, MPI_Comm handle, CommunicatorFacts facts,
                         bool several) {
  const std::uint64_t number = ++parent.creations;
  if (facts.is_null) return;
  std::string name = fmt::format("{}.{}", parent.name(), number);
  if (several) {  // one rank is in one of them only, on whichever side
    int least = *std::min_element(facts.members.begin(), facts.members.end());
    for (const int other : facts.others) least = std::min(least, other);
    name += fmt::format("/{}", least);
  }
  add(handle, std::move(name), std::move(facts));
}

void Communicators::made_by_members(const std::string& how, MPI_Comm handle,
                                    CommunicatorFacts facts) {
  if (facts.is_null) return;
  auto members = facts.members;
  auto others = facts.is_inter ? facts.others : facts.members;
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
  add(handle, fmt::format("{}.{}", name, ++made_by_members_[how + sides]), std::move(facts));
}

}  // namespace lightcone::mpi
