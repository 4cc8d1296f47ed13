// Orders the events of each process, adds messages, and drops those that close cycles.
#include <lightcone/trace/spans/span_forest.h>

#include <lightcone/base/parallel.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint64_t millisecond = 1'000'000;  // nanoseconds

/// Where an event stands in its process.
struct MomentKey {
  std::uint64_t time = 0;
  std::uint32_t tie = 0;
  SpanMoment moment;
};

/// What comes first at the same time.
enum class Phase : std::uint32_t { event, end, start, event_of_new, end_of_new };

/// The phase, and within it the depth.
[[nodiscard]] std::uint32_t tie_of(Phase phase, std::uint32_t depth) {
  constexpr std::uint32_t deepest = (1U << 28) - 1;
  depth = std::min(depth, deepest);
  const bool deepest_first = phase == Phase::end || phase == Phase::end_of_new;
  const bool least_first = phase == Phase::start;
  const std::uint32_t rank = deepest_first ? deepest - depth : least_first ? depth : 0;
  return static_cast<std::uint32_t>(phase) << 28 | rank;
}

[[nodiscard]] bool comes_before(const MomentKey& a, const MomentKey& b) {
  if (a.time != b.time) return a.time < b.time;
  if (a.tie != b.tie) return a.tie < b.tie;
  if (a.moment.span != b.moment.span) return a.moment.span < b.moment.span;
  return a.moment.part < b.moment.part;
}

}  // namespace

std::optional<SpanForest> SpanForest::make(const SpanTable& table,
                                           std::span<const std::uint32_t> spans,
                                           const SpanProcesses& processes) {
  SpanForest forest(table);
  forest.choose(spans);
  forest.find_parents();
  forest.find_processes(processes);
  forest.measure_depths();
  forest.lay_out();
  forest.add_messages();
  if (!forest.drop_cycles()) return std::nullopt;
  return forest;
}

/// Each span once.
void SpanForest::choose(std::span<const std::uint32_t> spans) {
  spans_.reserve(spans.size());
  by_id_.reserve(spans.size());
  for (const std::uint32_t index : spans) {
    const Span& span = table_->spans[index];
    Halves& halves = by_id_[span.id];
    std::uint32_t& half = span.shared ? halves.shared : halves.first;
    if (half != none) {
      ++losses_.repeated_spans;
      continue;
    }
    half = size();
    spans_.push_back(index);
  }
}

/// The span of this id. If two share it, others mean the server's half.
std::uint32_t SpanForest::find(SpanId id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return none;
  return found->second.shared != none ? found->second.shared : found->second.first;
}

void SpanForest::find_parents() {
  parents_.assign(size(), none);
  std::atomic<std::uint64_t> missing = 0;
  constexpr std::uint32_t part_size = 1 << 15;
  for_each_part(size() / part_size + 1, [&](std::size_t part) {
    const auto begin = static_cast<std::uint32_t>(part * part_size);
    const std::uint32_t end = begin + std::min(part_size, size() - begin);
    for (std::uint32_t i = begin; i < end; ++i) {
      const Span& span = at(i);
      if (span.shared) parents_[i] = by_id_.find(span.id)->second.first;
      if (parents_[i] != none || span.parent == 0) continue;
      parents_[i] = find(span.parent);
      if (parents_[i] == none) ++missing;
      if (parents_[i] == i) parents_[i] = none;
    }
  });
  losses_.missing_parents = missing;
}

void SpanForest::find_processes(const SpanProcesses& processes) {
  process_of_.resize(size());
  tsl::robin_map<std::uint32_t, std::uint32_t> by_resource;
  tsl::robin_map<std::string, std::uint32_t> by_name;
  for (std::uint32_t i = 0; i < size(); ++i) {
    const auto known = by_resource.find(at(i).resource);
    if (known != by_resource.end()) {
      process_of_[i] = known->second;
      continue;
    }
    std::string name = processes.name(at(i));
    const auto fresh = static_cast<std::uint32_t>(process_names_.size());
    const auto [place, is_new] = by_name.emplace(name, fresh);
    if (is_new) process_names_.push_back(std::move(name));
    process_of_[i] = place->second;
    if (processes.is_by_resource()) by_resource.emplace(at(i).resource, place->second);
  }
}

void SpanForest::measure_depths() {
  constexpr std::uint32_t open = none - 1;
  depths_.assign(size(), none);
  std::vector<std::uint32_t> path;
  for (std::uint32_t i = 0; i < size(); ++i) {
    path.clear();
    std::uint32_t at = i;
    for (; at != none && depths_[at] == none; at = parents_[at]) {
      depths_[at] = open;
      path.push_back(at);
    }
    if (at != none && depths_[at] == open) {  // from `at` on, the path is a cycle
      for (bool is_on_cycle = true; is_on_cycle; path.pop_back()) {
        depths_[path.back()] = 0;
        is_on_cycle = path.back() != at;
      }
    }
    for (; !path.empty(); path.pop_back()) {
      const std::uint32_t parent = parents_[path.back()];
      depths_[path.back()] = parent == none ? 0 : depths_[parent] + 1;
    }
  }
}

