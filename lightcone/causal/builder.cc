// Collecting arrivals, then checking them and laying them out by process.
#include <lightcone/causal/builder.h>

#include <lightcone/causal/linear_extension.h>

#include <tsl/robin_set.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace lightcone {

template <class T>
void Builder::place(std::vector<T>& column, T value, T absent) {
  const std::size_t arrival = process_.size() - 1;
  if (column.size() <= arrival) column.resize(arrival + 1, absent);
  column[arrival] = value;
}

template void Builder::place(std::vector<std::uint32_t>&, std::uint32_t, std::uint32_t);
template void Builder::place(std::vector<NameIndex>&, NameIndex, NameIndex);

ProcessIndex Builder::process(std::string_view name) {
  const auto index = static_cast<std::uint32_t>(this->name(name));
  if (index >= process_of_name_.size()) process_of_name_.resize(index + 1, none);
  ProcessIndex& process = process_of_name_[index];
  if (process == none) {
    process = static_cast<ProcessIndex>(process_count());
    built_.process_names_.push_back(static_cast<NameIndex>(index));
    built_.has_initial_.push_back(false);
    has_events_.push_back(false);
  }
  return process;
}

MessageIndex Builder::message(SplitName name) {
  const NameIndex prefix = this->name(name.prefix);
  const auto fresh = static_cast<MessageIndex>(sent_at_.size());
  const MessageIndex m = message_table_.find_or_add(prefix, name.number, fresh);
  if (m == fresh) return fresh_message(prefix, name.number);
  return m;
}

MessageIndex Builder::fresh_message(NameIndex prefix, std::uint64_t number) {
  built_.messages_.prefix.push_back(prefix);
  built_.messages_.number.push_back(number);
  sent_at_.push_back(none);
  return static_cast<MessageIndex>(sent_at_.size() - 1);
}

Expected<void> Builder::add(const Arrival& arrival) {
  const auto index = static_cast<ArrivalIndex>(process_.size());
  process_.push_back(arrival.process);
  kind_.push_back(arrival.kind);
  sends_.push_back(arrival.sends);
  if (arrival.line != 0) {
    line_.resize(index, 0);
    line_.push_back(arrival.line);
  }
  if (process_.size() + process_count() >= none - 1) {
    return tl::unexpected(at(index, "more than 4 billion events"));
  }
  if (arrival.kind == Kind::initial) {
    if (has_events_[arrival.process] || built_.has_initial_[arrival.process]) {
      return tl::unexpected(
          at(index, "the initial state of a process must be said once, before its events"));
    }
    built_.has_initial_[arrival.process] = true;
    return {};
  }
  has_events_[arrival.process] = true;
  for (const MessageIndex m : arrival.takes) {
    take_arrival_.push_back(index);
    take_message_.push_back(m);
  }
  if (arrival.duplicate) duplicates_.push_back(index);
  if (arrival.sends == none) return {};
  ArrivalIndex& sent_at = sent_at_[arrival.sends];
  if (sent_at != none) {
    return tl::unexpected(at(index,
                             "message " + built_.message_name(arrival.sends) +
                                 " is sent a second time (first " + place_of(sent_at) + ")",
                             "give each message a name of its own; one send may have several "
                             "receivers"));
  }
  sent_at = index;
  return {};
}

void Builder::assign(NameIndex variable, Value value) {
  attributes_.assignments.push_back({variable, value});
  assignment_arrival_.push_back(static_cast<ArrivalIndex>(process_.size() - 1));
}

void Builder::set_time(double seconds) {
  const std::size_t arrival = process_.size() - 1;
  if (attributes_.time.size() <= arrival) {
    attributes_.time.resize(arrival + 1, std::numeric_limits<double>::quiet_NaN());
  }
  attributes_.time[arrival] = seconds;
}

std::string Builder::place_of(ArrivalIndex arrival) const {
  if (arrival < line_.size()) return "on line " + std::to_string(line_[arrival]);
  const ProcessIndex p = process_[arrival];
  const auto rank = std::count_if(
      process_.begin(), process_.begin() + arrival + 1,
      [&, i = std::size_t{0}](ProcessIndex q) mutable {
        return kind_[i++] != Kind::initial && q == p;
      });
  return "at event " + std::to_string(rank) + " of " +
         std::string(built_.names_[built_.process_names_[p]]);
}

Error Builder::at(ArrivalIndex arrival, std::string what, std::string hint) const {
  const bool has_line = arrival < line_.size() && line_[arrival] != 0;
  if (!has_line) what += " (" + place_of(arrival) + ")";
  return {std::move(what), file_, has_line ? line_[arrival] : 0, std::move(hint)};
}

Expected<Computation> Builder::build(Unsent unsent) {
  made_internal_ = 0;
  if (auto ok = drop_unsent(unsent); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_duplicates(); !ok) return tl::unexpected(ok.error());
  lay_out();
  settle_messages();
  if (auto ok = settle_order(); !ok) return tl::unexpected(ok.error());
  settle_attributes();
  Computation built = std::move(built_);
  const std::size_t made_internal = made_internal_;
  *this = Builder(std::move(file_));
  made_internal_ = made_internal;
  return built;
}

