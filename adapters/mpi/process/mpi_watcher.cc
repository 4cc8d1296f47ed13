// Tells riders about the events of an MPI process, and sends their tags with its messages.
#include "process/mpi_watcher.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdio>

namespace lightcone::mpi {
namespace {

/// Messages have the same names at both ends.
[[nodiscard]] TagKey key_of(const MessageName& message) {
  return {XXH3_64bits(message.prefix->data(), message.prefix->size()), message.resolved()};
}

void print_line(const std::string& line) {
  std::fputs(fmt::format("lightcone: {}\n", line).c_str(), stderr);
}

}  // namespace

Expected<std::unique_ptr<MpiWatcher>> MpiWatcher::make(const std::string& properties, int rank,
                                                       int size) {
  ProcessOptions options;
  options.name = process_name(rank);
  options.properties_file = properties;
  for (int k = 0; k < size; ++k) options.members.push_back(process_name(k));
  auto watched = WatchedProperties::of(options);
  if (!watched) return failure(watched.error());
  return std::unique_ptr<MpiWatcher>(new MpiWatcher(std::move(*watched), options, rank));
}

MpiWatcher::MpiWatcher(WatchedProperties properties, const ProcessOptions& options, int rank)
    : ranks_(options.members),
      rank_(rank),
      watcher_(std::move(properties.compiled), properties.agreement, options),
      carrier_(rank, static_cast<int>(ranks_.size())) {
  watcher_.start({});
  print({});
}

const std::vector<std::string_view>& MpiWatcher::labels_of(const MpiEvent& event) {
  const auto [place, is_new] = label_texts_.try_emplace(event.labels);
  if (is_new) place->second = texts_of(event.labels);
  labels_.assign(place->second.begin(), place->second.end());
  labels_.insert(labels_.end(), event.own.labels.begin(), event.own.labels.end());
  return labels_;
}

void MpiWatcher::event(const MpiEvent& event) {
  ++events_;
  variables_.assign(event.own.variables.begin(), event.own.variables.end());
  const LiveState state{
      .labels = std::span<const std::string_view>(labels_of(event)),
      .variables = std::span<const std::pair<std::string_view, LiveValue>>(variables_)};
  if (event.kind != Kind::receive) {
    watcher_.event(event.kind, state);
  } else if (const auto envelopes = taken_by(event); !envelopes.empty()) {
    watcher_.receive(envelopes, state);
  } else {
    watcher_.event(Kind::internal, state);  // as in the trace
  }
  print(labels_);
  if (event.sends) give(event);
}

/// Its tag may be taken in place of that of the next such operation.
void MpiWatcher::withdraw() const {
  print_line(
      fmt::format("event {} of {}: its call failed: what comes between it and the next "
                  "operation on the same communicator may not be found",
                  events_, ranks_[static_cast<std::size_t>(rank_)]));
}

std::vector<Envelope> MpiWatcher::taken_by(const MpiEvent& event) {
  std::vector<Envelope> envelopes;
  for (const MessageName& message : event.takes) {
    if (message.resolved() == 0) continue;  // it is not known which message came
    const auto tag = carrier_.take(message.from, key_of(message));
    if (!tag) {
      complain(message, "was sent by a call that Lightcone does not see");
      continue;
    }
    auto envelope = watcher_.open(*tag);
    if (envelope) {
      envelopes.push_back(std::move(*envelope));
    } else {
      complain(message, "has a tag that " + envelope.error().what);
    }
  }
  return envelopes;
}

void MpiWatcher::give(const MpiEvent& event) {
  receivers_.clear();
  for (const int rank : event.to) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= ranks_.size()) continue;
    receivers_.push_back(ranks_[static_cast<std::size_t>(rank)]);
  }
  const std::string tag = watcher_.send(receivers_, sent_++);
  const TagKey key = key_of(*event.sends);
  for (const int rank : event.to) carrier_.put(rank, key, tag);
}

void MpiWatcher::print(const std::vector<std::string_view>& labels) {
  for (Detection& detection : watcher_.detections()) {
    detection.event = events_;
    detection.labels.assign(labels.begin(), labels.end());
    print_line(detection.line());
  }
  watcher_.detections().clear();
}

void MpiWatcher::complain(const MessageName& message, const std::string& what) const {
  print_line(fmt::format(
      "event {} of {}: message {}{} {}: properties that depend on it are not found", events_,
      ranks_[static_cast<std::size_t>(rank_)], *message.prefix, message.resolved(), what));
}

}  // namespace lightcone::mpi
