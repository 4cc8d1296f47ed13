// Asks other monitors, and answers them.
#include "nats/snapshot_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lightcone::service {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// For all monitors to answer. Partitions may be between two of them meanwhile.
constexpr milliseconds longest_inquiry{4000}, between_inquiries{200};
constexpr std::size_t most_bytes = 900 << 10;  // a message of NATS has at most 1 MiB
constexpr std::size_t most_names = 1000;

/// As a list of pairs: an object of our JSON has few members.
[[nodiscard]] Json list_of(const SnapshotIntake::Owners& owners) {
  Json list = Json::array();
  for (const auto& [process, owner] : owners) {
    list.push_back(Json(std::vector<std::string>{process, owner}));
  }
  return list;
}

[[nodiscard]] SnapshotIntake::Owners owners_in(const Json& list) {
  SnapshotIntake::Owners owners;
  for (const Json& pair : list.items()) {
    const Json::Items& both = pair.items();
    if (both.size() != 2 || both[0].text() == nullptr || both[1].text() == nullptr) continue;
    owners[*both[0].text()] = *both[1].text();
  }
  return owners;
}

[[nodiscard]] std::string text_in(const Json& object, std::string_view name) {
  std::string text;
  return object.read(name, text) ? text : std::string();
}

}  // namespace

SnapshotExchange::SnapshotExchange(NatsLink& link, SnapshotIntake& intake, Options options)
    : link_(link), intake_(intake), options_(std::move(options)) {}

Expected<std::unique_ptr<SnapshotExchange>> SnapshotExchange::start(NatsLink& link,
                                                                    SnapshotIntake& intake,
                                                                    Options options) {
  std::unique_ptr<SnapshotExchange> made(new SnapshotExchange(link, intake, std::move(options)));
  const StreamNames& names = link.names();
  auto answers = NatsListener::start(
      link, names.snapshots_of(made->options_.monitor),
      [&it = *made](const std::string& bytes, const std::string&) { it.hear_answer(bytes); });
  if (!answers) return failure(answers.error());
  made->answers_ = std::move(*answers);
  intake.share_with(made.get());
  auto questions = NatsListener::start(
      link, names.snapshots(),
      [&it = *made](const std::string& bytes, const std::string&) { it.hear_question(bytes); });
  if (!questions) return failure(questions.error());
  made->questions_ = std::move(*questions);
  return made;
}

SnapshotExchange::~SnapshotExchange() {
  questions_.reset();
  answers_.reset();
  intake_.share_with(nullptr);
}

/// What is not heard is asked again, or missing: nobody has to know why.
void SnapshotExchange::tell(const std::string& subject, const Json& message) {
  static_cast<void>(
      link_.tell(subject, message.dump(), link_.names().snapshots_of(options_.monitor)));
}

void SnapshotExchange::ask(const std::string& execution, const Json& question) {
  tell(link_.names().snapshots(), Json{{"lightcone", 1},
                                       {"monitor", options_.monitor},
                                       {"execution", execution},
                                       {"snapshot", question}});
}

void SnapshotExchange::answer(const std::string& monitor, const SnapshotAnswer& answer) {
  tell(link_.names().snapshots_of(monitor), Json{{"lightcone", 1},
                                                 {"execution", answer.execution},
                                                 {"process", answer.process},
                                                 {"client", answer.client},
                                                 {"snapshot", answer.answer}});
}

void SnapshotExchange::tell_begin(const std::string& execution, const std::string& process) {
  tell(link_.names().snapshots(), Json{{"lightcone", 1},
                                       {"monitor", options_.monitor},
                                       {"execution", execution},
                                       {"begins", process}});
}

Json SnapshotExchange::own_answer(const std::string& execution) const {
  const OwnPartitions own = options_.own(execution);
  Json answer{{"lightcone", 1}, {"monitor", options_.monitor}, {"partitions", Json::array()}};
  for (const std::uint32_t number : own.numbers) answer["partitions"].push_back(number);
  if (execution.empty()) {
    answer["names"] = Json::array();
    for (const auto& [name, processes] : own.executions) {
      if (answer["names"].items().size() < most_names) answer["names"].push_back(name);
    }
    return answer;
  }
  if (const auto found = own.executions.find(execution); found != own.executions.end()) {
    answer["processes"] = list_of(found->second);
  }
  answer["speakers"] = list_of(intake_.speakers(execution));
  return answer;
}

