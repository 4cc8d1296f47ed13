// `lightcone generate`: a random computation, by seed, size and shape.
#include <lightcone/causal/random/random_computation.h>
#include <unistd.h>

#include <map>
#include <memory>

#include "options/help.h"
#include "options/rates.h"
#include "options/trace_arguments.h"
#include "print/progress_bar.h"
#include "program.h"

namespace lightcone::cli {
namespace {

struct GenerateOptions {
  RandomShape shape;
  std::string out = "-";
  std::string to;
};

[[nodiscard]] Status generate(const GenerateOptions& options) {
  // Standard output has no extension. Text is readable there.
  const std::string to = options.to.empty() && options.out == "-" ? "jsonl" : options.to;
  const auto format = choose_format(to, options.out, "--to");
  if (!format) return report(format.error());
  ProgressBar bar;
  const auto computation = random_computation(options.shape, bar.progress());
  if (!computation) return report(computation.error());
  const bool onto_terminal = options.out == "-" && ::isatty(STDOUT_FILENO) == 1;
  if (onto_terminal) bar.clear();
  const auto notes =
      write_trace(*computation, options.out, *format, onto_terminal ? Progress() : bar.progress());
  bar.clear();
  if (!notes) return report(notes.error());
  for (const std::string& note : *notes) report_note(note);
  return Status::ok;
}

/// A validation error for CLI11, from one of ours.
[[noreturn]] void reject(const std::string& option, const Error& error) {
  throw CLI::ValidationError(option,
                             error.hint.empty() ? error.what : error.what + "\n  " + error.hint);
}

void add_count(CLI::App& app, const std::string& names, std::uint32_t& value,
               const std::string& meaning) {
  const auto take = [names, &value](const std::string& text) {
    const auto count = parse_count(text);
    if (!count) reject(names.substr(names.rfind("--")), count.error());
    value = *count;
  };
  app.add_option_function<std::string>(names, take, meaning)
      ->type_name("N")
      ->default_str(std::to_string(value));
}

void add_rate(CLI::App& app, const std::string& name, double& value, const std::string& meaning) {
  app.add_option(name, value, meaning)->type_name("RATE")->capture_default_str();
}

/// An option that may come several times, each time with one value.
template <class T>
void add_list(CLI::App& app, const std::string& name, std::vector<T>& list,
              Expected<T> (*parse)(std::string_view), const std::string& shape,
              const std::string& meaning) {
  const auto take = [name, &list, parse](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      auto parsed = parse(text);
      if (!parsed) reject(name, parsed.error());
      list.push_back(std::move(*parsed));
    }
  };
  app.add_option_function<std::vector<std::string>>(name, take, meaning)
      ->type_name(shape)
      ->allow_extra_args(false);
}

/// An option whose value is one of a few words.
template <class T>
void add_choice(CLI::App& app, const std::string& name, T& value,
                const std::vector<std::pair<std::string, T>>& words, const std::string& shape,
                const std::string& meaning) {
  std::vector<std::string> names;
  std::string chosen;
  for (const auto& [word, meant] : words) {
    names.push_back(word);
    if (meant == value) chosen = word;
  }
  const auto take = [words, &value](const std::string& text) {
    for (const auto& [word, meant] : words) {
      if (word == text) value = meant;
    }
  };
  app.add_option_function<std::string>(name, take, meaning)
      ->check(one_of(names))
      ->type_name(shape)
      ->default_str(chosen);
}

void define_traffic(CLI::App& app, RandomShape& shape) {
  add_choice<Topology>(app, "--topology", shape.topology,
                       {{"uniform", Topology::uniform},
                        {"ring", Topology::ring},
                        {"star", Topology::star},
                        {"pairs", Topology::pairs},
                        {"phases", Topology::phases}},
                       "SHAPE", "which processes send to which");
  add_rate(app, "--message-rate", shape.message_rate,
           "the share of sends among the events that receive nothing");
  add_rate(app, "--multicast", shape.multicast_rate,
           "the share of sends that have several receivers");
  add_rate(app, "--batch", shape.batch_rate,
           "the share of receives that take all messages that have arrived");
  add_rate(app, "--duplicates", shape.duplicate_rate,
           "the share of messages that are delivered twice");
  app.add_option("--delay", shape.delay,
                 "mean delay of a message; 1 is the time that a process needs for one event")
      ->type_name("MEAN")
      ->capture_default_str();
  add_choice<Spread>(app, "--spread", shape.spread,
                     {{"fixed", Spread::fixed},
                      {"uniform", Spread::uniform},
                      {"exponential", Spread::exponential}},
                     "SHAPE", "the distribution of the delays");
  app.add_flag("--fifo", shape.fifo, "no message overtakes another on the same channel");
  add_count(app, "--phase-length", shape.phase_length,
            "with --topology phases: events of a process between two barriers");
}

void define_generate(CLI::App& app, Status& status) {
  auto options = std::make_shared<GenerateOptions>();
  RandomShape& shape = options->shape;
  app.add_option("-o,--output", options->out,
                 "the trace to write; - for standard output, in jsonl unless --to says otherwise")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--to", options->to, "the format to write, if the extension does not say it")
      ->check(one_of(written_format_names()))
      ->type_name("FORMAT");
  app.add_option("-s,--seed", shape.seed, "the same seed gives the same trace on every machine")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  add_count(app, "-p,--processes", shape.processes, "number of processes");
  add_count(app, "-n,--events", shape.events, "number of events of all processes together");
  define_traffic(app, shape);
  add_list(app, "--label", shape.labels, parse_label, "NAME:RATE",
           "a label, and the share of events that have it; can be given several times");
  add_list(app, "--variable", shape.variables, parse_variable, "NAME:RATE[:TYPE]",
           "a variable with random changes, and the share of events that change it; TYPE is bool, "
           "int or real; can be given several times");
  app.add_flag("--times", shape.times,
               "give each event a time; a process makes a thousand events per second");
  app.callback([options, &status] { status = generate(*options); });
}

}  // namespace

Command generate_command() {
  return {"generate",
          "make a random computation",
          "Simulates processes that act at random and messages with random delays, and writes a "
          "trace of it. Counts can be written as 10k or 2.5M.",
          {{"lightcone generate", "100 events of 4 processes, as JSON Lines"},
           {"lightcone generate -o big.lct --processes 1k --events 10M --seed 7",
            "a large trace in the compact format"},
           {"lightcone generate --topology star --fifo --label request:0.2 --label crash:0.001",
            "a server and its clients, with labels for properties"},
           {"lightcone generate --topology phases --phase-length 50 --variable load:0.3",
            "work between barriers, with a variable that changes in 3 of 10 events"},
           {"lightcone generate --multicast 0.2 --batch 0.3 --duplicates 0.01 --delay 10",
            "multicasts, batches, duplicates and long delays"}},
          define_generate};
}

}  // namespace lightcone::cli
