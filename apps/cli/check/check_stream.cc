// Hands each line to the check as soon as it is there, and to a builder where the trace is kept.
#include "check/check_stream.h"

#include <fmt/format.h>
#include <lightcone/base/compression/compression.h>
#include <lightcone/base/file.h>
#include <lightcone/check/growing/growing_lines.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/trace/format_detection.h>
#include <lightcone/trace/jsonl/jsonl_pieces.h>
#include <lightcone/trace/map/mapped_lines.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

#include "check/interruptible_input.h"
#include "check/verdict_text.h"
#include "program.h"

namespace lightcone::cli {
namespace {

const std::string input_name = "standard input";
constexpr std::size_t processes_shown = 3;
constexpr std::size_t beginning_kept = 1 << 12;  // which shows the format

/// Prints what a growing check finds.
class Teller {
 public:
  explicit Teller(const Properties& properties) : properties_(properties) {}

  void listen(MonitorOptions& options) {
    options.on_sighting = [this](const Sighting& sighting) { print(sighting); };
    options.on_global = [this](const GlobalSighting& sighting) { print(sighting); };
  }
  /// Flushes what has been printed.
  void flush() const {
    if (has_printed_) std::fflush(stdout);
  }
  [[nodiscard]] bool has_printed() const { return has_printed_; }

 private:
  void print(const Sighting& sighting) {
    const Property& property = properties_.properties[sighting.property];
    std::string labels;
    for (const std::string_view label : sighting.labels) {
      labels += fmt::format("{}{}", labels.empty() ? "" : ", ", printable(label));
    }
    print_line(
        fmt::format("{}:{}", printable(sighting.process, 24), sighting.rank),
        verdict_at_a_place(property.verb), property,
        of_value(property, sighting.value) + (labels.empty() ? "" : fmt::format("  [{}]", labels)));
  }
  void print(const GlobalSighting& sighting) {
    const Property& property = properties_.properties[sighting.property];
    std::string places;
    for (std::size_t i = 0; i < std::min(sighting.ranks.size(), processes_shown); ++i) {
      places += fmt::format("{}{}:{}", i == 0 ? "" : ", ", printable(sighting.processes[i], 24),
                            sighting.ranks[i]);
    }
    if (sighting.ranks.size() > processes_shown) places += ", ...";
    const Global::Modality modality = std::get<Global>(property.question).modality;
    print_line(
        places, verdict_of_global(property.verb, true), property,
        fmt::format("{}  {}{}", of_value(property, sighting.value), what_was_found(modality, true),
                    sighting.needs_all ? " (of the processes in the header)" : ""));
  }
  [[nodiscard]] static std::string of_value(const Property& property,
                                            const std::optional<ReportedValue>& value) {
    if (!value) return {};
    return fmt::format(" for {} = {}", printable(property.each, 24), value_words(*value));
  }
  void print_line(std::string_view places, Verdict verdict, const Property& property,
                  std::string_view rest) {
    fmt::print("{}  {}  {} ({}){}\n", places, painted(verdict, paint_),
               paint_.bold(printable(property.name)), name_of(property.verb), rest);
    has_printed_ = true;
  }

