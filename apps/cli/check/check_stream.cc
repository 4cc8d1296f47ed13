// Hands each line to the riders as soon as it is there, and to a builder for the report at the end.
#include "check/check_stream.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/riders/certainty.h>
#include <lightcone/riders/growing_ride.h>
#include <lightcone/trace/jsonl/jsonl_pieces.h>

#include <algorithm>
#include <cstdio>

#include "check/interruptible_input.h"
#include "check/verdicts.h"
#include "print/terminal.h"
#include "program.h"

namespace lightcone::cli {
namespace {

const std::string input_name = "standard input";

/// Prints what a ride finds.
class Telling {
 public:
  explicit Telling(const Properties& properties)
      : ride_(CompiledProperties::compile(properties),
              [this](const Sighting& sighting) { print(sighting); }) {}

  void add(const JsonlLines& lines, const JsonlLine& line) {
    if (line.kind == JsonlLine::Kind::header) {
      for (const auto process : lines[line.processes]) ride_.add_process(process);
      return;
    }
    GrowingEvent event;
    event.process = line.process;
    event.labels = lines[line.labels];
    event.sends = line.sends;
    switch (line.kind) {
      case JsonlLine::Kind::initial: event.kind = Kind::initial; break;
      case JsonlLine::Kind::send:
        event.kind = Kind::send;
        event.sends = lines[line.messages].front();
        break;
      case JsonlLine::Kind::receive:
        event.kind = Kind::receive;
        event.takes = lines[line.messages];
        break;
      default: break;
    }
    variables_.clear();
    for (std::uint32_t i = line.variables.begin; i < line.variables.end; ++i) {
      variables_.emplace_back(lines.variables[i].name, lines.variables[i].value);
    }
    event.variables = variables_;
    ride_.add(event);
  }

  /// Flushes what has been printed.
  void flush() const {
    if (printed_) std::fflush(stdout);
  }

  /// Events that wait for a message whose send is missing are not told of, unless `lenient`: then
  /// what rests on a path of the execution is.
  void finish(bool lenient) {
    tells_paths_only_ = lenient;
    ride_.finish(lenient);
    if (printed_) fmt::print("\n");
  }

  [[nodiscard]] bool has_printed() const { return printed_; }

 private:
  void print(const Sighting& sighting) {
    const Property& property = ride_.properties().source().properties[sighting.property];
    const bool found = property.verb != Verb::require;  // else it is missing
    if (tells_paths_only_ && !rests_on_one_path(property, found)) return;
    std::string labels;
    for (const std::string_view label : sighting.labels) {
      labels += fmt::format("{}{}", labels.empty() ? "" : ", ", printable(label));
    }
    fmt::print("{}:{}  {}  {} ({}){}\n", printable(sighting.process, 24), sighting.rank,
               painted(verdict_at_a_sighting(property.verb), paint_),
               paint_.bold(printable(property.name)), name_of(property.verb),
               labels.empty() ? "" : fmt::format("  [{}]", labels));
    printed_ = true;
  }

  [[nodiscard]] static Verdict verdict_at_a_sighting(Verb verb) {
    switch (verb) {
      case Verb::expect: return Verdict::pass;
      case Verb::watch: return Verdict::info;
      default: return Verdict::fail;
    }
  }

  GrowingRide ride_;
  Paint paint_ = paint_for(stdout);
  std::vector<std::pair<std::string_view, SpelledValue>> variables_;
  bool printed_ = false;
  bool tells_paths_only_ = false;
};

/// Reads to the end; an error ends it at once, after what the lines before it show.
[[nodiscard]] Expected<Fed> read_lines(InputFile& file, Builder& builder, Telling* telling) {
  InterruptibleInput input(file);
  JsonlPieceReader reader(
      [&](char* buffer, std::size_t size) { return input.read_some(buffer, size); }, 0, input_name,
      {}, JsonlPieceReader::End::nothing, JsonlPieceReader::CutLine::left_out);
  JsonlFeeder feeder(input_name, builder);
  JsonlPiece piece;
  do {
    reader.fill(piece);
    const auto fed = feeder.add(piece);
    if (telling != nullptr) {
      for (const JsonlLine& line : piece.parsed.lines) {
        if (!fed && line.number >= fed.error().line) break;
        telling->add(piece.parsed, line);
      }
      telling->flush();
    }
    if (!fed) return failure(fed.error());
  } while (!piece.last);
  Fed fed = feeder.finish();
  if (input.was_interrupted()) {
    fed.cut_off = true;
    fed.notes.emplace_back("interrupted: this is about the lines read so far");
  }
  return fed;
}

/// A declared label that hides an event label belongs to the alphabets that are not spelt out, and
/// whether there is such an event is known only at the end.
void note_hidden_labels(const Properties& properties, const Computation& computation) {
  const bool is_concerned =
      std::any_of(properties.properties.begin(), properties.properties.end(), [](const auto& it) {
        const auto* flow = std::get_if<Flow>(&it.question);
        return flow != nullptr && !flow->over;
      });
  if (!is_concerned) return;
  for (const std::string& label : event_labels(computation)) {
    if (!properties.find_label(label)) continue;
    report_note(
        fmt::format("the declared label `{}` hides an event label, which was not known when the "
                    "lines above were printed: where they differ, the report at the end is right",
                    printable(label)));
    return;
  }
}

}  // namespace

bool is_growing(const TraceArguments& arguments) {
  return arguments.path == "-" && (arguments.from.empty() || arguments.from == "jsonl");
}

Expected<Reading> read_growing(const TraceArguments& arguments, const Properties& properties,
                               bool tells) {
  auto file = InputFile::open(arguments.path);
  if (!file) return failure(file.error());
  Builder builder(input_name);
  std::optional<Telling> telling;
  if (tells) telling.emplace(properties);
  auto fed = read_lines(*file, builder, telling ? &*telling : nullptr);
  if (!fed) return failure(fed.error());
  auto reading = finish_reading(builder, std::move(*fed), arguments.options);
  if (!reading) return reading;
  if (telling) telling->finish(arguments.options.lenient);
  for (const std::string& note : reading->notes) report_note(note);
  if (telling && telling->has_printed()) note_hidden_labels(properties, reading->computation);
  return reading;
}

}  // namespace lightcone::cli
