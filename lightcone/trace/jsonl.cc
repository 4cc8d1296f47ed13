// Reading JSON Lines as a stream, and writing them.
#include <lightcone/trace/jsonl.h>

#include <fmt/format.h>
#include <lightcone/causal/builder.h>
#include <lightcone/trace/json_text.h>
#include <lightcone/trace/jsonl_line.h>

#include <algorithm>
#include <cstring>
#include <functional>

namespace lightcone {
namespace {

constexpr std::size_t piece_size = 4 << 20;
constexpr std::size_t longest_line = 256 << 20;

/// Feeds lines to a Builder.
class JsonlReader {
 public:
  explicit JsonlReader(std::string name) : name_(std::move(name)), builder_(name_) {}

  /// Reads one line, at whose end JsonlLineParser::padding bytes may be read.
  [[nodiscard]] Expected<void> read(std::string_view text) {
    ++line_number_;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    auto parsed = parser_.parse(text, line_);
    if (parsed) parsed = line_.kind == JsonlLine::Kind::header ? add_header() : add_event();
    if (!parsed && parsed.error().file.empty()) {
      parsed.error().file = name_;
      parsed.error().line = line_number_;
    }
    some_read_ = true;
    return parsed;
  }

  [[nodiscard]] Expected<Reading> finish(bool lenient) {
    auto built = builder_.build(lenient ? Unsent::make_internal : Unsent::error);
    if (!built) return tl::unexpected(std::move(built.error()));
    Reading reading{std::move(*built), {}};
    if (const std::size_t count = builder_.made_internal(); count > 0) {
      reading.notes.push_back(fmt::format(
          "{} receive{} without a send taken as internal event{}", count, count == 1 ? "" : "s",
          count == 1 ? "" : "s"));
    }
    return reading;
  }

  [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[nodiscard]] Expected<void> add_header() {
    if (some_read_) return failure("the header must be the first line");
    for (const std::string_view process : line_.processes) builder_.process(process);
    builder_.set_header_extra(line_.extra);
    return {};
  }

  [[nodiscard]] Expected<void> add_event() {
    takes_.clear();
    Arrival arrival;
    arrival.process = builder_.process(line_.process);
    arrival.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(line_number_, none));
    arrival.duplicate = line_.duplicate;
    switch (line_.kind) {
      case JsonlLine::Kind::initial: arrival.kind = Kind::initial; break;
      case JsonlLine::Kind::send:
        arrival.kind = Kind::send;
        arrival.sends = builder_.message(line_.messages.front());
        break;
      case JsonlLine::Kind::receive:
        arrival.kind = Kind::receive;
        for (const auto message : line_.messages) takes_.push_back(builder_.message(message));
        break;
      default: break;
    }
    if (line_.sends) arrival.sends = builder_.message(*line_.sends);
    arrival.takes = takes_;
    if (auto added = builder_.add(arrival); !added) return added;
    add_attributes();
    return {};
  }

  void add_attributes() {
    if (!line_.labels.empty()) builder_.set_labels(name_set(line_.labels));
    if (!line_.to.empty()) builder_.set_to(name_set(line_.to));
    for (const JsonlLine::Variable& variable : line_.variables) {
      const NameIndex name = builder_.name(variable.name);
      if (const auto* text = std::get_if<std::string_view>(&variable.value)) {
        builder_.assign(name, builder_.name(*text));
      } else if (const auto* integer = std::get_if<std::int64_t>(&variable.value)) {
        builder_.assign(name, *integer);
      } else if (const auto* real = std::get_if<double>(&variable.value)) {
        builder_.assign(name, *real);
      } else {
        builder_.assign(name, std::get<bool>(variable.value));
      }
    }
    if (line_.time) builder_.set_time(*line_.time);
    if (line_.text) builder_.set_text(builder_.name(*line_.text));
    if (line_.source) builder_.set_source(builder_.name(*line_.source));
    if (!line_.extra.empty()) builder_.set_extra(builder_.name(line_.extra));
  }

  [[nodiscard]] NameSetIndex name_set(const std::vector<std::string_view>& members) {
    name_buffer_.clear();
    for (const std::string_view member : members) name_buffer_.push_back(builder_.name(member));
    return builder_.name_set(name_buffer_);
  }

