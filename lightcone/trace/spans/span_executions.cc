// Feeds the events of spans to a builder.
#include <lightcone/trace/spans/span_executions.h>

#include <fmt/format.h>
#include <lightcone/base/time/decimal_seconds.h>
#include <lightcone/base/wording.h>
#include <lightcone/causal/builder.h>
#include <lightcone/trace/reader_result.h>
#include <lightcone/trace/spans/span_forest.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint32_t unnamed = static_cast<std::uint32_t>(NameIndex::none);

/// Names of the table as those of a builder. A trace that has much of the table uses an array.
class RenamedSpans {
 public:
  RenamedSpans(const SpanTable& table, std::size_t spans, Builder& builder)
      : table_(table), builder_(builder) {
    constexpr std::size_t usual_names = 16;  // per span
    if (spans * usual_names > table.names.size()) array_.assign(table.names.size(), unnamed);
  }

  [[nodiscard]] NameIndex operator()(NameIndex name) {
    const auto index = static_cast<std::uint32_t>(name);
    if (index < array_.size() && array_[index] != unnamed) return NameIndex{array_[index]};
    return find(name, index);
  }

 private:
  [[nodiscard]] NameIndex find(NameIndex name, std::uint32_t index) {
    std::uint32_t& known =
        array_.empty() ? map_.try_emplace(index, unnamed).first.value() : array_[index];
    if (known == unnamed) known = static_cast<std::uint32_t>(builder_.name(table_.names[name]));
    return NameIndex{known};
  }

  const SpanTable& table_;
  Builder& builder_;
  std::vector<std::uint32_t> array_;
  tsl::robin_map<std::uint32_t, std::uint32_t> map_;
};

class SpanFeeder {
 public:
  SpanFeeder(const SpanTable& table, const SpanForest& forest, Builder& builder)
      : table_(table),
        forest_(forest),
        builder_(builder),
        renamed_(table, forest.size(), builder),
        processes_(forest.processes().size(), none),
        message_(forest.order().size(), none) {}

  void feed() {
    find_messages();
    const std::span<const std::uint32_t> order = forest_.order();
    for (std::size_t i = 0; i < order.size(); ++i) {
      prefetch(order, i);
      add(order[i]);
    }
  }

 private:
  /// The order jumps from process to process: what comes soon is fetched in steps.
  void prefetch(std::span<const std::uint32_t> order, std::size_t at) const {
    constexpr std::size_t step = 6;
    const auto span_of = [&](std::size_t event) -> const Span& {
      return table_.spans[forest_.span(forest_.moment(order[event]).span)];
    };
    if (at + 3 * step >= order.size()) return;
    __builtin_prefetch(&forest_.moment(order[at + 3 * step]));
    const Span& later = span_of(at + 2 * step);
    __builtin_prefetch(&later.id);
    __builtin_prefetch(&later.kind);
    const std::span<const Assignment> soon = table_[span_of(at + step).attributes];
    __builtin_prefetch(soon.data());
    __builtin_prefetch(soon.data() + soon.size());
  }

  /// The messages that each event takes, and how many take what it sends.
  void find_messages() {
    const std::size_t events = forest_.order().size();
    receivers_.assign(events, 0);
    takes_begin_.assign(events + 1, 0);
    for (const EventEdge& edge : forest_.messages()) {
      ++receivers_[edge.from];
      ++takes_begin_[edge.to + 1];
    }
    std::partial_sum(takes_begin_.begin(), takes_begin_.end(), takes_begin_.begin());
    takes_from_.resize(forest_.messages().size());
    std::vector<std::uint32_t> next(takes_begin_.begin(), takes_begin_.end() - 1);
    for (const EventEdge& edge : forest_.messages()) takes_from_[next[edge.to]++] = edge.from;
    request_ = builder_.name("request");
    response_ = builder_.name("response");
  }

