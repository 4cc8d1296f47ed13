// Finds the format of a file, and its reader and writer.
#include <lightcone/trace.h>

#include <lightcone/base/file.h>
#include <lightcone/trace/clocks/clocks.h>
#include <lightcone/trace/directory.h>
#include <lightcone/trace/jsonl/jsonl.h>
#include <lightcone/trace/lct/lct.h>
#include <lightcone/trace/otlp/otlp_writer.h>
#include <lightcone/trace/shiviz/shiviz.h>
#include <lightcone/trace/span_files.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace lightcone {
namespace {

struct FormatNames {
  Format format;
  std::string_view name;
  std::string_view extension;  // empty: none of its own
  bool is_written = true;
};

constexpr std::array<std::string_view, 2> other_jsonl_extensions{".json", ".ndjson"};

constexpr std::array formats = std::to_array<FormatNames>({
    {Format::jsonl, "jsonl", ".jsonl"},
    {Format::lct, "lct", ".lct"},
    {Format::shiviz, "shiviz", ".log"},
    {Format::clocks, "clocks", ".clocks"},
    {Format::otlp, "otlp", ".otlp.json"},
    {Format::jaeger, "jaeger", ".jaeger.json", false},
    {Format::zipkin, "zipkin", ".zipkin.json", false},
});

[[nodiscard]] std::string all_names() {
  std::string names;
  for (const FormatNames& format : formats) {
    if (!names.empty()) names += ", ";
    names += format.name;
  }
  return names;
}

std::vector<std::string> write_to(OutputFile& file, const Computation& computation, Format format,
                                  const Progress& progress) {
  switch (format) {
    case Format::jsonl: write_jsonl(computation, file, progress); break;
    case Format::lct: write_lct(computation, file, progress); break;
    case Format::shiviz: return write_shiviz(computation, file, progress);
    case Format::clocks: return write_clocks(computation, file, progress);
    case Format::otlp: return write_otlp(computation, file, progress);
    default: LIGHTCONE_ASSERT(!is_written(format));
  }
  return {};
}

/// Reads a file that has been opened, piece by piece if the format allows it.
[[nodiscard]] Expected<Reading> read_file(InputFile& file, const std::string& name, Format format,
                                          const ReadOptions& options) {
  switch (format) {
    case Format::jsonl: return read_jsonl(file, name, options);
    case Format::otlp:
    case Format::jaeger:
    case Format::zipkin: return read_span_file(file, name, format, options);
    default: break;
  }
  auto bytes = file.read_all();
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  return read_trace_text(*bytes, name, format, options);
}

}  // namespace

Expected<Format> format_named(std::string_view name) {
  for (const FormatNames& format : formats) {
    if (format.name == name) return format.format;
  }
  return failure("there is no trace format " + std::string(name), {}, 0,
                 "there are " + all_names());
}

Expected<Format> format_of(std::string_view path) {
  std::string lower(path);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const FormatNames& format : formats) {
    if (lower.ends_with(format.extension)) return format.format;
  }
  for (const std::string_view extension : other_jsonl_extensions) {
    if (lower.ends_with(extension)) return Format::jsonl;
  }
  return failure("its name does not show its format", std::string(path), 0,
                 "name the format: " + all_names());
}

std::string_view name_of(Format format) {
  return std::find_if(formats.begin(), formats.end(),
                      [&](const FormatNames& names) { return names.format == format; })
      ->name;
}

bool is_written(Format format) {
  return std::find_if(formats.begin(), formats.end(),
                      [&](const FormatNames& names) { return names.format == format; })
      ->is_written;
}

Expected<ProcessBy> process_by_named(std::string_view name) {
  if (name == "service") return ProcessBy::service;
  if (name == "instance") return ProcessBy::instance;
  if (name == "thread") return ProcessBy::thread;
  if (name == "span") return ProcessBy::span;
  return failure("a process is no " + std::string(name), {}, 0,
                 "there are service, instance, thread, span");
}

std::vector<Format> all_formats() {
  std::vector<Format> all;
  for (const FormatNames& names : formats) all.push_back(names.format);
  return all;
}

Expected<Reading> read_trace(const std::string& path, Format format, const ReadOptions& options) {
  if (path != "-" && is_directory(path)) return read_directory(path, options);
  auto file = InputFile::open(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  const std::string name = path == "-" ? "standard input" : path;
  return read_file(*file, name, format, options);
}

Expected<Reading> read_trace_text(std::string_view bytes, const std::string& name, Format format,
                                  const ReadOptions& options) {
  switch (format) {
    case Format::jsonl: return read_jsonl(bytes, name, options);
    case Format::lct: return read_lct(bytes, name, options);
    case Format::shiviz: return read_shiviz(bytes, name, options);
    case Format::clocks: return read_clocks(bytes, name, options);
    case Format::otlp:
    case Format::jaeger:
    case Format::zipkin: return read_span_file(bytes, name, format, options);
  }
  return failure("no such format", name);
}

Expected<std::vector<std::string>> write_trace(const Computation& computation,
                                               const std::string& path, Format format,
                                               const Progress& progress) {
  if (!is_written(format)) {
    return failure("the format " + std::string(name_of(format)) + " is only read", path);
  }
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  std::vector<std::string> notes = write_to(*file, computation, format, progress);
  if (auto done = file->commit(); !done) return tl::unexpected(std::move(done.error()));
  return notes;
}

std::string write_trace_text(const Computation& computation, Format format) {
  OutputFile file = OutputFile::in_memory();
  write_to(file, computation, format, {});
  return file.take_bytes();
}

}  // namespace lightcone
