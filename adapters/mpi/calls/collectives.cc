// A collective operation takes from those that it waits for. An event cannot take what depends on
// it, so it is two: one that gives, one that takes.
#include "calls/collectives.h"

#include <lightcone/trace/digest.h>

#include <algorithm>
#include <array>
#include <optional>

#include "answers/answers.h"
#include "calls/collective_results.h"
#include "calls/wrapping.h"
#include "contents/collective_gifts.h"
#include "contents/contents_digest.h"
#include "contents/neighbours.h"

namespace lightcone::mpi {
namespace {

/// This process's place in a communicator, among ranks in the world.
[[nodiscard]] bool is_root(const MpiProcess& rank, const Collective& collective) {
  if (collective.root == MPI_ROOT) return true;
  if (collective.root < 0) return false;
  const auto& members = collective.communicator->members();
  return members[static_cast<std::size_t>(collective.root)] == rank.number();
}

[[nodiscard]] std::vector<int> givers(const MpiProcess& rank, const Collective& collective) {
  const auto& members = collective.communicator->members();
  if (collective.flow == Direction::neighbours) {
    const CommunicatorFacts& facts = collective.communicator->facts();
    return others_among(Neighbours::of(facts).sources, facts);
  }
  std::vector<int> all;
  const bool root = is_root(rank, collective);
  for (const int member : members) {
    if (member == rank.number()) {
      if (collective.flow == Direction::upward) break;
      continue;
    }
    all.push_back(member);
  }
  if (collective.flow == Direction::to_root && !root) return {};
  if (collective.flow != Direction::from_root) return all;
  if (root || collective.root < 0) return {};
  return {members[static_cast<std::size_t>(collective.root)]};
}

[[nodiscard]] std::vector<int> takers(const MpiProcess& rank, const Collective& collective) {
  const auto& members = collective.communicator->members();
  if (collective.flow == Direction::neighbours) {
    const CommunicatorFacts& facts = collective.communicator->facts();
    return others_among(Neighbours::of(facts).destinations, facts);
  }
  const bool root = is_root(rank, collective);
  if (collective.flow == Direction::from_root && !root) return {};
  if (collective.flow == Direction::to_root) {
    if (root || collective.root < 0) return {};
    return {members[static_cast<std::size_t>(collective.root)]};
  }
  std::vector<int> all;
  bool above = collective.flow != Direction::upward;
  for (const int member : members) {
    if (member != rank.number() && above) all.push_back(member);
    above = above || member == rank.number();
  }
  return all;
}

[[nodiscard]] CallLabels labels_of(const Collective& collective) {
  return {collective.call, &collective.communicator->name()};
}

}  // namespace

void enter(MpiProcess& rank, Collective& collective) {
  Communicator& communicator = *collective.communicator;
  // A process that took no part in a call makes it again, or has gone on like the others.
  const bool again = communicator.failed == collective.call;
  communicator.failed = {};
  if (!again) ++communicator.collectives;
  collective.number = communicator.collectives;
  std::vector<int> to = takers(rank, collective);
  if (to.empty()) return;
  MpiEvent event{.kind = Kind::send, .labels = labels_of(collective)};
  event.sends = MessageName{&communicator.gift_of(rank.number()), collective.number};
  event.to = std::move(to);
  event.contents = collective.given;
  rank.attempt(std::move(event));
}

/// Of a process that sends nothing, such as the root of a reduction, what it gives itself counts
/// with what it gets.
void leave(MpiProcess& rank, const Collective& collective, const ContentsNote& got) {
  const std::vector<int> from = givers(rank, collective);
  if (from.empty()) return;
  MpiEvent event{.kind = Kind::receive, .labels = labels_of(collective)};
  for (const int member : from) {
    event.takes.push_back(
        {&collective.communicator->gift_of(member), collective.number, {}, member});
  }
  event.contents = got;
  if (takers(rank, collective).empty() && collective.given.digest != 0 && got.digest != 0) {
    event.contents.digest = digest_of_all(std::array{collective.given.digest, got.digest});
  }
  rank.add(std::move(event));
}

void leave_neighbours(MpiProcess& rank, const Collective& collective,
                      std::span<const Buffer> results) {
  const auto from = Neighbours::of(collective.communicator->facts()).sources;
  leave(rank, collective, note_of(blocks_of(from, results)));
}

namespace {

/// Returns whether an error says that a process took no part in an operation, since its arguments
/// are wrong.
[[nodiscard]] bool is_of_arguments(int error) {
  int error_class = MPI_SUCCESS;
  LIGHTCONE_REAL(Error_class)(error, &error_class);
  switch (error_class) {
    case MPI_ERR_BUFFER:
    case MPI_ERR_COUNT:
    case MPI_ERR_TYPE:
    case MPI_ERR_TAG:
    case MPI_ERR_COMM:
    case MPI_ERR_RANK:
    case MPI_ERR_ROOT:
    case MPI_ERR_GROUP:
    case MPI_ERR_OP:
    case MPI_ERR_TOPOLOGY:
    case MPI_ERR_DIMS:
    case MPI_ERR_ARG:
    case MPI_ERR_REQUEST:
    case MPI_ERR_INFO: return true;
    default: return false;
  }
}

/// The call that `enter` told of has this result.
void settle(MpiProcess& rank, const Collective& collective, int result) {
  const bool took_part = result == MPI_SUCCESS || !is_of_arguments(result);
  if (rank.end_attempt(took_part)) return;
  collective.communicator->failed = collective.call;
}

[[nodiscard]] bool can_have_root(const Communicator& communicator, int root) {
  const bool is_side = communicator.is_inter() && (root == MPI_ROOT || root == MPI_PROC_NULL);
  return is_side || communicator.has(root);
}

/// Returns nothing for arguments that the MPI refuses.
template <Direction flow, int comm_at, int root_at, class... Arguments>
[[nodiscard]] std::optional<Collective> collective_of(MpiProcess& rank, const char* call,
                                                      Arguments... arguments) {
  const std::tuple<Arguments...> all(arguments...);
  Communicator* const communicator = rank.communicators().find(std::get<comm_at>(all));
  if (communicator == nullptr) return std::nullopt;
  Collective collective{call, communicator, flow};
  if constexpr (root_at >= 0) collective.root = std::get<root_at>(all);
  if (root_at >= 0 && !can_have_root(*communicator, collective.root)) return std::nullopt;
  return collective;
}

[[nodiscard]] PlaceInOperation place_in(const MpiProcess& rank, const Collective& collective) {
  const CommunicatorFacts& facts = collective.communicator->facts();
  PlaceInOperation place{static_cast<int>(collective.communicator->members().size()), facts.rank};
  const bool has_root =
      collective.flow == Direction::to_root || collective.flow == Direction::from_root;
  const bool is_side = facts.is_inter && has_root;
  place.is_root = is_side ? collective.root == MPI_ROOT : has_root && is_root(rank, collective);
  place.receives = !is_side || collective.root >= 0;
  return place;
}

template <Direction flow, int comm_at, int root_at, Shape shape, class Real, class... Arguments>
int take_part(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  auto collective = collective_of<flow, comm_at, root_at>(rank, call, arguments...);
  if (!collective) return real(arguments...);
  if (rank.keeps_digests()) {
    collective->given =
        note_of(gifts_of<shape>(place_in(rank, *collective), call, std::tuple(arguments...)));
  }
  enter(rank, *collective);
  const auto results = [&] {
    return results_of<shape>(place_in(rank, *collective), std::tuple(arguments...));
  };
  const int result = rank.answers().meet(*collective, results, [&] { return real(arguments...); });
  settle(rank, *collective, result);
  if (result == MPI_SUCCESS) {
    leave(rank, *collective, rank.keeps_digests() ? note_of(results()) : ContentsNote());
  }
  return result;
}

/// Where the results will be when the request is over. In a replay no one else wants to know.
void keep_places_for_digests(const MpiProcess& rank, Request& made, ResultPlaces results) {
  if (!rank.keeps_digests() || made.places != nullptr) return;
  made.places = std::make_shared<KeptPlaces>(results());
}

template <Direction flow, int comm_at, int root_at, Shape shape, class Real, class... Arguments>
int begin_part(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  auto collective = collective_of<flow, comm_at, root_at>(rank, call, arguments...);
  MPI_Request* const request = std::get<sizeof...(arguments) - 1>(std::tuple(arguments...));
  if (!collective || request == nullptr) return real(arguments...);
  if (rank.keeps_digests()) {
    collective->given =
        note_of(gifts_of<shape>(place_in(rank, *collective), call, std::tuple(arguments...)));
  }
  enter(rank, *collective);
  Request made{.what = Request::What::collective, .call = call};
  made.communicator = collective->communicator;
  made.collective = *collective;
  const auto results = [&] {
    return results_of<shape>(place_in(rank, *collective), std::tuple(arguments...));
  };
  const int result =
      rank.answers().begin_meeting(made, results, request, [&] { return real(arguments...); });
  settle(rank, *collective, result);
  if (result != MPI_SUCCESS) return result;
  keep_places_for_digests(rank, made, results);
  rank.requests().add(*request, std::move(made));
  return result;
}

/// Neighbours are events where there are digests of what they exchange.
template <Shape shape, class... Arguments>
[[nodiscard]] Collective enter_neighbours(MpiProcess& rank, const char* call,
                                          Communicator& communicator,
                                          const std::tuple<Arguments...>& all) {
  Collective collective{call, &communicator, Direction::neighbours};
  if (!rank.keeps_digests()) return collective;
  const CommunicatorFacts& facts = communicator.facts();
  const std::vector<int> to = Neighbours::of(facts).destinations;
  const auto gifts = gifts_of<shape>({static_cast<int>(to.size()), facts.rank}, call, all);
  const bool is_for_all =
      shape == Shape::allgatherv || (shape == Shape::allgather && is_same_for_all(call));
  collective.given = note_of(is_for_all ? gifts : blocks_of(to, gifts));
  enter(rank, collective);
  return collective;
}

template <int comm_at, Shape shape, class Real, class... Arguments>
int meet_neighbours(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const std::tuple all(arguments...);
  Communicator* const communicator = rank.communicators().find(std::get<comm_at>(all));
  if (communicator == nullptr) return real(arguments...);
  const auto results = [&] {
    return results_of<shape>({communicator->facts().sources(), communicator->facts().rank}, all);
  };
  const Collective collective = enter_neighbours<shape>(rank, call, *communicator, all);
  const int result =
      rank.answers().meet_neighbours(call, results, [&] { return real(arguments...); });
  if (!rank.keeps_digests()) return result;
  settle(rank, collective, result);
  if (result == MPI_SUCCESS) leave_neighbours(rank, collective, results());
  return result;
}

template <int comm_at, Shape shape, class Real, class... Arguments>
int begin_neighbours(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const std::tuple all(arguments...);
  Communicator* const communicator = rank.communicators().find(std::get<comm_at>(all));
  MPI_Request* const request = std::get<sizeof...(arguments) - 1>(all);
  if (communicator == nullptr || request == nullptr) return real(arguments...);
  const auto results = [&] {
    return results_of<shape>({communicator->facts().sources(), communicator->facts().rank}, all);
  };
  Request made{.what = Request::What::neighbours, .call = call, .communicator = communicator};
  const Collective collective = enter_neighbours<shape>(rank, call, *communicator, all);
  made.collective = collective;
  const int result =
      rank.answers().begin_neighbours(made, results, request, [&] { return real(arguments...); });
  if (!rank.keeps_digests()) return result;
  settle(rank, collective, result);
  if (result != MPI_SUCCESS || rank.requests().find(*request) != nullptr) return result;
  keep_places_for_digests(rank, made, results);
  rank.requests().add(*request, std::move(made));
  return result;
}

template <bool several, class Real, class... Arguments>
int make_communicator(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const std::tuple<Arguments...> all(arguments...);
  MPI_Comm* const made = std::get<sizeof...(arguments) - 1>(all);
  auto collective = collective_of<Direction::all, 0, -1>(rank, call, arguments...);
  if (!collective || made == nullptr) return real(arguments...);
  enter(rank, *collective);
  CommunicatorFacts facts;
  const int result = rank.answers().make(&*collective, call, std::get<0>(all), made, facts,
                                         [&] { return real(arguments...); });
  settle(rank, *collective, result);
  if (result != MPI_SUCCESS) return result;
  leave(rank, *collective);
  rank.communicators().made(*collective->communicator, *made, std::move(facts), several);
  return result;
}

}  // namespace
}  // namespace lightcone::mpi

