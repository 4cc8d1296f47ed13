// Gathers the spans of each trace, and checks the computation that they make.
#include "otlp/span_traces.h"

#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/trace/spans/span_executions.h>
#include <lightcone/trace/spans/span_processes.h>

#include <algorithm>
#include <numeric>

namespace lightcone::service {
namespace {

/// Copies single spans from tables to one.
class SpanCopier {
 public:
  explicit SpanCopier(SpanTable& to) : to_(to) {}

  void copy(const SpanTable& from, std::uint32_t index) {
    Span span = from.spans[index];
    span.name = name(from, span.name);
    span.resource = resource(from, span.resource);
    const SpanRange events = span.events, links = span.links;
    span.events.begin = static_cast<std::uint32_t>(to_.events.size());
    for (std::uint32_t i = events.begin; i < events.end; ++i) {
      SpanEvent event = from.events[i];
      event.name = name(from, event.name);
      event.attributes = attributes(from, event.attributes);
      to_.events.push_back(event);
    }
    span.events.end = static_cast<std::uint32_t>(to_.events.size());
    span.links.begin = static_cast<std::uint32_t>(to_.links.size());
    for (std::uint32_t i = links.begin; i < links.end; ++i) to_.links.push_back(from.links[i]);
    span.links.end = static_cast<std::uint32_t>(to_.links.size());
    span.attributes = attributes(from, span.attributes);
    to_.spans.push_back(span);
  }

 private:
  [[nodiscard]] NameIndex name(const SpanTable& from, NameIndex index) {
    return index == NameIndex::none ? index : to_.names.intern(from.names[index]);
  }
  [[nodiscard]] SpanRange attributes(const SpanTable& from, SpanRange range) {
    const std::size_t begin = to_.attributes.size();
    for (Assignment assignment : from[range]) {
      assignment.variable = name(from, assignment.variable);
      if (const auto* text = std::get_if<NameIndex>(&assignment.value)) {
        assignment.value = name(from, *text);
      }
      to_.attributes.push_back(assignment);
    }
    return to_.attributes_since(begin);
  }
  [[nodiscard]] std::uint32_t resource(const SpanTable& from, std::uint32_t index) {
    const auto [place, is_new] =
        resources_.try_emplace({&from, index}, static_cast<std::uint32_t>(to_.resources.size()));
    if (is_new) to_.resources.push_back(attributes(from, from.resources[index]));
    return place->second;
  }

  SpanTable& to_;
  std::map<std::pair<const SpanTable*, std::uint32_t>, std::uint32_t> resources_;
};

/// How much memory each span of a table takes. The table stays as long as one of them does.
[[nodiscard]] std::size_t bytes_per_span(const SpanTable& table) {
  constexpr std::size_t of_place = 160;  // with its id
  const std::size_t of_table = sizeof table + table.names.bytes() +
                               table.spans.capacity() * sizeof table.spans[0] +
                               table.attributes.capacity() * sizeof table.attributes[0] +
                               table.events.capacity() * sizeof table.events[0] +
                               table.links.capacity() * sizeof table.links[0] +
                               table.resources.capacity() * sizeof table.resources[0];
  return of_place + of_table / std::max<std::size_t>(1, table.spans.size());
}

}  // namespace

void SpanTraces::add(const SpanBatch& batch) {
  constexpr std::size_t of_trace = 512;
  const std::size_t of_span = bytes_per_span(*batch.table);
  std::set<std::string> too_late, full;
  for (std::uint32_t i = 0; i < batch.table->spans.size(); ++i) {
    const Span& span = batch.table->spans[i];
    const std::string id = hex_of(span.trace);
    if (!std::ranges::binary_search(batch.traces, id)) continue;
    ++counts_.spans;
    auto found = traces_.find(id);
    if (found == traces_.end()) {
      if (known_.contains(id)) {
        ++counts_.late;
        ++counts_.too_late;
        too_late.insert(id);
        continue;
      }
      found = traces_.emplace(id, OpenTrace{.bytes = of_trace}).first;
      bytes_ += of_trace;
    }
    OpenTrace& trace = found->second;
    if (!trace.ids.emplace(span.id, span.shared).second) {
      ++counts_.duplicates;
      continue;
    }
    if (trace.is_decided) {
      trace.is_decided = false;
      std::erase(decided_, id);
      kept_spans_ -= trace.spans.size();
    }
    if (trace.decisions > 0) ++counts_.late;
    trace.spans.push_back({batch.table, i});
    trace.bytes += of_span;
    bytes_ += of_span;
    if (trace.spans.size() >= most_.of_trace) full.insert(id);
  }
  // One that is never quiet would grow for ever.
  for (const std::string& id : full) give_up(id);
  for (const std::string& id : too_late) callbacks_.forget(id);
}

SpanTable SpanTraces::joined(const OpenTrace& trace) {
  SpanTable table;
  SpanCopier copier(table);
  for (const SpanPlace& place : trace.spans) copier.copy(*place.table, place.span);
  return table;
}

void SpanTraces::decide(const std::string& id) {
  const auto found = traces_.find(id);
  if (found == traces_.end() || found->second.is_decided) return;
  OpenTrace& trace = found->second;
  const bool is_again = trace.decisions++ > 0;
  ++(is_again ? counts_.decided_again : counts_.decided);
  const SpanTable table = joined(trace);
  std::vector<std::uint32_t> all(table.spans.size());
  std::iota(all.begin(), all.end(), 0U);
  const SpanProcesses processes(table, ProcessBy::instance);
  const auto reading = read_spans(table, all, processes, id);
  if (reading) {
    tell(id, is_again, *reading);
  } else {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      ToldVerdict told{.property = properties_.name(i), .execution = id, .is_final = true};
      told.is_again = is_again;
      told.why = reading.error().what;
      callbacks_.tell(told);
    }
  }
  trace.is_decided = true;
  decided_.push_back(id);
  kept_spans_ += trace.spans.size();
  while (kept_spans_ > most_.spans) forget(std::string(decided_.front()));
}

