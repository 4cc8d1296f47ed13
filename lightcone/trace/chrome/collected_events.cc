// Orders events by their threads' clocks, makes messages of flows, and feeds a builder.
#include <lightcone/trace/chrome/collected_events.h>

#include <lightcone/base/json_text.h>
#include <lightcone/base/wording.h>
#include <lightcone/causal/interned_value.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>

namespace lightcone {

Expected<void> CollectedEvents::add(const ChromeEvent& event, std::uint64_t line) {
  constexpr std::string_view read = "BEXiIstf";
  const bool is_read = read.find(event.phase) != std::string_view::npos;
  if (is_read && !event.time) {
    return failure(std::string("an event of phase ") + event.phase + " needs a member `ts`");
  }
  const bool is_flow = event.phase == 's' || event.phase == 't' || event.phase == 'f';
  if (is_flow && event.id.empty()) return failure("a flow needs a member `id`");
  if (timed_.size() + 2 >= none) return failure("more events than Lightcone can count");
  switch (event.phase) {
    case 'B':
    case 'E': {
      const Point point = event.phase == 'B' ? Point::start : Point::end;
      Timed& timed = add_timed(event, line, point, Turn::point);
      timed.is_paired = true;
      add_arguments(event, timed.number);
      add_binding(event, timed.number);
      break;
    }
    case 'X': add_slice(event, line); break;
    case 'i':
    case 'I':
      add_arguments(event, add_timed(event, line, Point::instant, Turn::point).number);
      break;
    case 's': add_flow(event, line, Role::start); break;
    case 't': add_flow(event, line, Role::step); break;
    case 'f': add_flow(event, line, Role::finish); break;
    case 'M': add_metadata(event); break;
    default: ++left_out_[event.phase];
  }
  return {};
}

CollectedEvents::Timed& CollectedEvents::add_timed(const ChromeEvent& event, std::uint64_t line,
                                                   Point point, Turn turn) {
  const auto [thread, is_new] =
      threads_.try_emplace({event.pid, event.tid}, static_cast<std::uint32_t>(thread_ids_.size()));
  if (is_new) thread_ids_.push_back(thread->first);
  Timed timed;
  timed.microseconds = *event.time;
  timed.point = point;
  timed.turn = turn;
  timed.number = static_cast<std::uint32_t>(timed_.size());
  timed.thread = thread->second;
  timed.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(line, none));
  if (!event.name.empty()) timed.name = builder_.name(event.name);
  return timed_.emplace_back(timed);
}

void CollectedEvents::add_arguments(const ChromeEvent& event, std::uint32_t number) {
  Timed& timed = timed_[number];
  timed.assignments_begin = static_cast<std::uint32_t>(assignments_.size());
  const auto intern = [&](std::string_view name) { return builder_.name(name); };
  for (const auto& [variable, value] : event.args) {
    assignments_.push_back({builder_.name(variable), interned(value, intern)});
  }
  timed.assignments_end = static_cast<std::uint32_t>(assignments_.size());
  if (!event.extra.empty()) timed.extra = builder_.name(event.extra);
}

void CollectedEvents::add_slice(const ChromeEvent& event, std::uint64_t line) {
  const double duration = std::max(0.0, event.duration.value_or(0));
  Timed& start = add_timed(event, line, Point::start, Turn::start);
  start.tie = -duration;
  const std::uint32_t number = start.number;
  add_arguments(event, number);
  add_binding(event, number);
  Timed& end = add_timed(event, line, Point::end, Turn::end);
  end.microseconds += duration;
  end.tie = -*event.time;
  if (end.microseconds > *event.time) return;
  end.turn = Turn::end_of_nothing;
  end.tie = -static_cast<double>(number);
}

/// A flow of version 2, whose points are slices.
void CollectedEvents::add_binding(const ChromeEvent& event, std::uint32_t number) {
  const std::string& id = event.bind_id.empty() ? event.id : event.bind_id;
  if (id.empty() || !(event.flow_in || event.flow_out)) return;
  const Role role = !event.flow_out ? Role::finish : event.flow_in ? Role::step : Role::start;
  add_flow_point(id, id, role, *event.time, number);
}