#define COLLECTIVE(name, count, flow, comm_at, root_at, shape)                                     \
  LIGHTCONE_WRAP(name, count,                                                                      \
                 (::lightcone::mpi::take_part<::lightcone::mpi::Direction::flow, comm_at, root_at, \
                                              ::lightcone::mpi::Shape::shape>))
#define BEGUN_COLLECTIVE(name, count, flow, comm_at, root_at, shape)                       \
  LIGHTCONE_WRAP(name, count,                                                              \
                 (::lightcone::mpi::begin_part<::lightcone::mpi::Direction::flow, comm_at, \
                                               root_at, ::lightcone::mpi::Shape::shape>))
#define NEIGHBOURS(name, count, comm_at, shape) \
  LIGHTCONE_WRAP(name, count,                   \
                 (::lightcone::mpi::meet_neighbours<comm_at, ::lightcone::mpi::Shape::shape>))
#define BEGUN_NEIGHBOURS(name, count, comm_at, shape) \
  LIGHTCONE_WRAP(name, count,                         \
                 (::lightcone::mpi::begin_neighbours<comm_at, ::lightcone::mpi::Shape::shape>))
#define MAKER(name, count, several) \
  LIGHTCONE_WRAP(name, count, (::lightcone::mpi::make_communicator<several>))
LIGHTCONE_MPI_COLLECTIVES(COLLECTIVE)
LIGHTCONE_MPI_LARGE_COLLECTIVES(COLLECTIVE)
LIGHTCONE_MPI_BEGUN_COLLECTIVES(BEGUN_COLLECTIVE)
LIGHTCONE_MPI_BEGUN_LARGE_COLLECTIVES(BEGUN_COLLECTIVE)
LIGHTCONE_MPI_NEIGHBOURS(NEIGHBOURS)
LIGHTCONE_MPI_LARGE_NEIGHBOURS(NEIGHBOURS)
LIGHTCONE_MPI_BEGUN_NEIGHBOURS(BEGUN_NEIGHBOURS)
LIGHTCONE_MPI_BEGUN_LARGE_NEIGHBOURS(BEGUN_NEIGHBOURS)
LIGHTCONE_MPI_MAKERS(MAKER)