void SnapshotExchange::hear_question(const std::string& bytes) {
  const auto question = Json::parse(bytes);
  if (!question || !question->is_object()) return;
  const std::string monitor = text_in(*question, "monitor");
  const std::string execution = text_in(*question, "execution");
  if (monitor.empty() || monitor == options_.monitor) return;
  if (question->contains("begins")) {
    return intake_.hear_begin(execution, text_in(*question, "begins"));
  }
  if (const Json* snapshot = question->find("snapshot"); snapshot != nullptr) {
    return intake_.ask_for(monitor, execution, *snapshot);
  }
  std::uint64_t number = 0;
  if (!question->read("inquiry", number) || number == 0) return;
  Json answer = own_answer(execution);
  if (answer.dump().size() > most_bytes) {
    answer = Json{{"lightcone", 1}, {"monitor", options_.monitor}, {"too_large", true}};
  }
  answer["inquiry"] = number;
  tell(link_.names().snapshots_of(monitor), answer);
}

void SnapshotExchange::hear_answer(const std::string& bytes) {
  const auto answer = Json::parse(bytes);
  if (!answer || !answer->is_object()) return;
  std::uint64_t number = 0;
  if (!answer->read("inquiry", number)) return;
  if (number != 0) {
    const std::lock_guard lock(mutex_);
    const auto found = inquiries_.find(number);
    if (found == inquiries_.end()) return;
    add(*found->second, *answer);
    return changed_.notify_all();
  }
  const Json* const snapshot = answer->find("snapshot");
  if (snapshot == nullptr || !snapshot->is_object()) return;
  SnapshotAnswer heard{text_in(*answer, "execution"), text_in(*answer, "process"),
                       text_in(*answer, "client"), *snapshot};
  if (heard.client.empty()) heard.client = LineSource::anyone;
  intake_.hear(heard);
}

/// An execution that another monitor decides is known there with all processes. One that it is
/// behind with may have more, which report to someone.
void SnapshotExchange::add(Inquiry& inquiry, const Json& answer) {
  inquiry.monitors.insert(text_in(answer, "monitor"));
  bool is_too_large = false;
  inquiry.is_too_large |= answer.read("too_large", is_too_large) && is_too_large;
  if (const Json* partitions = answer.find("partitions"); partitions != nullptr) {
    for (const Json& one : partitions->items()) {
      if (const auto number = one.natural()) inquiry.partitions.insert(*number);
    }
  }
  if (const Json* names = answer.find("names"); names != nullptr) {
    for (const Json& name : names->items()) {
      if (name.text() != nullptr) inquiry.names.insert(*name.text());
    }
  }
  if (const Json* processes = answer.find("processes"); processes != nullptr) {
    inquiry.is_open = true;
    for (auto& [process, owner] : owners_in(*processes)) inquiry.processes[process] = owner;
  }
  if (const Json* speakers = answer.find("speakers"); speakers != nullptr) {
    for (const auto& [process, client] : owners_in(*speakers)) {
      inquiry.is_open = true;
      inquiry.processes.try_emplace(process);
    }
  }
}

Expected<SnapshotExchange::Inquiry> SnapshotExchange::inquire(const std::string& execution) {
  Inquiry inquiry{.execution = execution};
  add(inquiry, own_answer(execution));
  const auto deadline = Clock::now() + longest_inquiry;
  std::unique_lock lock(mutex_);
  const std::uint64_t number = ++inquiries_begun_;
  inquiries_[number] = &inquiry;
  const Json question{{"lightcone", 1},
                      {"monitor", options_.monitor},
                      {"execution", execution},
                      {"inquiry", number}};
  const auto is_answered = [&] {
    return inquiry.partitions.size() >= options_.partitions &&
           inquiry.monitors.size() >= options_.monitors();
  };
  while (!is_answered() && Clock::now() < deadline) {
    lock.unlock();
    tell(link_.names().snapshots(), question);
    lock.lock();
    changed_.wait_for(lock, between_inquiries, is_answered);
  }
  inquiries_.erase(number);
  if (inquiry.is_too_large) return failure("the execution has too many processes for a snapshot");
  if (is_answered()) return inquiry;
  return failure(fmt::format(
      "not all monitors answer: {} of {} do, which decide {} of {} partitions; ask again",
      inquiry.monitors.size(), std::max(options_.monitors(), inquiry.monitors.size()),
      inquiry.partitions.size(), options_.partitions));
}

Expected<SnapshotIntake::Owners> SnapshotExchange::processes_of(const std::string& execution) {
  auto inquiry = inquire(execution);
  if (!inquiry) return failure(inquiry.error());
  if (!inquiry->is_open) return failure(no_open_execution(execution));
  return std::move(inquiry->processes);
}

Expected<std::vector<std::string>> SnapshotExchange::open_executions() {
  auto inquiry = inquire({});
  if (!inquiry) return failure(inquiry.error());
  return std::vector<std::string>(inquiry->names.begin(), inquiry->names.end());
}

}  // namespace lightcone::service
