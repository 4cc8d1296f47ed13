// Collecting arrivals, and saying what is wrong with them.
#include <lightcone/causal/builder.h>

#include <lightcone/base/memory/fresh_memory.h>
#include <lightcone/causal/numbers_in_texts.h>

#include <algorithm>
#include <utility>

namespace lightcone {

ProcessIndex Builder::process(std::string_view name) {
  const auto index = static_cast<std::uint32_t>(this->name(name));
  if (index >= process_of_name_.size()) process_of_name_.resize(index + 1, none);
  ProcessIndex& process = process_of_name_[index];
  if (process == none) {
    process = static_cast<ProcessIndex>(process_count());
    built_.process_names_.push_back(static_cast<NameIndex>(index));
  }
  return process;
}

MessageIndex Builder::message(SplitName name) {
  const NameIndex prefix = this->name(name.prefix);
  const auto fresh = static_cast<MessageIndex>(message_count());
  const MessageIndex m = message_table_.find_or_add(prefix, name.number, fresh);
  if (m == fresh) return fresh_message(prefix, name.number);
  return m;
}

MessageIndex Builder::fresh_message(NameIndex prefix, std::uint64_t number) {
  built_.message_names_.prefix.push_back(prefix);
  built_.message_names_.number.push_back(number);
  return static_cast<MessageIndex>(message_count() - 1);
}

void Builder::reserve_messages(std::size_t count) {
  const std::size_t all = message_count() + count;
  make_room(built_.message_names_.prefix, all);
  make_room(built_.message_names_.number, all);
}

/// A chunk that is like the one before it has the room that it will need.
void Builder::begin_chunk() {
  chunks_.emplace_back();
  if (chunks_.size() < 2) return;
  const Arrivals& before = chunks_[chunks_.size() - 2];
  if (before.size() < Arrivals::usual_rows) return;
  const auto reserve = [&](auto... members) {
    ((chunk().*members).reserve((before.*members).size() + (before.*members).size() / 16), ...);
  };
  reserve(&Arrivals::process, &Arrivals::flags, &Arrivals::lines, &Arrivals::sent,
          &Arrivals::take_counts, &Arrivals::taken, &Arrivals::label_sets,
          &Arrivals::assignment_counts, &Arrivals::assignments, &Arrivals::more,
          &Arrivals::receivers, &Arrivals::times, &Arrivals::texts, &Arrivals::sources,
          &Arrivals::extras, &Arrivals::digests);
}

void Builder::add(const Arrival& arrival) {
  if (chunks_.size() == files_.back().first_chunk || chunk().size() >= Arrivals::usual_rows) {
    begin_chunk();
  }
  Arrivals& to = chunk();
  auto flags = static_cast<std::uint8_t>(arrival.kind);
  to.process.push_back(arrival.process);
  if (arrival.line != 0) to.lines.push_back(arrival.line);
  if (arrival.duplicate) flags |= Arrivals::duplicate;
  if (arrival.sends != none) {
    if (arrival.kind != Kind::send) flags |= Arrivals::sends_too;
    to.sent.push_back(arrival.sends);
  }
  if (arrival.kind == Kind::receive) {
    if (arrival.takes.size() != 1) {
      flags |= Arrivals::batch;
      to.take_counts.push_back(static_cast<std::uint32_t>(arrival.takes.size()));
    }
    to.taken.insert(to.taken.end(), arrival.takes.begin(), arrival.takes.end());
  }
  to.flags.push_back(flags);
}

void Builder::add(Arrivals arrivals) { chunks_.push_back(std::move(arrivals)); }

void Builder::set_labels(NameSetIndex labels) {
  chunk().flags.back() |= Arrivals::labelled;
  chunk().label_sets.push_back(labels);
}

void Builder::assign(std::span<const Assignment> assignments) {
  if (assignments.empty()) return;
  Arrivals& to = chunk();
  if ((to.flags.back() & Arrivals::assigns) == 0) {
    to.flags.back() |= Arrivals::assigns;
    to.assignment_counts.push_back(0);
  }
  to.assignment_counts.back() += static_cast<std::uint32_t>(assignments.size());
  to.assignments.insert(to.assignments.end(), assignments.begin(), assignments.end());
}

void Builder::say_more(Arrivals::More what) {
  if ((chunk().flags.back() & Arrivals::says_more) == 0) {
    chunk().flags.back() |= Arrivals::says_more;
    chunk().more.push_back(0);
  }
  LIGHTCONE_ASSERT((chunk().more.back() & what) == 0);
  chunk().more.back() |= what;
}

void Builder::set_to(NameSetIndex receivers) {
  say_more(Arrivals::to);
  chunk().receivers.push_back(receivers);
}

void Builder::set_time(double seconds) {
  say_more(Arrivals::time);
  chunk().times.push_back(seconds);
}

void Builder::set_text(NameIndex text) {
  say_more(Arrivals::text);
  chunk().texts.push_back(text);
}

void Builder::set_source(NameIndex source) {
  say_more(Arrivals::source);
  chunk().sources.push_back(source);
}

void Builder::set_digest(std::uint64_t digest) {
  if (digest == 0) return;
  say_more(Arrivals::digest);
  chunk().digests.push_back(digest);
}

void Builder::set_extra(NameIndex json) {
  say_more(Arrivals::extra);
  chunk().extras.push_back(json);
}

void Builder::read_numbers() { read_numbers_in_texts(chunks_, built_.names_); }

Expected<Computation> Builder::build(Unsent unsent) {
  const auto lay = [&] {
    return lay_out(chunks_, static_cast<std::uint32_t>(process_count()),
                   static_cast<std::uint32_t>(message_count()));
  };
  without_send_ = {};
  if (auto ok = check_that_no_process_is_in_two_files(); !ok) return failure(ok.error());
  auto columns = lay();
  if (!columns && columns.error().why == LayoutError::Why::unsent &&
      unsent == Unsent::make_internal) {
    without_send_ = forget_unsent_messages(chunks_, static_cast<std::uint32_t>(process_count()),
                                           static_cast<std::uint32_t>(message_count()));
    columns = lay();
  }
  if (!columns) return failure(error_of(columns.error()));
  built_.c_ = std::move(*columns);
  forget_unsent_names();
  Computation built = std::move(built_);
  ReceivesWithoutSend without_send = std::move(without_send_);
  *this = Builder(std::move(files_.front().name));
  without_send_ = std::move(without_send);
  return built;
}

std::vector<Builder::Added> Builder::added() const {
  std::vector<Added> added(process_count());
  for (const Arrivals& a : chunks_) {
    for (std::size_t row = 0; row < a.size(); ++row) {
      Added& process = added[a.process[row]];
      ++process.rows;
      process.events += Arrivals::kind(a.flags[row]) != Kind::initial;
    }
  }
  return added;
}

std::size_t Builder::file_of(std::size_t chunk) const {
  const auto after = std::upper_bound(
      files_.begin(), files_.end(), chunk,
      [](std::size_t wanted, const File& file) { return wanted < file.first_chunk; });
  return static_cast<std::size_t>(after - files_.begin()) - 1;
}

Expected<void> Builder::check_that_no_process_is_in_two_files() const {
  if (files_.size() < 2) return {};
  constexpr std::size_t nowhere = SIZE_MAX;
  std::vector<std::size_t> found(process_count(), nowhere);
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    const Arrivals& a = chunks_[chunk];
    const std::size_t here = file_of(chunk);
    for (std::size_t row = 0; row < a.size(); ++row) {
      std::size_t& file = found[a.process[row]];
      if (file == nowhere) file = here;
      if (file == here) continue;
      return failure("process " + std::string(built_.process_name(a.process[row])) +
                         " has events here and in " + files_[file].name,
                     files_[here].name, row < a.lines.size() ? a.lines[row] : 0,
                     "the order of the events of a process must come from one file");
    }
  }
  return {};
}

