// Asks processes for their parts of snapshots, and hears their answers.
#include "snapshot/snapshot_intake.h"

#include <fmt/format.h>
#include <lightcone/base/json.h>

#include <algorithm>

namespace lightcone::service {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_requests = 16, most_ended = 10'000, most_speakers = 100'000;
constexpr std::uint64_t most_bytes = 64 << 20;  // of one snapshot
constexpr milliseconds between_questions{100}, between_far_questions{500};
constexpr std::uint64_t longest_seconds = 120;  // that another monitor may want answers for
constexpr std::size_t most_far_requests = 256;
constexpr const char* not_reporting =
    "it does not report to this monitor as a process that takes part in snapshots";
/// For the contents of messages, once it is known how many there are.
constexpr milliseconds patience_for_contents{300};

[[nodiscard]] std::optional<MessageCounts> counts_in(const Json& part, std::string_view name) {
  MessageCounts counts;
  const Json* const entries = part.find(name);
  if (entries == nullptr || !entries->is_array()) return std::nullopt;
  for (const Json& entry : entries->items()) {
    if (entry.items().size() != 2 || entry.items()[0].text() == nullptr) return std::nullopt;
    const auto count = entry.items()[1].natural();
    if (!count || !counts.emplace(*entry.items()[0].text(), *count).second) return std::nullopt;
  }
  return counts;
}

[[nodiscard]] std::optional<SnapshotRange> range_in(const Json& part) {
  SnapshotRange range{0, SnapshotRange::for_ever};
  if (!part.read("first", range.first) || !part.read("last", range.last)) return std::nullopt;
  const bool is_end = range.last == SnapshotRange::for_ever;
  if (!SnapshotRange{range.first, is_end ? range.first : range.last}.is_proper())
    return std::nullopt;
  return range;
}

[[nodiscard]] std::shared_ptr<const LocalPart> local_part(const std::string& process,
                                                          const Json& part) {
  const auto range = range_in(part);
  const auto sent = counts_in(part, "sent"), received = counts_in(part, "received");
  if (!range || !sent || !received) return nullptr;
  return std::make_shared<const LocalPart>(
      LocalPart{process, *range, part.dump(), *sent, *received});
}

[[nodiscard]] std::shared_ptr<const InTransitPart> in_transit_part(const std::string& process,
                                                                   const Json& part) {
  const auto range = range_in(part);
  std::string sender;
  std::uint64_t number = 0;
  if (!range || range->last == SnapshotRange::for_ever || !part.read("from", sender) ||
      !part.read("number", number)) {
    return nullptr;
  }
  return std::make_shared<const InTransitPart>(
      InTransitPart{process, *range, sender, number, part.dump()});
}

}  // namespace

std::string no_open_execution(const std::string& execution) {
  return fmt::format("there is no open execution named {}", execution);
}

/// A snapshot that is under way.
struct SnapshotIntake::Request {
  /// A process that is asked.
  struct Asked {
    std::string owner = {};
    const LineSource* asked = nullptr;  ///< with the question of this step
    std::optional<std::uint64_t> colour = {};
    std::string trouble = {};  ///< why it has no part in snapshots
  };

  std::string execution;
  std::uint64_t seconds = 0;
  std::map<std::string, Asked> processes;
  std::map<std::string, std::shared_ptr<const LocalPart>> ends;  ///< of those that have ended
  std::optional<GlobalSnapshot> snapshot;                        ///< in the second step

  [[nodiscard]] bool lacks(const std::string& process) const {
    if (!snapshot) return !processes.at(process).colour;
    const auto found = snapshot->states().find(process);
    return found == snapshot->states().end() || !found->second;
  }
  /// Returns whether this client may speak for a process.
  [[nodiscard]] bool believes(const SnapshotAnswer& answer) const {
    const auto found = processes.find(answer.process);
    return found == processes.end() || found->second.owner.empty() ||
           found->second.owner == answer.client;
  }
  /// All that can answer have done so.
  [[nodiscard]] bool is_answered() const {
    return std::ranges::all_of(processes, [&](const auto& entry) {
      return !entry.second.trouble.empty() || !lacks(entry.first);
    });
  }
  std::size_t bytes = 0;  ///< of parts, as they were taken of the memory
};

