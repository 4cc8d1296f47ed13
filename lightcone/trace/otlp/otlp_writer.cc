// A span of no length for each event: its place in the order is all that OTLP can hold of it.
#include <lightcone/trace/otlp/otlp_writer.h>

#include <fmt/format.h>
#include <lightcone/base/json_text.h>
#include <lightcone/base/time/decimal_seconds.h>
#include <lightcone/base/utf8.h>
#include <lightcone/causal/interned_value.h>
#include <lightcone/trace/otlp/otlp_members.h>
#include <lightcone/trace/spans/span_processes.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint32_t spans_per_line = 1000;
constexpr std::string_view trace_hex = "6c69676874636f6e6500000000000001";  // "lightcone", and a 1
/// The attributes of a resource that name a process.
constexpr std::array<std::string_view, 5> naming{"service.name", "service.instance.id", "host.name",
                                                 "host.id", "process.pid"};

class OtlpWriter {
 public:
  OtlpWriter(const Computation& computation, OutputFile& file)
      : computation_(computation), file_(file) {}

  void process(ProcessIndex p) {
    const std::string resource = resource_of(p);
    std::uint64_t time = 0;
    bool has_time = false;
    const EventIndex end = computation_.end_event(p);
    for (EventIndex e = computation_.first_event(p); e < end; ++e) {
      const std::uint32_t k = e - computation_.first_event(p);
      const std::string& scope = members(e).scope_spans;
      if (k % spans_per_line == 0) {
        out_ = R"({"resourceSpans":[{"resource":)" + resource + R"(,"scopeSpans":[)";
        begin_scope(scope);
      } else if (scope != scope_) {
        out_ += "]},";
        begin_scope(scope);
      } else {
        out_ += ',';
      }
      const auto own = nanoseconds(e);
      const std::uint64_t wanted = own.value_or(has_time ? time : k + 1);
      has_time = has_time || own;
      if (wanted < time) ++raised_times_;
      time = std::max(time, wanted);
      span(e, time);
      if ((k + 1) % spans_per_line != 0 && e + 1 < end) continue;
      out_ += "]}]}]}\n";
      file_.write(out_);
    }
    without_events_ += end == computation_.first_event(p);
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    const Attributes& has = computation_.attributes();
    std::vector<std::string> notes;
    const auto note = [&](bool is_so, const char* sentence) {
      if (is_so) notes.emplace_back(sentence);
    };
    note(computation_.event_count() > 0,
         "each event is a span of no length, which is read again as two events, its start and its "
         "end");
    note(computation_.message_count() > 0, "names of messages are left out");
    note(several_labels_ > 0, "of several labels of an event, the first is the name of its span");
    note(!has.text.empty() || !has.source.empty() || !has.digest.empty() || !has.to.empty(),
         "texts, sources, digests and named receivers are left out");
    note(!computation_.header_extra().empty(), "unknown members of the header are left out");
    note(not_whole_,
         "unknown members that are too deep, too long or too large as numbers are left out");
    note(initial_labels_ > 0, "labels of initial states are left out");
    note(without_events_ > 0, "processes without events are left out");
    note(raised_times_ > 0, "times that go backwards in a process are raised to the one before");
    note(renamed_ > 0, "variables that would name another process are left out of initial states");
    return notes;
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> nanoseconds(EventIndex e) const {
    constexpr double latest = 9e9;  // seconds
    const auto time = computation_.time(e);
    if (!time || !(*time >= 0 && *time < latest)) return std::nullopt;
    return static_cast<std::uint64_t>(decimal_nanoseconds(*time));
  }

  [[nodiscard]] static std::string id(EventIndex e) { return hex_of(SpanId{e} + 1); }

  /// The unknown members of a row; many rows may have the same.
  [[nodiscard]] const OtlpMembers& members(Row row) {
    static const OtlpMembers nothing;
    const auto& extra = computation_.attributes().extra;
    if (row >= extra.size() || extra[row] == NameIndex::none) return nothing;
    constexpr std::size_t many = std::size_t{1} << 16;
    const auto text = static_cast<std::uint32_t>(extra[row]);
    if (members_.size() > many && !members_.contains(text)) members_.clear();
    const auto [known, is_new] = members_.try_emplace(text);
    if (is_new) {
      known.value() = std::make_unique<OtlpMembers>(otlp_members(computation_.extra(row)));
      not_whole_ = not_whole_ || !known->second->is_whole;
    }
    return *known->second;
  }

  void begin_scope(const std::string& scope) {
    scope_ = scope;
    out_ += '{';
    if (!scope.empty()) out_ += scope + ',';
    out_ += R"("spans":[)";
  }

  void span(EventIndex e, std::uint64_t time) {
    const OtlpMembers& kept = members(e);
    const auto labels = computation_.labels(e);
    several_labels_ += labels.size() > 1;
    out_ += fmt::format(R"({{"traceId":"{}","spanId":"{}",)", trace_hex, id(e));
    if (computation_.rank_of(e) > 1) out_ += fmt::format(R"("parentSpanId":"{}",)", id(e - 1));
    out_ += R"("name":)";
    out_ += labels.empty() ? R"("")" : json_string(computation_.names()[labels.front()]);
    out_ += fmt::format(R"(,"kind":{1},"startTimeUnixNano":"{0}","endTimeUnixNano":"{0}")", time,
                        kept.kind);
    if (!computation_.assignments(e).empty()) {
      out_ += R"(,"attributes":)";
      out_ += attributes(computation_.assignments(e), {});
    }
    if (!computation_.takes(e).empty()) {
      out_ += R"(,"links":[)";
      for (const MessageIndex m : computation_.takes(e)) {
        if (!out_.ends_with('[')) out_ += ',';
        out_ += fmt::format(R"({{"traceId":"{}","spanId":"{}")", trace_hex,
                            id(computation_.sent_by(m)));
        append_link(kept, m);
        out_ += '}';
      }
      out_ += ']';
    }
    if (!kept.span.empty()) out_ += ',' + kept.span;
    out_ += '}';
  }

  void append_link(const OtlpMembers& kept, MessageIndex m) {
    if (kept.links.empty()) return;
    const auto found = kept.links.find(computation_.message_name(m));
    if (found != kept.links.end() && !found->second.empty()) out_ += ',' + found->second;
  }

  [[nodiscard]] std::string value(const Value& value) const {
    if (const auto* truth = std::get_if<bool>(&value)) {
      return fmt::format(R"({{"boolValue":{}}})", *truth);
    }
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      return fmt::format(R"({{"intValue":"{}"}})", *number);
    }
    if (const auto* text = std::get_if<NameIndex>(&value)) {
      return R"({"stringValue":)" + json_string(computation_.names()[*text]) + "}";
    }
    const double real = std::get<double>(value);
    if (std::isfinite(real)) return R"({"doubleValue":)" + json_real(real) + "}";
    return fmt::format(R"({{"doubleValue":"{}"}})", std::isnan(real) ? "NaN"
                                                    : real < 0       ? "-Infinity"
                                                                     : "Infinity");
  }