void CollectedEvents::add_flow(const ChromeEvent& event, std::uint64_t line, Role role) {
  // At the same time as starts of slices it comes after them.
  Timed& timed = add_timed(event, line, Point::flow, Turn::start);
  timed.tie = 1;
  add_arguments(event, timed.number);
  const std::string key =
      json_string(event.category) + json_string(event.name) + json_string(event.id);
  add_flow_point(key, event.id, role, *event.time, timed.number);
}

void CollectedEvents::add_flow_point(const std::string& key, const std::string& name, Role role,
                                     double time, std::uint32_t event) {
  const auto [at, is_new] = flows_.try_emplace(key, static_cast<std::uint32_t>(flow_names_.size()));
  if (is_new) flow_names_.push_back(name);
  flow_points_.push_back({at->second, role, time, event});
}

void CollectedEvents::add_metadata(const ChromeEvent& event) {
  const auto name = event.text_argument("name");
  if (!name) return;
  if (event.name == "process_name") process_names_[event.pid] = *name;
  if (event.name == "thread_name") thread_names_[{event.pid, event.tid}] = *name;
}

/// `PROCESS/THREAD`, by name where there is one. Names that are not unique get their numbers.
std::vector<std::string> CollectedEvents::names_of_threads() const {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> count;
  for (const ThreadId& id : thread_ids_) {
    const auto process = process_names_.find(id.first);
    const auto thread = thread_names_.find(id);
    names.push_back((process == process_names_.end() ? id.first : process->second) + "/" +
                    (thread == thread_names_.end() ? id.second : thread->second));
    ++count[names.back()];
  }
  std::set<std::string> used;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ThreadId& id = thread_ids_[i];
    if (count[names[i]] > 1) names[i] += " (" + id.first + "/" + id.second + ")";
    while (!used.insert(names[i]).second) names[i] += "'";
  }
  return names;
}

/// Each flow is a chain: where it starts or goes on, it sends; where it goes on or ends, it
/// receives what was sent last. The times of different threads order the points of one flow only
/// where its number was used more than once.
void CollectedEvents::connect_flows() {
  flow_ends_.resize(timed_.size());
  for (const std::string& id : flow_names_) ++id_count_[id];
  std::ranges::stable_sort(flow_points_, {}, &FlowPoint::flow);
  for (std::size_t begin = 0; begin < flow_points_.size();) {
    std::size_t end = begin;
    while (end < flow_points_.size() && flow_points_[end].flow == flow_points_[begin].flow) ++end;
    const std::span points(flow_points_.data() + begin, end - begin);
    const bool is_used_once = std::ranges::count(points, Role::start, &FlowPoint::role) <= 1;
    std::ranges::stable_sort(points, [&](const FlowPoint& a, const FlowPoint& b) {
      const bool role_first = is_used_once && a.role != b.role;
      if (role_first) return a.role < b.role;
      return std::tuple(a.microseconds, a.role) < std::tuple(b.microseconds, b.role);
    });
    connect_flow(points);
    begin = end;
  }
}

void CollectedEvents::connect_flow(std::span<const FlowPoint> points) {
  // Ids are unique per category and name of a flow only.
  const std::uint32_t flow = points.front().flow;
  const bool is_unique = id_count_[flow_names_[flow]] == 1;
  const std::string name = flow_names_[flow] + (is_unique ? "" : "#" + std::to_string(flow));
  MessageIndex last = none;
  std::size_t hops = 0;
  std::set<std::uint32_t> took_last;  // a thread that has received it knows it
  const auto fresh = [&] {
    took_last.clear();
    ++hops;
    return builder_.message(hops == 1 ? name : name + "." + std::to_string(hops));
  };
  for (const FlowPoint& point : points) {
    FlowEnds& ends = flow_ends_[point.event];
    if (point.role != Role::start) {
      if (last == none) last = fresh();  // it began before the trace did
      if (took_last.insert(timed_[point.event].thread).second) ends.takes.push_back(last);
    }
    if (point.role != Role::finish) ends.sends = last = fresh();
  }
}

