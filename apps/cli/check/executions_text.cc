// Tables and JSON about several executions.
#include "check/executions_text.h"

#include <fmt/format.h>
#include <lightcone/base/parallel.h>
#include <lightcone/check/json_documents.h>

#include <algorithm>
#include <optional>

#include "check/verdict_text.h"
#include "print/json_output.h"
#include "print/table.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t executions_shown = 20;
constexpr std::size_t executions_in_json = 100;

}  // namespace

void print_executions(const ExecutionsReport& report) {
  const Paint paint = paint_for(stdout);
  Table table({{"Verdict"}, {"Property"}, {"Verb"}, {"Found"}});
  for (const ExecutionsProperty& property : report.properties) {
    table.add({painted(property.verdict, paint), paint.bold(printable(property.name)),
               std::string(name_of(property.verb)), report.finding(property)});
  }
  if (!table.empty()) fmt::print("{}\n", table.text(paint));
  fmt::print("{}\n", report.summary());
  if (report.verdict() == Verdict::pass) return;
  fmt::print("--explain --execution ID shows why an execution failed.\n");
}

void print_executions_json(const ExecutionsReport& report, const std::string& trace) {
  print_json(executions_json(report, trace));
}

Expected<std::vector<ExecutionSize>> sizes_of(const Executions& executions) {
  std::vector<ExecutionSize> sizes(executions.size());
  std::vector<std::optional<Error>> errors(executions.size());
  for_each_part(executions.size(), [&](std::size_t i) {
    const auto reading = executions.read(i);
    if (!reading) {
      errors[i] = reading.error();
      return;
    }
    const Computation& computation = reading->computation;
    sizes[i] = {executions.id(i), computation.process_count(), computation.event_count(),
                computation.message_count()};
  });
  for (auto& error : errors) {
    if (error) return failure(std::move(*error));
  }
  return sizes;
}

void print_sizes(const std::vector<ExecutionSize>& sizes, const std::string& trace, bool all) {
  using Align = Table::Align;
  const Paint paint = paint_for(stdout);
  std::uint64_t events = 0, messages = 0;
  for (const ExecutionSize& size : sizes) {
    events += size.events;
    messages += size.messages;
  }
  fmt::print("{}\n\n", paint.bold(trace == "-" ? "standard input" : printable(trace, 76)));
  fmt::print("  {} with {} and {}\n{}", counted(sizes.size(), "execution"),
             counted(events, "event"), counted(messages, "message"), sizes.empty() ? "" : "\n");
  Table table({{"Execution"},
               {"Processes", Align::right},
               {"Events", Align::right},
               {"Messages", Align::right}});
  const std::size_t shown = all ? sizes.size() : std::min(sizes.size(), executions_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add({printable(sizes[i].id), grouped(sizes[i].processes), grouped(sizes[i].events),
               grouped(sizes[i].messages)});
  }
  if (!table.empty()) fmt::print("{}", table.text(paint));
  if (shown < sizes.size()) {
    fmt::print("  ... and {} more; --all shows them\n", counted(sizes.size() - shown, "execution"));
  }
  if (sizes.empty()) return;
  fmt::print("\n  --execution ID chooses one of them, for all commands.\n");
}

void print_sizes_json(const std::vector<ExecutionSize>& sizes, bool all) {
  Json document = json_document();
  document["executions"] = sizes.size();
  std::uint64_t events = 0, messages = 0;
  for (const ExecutionSize& size : sizes) {
    events += size.events;
    messages += size.messages;
  }
  document["events"] = events;
  document["messages"] = messages;
  auto& list = document["list"] = Json::array();
  const std::size_t shown = all ? sizes.size() : std::min(sizes.size(), executions_in_json);
  for (std::size_t i = 0; i < shown; ++i) {
    list.push_back({{"execution", sizes[i].id},
                    {"processes", sizes[i].processes},
                    {"events", sizes[i].events},
                    {"messages", sizes[i].messages}});
  }
  print_json(document);
}

}  // namespace lightcone::cli