  /// A list of attributes without those of `naming` if it is to have a service of this name.
  [[nodiscard]] std::string attributes(std::span<const Assignment> assignments,
                                       std::string_view service) {
    std::string list = "[";
    const auto add = [&](std::string_view name, const std::string& value) {
      if (list.size() > 1) list += ',';
      list += fmt::format(R"({{"key":{},"value":{}}})", json_string(name), value);
    };
    if (!service.empty()) {
      add("service.name", R"({"stringValue":)" + json_string(service) + "}");
    }
    for (const Assignment& assignment : assignments) {
      const std::string name = as_utf8_name(computation_.names()[assignment.variable]);
      const bool names = std::find(naming.begin(), naming.end(), name) != naming.end();
      if (names && !service.empty())
        ++renamed_;
      else
        add(name, value(assignment.value));
    }
    return list + "]";
  }

  /// The resource, and what follows it, by what the initial state shows. A process that it does not
  /// name is named as a service.
  [[nodiscard]] std::string resource_of(ProcessIndex p) {
    const Row row = computation_.initial_row(p);
    initial_labels_ += !computation_.labels(row).empty();
    SpanTable table;
    for (const Assignment& one : computation_.assignments(row)) {
      table.add_attribute(computation_.names()[one.variable],
                          spelled_value(one.value, computation_.names()));
    }
    table.resources.push_back(table.attributes_since(0));
    std::string name = as_utf8_name(computation_.process_name(p));
    if (name.empty()) name = "process without a name";
    const bool is_named = SpanProcesses(table, ProcessBy::instance).name(Span{}) == name;
    const OtlpMembers& kept = members(row);
    std::string text = R"({"attributes":)" + attributes(computation_.assignments(row),
                                                        is_named ? std::string_view() : name);
    if (!kept.resource.empty()) text += ',' + kept.resource;
    text += '}';
    if (!kept.resource_spans.empty()) text += ',' + kept.resource_spans;
    return text;
  }

  const Computation& computation_;
  OutputFile& file_;
  std::string out_;
  std::uint64_t several_labels_ = 0, initial_labels_ = 0, without_events_ = 0, raised_times_ = 0;
  std::uint64_t renamed_ = 0;
  bool not_whole_ = false;
  std::string scope_;                                                    // of the spans at hand
  tsl::robin_map<std::uint32_t, std::unique_ptr<OtlpMembers>> members_;  // by their text
};

}  // namespace

std::vector<std::string> write_otlp(const Computation& computation, OutputFile& file,
                                    const Progress& progress) {
  OtlpWriter writer(computation, file);
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (progress) progress("writing", computation.first_event(p), computation.event_count());
    writer.process(p);
  }
  return writer.notes();
}

}  // namespace lightcone