template <class Part>
void SnapshotIntake::add(Request& request, const std::string& process,
                         const std::shared_ptr<const Part>& part) {
  auto& snapshot = request.snapshot;
  if (!snapshot || !part->snapshots.contains(snapshot->number())) return;
  const std::size_t size = part->bytes();
  if (snapshot->bytes() + size > most_bytes) {
    request.processes[process].trouble = "its part is too large";
  } else if (!memory_.take(size)) {
    request.processes[process].trouble = "there is no memory left for its part";
  } else {
    request.bytes += size;
    const auto added = snapshot->add(part);
    if (!added) request.processes[process].trouble = added.error().text();
  }
  // Who is only known by others is asked, too.
  if (snapshot->states().size() == request.processes.size()) return;
  for (const auto& [name, state] : snapshot->states()) request.processes.try_emplace(name);
}

SnapshotIntake::SnapshotIntake(ArrivalTaker& behind, Executions executions)
    : behind_(behind), executions_(std::move(executions)) {}

void SnapshotIntake::share_with(FarProcesses* far) {
  const std::lock_guard lock(mutex_);
  far_ = far;
}

void SnapshotIntake::offer(Arrival arrival) {
  if (const auto* heading = std::get_if<Heading>(&arrival.content)) {
    if (heading->snapshot) return hear(*arrival.source, *heading);
    if (heading->takes_snapshots && !heading->process.empty()) note_speaker(arrival, *heading);
  }
  behind_.offer(std::move(arrival));
}

/// Nobody takes the place of another client that is still there.
void SnapshotIntake::note_speaker(const Arrival& arrival, const Heading& heading) {
  const std::lock_guard lock(mutex_);
  if (speakers_.size() >= most_speakers) {
    std::erase_if(speakers_, [](const auto& entry) { return entry.second.source.expired(); });
    if (speakers_.size() >= most_speakers) return;
  }
  Speaker& speaker = speakers_[{heading.execution, heading.process}];
  if (!speaker.source.expired() && speaker.client != arrival.source->client) return;
  speaker = {arrival.source, arrival.source->client};
  forget_end({heading.execution, heading.process});
  if (far_ != nullptr) far_->tell_begin(heading.execution, heading.process);
  changed_.notify_all();
}

void SnapshotIntake::hear_begin(const std::string& execution, const std::string& process) {
  const std::lock_guard lock(mutex_);
  forget_end({execution, process});
}

SnapshotIntake::Owners SnapshotIntake::speakers(const std::string& execution) const {
  const std::lock_guard lock(mutex_);
  Owners all;
  for (auto at = speakers_.lower_bound({execution, ""});
       at != speakers_.end() && at->first.first == execution; ++at) {
    if (!at->second.source.expired()) all[at->first.second] = at->second.client;
  }
  return all;
}

void SnapshotIntake::hear(const LineSource& source, const Heading& heading) {
  const std::lock_guard lock(mutex_);
  const auto speaker = speakers_.find({heading.execution, heading.process});
  if (speaker == speakers_.end() || speaker->second.source.lock().get() != &source) return;
  const SnapshotAnswer answer{heading.execution, heading.process, source.client, *heading.snapshot};
  deliver(answer);
  for (const std::string& monitor : monitors_that_ask(heading.execution)) {
    far_->answer(monitor, answer);
  }
}

void SnapshotIntake::hear(const SnapshotAnswer& answer) {
  const std::lock_guard lock(mutex_);
  deliver(answer);
}

void SnapshotIntake::deliver(const SnapshotAnswer& answer) {
  if (answer.answer.contains("colour")) {
    deliver_colour(answer);
  } else {
    deliver_part(answer);
  }
  changed_.notify_all();
}

void SnapshotIntake::deliver_colour(const SnapshotAnswer& answer) {
  std::uint64_t colour = 0;
  bool takes_part = true;
  if (!answer.answer.read("colour", colour) || !answer.answer.read("takes_part", takes_part)) {
    return;
  }
  if (colour >= SnapshotRange::most) return;
  for (Request* request : requests_) {
    if (request->execution != answer.execution || !request->believes(answer)) continue;
    Request::Asked& process = request->processes[answer.process];
    process.colour = colour;
    request->ends.erase(answer.process);
    if (!takes_part) process.trouble = "it sends messages that cannot be counted, to anyone";
  }
}

