// Executions of spans, of ShiViz logs, and of files that have just one.
#include <lightcone/executions.h>

#include <lightcone/base/file.h>
#include <lightcone/trace/directory.h>
#include <lightcone/trace/shiviz/shiviz.h>
#include <lightcone/trace/span_files.h>

#include <algorithm>
#include <utility>

namespace lightcone {

struct Executions::Parts {
  std::string path;  ///< what errors call it
  Format format = Format::jsonl;
  ReadOptions options;
  SpanFile spans = {};                    ///< of a file of spans
  std::optional<std::string> bytes = {};  ///< of a log, or of a trace in memory
  std::vector<std::string> logs = {};     ///< the executions of a log
  std::vector<std::string> notes = {};

  [[nodiscard]] ReadOptions options_for(std::string execution) const {
    ReadOptions chosen = options;
    chosen.execution = std::move(execution);
    chosen.progress = {};  // several may be read at the same time
    return chosen;
  }
};

/// Makes executions, whose parts only it sees.
class ExecutionsReader {
 public:
  ExecutionsReader(const std::string& name, Format format, const ReadOptions& options)
      : parts_(std::make_shared<Executions::Parts>()) {
    parts_->path = name;
    parts_->format = format;
    parts_->options = options;
  }

  [[nodiscard]] Expected<void> take_spans(Expected<SpanFile> spans) {
    if (!spans) return failure(std::move(spans.error()));
    parts_->spans = std::move(*spans);
    for (std::string& text : parts_->spans.notes) note(std::move(text));
    return {};
  }

  [[nodiscard]] Expected<void> take_text(Expected<std::string> bytes) {
    if (!bytes) return failure(std::move(bytes.error()));
    if (parts_->format == Format::shiviz) {
      auto names = shiviz_executions(*bytes, parts_->path, parts_->options);
      if (!names) return failure(std::move(names.error()));
      parts_->logs = std::move(*names);
    }
    parts_->bytes = std::move(*bytes);
    return {};
  }

  void note(std::string text) { parts_->notes.push_back(std::move(text)); }

  [[nodiscard]] Executions done() {
    Executions executions;
    executions.parts_ = std::move(parts_);
    return executions;
  }

 private:
  std::shared_ptr<Executions::Parts> parts_;
};

bool has_executions(Format format) { return has_spans(format) || format == Format::shiviz; }

std::size_t Executions::size() const {
  if (has_spans(parts_->format)) return parts_->spans.executions->size();
  return parts_->logs.empty() ? 1 : parts_->logs.size();
}

std::string Executions::id(std::size_t execution) const {
  if (has_spans(parts_->format)) return parts_->spans.executions->id(execution);
  return parts_->logs.empty() ? std::string() : parts_->logs[execution];
}

std::optional<std::size_t> Executions::find(std::string_view id) const {
  if (has_spans(parts_->format)) return parts_->spans.executions->find(id);
  const auto found = std::find(parts_->logs.begin(), parts_->logs.end(), id);
  if (found == parts_->logs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - parts_->logs.begin());
}

Expected<Reading> Executions::read(std::size_t execution) const {
  const Parts& parts = *parts_;
  if (has_spans(parts.format)) {
    return parts.spans.executions->read(execution, parts.options_for({}));
  }
  const ReadOptions options = parts.options_for(id(execution));
  if (parts.bytes) return read_trace_text(*parts.bytes, parts.path, parts.format, options);
  return read_trace(parts.path, parts.format, options);
}

const std::vector<std::string>& Executions::notes() const { return parts_->notes; }

Expected<Executions> read_executions(const std::string& path, Format format,
                                     const ReadOptions& options) {
  const bool is_alone = !has_executions(format) || (path != "-" && is_directory(path));
  if (is_alone) {
    const Format known = has_spans(format) ? Format::lct : format;  // a directory has any
    return ExecutionsReader(path, known, options).done();
  }
  auto file = InputFile::open(path);
  if (!file) return failure(std::move(file.error()));
  file->unpack(options.cut_off ? TornEnd::ends : TornEnd::error);
  const std::string name = path == "-" ? "standard input" : path;
  ExecutionsReader reader(name, format, options);
  const auto taken = has_spans(format)
                         ? reader.take_spans(open_span_file(*file, name, format, options))
                         : reader.take_text(file->read_all());
  if (!taken) return failure(taken.error());
  if (auto note = file->torn_note()) reader.note(std::move(*note));
  return reader.done();
}

Expected<Executions> read_executions_text(std::string_view bytes, const std::string& name,
                                          Format format, const ReadOptions& options) {
  ExecutionsReader reader(name, format, options);
  const auto taken = has_spans(format)
                         ? reader.take_spans(open_span_file(bytes, name, format, options))
                         : reader.take_text(std::string(bytes));
  if (!taken) return failure(taken.error());
  return reader.done();
}

}  // namespace lightcone
