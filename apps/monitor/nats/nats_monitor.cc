// Takes its share of the partitions, and starts a worker for each.
#include "nats/nats_monitor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <random>

namespace lightcone::service {
namespace {

constexpr std::size_t default_partitions = 16, most_partitions = 1024;
constexpr const char* partitions_key = "partitions";
constexpr const char* properties_key = "properties";

/// A name that no other monitor has, nor this one after a new start.
[[nodiscard]] std::string new_name() {
  std::random_device random;
  return fmt::format("{}-{:08x}{:08x}", ::getpid(), random(), random());
}

}  // namespace

NatsMonitor::NatsMonitor(PropertyFile properties, NatsMonitorOptions options,
                         std::unique_ptr<NatsLink> link)
    : properties_(std::move(properties)),
      options_(std::move(options)),
      name_(new_name()),
      link_(std::move(link)) {}

Expected<std::unique_ptr<NatsMonitor>> NatsMonitor::start(PropertyFile properties,
                                                          NatsMonitorOptions options) {
  auto link = NatsLink::connect(options.url, options.names);
  if (!link) return failure(link.error());
  std::unique_ptr<NatsMonitor> monitor(
      new NatsMonitor(std::move(properties), std::move(options), std::move(*link)));
  if (auto agreed = monitor->agree_with_others(); !agreed) return failure(agreed.error());
  NatsMonitorOptions& given = monitor->options_;
  given.worker.monitor = monitor->name_;
  given.worker.room = std::make_shared<FetchRoom>(given.undecided_bytes);
  given.worker.partition.partitions = given.partitions;
  given.worker.partition.memory = std::make_shared<ExecutionMemory>(given.execution_bytes);
  monitor->share_ =
      std::make_unique<PartitionShare>(*monitor->link_, monitor->name_, given.partitions);
  monitor->intake_ = std::make_unique<NatsIntake>(
      *monitor->link_, NatsIntakeOptions{.partitions = given.partitions,
                                         .monitor = monitor->name_,
                                         .note = given.worker.partition.note});
  monitor->thread_ = std::thread([&it = *monitor] { it.run(); });
  return monitor;
}

/// The first monitor of a group says how many partitions there are, and which properties.
Expected<void> NatsMonitor::agree_with_others() {
  const std::size_t wanted = options_.partitions;
  const std::string first = std::to_string(wanted == 0 ? default_partitions : wanted);
  for (const auto& [key, value] :
       {std::pair<std::string, std::string>(partitions_key, first),
        std::pair<std::string, std::string>(properties_key, options_.identity)}) {
    if (auto said = link_->put_after(key, value, 0); !said) return failure(said.error());
  }
  const auto partitions = link_->get(partitions_key);
  if (!partitions) return failure(partitions.error());
  const std::string text = *partitions ? (*partitions)->value : "";
  const auto read = std::from_chars(text.data(), text.data() + text.size(), options_.partitions);
  if (read.ec != std::errc() || options_.partitions == 0 || options_.partitions > most_partitions) {
    return failure(fmt::format("its number of partitions, `{}`, is none", text), options_.url);
  }
  if (wanted != 0 && wanted != options_.partitions) {
    return failure(fmt::format("the stream has {} partitions, not {}", options_.partitions, wanted),
                   options_.url, 0, "leave --partitions out, or choose another --nats-name");
  }
  const auto properties = link_->get(properties_key);
  if (!properties) return failure(properties.error());
  if (*properties && (*properties)->value == options_.identity) return {};
  return failure("its monitors decide other properties", options_.url, 0,
                 "choose another --nats-name for the new properties");
}

Expected<std::unique_ptr<SnapshotExchange>> NatsMonitor::share_snapshots(SnapshotIntake& intake) {
  return SnapshotExchange::start(
      *link_, intake,
      {.monitor = name_,
       .partitions = options_.partitions,
       .monitors = [this] { return monitors_.load(); },
       .own = [this](const std::string& execution) { return own_partitions(execution); }});
}

OwnPartitions NatsMonitor::own_partitions(const std::string& execution) const {
  OwnPartitions own;
  for (const auto& partition : partitions()) {
    own.numbers.push_back(partition->number());
    partition->add_processes(execution, own.executions);
  }
  return own;
}

bool NatsMonitor::decides(const std::string& execution) const {
  return own_partitions(execution).executions.contains(execution);
}

NatsMonitor::~NatsMonitor() {
  intake_.reset();  // what it has is stored first; nobody asks for figures any more
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  if (!thread_.joinable()) return;
  thread_.join();
  ShareChange all;
  for (const auto& [partition, worker] : workers_) all.leave.push_back(partition);
  change(all);
  if (link_->is_connected()) static_cast<void>(share_->resign());
}

void NatsMonitor::run() {
  const auto between = options_.takeover / PartitionShare::most_unchanged;
  for (;;) {
    look();
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, between, [&] { return stops_; })) return;
  }
}

void NatsMonitor::look() {
  std::set<std::uint32_t> mine;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(workers_, [](const auto& entry) { return entry.second->is_done(); });
    for (const auto& [partition, worker] : workers_) mine.insert(partition);
  }
  const auto wanted = share_->look(mine);
  monitors_ = share_->monitors();
  const bool was_in_trouble = std::exchange(is_in_trouble_, !wanted);
  if (wanted) return change(*wanted);
  if (!was_in_trouble) options_.worker.partition.note(wanted.error().what);
}

void NatsMonitor::change(const ShareChange& change) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t partition : change.leave) {
      if (const auto found = workers_.find(partition); found != workers_.end()) {
        found->second->end_soon();
      }
    }
  }
  for (const std::uint32_t partition : change.leave) {
    std::unique_ptr<PartitionWorker> worker;
    {
      const std::lock_guard lock(mutex_);
      const auto found = workers_.find(partition);
      if (found == workers_.end()) continue;
      worker = std::move(found->second);
      workers_.erase(found);
    }
    worker.reset();  // stores how far it is, before another one begins
    if (link_->is_connected()) static_cast<void>(share_->leave(partition));
  }
  for (const std::uint32_t partition : change.take) {
    const auto taken = share_->take(partition);
    if (!taken || !*taken) continue;
    WorkerOptions options = options_.worker;
    options.partition.number = partition;
    if (!options.partition.keep.empty()) {
      options.partition.keep += fmt::format("/partition-{}", partition);
      options.partition.keep_bytes /= options_.partitions;
    }
    auto worker = std::make_unique<PartitionWorker>(*link_, properties_, std::move(options));
    const std::lock_guard lock(mutex_);
    workers_[partition] = std::move(worker);
  }
}

std::string NatsMonitor::trouble() const {
  return link_->is_connected() ? std::string() : "the connection to NATS is broken";
}

std::vector<std::shared_ptr<const Partition>> NatsMonitor::partitions() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const Partition>> all;
  for (const auto& [number, worker] : workers_) {
    if (auto partition = worker->partition()) all.push_back(std::move(partition));
  }
  return all;
}

}  // namespace lightcone::service