  void add(std::uint32_t event) {
    const SpanMoment moment = forest_.moment(event);
    const Span& span = table_.spans[forest_.span(moment.span)];
    const bool is_start = moment.part == 0;
    const bool is_end = moment.part == span.events.size() + 1;
    Arrival arrival;
    arrival.process = process(moment.span);
    takes_.clear();
    for (std::uint32_t i = takes_begin_[event]; i < takes_begin_[event + 1]; ++i) {
      takes_.push_back(message_[takes_from_[i]]);
      const bool is_first = receivers_[takes_from_[i]] == 1 ||
                            received_.insert({takes_.back(), arrival.process}).second;
      arrival.duplicate = arrival.duplicate || !is_first;
    }
    if (receivers_[event] > 0) {
      message_[event] =
          builder_.fresh_message(is_start ? request_ : response_, moment.span + std::uint64_t{1});
      arrival.sends = message_[event];
    }
    arrival.kind = !takes_.empty()         ? Kind::receive
                   : arrival.sends != none ? Kind::send
                                           : Kind::internal;
    arrival.takes = takes_;
    builder_.add(arrival);
    if (is_start || is_end) {
      describe(span, is_start);
    } else {
      describe(table_.events[span.events.begin + moment.part - 1]);
    }
    const std::uint32_t index = forest_.span(moment.span);
    if (is_start) {
      keep_start(index, event);
    } else {
      keep(is_end ? table_.kept.ends[index]
                  : table_.kept.events[span.events.begin + moment.part - 1]);
    }
  }

  void keep(NameIndex members) {
    if (members != NameIndex::none) builder_.set_extra(renamed_(members));
  }

  /// The members of a link stand under the name of the message that it is.
  void keep_start(std::uint32_t index, std::uint32_t event) {
    const NameIndex members = table_.kept.starts[index];
    const std::string links = members_of_links(table_.spans[index].links, event);
    if (links.empty()) return keep(members);
    std::string text(members == NameIndex::none ? R"("otlp": {})" : table_.names[members]);
    text.pop_back();
    if (!text.ends_with('{')) text += ", ";
    builder_.set_extra(builder_.name(text + R"("links": {)" + links + "}}"));
  }

  [[nodiscard]] std::string members_of_links(SpanRange links, std::uint32_t event) const {
    MemberText all;
    for (std::uint32_t i = links.begin; i < links.end; ++i) {
      const NameIndex members = table_.kept.links[i];
      const std::uint32_t sender = members == NameIndex::none ? none : sender_of(i, event);
      if (sender == none) continue;
      all.add_object(fmt::format("request{}", sender + 1), table_.names[members]);
    }
    return all.text();
  }

  /// The span from whose start this event takes a message, and which the link names.
  [[nodiscard]] std::uint32_t sender_of(std::uint32_t link, std::uint32_t event) const {
    for (std::uint32_t i = takes_begin_[event]; i < takes_begin_[event + 1]; ++i) {
      const SpanMoment from = forest_.moment(takes_from_[i]);
      const Span& sender = table_.spans[forest_.span(from.span)];
      const SpanLink& wanted = table_.links[link];
      if (from.part == 0 && sender.id == wanted.span && sender.trace == wanted.trace) {
        return from.span;
      }
    }
    return none;
  }

  void describe(const Span& span, bool is_start) {
    set_labels(is_start ? start_labels(span.name) : end_labels(span.name, span.failed));
    assign(span.attributes);
    set_time(is_start ? span.start : span.end);
  }

  void describe(const SpanEvent& event) {
    set_labels(start_labels(event.name));
    assign(event.attributes);
    set_time(event.time);
  }

  void set_time(std::uint64_t nanoseconds) { builder_.set_time(decimal_seconds(nanoseconds, 9)); }

  void set_labels(NameSetIndex labels) {
    if (labels != 0) builder_.set_labels(labels);
  }

  /// Of several attributes of the same name, the last one counts.
  void assign(SpanRange attributes) {
    const std::span<const Assignment> all = table_[attributes];
    assigned_.assign(all.begin(), all.end());
    if (may_repeat_names(all)) keep_last();
    for (Assignment& one : assigned_) {
      one.variable = renamed_(one.variable);
      if (auto* text = std::get_if<NameIndex>(&one.value)) *text = renamed_(*text);
    }
    builder_.assign(assigned_);
  }