/// A receive without a send: the error, or an internal event.
Expected<void> Builder::drop_unsent(Unsent unsent) {
  const auto is_unsent = [&](std::size_t take) { return sent_at_[take_message_[take]] == none; };
  std::size_t kept = 0;
  while (kept < take_message_.size() && !is_unsent(kept)) ++kept;
  if (kept == take_message_.size()) {
    forget_unsent_messages();
    return {};
  }
  if (unsent == Unsent::error) {
    return tl::unexpected(at(take_arrival_[kept],
                             "message " + built_.message_name(take_message_[kept]) +
                                 " is received but never sent",
                             "--lenient takes such a receive as an internal event"));
  }
  std::vector<std::uint32_t> takes_left(process_.size(), 0);
  for (std::size_t take = 0; take < take_message_.size(); ++take) {
    if (!is_unsent(take)) ++takes_left[take_arrival_[take]];
  }
  for (std::size_t take = kept; take < take_message_.size(); ++take) {
    const ArrivalIndex arrival = take_arrival_[take];
    if (!is_unsent(take)) {
      take_arrival_[kept] = arrival;
      take_message_[kept++] = take_message_[take];
    } else if (takes_left[arrival] == 0 && kind_[arrival] == Kind::receive) {
      kind_[arrival] = sends_[arrival] == none ? Kind::internal : Kind::send;
      ++made_internal_;
    }
  }
  take_arrival_.resize(kept);
  take_message_.resize(kept);
  forget_unsent_messages();
  return {};
}

/// Messages that were named but never sent leave the table.
void Builder::forget_unsent_messages() {
  if (std::find(sent_at_.begin(), sent_at_.end(), none) == sent_at_.end()) return;
  std::vector<MessageIndex> renamed(sent_at_.size(), none);
  MessageIndex count = 0;
  for (MessageIndex m = 0; m < sent_at_.size(); ++m) {
    if (sent_at_[m] == none) continue;
    renamed[m] = count;
    sent_at_[count] = sent_at_[m];
    built_.messages_.prefix[count] = built_.messages_.prefix[m];
    built_.messages_.number[count++] = built_.messages_.number[m];
  }
  sent_at_.resize(count);
  built_.messages_.prefix.resize(count);
  built_.messages_.number.resize(count);
  for (MessageIndex& m : take_message_) m = renamed[m];
  for (MessageIndex& m : sends_) m = m == none ? none : renamed[m];
}

/// A process takes a message once, unless it says that this is a redelivery.
Expected<void> Builder::check_duplicates() const {
  std::vector<ProcessIndex> first_receiver(sent_at_.size(), none);
  tsl::robin_set<std::uint64_t> other_receivers;  // of messages with several
  for (std::size_t take = 0; take < take_message_.size(); ++take) {
    const MessageIndex m = take_message_[take];
    const ArrivalIndex arrival = take_arrival_[take];
    const ProcessIndex p = process_[arrival];
    if (first_receiver[m] == none) {
      first_receiver[m] = p;
      continue;
    }
    const bool again = first_receiver[m] == p ||
                       !other_receivers.insert(std::uint64_t{m} << 32 | p).second;
    if (again && !std::binary_search(duplicates_.begin(), duplicates_.end(), arrival)) {
      return tl::unexpected(at(arrival,
                               "message " + built_.message_name(m) +
                                   " is received a second time by the same process",
                               "if the network redelivered it, say \"duplicate\": true"));
    }
  }
  return {};
}

/// Gives each arrival its row: events by process, then the initial states.
void Builder::lay_out() {
  Computation& c = built_;
  const auto n = static_cast<ProcessIndex>(process_count());
  c.first_.assign(n + 1, 0);
  std::size_t initials = 0;
  for (std::size_t i = 0; i < process_.size(); ++i) {
    if (kind_[i] == Kind::initial) {
      ++initials;
    } else {
      ++c.first_[process_[i] + 1];
    }
  }
  for (ProcessIndex p = 0; p < n; ++p) c.first_[p + 1] += c.first_[p];

  const std::size_t events = process_.size() - initials;
  c.process_of_.resize(events);
  for (ProcessIndex p = 0; p < n; ++p) {
    std::fill(c.process_of_.begin() + c.first_[p], c.process_of_.begin() + c.first_[p + 1], p);
  }
  c.kinds_.resize(events);
  c.sends_.resize(events);
  row_.resize(process_.size());
  std::vector<EventIndex> next(c.first_.begin(), c.first_.end() - 1);
  for (std::size_t i = 0; i < process_.size(); ++i) {
    if (kind_[i] == Kind::initial) {
      row_[i] = static_cast<Row>(events + process_[i]);
      continue;
    }
    const EventIndex e = next[process_[i]]++;
    row_[i] = e;
    c.kinds_[e] = kind_[i];
    c.sends_[e] = sends_[i];
  }
}

