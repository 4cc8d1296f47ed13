// Writing a computation as JSON Lines.
#include <lightcone/trace/jsonl/jsonl_writer.h>

#include <fmt/format.h>
#include <lightcone/base/json_text.h>
#include <lightcone/base/utf8.h>
#include <lightcone/causal/message_name.h>
#include <lightcone/trace/jsonl/jsonl.h>

#include <cmath>
#include <span>
#include <unordered_map>

namespace lightcone {

/// Names are turned into JSON text once.
class JsonlLineWriter::Lines {
 public:
  explicit Lines(const Computation& computation)
      : computation_(computation),
        quoted_(computation.names().size()),
        quoted_things_(computation.names().size()) {}

  std::string_view header() {
    out_ = has_unusual_reals() ? R"({"lightcone": 2, "processes": [)"
                               : R"({"lightcone": 1, "processes": [)";
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (p > 0) out_ += ", ";
      out_ += json_string(as_utf8_name(computation_.process_name(p)));
    }
    out_ += ']';
    members(computation_.header_extra());
    return end_line();
  }

  std::string_view initial(ProcessIndex p) {
    begin_line(p, "init");
    attributes(computation_.initial_row(p));
    return end_line();
  }

  std::string_view event(EventIndex e) {
    static constexpr std::string_view kind_names[] = {"internal", "send", "receive"};
    const Kind kind = computation_.kind(e);
    begin_line(computation_.process_of(e), kind_names[static_cast<std::size_t>(kind)]);
    const auto takes = computation_.takes(e);
    if (!takes.empty()) list("message", takes, [&](MessageIndex m) { message_name(m); });
    if (const MessageIndex m = computation_.sends(e); m != none) {
      out_ += kind == Kind::send ? R"(, "message": )" : R"(, "sends": )";
      message_name(m);
    }
    if (const auto to = computation_.to(e); !to.empty()) {
      list("to", to, [&](NameIndex name) { out_ += quoted_thing(name); });
    }
    if (computation_.is_duplicate(e)) out_ += R"(, "duplicate": true)";
    attributes(e);
    return end_line();
  }

 private:
  void begin_line(ProcessIndex p, std::string_view kind) {
    out_ = R"({"process": )";
    out_ += quoted_thing(computation_.names().find(computation_.process_name(p)));
    out_ += R"(, "kind": ")";
    out_ += kind;
    out_ += '"';
  }

  std::string_view end_line() { return out_ += '}'; }

  /// One element stands alone, several in a list.
  template <class Elements, class Write>
  void list(std::string_view key, const Elements& elements, Write write) {
    out_ += ", \"";
    out_ += key;
    out_ += "\": ";
    if (elements.size() > 1) out_ += '[';
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) out_ += ", ";
      write(elements[i]);
    }
    if (elements.size() > 1) out_ += ']';
  }

  void message_name(MessageIndex m) {
    const MessageNames& messages = computation_.message_names();
    const std::string& prefix = quoted_thing(messages.prefix[m]);
    out_.append(prefix, 0, prefix.size() - 1);
    if (messages.number[m] != SplitName::no_number) {
      out_ += fmt::format_int(messages.number[m]).c_str();
    }
    out_ += '"';
  }

  void attributes(Row row) {
    if (const auto labels = computation_.labels(row); !labels.empty()) {
      out_ += R"(, "labels": [)";
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i > 0) out_ += ", ";
        out_ += quoted(labels[i]);
      }
      out_ += ']';
    }
    variables(computation_.assignments(row));
    if (const auto time = computation_.time(row); time && std::isfinite(*time)) {
      out_ += R"(, "time": )";
      append(*time);
    }
    named("text", computation_.attributes().text, row);
    named("source", computation_.attributes().source, row);
    if (const auto digest = computation_.digest(row)) {
      out_ += fmt::format(R"(, "digest": "{:016x}")", *digest);
    }
    members(computation_.extra(row));
  }

  /// Of a variable that is assigned twice, the last value.
  void variables(std::span<const Assignment> assignments) {
    if (assignments.empty()) return;
    last_.clear();
    for (std::size_t i = 0; i < assignments.size(); ++i) last_[assignments[i].variable] = i;
    std::string_view before = R"(, "vars": {)";
    for (std::size_t i = 0; i < assignments.size(); ++i) {
      if (last_[assignments[i].variable] != i) continue;
      out_ += before;
      out_ += quoted_thing(assignments[i].variable);
      out_ += ": ";
      std::visit([&](auto value) { append(value); }, assignments[i].value);
      before = ", ";
    }
    out_ += '}';
  }

  /// Returns whether a variable is given a real that is not finite, which version 1 cannot say.
  [[nodiscard]] bool has_unusual_reals() const {
    for (Row row = 0; row < computation_.row_count(); ++row) {
      for (const Assignment& assignment : computation_.assignments(row)) {
        const auto* real = std::get_if<double>(&assignment.value);
        if (real != nullptr && !std::isfinite(*real)) return true;
      }
    }
    return false;
  }

  void named(std::string_view key, const std::vector<NameIndex>& column, Row row) {
    if (column.empty() || column[row] == NameIndex::none) return;
    out_ += ", \"";
    out_ += key;
    out_ += "\": ";
    out_ += json_string(computation_.names()[column[row]]);
  }

  void members(std::string_view json) {
    if (json.empty()) return;
    out_ += ", ";
    out_ += is_utf8(json) ? json : std::string_view(as_utf8(json));
  }

  void append(bool value) { out_ += value ? "true" : "false"; }
  void append(std::int64_t value) { out_ += fmt::format_int(value).c_str(); }
  void append(double value) { out_ += json_real(value); }
  void append(NameIndex value) { out_ += quoted(value); }

  const std::string& quoted(NameIndex name) {
    std::string& text = quoted_[static_cast<std::uint32_t>(name)];
    if (text.empty()) text = json_string(computation_.names()[name]);
    return text;
  }

  /// Of what is known by its name.
  const std::string& quoted_thing(NameIndex name) {
    std::string& text = quoted_things_[static_cast<std::uint32_t>(name)];
    if (text.empty()) text = json_string(as_utf8_name(computation_.names()[name]));
    return text;
  }

  const Computation& computation_;
  std::vector<std::string> quoted_;                  // indexed by name; empty until needed
  std::vector<std::string> quoted_things_;           // the same for what is known by its name
  std::unordered_map<NameIndex, std::size_t> last_;  // where each variable is assigned last
  std::string out_;
};

JsonlLineWriter::JsonlLineWriter(const Computation& computation)
    : lines_(std::make_unique<Lines>(computation)) {}
JsonlLineWriter::~JsonlLineWriter() = default;

std::string_view JsonlLineWriter::header() { return lines_->header(); }
std::string_view JsonlLineWriter::initial(ProcessIndex p) { return lines_->initial(p); }
std::string_view JsonlLineWriter::event(EventIndex e) { return lines_->event(e); }

void write_jsonl(const Computation& computation, OutputFile& file, const Progress& progress) {
  constexpr std::size_t report_every = 1 << 16;
  JsonlLineWriter writer(computation);
  const auto write = [&](std::string_view line) {
    file.write(line);
    file.write("\n");
  };
  write(writer.header());
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (computation.has_initial(p)) write(writer.initial(p));
  }
  const auto order = computation.order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    write(writer.event(order[i]));
    if (progress && i % report_every == 0) progress("writing", i, order.size());
  }
}

}  // namespace lightcone