/// Messages that were named but never sent leave the table; nothing takes them any more.
void Builder::forget_unsent_names() {
  std::vector<EventIndex>& sent_by = built_.c_.sent_by;
  if (std::find(sent_by.begin(), sent_by.end(), none) == sent_by.end()) return;
  MessageNames& names = built_.message_names_;
  std::vector<MessageIndex> renamed(sent_by.size(), none);
  MessageIndex count = 0;
  for (MessageIndex m = 0; m < sent_by.size(); ++m) {
    if (sent_by[m] == none) continue;
    renamed[m] = count;
    sent_by[count] = sent_by[m];
    names.prefix[count] = names.prefix[m];
    names.number[count++] = names.number[m];
  }
  sent_by.resize(count);
  names.prefix.resize(count);
  names.number.resize(count);
  for (MessageIndex& m : built_.c_.takes) m = renamed[m];
  for (MessageIndex& m : built_.c_.sends) m = m == none ? none : renamed[m];
}

std::string Builder::describe(ArrivalPlace place) const {
  const Arrivals& a = chunks_[place.chunk];
  if (place.row < a.lines.size()) {
    const std::string line = "on line " + std::to_string(a.lines[place.row]);
    return files_.size() > 1 ? line + " of " + files_[file_of(place.chunk)].name : line;
  }
  const ProcessIndex p = a.process[place.row];
  Rank rank = 0;
  for (std::size_t chunk = 0; chunk <= place.chunk; ++chunk) {
    const Arrivals& b = chunks_[chunk];
    const std::size_t end = chunk == place.chunk ? place.row + 1 : b.size();
    for (std::size_t row = 0; row < end; ++row) {
      rank += b.process[row] == p && Arrivals::kind(b.flags[row]) != Kind::initial;
    }
  }
  return "at event " + std::to_string(rank) + " of " +
         std::string(built_.names_[built_.process_names_[p]]);
}