  /// Returns whether a name may stand in the list twice. Most lists are short, and their names
  /// differ in the last bits of their indices.
  [[nodiscard]] static bool may_repeat_names(std::span<const Assignment> all) {
    std::uint64_t seen = 0;
    bool may_repeat = false;
    for (const Assignment& one : all) {
      const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::uint32_t>(one.variable) % 64);
      may_repeat = may_repeat || (seen & bit) != 0;
      seen |= bit;
    }
    return may_repeat;
  }

  void keep_last() {
    last_.clear();
    for (std::size_t i = 0; i < assigned_.size(); ++i) {
      last_[static_cast<std::uint32_t>(assigned_[i].variable)] = i;
    }
    std::size_t at = 0;
    std::erase_if(assigned_, [&](const Assignment& one) {
      return last_[static_cast<std::uint32_t>(one.variable)] != at++;
    });
  }

  [[nodiscard]] NameSetIndex start_labels(NameIndex name) {
    const auto [known, is_new] = start_labels_.try_emplace(static_cast<std::uint32_t>(name), 0);
    if (is_new && !table_.names[name].empty()) {
      const NameIndex label = renamed_(name);
      known.value() = builder_.name_set({&label, 1});
    }
    return known->second;
  }

  [[nodiscard]] NameSetIndex end_labels(NameIndex name, bool failed) {
    auto& labels = failed ? failed_labels_ : end_labels_;
    const auto [known, is_new] = labels.try_emplace(static_cast<std::uint32_t>(name), 0);
    if (is_new) {
      std::vector<NameIndex> both;
      const std::string_view text = table_.names[name];
      if (!text.empty()) both.push_back(builder_.name("end " + std::string(text)));
      if (failed) both.push_back(builder_.name("error"));
      known.value() = builder_.name_set(both);
    }
    return known->second;
  }

  /// The process of a span. Its initial state shows the resource of its first event.
  [[nodiscard]] ProcessIndex process(std::uint32_t span) {
    ProcessIndex& process = processes_[forest_.process_of(span)];
    if (process != none) return process;
    process = builder_.process(forest_.processes()[forest_.process_of(span)]);
    const Span& first = table_.spans[forest_.span(span)];
    const SpanRange resource = table_.resources[first.resource];
    const NameIndex members = table_.kept.resources[first.resource];
    if (resource.size() == 0 && members == NameIndex::none) return process;
    builder_.add({.process = process, .kind = Kind::initial});
    assign(resource);
    keep(members);
    return process;
  }

  using Received = std::pair<MessageIndex, ProcessIndex>;
  struct ReceivedHash {
    [[nodiscard]] std::size_t operator()(const Received& pair) const {
      return (std::uint64_t{pair.first} << 32 | pair.second) * 0x9e3779b97f4a7c15U >> 16;
    }
  };

  const SpanTable& table_;
  const SpanForest& forest_;
  Builder& builder_;
  RenamedSpans renamed_;
  std::vector<ProcessIndex> processes_;
  std::vector<MessageIndex> message_;     // that each event sends
  std::vector<std::uint32_t> receivers_;  // how many events take it
  std::vector<std::uint32_t> takes_begin_, takes_from_;
  std::vector<MessageIndex> takes_;
  tsl::robin_map<std::uint32_t, std::size_t> last_;  // where an attribute of a list is last
  std::vector<Assignment> assigned_;
  tsl::robin_set<Received, ReceivedHash> received_;  // of messages with several receivers
  tsl::robin_map<std::uint32_t, NameSetIndex> start_labels_, end_labels_, failed_labels_;
  NameIndex request_ = NameIndex::none, response_ = NameIndex::none;
};

[[nodiscard]] std::vector<std::string> notes_on(const SpanLosses& losses) {
  std::vector<std::string> notes;
  const auto note = [&](std::uint64_t count, std::string_view what, std::string_view why) {
    if (count > 0) notes.push_back(fmt::format("{} {}", counted(count, what), why));
  };
  note(losses.missing_parents, "span",
       "whose parent is missing taken as the beginning of something");
  note(losses.repeated_spans, "span", "left out: another one has the same id");
  note(losses.other_links, "link", "left out: to spans that this execution does not have");
  note(losses.dropped_responses, "response",
       "left out: it came after the client had gone on without it");
  note(losses.dropped_requests, "message",
       "left out: the clock of a process puts what it caused before what sent it");
  return notes;
}

}  // namespace

