// Requests by their handles, which the MPI uses again for others.
#include "requests.h"

#include <fmt/format.h>

namespace lightcone::mpi {

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
  request->stand_in = MPI_REQUEST_NULL;
  request->receive.reset();
}

MPI_Request Requests::handle_of(const Receive& receive) const {
  for (const auto& [key, entry] : by_handle_) {
    if (entry.request->receive.get() == &receive && entry.request->active) return entry.handle;
  }
  for (const auto& [handle, request] : freed) {
    if (request.receive.get() == &receive) return handle;
  }
  return MPI_REQUEST_NULL;
}

std::string describe(const char* call, const Communicator& communicator, int source, int tag) {
  std::string from = "any rank", with;
  if (source != any && static_cast<std::size_t>(source) < communicator.members().size()) {
    from = fmt::format("rank{}", communicator.members()[static_cast<std::size_t>(source)]);
  }
  if (tag != any) with = fmt::format(", tag {}", tag);
  return fmt::format("{} for a message from {}{}, on {}", call, from, with, communicator.name());
}

}  // namespace lightcone::mpi