Error Builder::error_of(const LayoutError& problem) const {
  using Why = LayoutError::Why;
  Error error{{}, files_[file_of(problem.where.chunk)].name, 0, {}};
  const std::string message =
      problem.message == none ? "" : "message " + built_.message_name(problem.message);
  switch (problem.why) {
    case Why::sent_twice:
      error.what = message + " is sent a second time";
      error.hint = "give each message a different name; one send may have several receivers";
      break;
    case Why::unsent:
      error.what = message + " " + std::string(never_sent);
      error.hint = "--lenient turns such a receive into an internal event";
      break;
    case Why::received_twice:
      error.what = message + " is received a second time by the same process";
      error.hint = "if the network redelivered it, say \"duplicate\": true";
      break;
    case Why::cycle:
      error.what = "a message would be received before it was sent (a cycle)";
      error.hint = describe_cycle(problem);
      break;
    case Why::late_initial:
      error.what = "a process has at most one initial state, before its events";
      break;
    case Why::too_many:
      error.what = "more than 4 billion events, messages or assignments";
      error.file = files_.front().name;
      return error;
  }
  const Arrivals& a = chunks_[problem.where.chunk];
  if (problem.where.row < a.lines.size()) {
    error.line = a.lines[problem.where.row];
  } else {
    error.what += " (" + describe(problem.where) + ")";
  }
  return error;
}

std::string Builder::describe_cycle(const LayoutError& problem) const {
  const auto process = [&](ArrivalPlace place) {
    return std::string(built_.process_name(chunks_[place.chunk].process[place.row]));
  };
  std::string chain;
  for (const Wait& wait : problem.cycle) {
    if (!chain.empty()) chain += "; ";
    chain += process(wait.receive) + " receives " + built_.message_name(wait.message) + " " +
             describe(wait.receive) + ", and " + process(wait.send) + " sends it " +
             describe(wait.send);
  }
  return chain;
}

}  // namespace lightcone
