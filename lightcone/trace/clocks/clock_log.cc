// Collects events with clocks, and hands them with the messages they imply to a Builder.
#include <lightcone/trace/clocks/clock_log.h>

#include <lightcone/trace/clocks/clock_order.h>

#include <charconv>
#include <system_error>

namespace lightcone {

HostIndex ClockLog::host(std::string_view name) {
  const auto host = static_cast<HostIndex>(events_.hosts.intern(name));
  if (host >= last_named_at_.size()) last_named_at_.resize(host + std::size_t{1}, 0);
  return host;
}

HostIndex ClockLog::declare(std::string_view name) {
  declared_.push_back(host(name));
  return declared_.back();
}

void ClockLog::begin_event(HostIndex host, std::uint64_t line) {
  events_.host.push_back(host);
  events_.line.push_back(static_cast<std::uint32_t>(line));
  events_.own.push_back(0);
  events_.clock_begin.push_back(events_.entries.size());
  texts_.push_back(NameIndex::none);
  sources_.push_back(NameIndex::none);
  assignments_begin_.push_back(assignments_.size());
}

Expected<void> ClockLog::add_entry(HostIndex host, std::string_view number) {
  const auto fail = [&](const std::string& what, std::string hint) {
    return failure("the clock entry for " + std::string(events_.host_name(host)) + what,
                   events_.file, events_.line.back(), std::move(hint));
  };
  Rank count = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (error == std::errc::invalid_argument || end != number.data() + number.size()) {
    return fail(" is " + std::string(number) + ", which is not a non-negative integer",
                "an entry counts the events of a host: 0, 1, 2, ...");
  }
  if (error == std::errc::result_out_of_range) {
    return fail(" is " + std::string(number) + ", which does not fit 32 bits",
                "an entry counts the events of a host; it is not a time");
  }
  if (last_named_at_[host] == events_.size()) {
    return fail(" occurs twice in the clock", "keep one entry per host");
  }
  last_named_at_[host] = events_.size();
  if (count == 0) return {};
  if (host == events_.host.back()) {
    events_.own.back() = count;
  } else {
    events_.entries.push_back({host, count});
    events_.clock_begin.back() = events_.entries.size();
  }
  return {};
}

void ClockLog::assign(NameIndex variable, NameIndex value) {
  assignments_.push_back({variable, value});
}

Expected<Reading> ClockLog::build() {
  ClockOrder order(events_);
  if (auto ok = order.order_hosts(); !ok) return failure(ok.error());
  Reading reading;
  std::vector<LogPosition> missing;
  if (options_.lenient) {
    missing = order.cut_references();
    if (!missing.empty()) {
      reading.notes.push_back(
          std::to_string(missing.size()) +
          (missing.size() == 1 ? " reference to an event" : " references to events") +
          " that the log does not have ignored.");
    }
  } else if (auto ok = order.check_references(); !ok) {
    return failure(ok.error());
  }
  if (auto ok = order.cover(options_.progress); !ok) return failure(ok.error());
  hand_over(order);
  // What an event covers may have been something that is lost.
  for (const LogPosition e : missing) {
    const ProcessIndex process = builder_.process(events_.host_name(events_.host[e]));
    reading.doubts.gaps.push_back({process, events_.own[e]});
  }
  reading.incomplete = reading.lost_processes = reading.doubts.any();
  builder_.read_numbers();  // named groups are texts, whatever they say
  auto built = builder_.build();
  if (!built) return failure(built.error());
  reading.computation = std::move(*built);
  return reading;
}

/// Processes in the order in which they were declared or have their first event.
std::vector<ProcessIndex> ClockLog::processes() {
  std::vector<ProcessIndex> process(events_.hosts.size(), none);
  for (const HostIndex h : declared_) process[h] = builder_.process(events_.host_name(h));
  for (LogPosition e = 0; e < events_.size(); ++e) {
    const HostIndex h = events_.host[e];
    if (process[h] == none) process[h] = builder_.process(events_.host_name(h));
  }
  return process;
}

/// One message for each event that another covers, named after the event.
std::vector<MessageIndex> ClockLog::messages(const ClockOrder& order) {
  std::vector<bool> is_covered(events_.size(), false);
  for (LogPosition e = 0; e < events_.size(); ++e) {
    for (const LogPosition f : order.covered(e)) is_covered[f] = true;
  }
  std::vector<NameIndex> prefix(events_.hosts.size(), NameIndex::none);
  std::vector<MessageIndex> sends(events_.size(), none);
  for (LogPosition e = 0; e < events_.size(); ++e) {
    if (!is_covered[e]) continue;
    NameIndex& named = prefix[events_.host[e]];
    if (named == NameIndex::none) {
      named = builder_.name(std::string(events_.host_name(events_.host[e])) + ":");
    }
    sends[e] = builder_.fresh_message(named, events_.own[e]);
  }
  return sends;
}

/// In file order; where a host's events are out of order, each takes the next place of its host.
void ClockLog::hand_over(const ClockOrder& order) {
  const std::vector<ProcessIndex> process = processes();
  const std::vector<MessageIndex> sends = messages(order);
  std::vector<Rank> rank(events_.hosts.size(), 0);
  std::vector<MessageIndex> takes;
  for (LogPosition place = 0; place < events_.size(); ++place) {
    const HostIndex h = events_.host[place];
    const LogPosition e = order.event(h, ++rank[h]);
    takes.clear();
    for (const LogPosition f : order.covered(e)) takes.push_back(sends[f]);
    const Kind kind = !takes.empty()     ? Kind::receive
                      : sends[e] != none ? Kind::send
                                         : Kind::internal;
    builder_.add({.process = process[h],
                  .kind = kind,
                  .line = events_.line[e],
                  .takes = takes,
                  .sends = sends[e]});
    hand_over_attributes(e);
  }
}

void ClockLog::hand_over_attributes(LogPosition e) {
  if (texts_[e] != NameIndex::none) builder_.set_text(texts_[e]);
  if (sources_[e] != NameIndex::none) builder_.set_source(sources_[e]);
  const std::size_t end = e + 1 < events_.size() ? assignments_begin_[e + 1] : assignments_.size();
  for (std::size_t i = assignments_begin_[e]; i < end; ++i) {
    builder_.assign(assignments_[i].variable, Value(assignments_[i].value));
  }
}

}  // namespace lightcone
