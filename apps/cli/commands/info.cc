// `lightcone info`: a summary of a trace.
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/causal/process_words.h>
#include <lightcone/check/json_documents.h>
#include <lightcone/check/trace_summary.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "check/executions_text.h"
#include "draw/diagram.h"
#include "draw/overview_svg.h"
#include "options/trace_arguments.h"
#include "print/json_output.h"
#include "print/progress_bar.h"
#include "print/table.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

constexpr std::uint32_t processes_shown = 20;
constexpr std::size_t names_shown = 12;
constexpr std::size_t share_width = 16;

struct InfoOptions {
  TraceArguments trace;
  bool json = false;
  bool all = false;
  bool diagram = false;
  std::string svg;
};

/// What a share of concurrent pairs means.
[[nodiscard]] std::string concurrency_words(const TraceSummary& findings) {
  if (findings.all_pairs == 0) return "there are no two events to compare";
  if (findings.concurrent_pairs == 0) return "the events form one causal chain";
  return fmt::format("{} of all pairs of events are concurrent: neither could affect the other",
                     percent(findings.concurrent_pairs, findings.all_pairs));
}

[[nodiscard]] std::string message_words(const Computation& computation,
                                        const TraceSummary& findings) {
  if (computation.message_count() == 0) return "the processes sent no messages";
  if (findings.counts.in_transit == 0) return "all received";
  return fmt::format("{} in transit: sent, but never received",
                     grouped(findings.counts.in_transit));
}

[[nodiscard]] std::string race_words(const TraceSummary& findings) {
  const std::uint64_t received = findings.counts.received;
  if (received == 0) return "nothing was received";
  const std::string in_transit =
      findings.races_in_transit == 0
          ? ""
          : fmt::format("{} that {} never received could have been taken",
                        counted(findings.races_in_transit, "message"),
                        findings.races_in_transit == 1 ? "was" : "were");
  if (findings.races == 0) {
    return in_transit.empty() ? "no message could have arrived earlier" : in_transit;
  }
  return fmt::format("of {} could have arrived earlier ({}){}{}", counted(received, "message"),
                     percent(findings.races, received), in_transit.empty() ? "" : "; ", in_transit);
}

/// What the number of inevitable states measures: a chain of events has them all.
[[nodiscard]] std::string inevitable_words(const Computation& computation,
                                           const TraceSummary& findings) {
  const std::uint64_t states = std::uint64_t{computation.event_count()} + 1;
  if (findings.inevitable == states) return "every observer saw the same global states";
  return fmt::format(
      "of the {} global states that one observer sees are seen by all observers ({})",
      grouped(states), percent(findings.inevitable, states));
}

[[nodiscard]] std::string width_text(const Shape& shape) {
  if (shape.width_at_least == shape.width_at_most) return grouped(shape.width_at_least);
  return fmt::format("{} to {}", grouped(shape.width_at_least), grouped(shape.width_at_most));
}

void print_overview(const Computation& computation, const TraceSummary& findings,
                    const Paint& paint) {
  const Counts& c = findings.counts;
  const auto line = [&](std::string_view name, const std::string& value, const std::string& words) {
    fmt::print("  {:<12}{}{}\n", name, paint.bold(fmt::format("{:>12}", value)),
               words.empty() ? "" : "  " + wrapped(words, 80, 28));
  };
  line("Processes", grouped(computation.process_count()), "");
  line("Events", grouped(computation.event_count()),
       fmt::format("{} internal, {}, {}", grouped(c.internal), counted(c.sends, "send"),
                   counted(c.receives, "receive")));
  line("Messages", grouped(computation.message_count()), message_words(computation, findings));
  line("Edges", grouped(computation.edge_count()), "from sends to receives");
  line("Depth", grouped(findings.shape.depth), "events on the longest causal chain");
  line("Width", width_text(findings.shape), "the most events that can happen in parallel");
  const double share = findings.concurrency();
  line("Concurrency",
       share > 0 && share < 0.01 ? fmt::format("{:.1g}", share) : fmt::format("{:.2f}", share),
       concurrency_words(findings));
  line("Inevitable", grouped(findings.inevitable), inevitable_words(computation, findings));
  line("Races", grouped(findings.races), race_words(findings));
}

/// The most frequent labels of one process.
[[nodiscard]] std::string labels_of(const Computation& computation, ProcessIndex p) {
  std::map<NameIndex, std::uint64_t> counts;
  for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
    for (const NameIndex label : computation.labels(e)) ++counts[label];
  }
  std::vector<std::pair<std::uint64_t, NameIndex>> sorted;
  for (const auto& [label, count] : counts) sorted.emplace_back(count, label);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (const auto& [count, label] : sorted) {
    const std::string name = printable(computation.names()[label], 12);
    if (display_width(out) + display_width(name) > 16) return out + " ..";
    out += (out.empty() ? "" : " ") + name;
  }
  return out;
}

