// Reads the command lines of the examples, and runs their actors.
#include "command_line.h"

#include <lightcone/zeromq/cluster.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace examples {

CommandLine watched(int count, char** words) {
  CommandLine said{.processes = true};
  std::vector<std::string> others;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--bug") {
      said.bug = true;
    } else {
      others.push_back(word);
    }
  }
  said.valid = others.size() == 2;
  if (said.valid) {
    said.properties_file = others[0];
    said.traces = others[1];
  } else {
    std::fprintf(stderr, "usage: %s [--bug] PROPERTIES FOLDER\n", words[0]);
  }
  return said;
}

CommandLine explored(int count, char** words) {
  CommandLine said{.valid = true};
  said.seed =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--bug") {
      said.bug = true;
    } else if (word == "--processes") {
      said.processes = true;
    } else if (word == "--seed" && i + 1 < count) {
      said.seed = std::strtoull(words[++i], nullptr, 10);
    } else if (said.traces.empty() && word[0] != '-') {
      said.traces = word;
    } else {
      said.valid = false;
    }
  }
  if (!said.valid) {
    std::fprintf(stderr, "usage: %s [--bug] [--processes] [--seed N] [TRACES]\n", words[0]);
  }
  return said;
}

int run(lightcone::Program program, const CommandLine& said) {
  if (!said.valid) return 2;
  program.process.properties_file = said.properties_file;
  program.traces = said.traces;
  return said.processes ? lightcone::zeromq::run_as_processes(program)
                        : lightcone::run_simulated(program, {.seed = said.seed});
}

}  // namespace examples
