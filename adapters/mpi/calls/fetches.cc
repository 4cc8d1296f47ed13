// One-sided communication: fetched values are there when a call says that it is complete.
#include "calls/fetches.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answers/answers.h"
#include "calls/packed_message.h"
#include "calls/wrapping.h"
#include "contents/contents_digest.h"
#include "end/last_words.h"

namespace lightcone::mpi {
namespace {

tsl::robin_map<std::uint64_t, std::vector<std::shared_ptr<const Fetch>>> fetches;  // by window

/// A call has begun a fetch that a later call on the window completes.
template <class Count>
int expect(int result, const char* call, MPI_Win window, void* to, Count count, MPI_Datatype type,
           int target) {
  if (result == MPI_SUCCESS && target != MPI_PROC_NULL) {
    fetches[key_of(window)].push_back(std::make_shared<const Fetch>(call, to, count, type, target));
  }
  return result;
}

/// What a call gives to a window before it fetches; nothing if it only fetches.
void note_given(MpiProcess& rank, const char* call, int result, int target, MPI_Op operation,
                std::span<const Buffer> given) {
  if (result != MPI_SUCCESS || target == MPI_PROC_NULL || operation == MPI_NO_OP) return;
  note_access(rank, call, given, {"given"});
}

/// A buffer that is only read.
template <class Count>
[[nodiscard]] Buffer given_at(const void* from, Count count, MPI_Datatype type) {
  return {const_cast<void*>(from), static_cast<MPI_Count>(count), type};
}

template <class Real>
int fetch_and_op(MpiProcess& rank, const char* call, Real real, const void* from, void* to,
                 MPI_Datatype type, int target, MPI_Aint at, MPI_Op operation, MPI_Win window) {
  const int result =
      rank.answers().access([&] { return real(from, to, type, target, at, operation, window); });
  note_given(rank, call, result, target, operation, std::array{given_at(from, 1, type)});
  return expect(result, call, window, to, 1, type, target);
}

template <class Real>
int compare_and_swap(MpiProcess& rank, const char* call, Real real, const void* from,
                     const void* compared, void* to, MPI_Datatype type, int target, MPI_Aint at,
                     MPI_Win window) {
  const int result =
      rank.answers().access([&] { return real(from, compared, to, type, target, at, window); });
  note_given(rank, call, result, target, MPI_REPLACE,
             std::array{given_at(from, 1, type), given_at(compared, 1, type)});
  return expect(result, call, window, to, 1, type, target);
}

template <class Real, class Count, class TargetCount>
int get(MpiProcess& rank, const char* call, Real real, void* to, Count count, MPI_Datatype type,
        int target, MPI_Aint at, TargetCount target_count, MPI_Datatype target_type,
        MPI_Win window) {
  const int result = rank.answers().access(
      [&] { return real(to, count, type, target, at, target_count, target_type, window); });
  if (!rank.answers().keeps_more()) return result;
  return expect(result, call, window, to, count, type, target);
}

template <class Real, class Count, class ToCount, class TargetCount>
int get_accumulate(MpiProcess& rank, const char* call, Real real, const void* from,
                   Count from_count, MPI_Datatype from_type, void* to, ToCount count,
                   MPI_Datatype type, int target, MPI_Aint at, TargetCount target_count,
                   MPI_Datatype target_type, MPI_Op operation, MPI_Win window) {
  const int result = rank.answers().access([&] {
    return real(from, from_count, from_type, to, count, type, target, at, target_count, target_type,
                operation, window);
  });
  note_given(rank, call, result, target, operation,
             std::array{given_at(from, from_count, from_type)});
  return expect(result, call, window, to, count, type, target);
}

/// Begins a fetch that ends with its request.
template <class Count>
int begin_fetch(MpiProcess& rank, const char* call, void* to, Count count, MPI_Datatype type,
                int target, MPI_Request* request, FunctionRef<int()> real) {
  if (target == MPI_PROC_NULL || request == nullptr || !rank.answers().keeps_more()) return real();
  Request made{.what = Request::What::fetch, .call = call};
  made.communicator = rank.communicators().find(MPI_COMM_WORLD);
  const int result = rank.answers().begin_fetch(made, request, real);
  if (result != MPI_SUCCESS) return result;
  made.fetch = std::make_shared<const Fetch>(call, to, count, type, target);
  rank.requests().add(*request, std::move(made));
  return result;
}

template <class Real, class Count, class TargetCount>
int begin_get(MpiProcess& rank, const char* call, Real real, void* to, Count count,
              MPI_Datatype type, int target, MPI_Aint at, TargetCount target_count,
              MPI_Datatype target_type, MPI_Win window, MPI_Request* request) {
  return begin_fetch(rank, call, to, count, type, target, request, [&] {
    return real(to, count, type, target, at, target_count, target_type, window, request);
  });
}

template <class Real, class Count, class ToCount, class TargetCount>
int begin_get_accumulate(MpiProcess& rank, const char* call, Real real, const void* from,
                         Count from_count, MPI_Datatype from_type, void* to, ToCount count,
                         MPI_Datatype type, int target, MPI_Aint at, TargetCount target_count,
                         MPI_Datatype target_type, MPI_Op operation, MPI_Win window,
                         MPI_Request* request) {
  const int result = begin_fetch(rank, call, to, count, type, target, request, [&] {
    return real(from, from_count, from_type, to, count, type, target, at, target_count, target_type,
                operation, window, request);
  });
  note_given(rank, call, result, target, operation,
             std::array{given_at(from, from_count, from_type)});
  return result;
}

/// Completes the fetches of a window: all, or those from one rank.
void complete_fetches_of(MpiProcess& rank, MPI_Win window, int target) {
  const auto place = fetches.find(key_of(window));
  if (place == fetches.end()) return;
  std::vector<std::shared_ptr<const Fetch>> complete, rest;
  for (auto& fetch : place.value()) {
    (target == any || fetch->target() == target ? complete : rest).push_back(fetch);
  }
  place.value() = std::move(rest);
  if (place->second.empty()) fetches.erase(place);
  for (const auto& fetch : complete) fetch->complete(rank);
}

template <class Real>
int complete_one_target(MpiProcess& rank, const char* call, Real real, int target, MPI_Win window) {
  const int result = rank.answers().synchronise(call, window, MPI_GROUP_NULL,
                                                [&] { return real(target, window); });
  if (result == MPI_SUCCESS) complete_fetches_of(rank, window, target);
  return result;
}

/// The window is the last parameter.
template <class Real, class... Arguments>
int complete_all_targets(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  const MPI_Win window = std::get<sizeof...(arguments) - 1>(std::tuple(arguments...));
  const int result =
      rank.answers().synchronise(call, window, MPI_GROUP_NULL, [&] { return real(arguments...); });
  if (result == MPI_SUCCESS) complete_fetches_of(rank, window, any);
  return result;
}

/// A user who knows that nothing depends on unrecorded values may say so.
[[nodiscard]] bool accepts_unrecorded() {
  const char* const text = ::secure_getenv("LIGHTCONE_UNRECORDED");
  return text != nullptr && std::string_view(text) == "accept";
}

template <class Real, class... Arguments>
int give_unrecorded(MpiProcess& rank, const char* call, Real real, Arguments... arguments) {
  refuse_unrecorded(rank, call);
  return real(arguments...);
}

}  // namespace

void note_access(MpiProcess& rank, const char* call, std::span<const Buffer> buffers,
                 std::vector<std::string> labels) {
  if (!rank.keeps_digests()) return;
  MpiEvent event{.kind = Kind::internal, .labels = {call}};
  event.own.labels = std::move(labels);
  event.contents = note_of(buffers);
  rank.add(std::move(event));
}

void Fetch::complete(MpiProcess& rank) const {
  const auto bytes = pack(to_, count_, type_.type());
  if (!bytes) return;
  const auto recorded = rank.answers().fetched(*bytes);
  if (recorded) unpack(*recorded, to_, count_, type_.type());
  note_access(rank, call_, std::array{Buffer{to_, count_, type_.type()}});
}

void complete_fetch(MpiProcess& rank, Request& request) {
  if (const auto fetch = std::exchange(request.fetch, nullptr)) fetch->complete(rank);
}

void refuse_unrecorded(MpiProcess& rank, const char* call) {
  if (rank.answers().accepts_unrecorded() || accepts_unrecorded()) return;
  MpiProcess::refuse_exploration(std::string(call) + ", whose values are not recorded");
  say_why_it_ends(fmt::format(
      "this program uses {}, whose values are not recorded: a replay may see others. If nothing "
      "depends on them, set LIGHTCONE_UNRECORDED=accept",
      call));
  MpiProcess::end(false);
  LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 1);
}

}  // namespace lightcone::mpi

#define FETCH(name, count, handler) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::handler)
#define UNRECORDED(name, count) LIGHTCONE_WRAP(name, count, ::lightcone::mpi::give_unrecorded)
LIGHTCONE_MPI_FETCHES(FETCH)
LIGHTCONE_MPI_UNRECORDED(UNRECORDED)