void Builder::settle_messages() {
  Computation& c = built_;
  c.takes_begin_.assign(c.kinds_.size() + 1, 0);
  for (const ArrivalIndex arrival : take_arrival_) ++c.takes_begin_[row_[arrival] + 1];
  for (std::size_t e = 0; e < c.kinds_.size(); ++e) c.takes_begin_[e + 1] += c.takes_begin_[e];
  c.takes_.resize(take_message_.size());
  std::uint32_t within = 0;  // how many of this arrival's receptions came before
  for (std::size_t take = 0; take < take_message_.size(); ++take) {
    const bool same = take > 0 && take_arrival_[take] == take_arrival_[take - 1];
    within = same ? within + 1 : 0;
    c.takes_[c.takes_begin_[row_[take_arrival_[take]]] + within] = take_message_[take];
  }
  c.messages_.sent_by.resize(sent_at_.size());
  for (std::size_t m = 0; m < sent_at_.size(); ++m) c.messages_.sent_by[m] = row_[sent_at_[m]];
  for (const ArrivalIndex arrival : duplicates_) c.duplicates_.push_back(row_[arrival]);
  std::sort(c.duplicates_.begin(), c.duplicates_.end());
}

/// The order of arrival where every send comes before its receives, as in most traces.
Expected<void> Builder::settle_order() {
  Computation& c = built_;
  bool sends_first = true;
  for (std::size_t take = 0; take < take_message_.size() && sends_first; ++take) {
    sends_first = sent_at_[take_message_[take]] < take_arrival_[take];
  }
  std::vector<EventIndex> arrived;
  arrived.reserve(c.kinds_.size());
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (kind_[i] != Kind::initial) arrived.push_back(row_[i]);
  }
  if (sends_first) {
    c.order_ = std::move(arrived);
    return {};
  }
  const CausalRelation relation{c.first_, c.process_of_, c.takes_begin_, c.takes_,
                                c.messages_.sent_by};
  OrderOrCycle result = order_causally(relation, arrived);
  if (!result.cycle.empty()) return tl::unexpected(cycle_error(result.cycle));
  c.order_ = std::move(result.order);
  return {};
}

Error Builder::cycle_error(std::span<const EventIndex> cycle) const {
  // The event of the cycle that was read first is where the error is put.
  ArrivalIndex first = none;
  std::string chain;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto arrival =
        static_cast<ArrivalIndex>(std::find(row_.begin(), row_.end(), cycle[i]) - row_.begin());
    first = std::min(first, arrival);
    const ProcessIndex waits_for = built_.process_of(cycle[(i + 1) % cycle.size()]);
    MessageIndex message = none;
    for (const MessageIndex m : built_.takes(cycle[i])) {
      const EventIndex send = built_.sent_by(m);
      const bool later = send >= cycle[(i + 1) % cycle.size()];
      if (built_.process_of(send) == waits_for && later) message = m;
    }
    if (i > 0) chain += "; ";
    chain += std::string(built_.process_name(built_.process_of(cycle[i]))) + " receives " +
             built_.message_name(message) + " " + place_of(arrival) + ", and " +
             std::string(built_.process_name(waits_for)) + " sends it " +
             place_of(sent_at_[message]);
  }
  return at(first, "a message would be received before it was sent (a cycle)", chain);
}

template <class T>
std::vector<T> Builder::settle(std::vector<T>& column, T absent) const {
  if (column.empty()) return {};
  std::vector<T> settled(built_.row_count(), absent);
  for (std::size_t i = 0; i < column.size(); ++i) settled[row_[i]] = column[i];
  column = {};
  return settled;
}

void Builder::settle_attributes() {
  Attributes& to = built_.attributes_;
  to.labels = settle(attributes_.labels, NameSetIndex{0});
  to.to = settle(attributes_.to, NameSetIndex{0});
  to.time = settle(attributes_.time, std::numeric_limits<double>::quiet_NaN());
  to.text = settle(attributes_.text, NameIndex::none);
  to.source = settle(attributes_.source, NameIndex::none);
  to.extra = settle(attributes_.extra, NameIndex::none);
  if (attributes_.assignments.empty()) return;
  to.assignments_begin.assign(built_.row_count() + 1, 0);
  for (const ArrivalIndex arrival : assignment_arrival_) ++to.assignments_begin[row_[arrival] + 1];
  for (std::size_t row = 0; row < built_.row_count(); ++row) {
    to.assignments_begin[row + 1] += to.assignments_begin[row];
  }
  to.assignments.resize(attributes_.assignments.size());
  std::uint32_t within = 0;
  for (std::size_t i = 0; i < assignment_arrival_.size(); ++i) {
    const bool same = i > 0 && assignment_arrival_[i] == assignment_arrival_[i - 1];
    within = same ? within + 1 : 0;
    const std::uint32_t begin = to.assignments_begin[row_[assignment_arrival_[i]]];
    to.assignments[begin + within] = attributes_.assignments[i];
  }
}

}  // namespace lightcone
