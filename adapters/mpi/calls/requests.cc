// Requests by their handles, which the MPI uses again for others.
#include "calls/requests.h"

#include <fmt/format.h>

#include <string_view>

namespace lightcone::mpi {

KeptPlaces::KeptPlaces(std::vector<Buffer> places) : buffers(std::move(places)) {
  for (Buffer& each : buffers) {
    types_.push_back(std::make_unique<KeptType>(each.type));
    each.type = types_.back()->type();
  }
}

Request* Requests::find(MPI_Request handle) {
  if (by_handle_.empty()) return nullptr;
  const auto place = by_handle_.find(key_of(handle));
  return place == by_handle_.end() ? nullptr : place->second.request.get();
}

Request& Requests::add(MPI_Request handle, Request request) {
  Entry entry{handle, std::make_unique<Request>(std::move(request))};
  Request& added = *entry.request;
  by_handle_[key_of(handle)] = std::move(entry);
  return added;
}

void Requests::over(MPI_Request handle) {
  Request* request = find(handle);
  if (request == nullptr) return;
  if (!request->persistent) return forget(handle);
  request->active = false;
  request->cancelling = request->never = request->was_cancelled = request->done = false;
  request->has_contents = false;
  request->stand_in = MPI_REQUEST_NULL;
  request->receive.reset();
  request->early.reset();
  request->sent = {};
}

bool Requests::has_one_on(const Communicator& communicator) const {
  for (const auto& [key, entry] : by_handle_) {
    if (entry.request->communicator == &communicator) return true;
  }
  return false;
}

MPI_Request Requests::handle_of(const Receive& receive) const {
  for (const auto& [key, entry] : by_handle_) {
    const Request& request = *entry.request;
    if (request.receive.get() != &receive || !request.active) continue;
    return request.is_name ? request.stand_in : entry.handle;
  }
  for (const auto& [handle, request] : freed) {
    if (request.receive.get() == &receive) return handle;
  }
  return MPI_REQUEST_NULL;
}

void Requests::renumber(const Communicator& communicator, const Receive& cancelled) {
  for (auto& [key, entry] : by_handle_) {
    const Request& request = *entry.request;
    if (request.communicator != &communicator || request.receive == nullptr) continue;
    Receive& receive = *request.receive;
    if (receive.channel == cancelled.channel && receive.number > cancelled.number) --receive.number;
  }
}

namespace {

/// Returns whether a call waits for the receive of what it sends, and for nothing else.
[[nodiscard]] bool is_send(std::string_view call) {
  return call == "MPI_Send" || call == "MPI_Ssend" || call == "MPI_Send_c" || call == "MPI_Ssend_c";
}

}  // namespace

std::string describe(const char* call, const Communicator& communicator, int source, int tag) {
  if (is_send(call)) {
    return fmt::format("{} for its receive by rank{}, tag {}, on {}", call,
                       communicator.world_rank(source), tag, communicator.name());
  }
  std::string from = "any rank", with;
  if (source != any && static_cast<std::size_t>(source) < communicator.members().size()) {
    from = fmt::format("rank{}", communicator.members()[static_cast<std::size_t>(source)]);
  }
  if (tag != any) with = fmt::format(", tag {}", tag);
  return fmt::format("{} for a message from {}{}, on {}", call, from, with, communicator.name());
}

}  // namespace lightcone::mpi