/// Which processes have clocks that show whole milliseconds: a span begins with such a time, and
/// ends at this time and its exact duration, which may be later than the next span begins.
std::vector<bool> SpanForest::coarse_clocks() const {
  std::vector<bool> coarse(process_names_.size(), true);
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (at(i).start % millisecond != 0) coarse[process_of_[i]] = false;
  }
  return coarse;
}

/// The events of each process in its order.
void SpanForest::lay_out() {
  const std::size_t processes = process_names_.size();
  first_.assign(processes + 1, 0);
  for (std::uint32_t i = 0; i < size(); ++i) first_[process_of_[i] + 1] += 2 + at(i).events.size();
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<MomentKey> keys(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  const std::vector<bool> coarse = coarse_clocks();
  for (std::uint32_t i = 0; i < size(); ++i) {
    const Span& span = at(i);
    const auto shown = [&](std::uint64_t time) {
      return coarse[process_of_[i]] ? time - time % millisecond : time;
    };
    const std::uint64_t begin = span.start, end = shown(std::max(span.start, span.end));
    std::uint32_t& place = next[process_of_[i]];
    std::uint32_t part = 0;
    const auto add = [&](std::uint64_t time, Phase phase) {
      keys[place++] = {time, tie_of(phase, depths_[i]), {i, part++}};
    };
    add(begin, Phase::start);
    for (std::uint32_t k = span.events.begin; k < span.events.end; ++k) {
      const std::uint64_t time = std::clamp(shown(table_->events[k].time), begin, end);
      add(time, time == begin ? Phase::event_of_new : Phase::event);
    }
    add(end, end == begin ? Phase::end_of_new : Phase::end);
  }
  const auto sort = [&](std::size_t p) {
    std::sort(keys.begin() + first_[p], keys.begin() + first_[p + 1], comes_before);
  };
  constexpr std::size_t many = 1 << 15;  // fewer are sorted before a thread has begun
  if (keys.size() >= many) {
    for_each_part(processes, sort);
  } else {
    for (std::size_t p = 0; p < processes; ++p) sort(p);
  }
  starts_.resize(size());
  ends_.resize(size());
  moments_.resize(keys.size());
  for (std::uint32_t event = 0; event < keys.size(); ++event) {
    const SpanMoment moment = keys[event].moment;
    moments_[event] = moment;
    if (moment.part == 0) starts_[moment.span] = event;
    if (moment.part == at(moment.span).events.size() + 1) ends_[moment.span] = event;
  }
}

void SpanForest::add_messages() {
  std::vector<std::uint32_t> linked;
  for (std::uint32_t i = 0; i < size(); ++i) {
    const Span& span = at(i);
    linked.clear();
    for (std::uint32_t k = span.links.begin; k < span.links.end; ++k) {
      const SpanLink& link = table_->links[k];
      const std::uint32_t other = link.trace == span.trace ? find(link.span) : none;
      if (other == none)
        ++losses_.other_links;
      else if (other != parents_[i])
        linked.push_back(other);
    }
    std::sort(linked.begin(), linked.end());
    linked.erase(std::unique(linked.begin(), linked.end()), linked.end());
    if (parents_[i] != none) linked.insert(linked.begin(), parents_[i]);
    for (const std::uint32_t other : linked) {
      if (process_of_[other] == process_of_[i]) continue;
      messages_.push_back({starts_[other], starts_[i]});
    }
  }
  requests_ = messages_.size();
  for (std::uint32_t i = 0; i < size(); ++i) {
    const std::uint32_t parent = parents_[i];
    const bool is_answered = parent != none && at(parent).kind == SpanKind::client &&
                             at(i).kind == SpanKind::server &&
                             process_of_[parent] != process_of_[i];
    if (is_answered) messages_.push_back({ends_[i], ends_[parent]});
  }
}

/// Returns false if there are too many cycles.
bool SpanForest::drop_cycles() {
  order_ = causal_order(first_, messages_);
  if (order_.size() == moments_.size()) return true;
  const auto dropped = cycle_closing_edges(first_, messages_);
  if (!dropped) return false;
  std::vector<EventEdge> kept;
  kept.reserve(messages_.size());
  std::size_t kept_requests = 0;
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (!(*dropped)[i]) kept.push_back(messages_[i]);
    if (i + 1 == requests_) kept_requests = kept.size();
  }
  losses_.dropped_requests = requests_ - kept_requests;
  losses_.dropped_responses = messages_.size() - requests_ - (kept.size() - kept_requests);
  messages_ = std::move(kept);
  requests_ = kept_requests;
  order_ = causal_order(first_, messages_);
  return true;
}

}  // namespace lightcone