void SpanTraces::tell(const std::string& id, bool is_again, const Reading& reading) {
  RecordedOptions options;
  options.check.most_places = 1;
  options.check.limits = limits_;
  // Names are not looked for: a variable that only other traces have is null in this one.
  auto compiled = std::make_shared<CompiledProperties>(
      CompiledProperties::compile(properties_.syntax(), event_labels(reading.computation)));
  const auto checked = RecordedCheck::run(std::move(compiled), reading, options);
  const Report* const report = checked ? &checked->report() : nullptr;
  bool has_failed = false;
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    ToldVerdict told{.property = properties_.name(i), .execution = id, .is_final = true};
    told.is_again = is_again;
    if (report == nullptr) {
      told.why = checked.error().what;
      callbacks_.tell(told);
      continue;
    }
    const PropertyReport& property = report->properties[i];
    told.verdict = property.verdict;
    told.found = property.is_global ? (property.found ? 1 : 0) : property.found_count;
    const auto& places = property.verb == Verb::require ? property.missing : property.at;
    if (!places.empty()) {
      told.process = report->processes[places.front().process];
      told.rank = places.front().rank;
    }
    for (std::size_t k = 0; k < property.cut.size() && property.found; ++k) {
      told.cut.emplace_back(report->processes[k], property.cut[k]);
    }
    if (property.verdict == Verdict::unknown) told.why = property.method;
    has_failed = has_failed || property.verdict == Verdict::fail;
    callbacks_.tell(told);
  }
  if (!has_failed) return;
  ++counts_.failing;
  callbacks_.keep(id, reading.computation);
}

void SpanTraces::forget(const std::string& id) {
  const auto found = traces_.find(id);
  if (found == traces_.end() || !found->second.is_decided) return;
  if (decided_.front() == id) {
    decided_.pop_front();
  } else {
    std::erase(decided_, id);
  }
  kept_spans_ -= found->second.spans.size();
  bytes_ -= found->second.bytes;
  traces_.erase(found);
  ignore(id);
  callbacks_.forget(id);
}

void SpanTraces::give_up(const std::string& id) {
  decide(id);
  forget(id);
}

std::vector<SpanDecider::TraceSize> SpanTraces::dispensable() const {
  std::vector<TraceSize> all;
  for (const std::string& id : decided_) all.push_back({id, traces_.find(id)->second.bytes});
  const auto decided = static_cast<std::ptrdiff_t>(all.size());
  for (const auto& [id, trace] : traces_) {
    if (!trace.is_decided) all.push_back({id, trace.bytes});
  }
  std::sort(all.begin() + decided, all.end(),
            [](const TraceSize& a, const TraceSize& b) { return a.bytes > b.bytes; });
  return all;
}

void SpanTraces::ignore(const std::string& id) {
  if (!known_.insert(id).second) return;
  known_in_order_.push_back(id);
  if (known_in_order_.size() <= most_.traces) return;
  known_.erase(known_in_order_.front());
  known_in_order_.pop_front();
}

}  // namespace lightcone::service