void SnapshotIntake::deliver_part(const SnapshotAnswer& answer) {
  const Json& part = answer.answer;
  const bool is_message = part.contains("from");
  const auto message = is_message ? in_transit_part(answer.process, part) : nullptr;
  const auto state = is_message ? nullptr : local_part(answer.process, part);
  const bool is_end = state && state->snapshots.last == SnapshotRange::for_ever;
  const Name name{answer.execution, answer.process};
  // Those of others are kept by the monitors that they reported to.
  if (is_end && speakers_.contains(name)) hear_end(name, state);
  for (Request* request : requests_) {
    if (request->execution != answer.execution || !request->believes(answer)) continue;
    if (message) add(*request, answer.process, message);
    if (state) add(*request, answer.process, state);
    if (!is_end || request->snapshot) continue;
    request->processes[answer.process].colour = state->snapshots.first - 1;
    request->ends[answer.process] = state;
  }
}

/// Other monitors that want to know what processes of this execution answer.
std::vector<std::string> SnapshotIntake::monitors_that_ask(const std::string& execution) {
  std::vector<std::string> monitors;
  if (far_ == nullptr) return monitors;
  const auto now = Clock::now();
  std::erase_if(far_requests_, [&](const FarRequest& one) { return one.until < now; });
  for (const FarRequest& one : far_requests_) {
    if (one.execution == execution) monitors.push_back(one.monitor);
  }
  return monitors;
}

void SnapshotIntake::ask_for(const std::string& monitor, const std::string& execution,
                             const Json& question) {
  std::uint64_t seconds = 0;
  if (!question.is_object() || !question.read("seconds", seconds)) return;
  const auto until = Clock::now() + std::chrono::seconds(std::min(seconds, longest_seconds));
  Questions questions;
  {
    const std::lock_guard lock(mutex_);
    if (far_ == nullptr) return;
    const auto known = std::ranges::find_if(far_requests_, [&](const FarRequest& one) {
      return one.monitor == monitor && one.execution == execution;
    });
    if (known != far_requests_.end()) {
      known->until = until;
    } else if (far_requests_.size() < most_far_requests) {
      far_requests_.push_back({monitor, execution, until});
    }
    const std::string line = Json{{"snapshot", question}}.dump();
    for (auto at = speakers_.lower_bound({execution, ""});
         at != speakers_.end() && at->first.first == execution; ++at) {
      const auto end = ended_.find(at->first);
      if (end != ended_.end()) {
        const auto part = Json::parse(end->second->state);
        if (part) far_->answer(monitor, {execution, at->first.second, at->second.client, *part});
      } else if (auto source = at->second.source.lock()) {
        questions.emplace_back(std::move(source), line);
      }
    }
  }
  for (const auto& [source, line] : questions) source->ask(line);
}

void SnapshotIntake::hear_end(const Name& name, const std::shared_ptr<const LocalPart>& part) {
  forget_end(name);
  const auto has_room = [&] { return ended_.size() < most_ended && memory_.take(part->bytes()); };
  if (has_room()) {
    ended_[name] = part;
    return;
  }
  forget_old_ends();
  if (has_room()) ended_[name] = part;
}

void SnapshotIntake::forget_end(const Name& name) {
  const auto found = ended_.find(name);
  if (found == ended_.end()) return;
  memory_.give_back(found->second->bytes());
  ended_.erase(found);
}

/// Those of executions that are not open any more.
void SnapshotIntake::forget_old_ends() {
  std::map<std::string, bool> is_open;
  std::erase_if(ended_, [&](const auto& entry) {
    const auto [place, is_new] = is_open.try_emplace(entry.first.first, false);
    if (is_new) place->second = executions_.is_open(entry.first.first);
    if (!place->second) memory_.give_back(entry.second->bytes());
    return !place->second;
  });
}

std::shared_ptr<LineSource> SnapshotIntake::source_of(const Name& name,
                                                      const std::string& owner) const {
  const auto found = speakers_.find(name);
  if (found == speakers_.end()) return nullptr;
  if (!owner.empty() && found->second.client != owner) return nullptr;
  return found->second.source.lock();
}

Json SnapshotIntake::question_of(const Request& request) {
  return request.snapshot
             ? Json{{"reach", request.snapshot->number()}, {"seconds", request.seconds}}
             : Json{{"seconds", request.seconds}};
}

