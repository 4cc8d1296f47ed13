// Where the program starts.
#include <clocale>
#include <csignal>
#include <string>
#include <vector>

#include "run/ranks_run.h"

int main(int argc, char** argv) {
  std::setlocale(LC_CTYPE, "");   // what characters the terminal shows
  std::signal(SIGPIPE, SIG_DFL);  // `lightcone ... | head` ends quietly
  return lightcone::cli::run_on_ranks(std::vector<std::string>(argv + 1, argv + argc));
}