  std::string name_;
  Builder builder_;
  JsonlLineParser parser_;
  JsonlLine line_;
  std::vector<MessageIndex> takes_;
  std::vector<NameIndex> name_buffer_;
  std::uint64_t line_number_ = 0;
  bool some_read_ = false;
};

using Source = std::function<Expected<std::size_t>(char* buffer, std::size_t size)>;

/// Cuts what the source gives into lines. The unfinished line at the end of a piece moves to the
/// front of the next; the buffer grows only for lines longer than a piece.
[[nodiscard]] Expected<void> read_lines(const Source& source, std::uint64_t total,
                                        JsonlReader& reader, const Progress& progress) {
  const std::size_t piece =
      total == 0 ? piece_size : std::min<std::uint64_t>(piece_size, total + 1);
  std::vector<char> buffer(piece + JsonlLineParser::padding);
  std::size_t kept = 0;
  std::uint64_t done = 0;
  for (bool first = true, last = false; !last; first = false) {
    if (kept + JsonlLineParser::padding >= buffer.size()) {
      if (kept > longest_line) {
        return failure("a line of more than 256 MiB", reader.name(), reader.line_number() + 1);
      }
      buffer.resize(2 * buffer.size());
    }
    const std::size_t room = buffer.size() - JsonlLineParser::padding - kept;
    const auto got = source(buffer.data() + kept, room);
    if (!got) return tl::unexpected(got.error());
    last = *got < room;
    std::string_view rest(buffer.data(), kept + *got);
    if (first && rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
    while (!rest.empty()) {
      const auto* end = static_cast<const char*>(std::memchr(rest.data(), '\n', rest.size()));
      if (end == nullptr && !last) break;
      const std::size_t length = end == nullptr ? rest.size() : std::size_t(end - rest.data());
      if (auto ok = reader.read(rest.substr(0, length)); !ok) return ok;
      rest.remove_prefix(end == nullptr ? length : length + 1);
    }
    kept = rest.size();
    if (kept > 0) std::memmove(buffer.data(), rest.data(), kept);
    done += *got;
    if (progress) progress("reading", done, total);
  }
  return {};
}

[[nodiscard]] Expected<Reading> read_from(const Source& source, std::uint64_t total,
                                          const std::string& name, const ReadOptions& options) {
  JsonlReader reader(name);
  if (auto ok = read_lines(source, total, reader, options.progress); !ok) {
    return tl::unexpected(std::move(ok.error()));
  }
  return reader.finish(options.lenient);
}

/// Writes lines; names are turned into JSON text once.
class JsonlWriter {
 public:
  JsonlWriter(const Computation& computation, OutputFile& file)
      : computation_(computation), file_(file), quoted_(computation.names().size()) {}

  void header() {
    out_ = R"({"lightcone": 1, "processes": [)";
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (p > 0) out_ += ", ";
      out_ += json_string(computation_.process_name(p));
    }
    out_ += ']';
    members(computation_.header_extra());
    end_line();
  }

  void initial(ProcessIndex p) {
    begin_line(p, "init");
    attributes(computation_.initial_row(p));
    end_line();
  }

  void event(EventIndex e) {
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
      list("to", to, [&](NameIndex name) { out_ += quoted(name); });
    }
    if (computation_.is_duplicate(e)) out_ += R"(, "duplicate": true)";
    attributes(e);
    end_line();
  }

 private:
  void begin_line(ProcessIndex p, std::string_view kind) {
    out_ = R"({"process": )";
    out_ += quoted(computation_.names().find(computation_.process_name(p)));
    out_ += R"(, "kind": ")";
    out_ += kind;
    out_ += '"';
  }

  void end_line() {
    out_ += "}\n";
    file_.write(out_);
  }

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
    const Messages& messages = computation_.messages();
    const std::string& prefix = quoted(messages.prefix[m]);
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
    if (const auto assignments = computation_.assignments(row); !assignments.empty()) {
      out_ += R"(, "vars": {)";
      for (std::size_t i = 0; i < assignments.size(); ++i) {
        if (i > 0) out_ += ", ";
        out_ += quoted(assignments[i].variable);
        out_ += ": ";
        std::visit([&](auto value) { append(value); }, assignments[i].value);
      }
      out_ += '}';
    }
    if (const auto time = computation_.time(row)) {
      out_ += R"(, "time": )";
      append(*time);
    }
    named("text", computation_.attributes().text, row);
    named("source", computation_.attributes().source, row);
    members(computation_.extra(row));
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
    out_ += json;
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

  const Computation& computation_;
  OutputFile& file_;
  std::vector<std::string> quoted_;  // indexed by name; empty until needed
  std::string out_;
};

}  // namespace

Expected<Reading> read_jsonl(InputFile& file, const std::string& name,
                             const ReadOptions& options) {
  return read_from([&](char* buffer, std::size_t size) { return file.read(buffer, size); },
                   file.size(), name, options);
}

Expected<Reading> read_jsonl(std::string_view text, const std::string& name,
                             const ReadOptions& options) {
  std::size_t done = 0;
  const Source source = [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
    const std::size_t count = text.copy(buffer, size, done);
    done += count;
    return count;
  };
  return read_from(source, text.size(), name, options);
}

void write_jsonl(const Computation& computation, OutputFile& file, const Progress& progress) {
  constexpr std::size_t report_every = 1 << 16;
  JsonlWriter writer(computation, file);
  writer.header();
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (computation.has_initial(p)) writer.initial(p);
  }
  const auto order = computation.order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    writer.event(order[i]);
    if (progress && i % report_every == 0) progress("writing", i, order.size());
  }
}

}  // namespace lightcone