/// Those who were not asked yet, or came back over another connection.
SnapshotIntake::Questions SnapshotIntake::questions_of(Request& request) const {
  const std::string line = Json{{"snapshot", question_of(request)}}.dump();
  Questions questions;
  for (auto& [process, asked] : request.processes) {
    if (!asked.trouble.empty() || !request.lacks(process)) continue;
    auto source = source_of({request.execution, process}, asked.owner);
    if (!source || source.get() == asked.asked) continue;
    asked.asked = source.get();
    questions.emplace_back(std::move(source), line);
  }
  return questions;
}

/// Other monitors ask all their processes, also those that nobody here has heard of.
void SnapshotIntake::ask_until(Request& request, Clock::time_point deadline,
                               const std::function<bool()>& is_done,
                               std::unique_lock<std::mutex>& lock) {
  for (auto& [process, asked] : request.processes) asked.asked = nullptr;
  auto next_far = Clock::now();
  while (!stops_ && !is_done() && Clock::now() < deadline) {
    if (far_ != nullptr && Clock::now() >= next_far) {
      far_->ask(request.execution, question_of(request));
      next_far = Clock::now() + between_far_questions;
    }
    const Questions questions = questions_of(request);
    if (!questions.empty()) {
      lock.unlock();
      for (const auto& [source, line] : questions) source->ask(line);
      lock.lock();
      if (stops_ || is_done()) return;
    }
    changed_.wait_until(lock, std::min(deadline, Clock::now() + between_questions));
  }
}

/// The second step: the snapshot has a number that no process has saved its state for.
void SnapshotIntake::begin(Request& request) {
  std::uint64_t number = 1;
  std::vector<std::string> names;
  for (const auto& [process, asked] : request.processes) {
    names.push_back(process);
    number = std::max(number, asked.colour.value_or(0) + 1);
  }
  request.snapshot.emplace(number, names);
  for (const auto& [process, end] : request.ends) add(request, process, end);
}

TakenSnapshot SnapshotIntake::taken_by(const Request& request) const {
  TakenSnapshot taken{request.execution, request.snapshot, {}};
  for (const auto& [process, asked] : request.processes) {
    if (asked.trouble.empty() && !request.lacks(process)) continue;
    std::string& why = taken.missing[process];
    why = asked.trouble;
    const Name name{request.execution, process};
    if (!why.empty()) continue;
    const bool is_near = speakers_.contains(name);
    if (is_near && far_ == nullptr && !source_of(name, asked.owner)) {
      why = "its connection has ended";
    } else if (!is_near && far_ == nullptr) {
      why = not_reporting;
    } else {
      why = asked.colour ? "it has not come to a place where its state is saved"
                         : "it does not answer";
    }
  }
  return taken;
}

Expected<TakenSnapshot> SnapshotIntake::take(const std::string& execution, milliseconds patience) {
  const auto first_deadline = Clock::now() + patience / 2, deadline = Clock::now() + patience;
  const auto processes = executions_.processes(execution);
  if (!processes) return failure(processes.error());
  if (processes->empty()) return failure(no_open_execution(execution));
  Request request;
  request.execution = execution;
  request.seconds = static_cast<std::uint64_t>(patience.count() / 1000) + 1;
  for (const auto& [process, owner] : *processes) request.processes[process].owner = owner;
  std::unique_lock lock(mutex_);
  if (requests_.size() >= most_requests) return failure("too many snapshots are under way");
  for (auto& [process, asked] : request.processes) {
    const Name name{execution, process};
    if (const auto end = ended_.find(name); end != ended_.end()) {
      request.ends[process] = end->second;
      asked.colour = end->second->snapshots.first - 1;
    } else if (far_ == nullptr && !speakers_.contains(name)) {
      // Nobody will answer. Others are asked all the same, so that their states are shown.
      asked.trouble = not_reporting;
    }
  }
  const auto place = requests_.insert(requests_.end(), &request);
  const auto is_answered = [&] { return request.is_answered(); };
  ask_until(request, first_deadline, is_answered, lock);
  begin(request);
  ask_until(request, deadline, is_answered, lock);
  if (request.snapshot->has_all_states()) {
    const auto soon = std::min(deadline, Clock::now() + patience_for_contents);
    ask_until(
        request, soon, [&] { return request.snapshot->complete(); }, lock);
  }
  requests_.erase(place);
  memory_.give_back(request.bytes);
  return taken_by(request);
}

void SnapshotIntake::stop() {
  const std::lock_guard lock(mutex_);
  stops_ = true;
  changed_.notify_all();
}

}  // namespace lightcone::service