/// A flow at the same time as a start or an instant of its thread is part of that event.
void CollectedEvents::merge_flows(std::span<Timed> timed) {
  std::vector<const Timed*> last(thread_ids_.size(), nullptr);
  for (Timed& event : timed) {
    const Timed* before = last[event.thread];
    FlowEnds& ends = flow_ends_[event.number];
    const bool is_near = event.point == Point::flow && before != nullptr &&
                         before->point != Point::end && before->microseconds == event.microseconds;
    const bool is_free = is_near &&
                         (ends.sends == none || flow_ends_[before->number].sends == none) &&
                         // What is received must come before what is sent.
                         (ends.takes.empty() || flow_ends_[before->number].sends == none);
    if (!is_free || event.assignments_end > event.assignments_begin) {
      last[event.thread] = &event;
      continue;
    }
    FlowEnds& into = flow_ends_[before->number];
    into.takes.insert(into.takes.end(), ends.takes.begin(), ends.takes.end());
    if (ends.sends != none) into.sends = ends.sends;
    event.thread = none;  // it is no event of its own
  }
}

void CollectedEvents::feed() {
  connect_flows();
  std::ranges::sort(timed_, [](const Timed& a, const Timed& b) {
    return std::tuple(a.microseconds, a.turn, a.tie, a.number) <
           std::tuple(b.microseconds, b.turn, b.tie, b.number);
  });
  merge_flows(timed_);
  std::vector<ProcessIndex> processes;
  for (const std::string& name : names_of_threads()) processes.push_back(builder_.process(name));
  std::vector<std::vector<NameIndex>> open(thread_ids_.size());  // the names of starts
  for (const Timed& event : timed_) {
    if (event.thread == none) continue;
    NameIndex name_of_start = NameIndex::none;
    std::vector<NameIndex>& names = open[event.thread];
    if (event.is_paired && event.point == Point::start) names.push_back(event.name);
    if (event.is_paired && event.point == Point::end && !names.empty()) {
      name_of_start = names.back();
      names.pop_back();
    }
    feed_event(event, processes[event.thread], name_of_start);
  }
}

NameSetIndex CollectedEvents::labels_of(const Timed& event, NameIndex name_of_start) {
  NameIndex name = event.name == NameIndex::none ? name_of_start : event.name;
  if (event.point == Point::end) {
    const std::string start =
        name == NameIndex::none ? "" : " " + std::string(builder_.text_of(name));
    name = builder_.name("end" + start);
  }
  if (name == NameIndex::none) return 0;
  return builder_.name_set(std::array{name});
}

void CollectedEvents::feed_event(const Timed& event, ProcessIndex process,
                                 NameIndex name_of_start) {
  const FlowEnds& ends = flow_ends_[event.number];
  Arrival arrival;
  arrival.process = process;
  arrival.line = event.line;
  arrival.takes = ends.takes;
  arrival.sends = ends.sends;
  arrival.kind = !ends.takes.empty()  ? Kind::receive
                 : ends.sends != none ? Kind::send
                                      : Kind::internal;
  builder_.add(arrival);
  if (const NameSetIndex labels = labels_of(event, name_of_start); labels != 0) {
    builder_.set_labels(labels);
  }
  constexpr double per_second = 1e6;
  builder_.set_time(event.microseconds / per_second);
  for (std::uint32_t i = event.assignments_begin; i < event.assignments_end; ++i) {
    builder_.assign(assignments_[i].variable, assignments_[i].value);
  }
  if (event.extra != NameIndex::none) builder_.set_extra(event.extra);
}

std::vector<std::string> CollectedEvents::notes() const {
  std::string phases;
  std::uint64_t count = 0;
  for (const auto& [phase, events] : left_out_) {
    phases += (phases.empty() ? "" : ", ") + std::string(1, phase);
    count += events;
  }
  if (count == 0) return {};
  return {counted(count, "event") + " left out, of phases that say nothing of an order: " + phases};
}

}  // namespace lightcone