Expected<Reading> read_spans(const SpanTable& table, std::span<const std::uint32_t> spans,
                             const SpanProcesses& processes, const std::string& name,
                             const ReadOptions& options) {
  const auto forest = SpanForest::make(table, spans, processes);
  if (!forest) {
    return failure("too many of its spans wait for each other in cycles", name, 0,
                   "`--process-by span` orders events by messages alone");
  }
  Builder builder(name);
  SpanFeeder(table, *forest, builder).feed();
  return finish_reading(builder, {.notes = notes_on(forest->losses())}, options);
}

SpanExecutions::SpanExecutions(SpanTable table, std::string name, ProcessBy by)
    : table_(std::move(table)), name_(std::move(name)), processes_(table_, by) {
  tsl::robin_map<TraceId, std::uint32_t, TraceIdHash> numbers;
  std::vector<std::uint32_t> execution_of;
  execution_of.reserve(table_.spans.size());
  for (const Span& span : table_.spans) {
    const auto fresh = static_cast<std::uint32_t>(ids_.size());
    const auto [place, is_new] = numbers.emplace(span.trace, fresh);
    if (is_new) {
      ids_.push_back(span.trace);
      begin_.push_back(0);
    }
    ++begin_[place->second + 1];
    execution_of.push_back(place->second);
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  spans_.resize(table_.spans.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t i = 0; i < execution_of.size(); ++i) spans_[next[execution_of[i]]++] = i;
}

std::optional<std::size_t> SpanExecutions::find(std::string_view id) const {
  const auto wanted = trace_id_in(id);
  if (!wanted) return std::nullopt;
  const auto place = [&](auto found) { return static_cast<std::size_t>(found - ids_.begin()); };
  const auto same = std::find(ids_.begin(), ids_.end(), *wanted);
  if (same != ids_.end()) return place(same);
  const std::vector<std::size_t> begin_so = find_all(id, 2);
  if (begin_so.size() != 1) return std::nullopt;
  return begin_so.front();
}

std::vector<std::size_t> SpanExecutions::find_all(std::string_view digits, std::size_t most) const {
  std::string wanted(digits);
  std::ranges::transform(wanted, wanted.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < ids_.size() && found.size() < most; ++i) {
    if (hex_of(ids_[i]).starts_with(wanted)) found.push_back(i);
  }
  return found;
}

std::uint64_t SpanExecutions::event_count(std::size_t execution) const {
  std::uint64_t count = 0;
  for (const std::uint32_t span : spans(execution)) count += 2 + table_.spans[span].events.size();
  return count;
}

Expected<Reading> SpanExecutions::read(std::size_t execution, const ReadOptions& options) const {
  return read_spans(table_, spans(execution), processes_, name_, options);
}

Expected<std::optional<std::size_t>> chosen_execution(const SpanExecutions& executions,
                                                      const std::string& name,
                                                      const ReadOptions& options) {
  if (options.execution.empty()) {
    if (executions.size() > 1) return std::optional<std::size_t>();
    return std::optional<std::size_t>(0);
  }
  const auto found = executions.find(options.execution);
  if (found) return std::optional<std::size_t>(*found);
  constexpr std::size_t told = 3;
  const auto begin_so = executions.find_all(options.execution, told + 1);
  if (begin_so.size() > 1) {
    std::string ids;
    for (std::size_t i = 0; i < std::min(begin_so.size(), told); ++i) {
      ids += (i == 0 ? "" : ", ") + executions.id(begin_so[i]);
    }
    if (begin_so.size() > told) ids += ", ...";
    return failure(
        fmt::format("has several executions that begin with {}: {}", options.execution, ids), name,
        0, "give more digits");
  }
  return failure(fmt::format("has no execution {}", options.execution), name, 0,
                 "`lightcone info` lists them; give the id of a trace, or enough of its first "
                 "digits that no other begins so");
}

Expected<Reading> read_chosen(const SpanExecutions& executions, const std::string& name,
                              const ReadOptions& options) {
  if (executions.size() == 0 && options.execution.empty()) {
    Builder builder(name);
    return finish_reading(builder, {}, options);
  }
  const auto chosen = chosen_execution(executions, name, options);
  if (!chosen) return failure(chosen.error());
  if (*chosen) return executions.read(**chosen, options);
  return failure(fmt::format("holds {}, the first of them {}",
                             counted(executions.size(), "execution"), executions.id(0)),
                 name, 0, "choose one with --execution ID; `lightcone info` lists them");
}

}  // namespace lightcone