  const Properties& properties_;
  Paint paint_ = paint_for(stdout);
  bool has_printed_ = false;
};

/// The error of a text that is no JSON Lines from its beginning, where it shows another format.
[[nodiscard]] Error with_format(Error error, const TraceArguments& arguments,
                                std::string_view beginning) {
  if (!arguments.from.empty() || !arguments.options.map.empty()) return error;
  const auto shown = format_in(beginning);
  if (!shown || *shown == Format::jsonl) return error;
  return {fmt::format("its beginning shows the format {}, and check reads JSON Lines here if no "
                      "format is named",
                      name_of(*shown)),
          input_name, 0, fmt::format("name it: --from {}", name_of(*shown))};
}

/// Reads to the end; an error ends it at once, after what the lines before it show.
[[nodiscard]] Expected<ReaderResult> read_stream(const TraceArguments& arguments, Builder* builder,
                                                 Monitor* check, Teller* teller) {
  std::unique_ptr<MappedLines> mapped;
  if (!arguments.options.map.empty()) {
    auto lines = MappedLines::with_map(arguments.options.map, input_name);
    if (!lines) return failure(std::move(lines.error()));
    mapped = std::move(*lines);
  }
  auto file = InputFile::open("-");
  if (!file) return failure(file.error());
  InterruptibleInput input(*file);
  UnpackedText text([&](char* buffer, std::size_t size) { return input.read_some(buffer, size); },
                    input_name, TornEnd::ends);
  std::string beginning;
  const auto source = [&](char* buffer, std::size_t size) {
    auto got = text.read_some(buffer, size);
    if (got && beginning.size() < beginning_kept) beginning.append(buffer, *got);
    return got;
  };
  JsonlPieceReader reader(source, 0, input_name, {}, JsonlPieceReader::End::nothing,
                          JsonlPieceReader::CutLine::left_out, mapped.get());
  JsonlFeeder feeder(input_name, builder);
  JsonlPiece piece;
  do {
    reader.fill(piece);
    Expected<void> fed = feeder.add(piece);
    if (check != nullptr) {
      GrowingLines lines(*check);
      for (const JsonlLine& line : piece.parsed.lines) {
        if (!fed && line.number >= fed.error().line) break;
        if (auto told = lines.add(piece.parsed, line); !told) {
          fed = std::move(told);
          break;
        }
      }
    }
    if (teller != nullptr) teller->flush();
    if (!fed) return failure(with_format(fed.error(), arguments, beginning));
  } while (!piece.last);
  ReaderResult fed = feeder.finish();
  if (mapped) std::ranges::move(mapped->notes(), std::back_inserter(fed.notes));
  if (input.was_interrupted()) {
    fed.cut_off = true;
    fed.notes.emplace_back("interrupted: this is about the lines read so far");
  }
  if (auto torn = text.torn_note()) {
    fed.cut_off = true;
    fed.notes.push_back(std::move(*torn));
  }
  return fed;
}

/// A declared label that hides an event label belongs to the alphabets that are not spelt out, and
/// whether there is such an event is known only at the end.
void note_hidden_labels(const PropertyFile& file, const Computation& computation) {
  if (Monitor::can_check(file)) return;
  const Properties& properties = file.syntax();
  for (const std::string& label : event_labels(computation)) {
    if (!properties.find_label(label)) continue;
    report_note(
        fmt::format("the declared label `{}` hides an event label, which was not known when the "
                    "lines above were printed: where they differ, the report at the end is right",
                    printable(label)));
    return;
  }
}

[[nodiscard]] MonitorEnd end_of(const ReaderResult& fed, const ReadOptions& options) {
  return {fed.cut_off || options.cut_off, options.lenient, !fed.notes.empty()};
}

}  // namespace

bool is_growing(const TraceArguments& arguments) {
  if (arguments.path != "-") return false;
  if (!arguments.options.map.empty()) return arguments.from.empty() || arguments.from == "map";
  return arguments.from == "jsonl" || (arguments.from.empty() && arguments.options.regex.empty());
}

Expected<Report> check_growing(const TraceArguments& arguments, const PropertyFile& properties,
                               const CheckOptions& options, bool tells) {
  Teller teller(properties.syntax());
  MonitorOptions growing{options, input_name};
  if (tells) teller.listen(growing);
  Monitor check(properties, std::move(growing));
  const auto fed = read_stream(arguments, nullptr, &check, &teller);
  if (!fed) return failure(fed.error());
  auto report = check.finish(end_of(*fed, arguments.options));
  if (!report) return report;
  if (teller.has_printed()) fmt::print("\n");
  report->notes.insert(report->notes.begin(), fed->notes.begin(), fed->notes.end());
  for (const std::string& note : report->notes) report_note(note);
  return report;
}

Expected<Reading> read_growing(const TraceArguments& arguments, const PropertyFile& properties,
                               bool tells) {
  Builder builder(input_name);
  Teller teller(properties.syntax());
  MonitorOptions growing{{}, input_name};
  growing.check.most_places = 0;
  teller.listen(growing);
  std::optional<Monitor> check;
  if (tells) check.emplace(properties, std::move(growing));
  auto fed = read_stream(arguments, &builder, check ? &*check : nullptr, &teller);
  if (!fed) return failure(fed.error());
  const MonitorEnd end = end_of(*fed, arguments.options);
  auto reading = finish_reading(builder, std::move(*fed), arguments.options);
  if (!reading) return reading;
  if (check) (void)check->finish(end);
  if (teller.has_printed()) fmt::print("\n");
  for (const std::string& note : reading->notes) report_note(note);
  if (teller.has_printed()) note_hidden_labels(properties, reading->computation);
  return reading;
}

}  // namespace lightcone::cli
