// Chooses the reader of spans by format.
#include <lightcone/trace/span_files.h>

#include <lightcone/base/wording.h>
#include <lightcone/trace/jaeger/jaeger.h>
#include <lightcone/trace/otlp/otlp.h>
#include <lightcone/trace/zipkin/zipkin.h>

#include <utility>

namespace lightcone {
namespace {

[[nodiscard]] const SpanFormat& span_format(Format format) {
  switch (format) {
    case Format::jaeger: return jaeger_format();
    case Format::zipkin: return zipkin_format();
    default: return otlp_format();
  }
}

[[nodiscard]] Expected<SpanFile> open_from(const JsonUnitReader::Source& source,
                                           std::uint64_t total, const std::string& name,
                                           Format format, const ReadOptions& options) {
  const TornEnd torn_end = options.cut_off ? TornEnd::ends : TornEnd::error;
  auto text = read_span_text(source, total, name, span_format(format), options.progress, torn_end);
  if (!text) return failure(std::move(text.error()));
  SpanFile opened;
  for (const auto& [sentence, times] : text->tally) {
    opened.notes.push_back(counted(times, "document") + " " + sentence);
  }
  if (text->is_torn) opened.notes.emplace_back("the last value is cut off and left out");
  opened.executions =
      std::make_unique<SpanExecutions>(std::move(text->table), name, options.process_by);
  return opened;
}

[[nodiscard]] Expected<Reading> chosen_of(Expected<SpanFile> opened, const std::string& name,
                                          const ReadOptions& options) {
  if (!opened) return failure(std::move(opened.error()));
  auto reading = read_chosen(*opened->executions, name, options);
  if (!reading) return reading;
  reading->notes.insert(reading->notes.begin(), opened->notes.begin(), opened->notes.end());
  return reading;
}

}  // namespace

bool has_spans(Format format) {
  return format == Format::otlp || format == Format::jaeger || format == Format::zipkin;
}

Expected<SpanFile> open_span_file(InputFile& file, const std::string& name, Format format,
                                  const ReadOptions& options) {
  return open_from([&](char* buffer, std::size_t size) { return file.read(buffer, size); },
                   file.size(), name, format, options);
}

Expected<SpanFile> open_span_file(std::string_view bytes, const std::string& name, Format format,
                                  const ReadOptions& options) {
  std::size_t done = 0;
  const auto source = [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
    const std::size_t count = bytes.copy(buffer, size, done);
    done += count;
    return count;
  };
  return open_from(source, bytes.size(), name, format, options);
}

Expected<Reading> read_span_file(InputFile& file, const std::string& name, Format format,
                                 const ReadOptions& options) {
  return chosen_of(open_span_file(file, name, format, options), name, options);
}

Expected<Reading> read_span_file(std::string_view bytes, const std::string& name, Format format,
                                 const ReadOptions& options) {
  return chosen_of(open_span_file(bytes, name, format, options), name, options);
}

}  // namespace lightcone