void print_processes(const Computation& computation, bool all, const Paint& paint) {
  using Align = Table::Align;
  Table table({{"Process"},
               {"Events", Align::right},
               {"Internal", Align::right},
               {"Sends", Align::right},
               {"Receives", Align::right},
               {"Share of events"},
               {"Labels"}});
  const std::uint32_t shown =
      all ? computation.process_count() : std::min(computation.process_count(), processes_shown);
  std::uint64_t most = 1;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    most = std::max<std::uint64_t>(most, computation.last_rank(p));
  }
  for (ProcessIndex p = 0; p < shown; ++p) {
    std::uint64_t kinds[3] = {0, 0, 0};
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      ++kinds[static_cast<std::size_t>(computation.kind(e))];
    }
    const std::uint64_t events = computation.last_rank(p);
    table.add({process_words(computation, p, 20), grouped(events), grouped(kinds[0]),
               grouped(kinds[1]), grouped(kinds[2]),
               fmt::format("{:>4} {}", percent(events, computation.event_count()),
                           paint.cyan(bar(events, most, share_width, has_unicode()))),
               labels_of(computation, p)});
  }
  fmt::print("\n{}", table.text(paint));
  if (shown < computation.process_count()) {
    fmt::print("  ... and {} more; --all shows them\n",
               counted(computation.process_count() - shown, "process", "processes"));
  }
}

void print_names(std::string_view what, const NameCounts& counts) {
  if (counts.empty()) return;
  std::string list;
  std::size_t shown = 0;
  for (const auto& [name, count] : counts) {
    if (shown++ == names_shown) {
      list += fmt::format(", and {} more", grouped(counts.size() - names_shown));
      break;
    }
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", printable(name), grouped(count));
  }
  fmt::print("  {:<12}{}\n", what, wrapped(list, 80, 14));
}

[[nodiscard]] Expected<void> draw(const InfoOptions& options, const Computation& computation) {
  if (options.svg.empty()) return {};
  if (options.svg == "-") {
    return failure("--svg -: standard output is already used", {}, 0,
                   "name a file for the picture");
  }
  auto file = OutputFile::create(options.svg);
  if (!file) return failure(file.error());
  file->write(
      overview_svg(computation, options.trace.path == "-" ? "standard input" : options.trace.path));
  return file->commit();
}

[[nodiscard]] Status info(const InfoOptions& options) {
  const auto executions = read_all_executions(options.trace);
  if (!executions) return report(executions.error());
  if (*executions && (*executions)->size() != 1) {
    if (options.diagram || !options.svg.empty()) {
      return report(Error{
          "a picture shows one execution, and this file has " + grouped((*executions)->size()),
          options.trace.path,
          0,
          "choose one with --execution",
          0,
          {}});
    }
    const auto sizes = sizes_of(**executions);
    if (!sizes) return report(sizes.error());
    if (options.json)
      print_sizes_json(*sizes, options.all);
    else
      print_sizes(*sizes, options.trace.path, options.all);
    return Status::ok;
  }
  auto reading = *executions ? read_with_notes(**executions, 0) : read_with_notes(options.trace);
  if (!reading) return report(reading.error());
  const Computation& computation = reading->computation;
  if (auto drawn = draw(options, computation); !drawn) return report(drawn.error());
  ProgressBar bar;
  const TraceSummary findings = summary_of(computation, bar.progress());
  bar.clear();
  if (options.json) {
    print_json(summary_json(*reading, findings));
    return Status::ok;
  }
  const Paint paint = paint_for(stdout);
  fmt::print("{}\n\n", paint.bold(options.trace.path == "-" ? "standard input"
                                                            : printable(options.trace.path, 76)));
  print_overview(computation, findings, paint);
  if (computation.process_count() > 0) print_processes(computation, options.all, paint);
  if (!findings.labels.empty() || !findings.variables.empty()) fmt::print("\n");
  print_names("Labels", findings.labels);
  print_names("Variables", findings.variables);
  print_extent(wholeness_of(*reading));
  if (options.diagram)
    fmt::print("\n{}", diagram(computation, {has_unicode(), paint, columns_of(stdout)}));
  return Status::ok;
}

void define_info(CLI::App& app, Status& status) {
  auto options = std::make_shared<InfoOptions>();
  options->trace.define(app);
  app.add_flag("--json", options->json, "print one JSON document instead of tables");
  app.add_flag("--all", options->all, "list every process or execution, not only the first 20");
  app.add_flag("--diagram", options->diagram, "draw the computation, if it is small");
  app.add_option("--svg", options->svg,
                 "draw when each process is busy, and who sends how much to whom")
      ->type_name("FILE");
  app.callback([options, &status] { status = info(*options); });
}

}  // namespace

Command info_command() {
  return {"info",
          "summarise a trace: counts, depth, concurrency, races",
          "Prints how many processes, events and messages a trace has, how long its longest causal "
          "chain is, how much happened in parallel, how many global states were inevitable (every "
          "observer sees them), and how many receives could have taken another message.\n\n"
          "Of a file with several executions, it lists these; --execution chooses one.",
          {{"lightcone info run.jsonl", "a summary, and one line per process"},
           {"lightcone info --diagram small.jsonl", "the same, and a space-time diagram"},
           {"lightcone info --svg run.svg run.lct", "draw all processes over time"},
           {"lightcone info --json run.lct", "print JSON for another program"},
           {"lightcone info --from shiviz app.txt",
            "read a ShiViz log with another extension than .log"},
           {"lightcone generate --events 1000 | lightcone info -", "read a trace from a pipe"}},
          define_info};
}

}  // namespace lightcone::cli
