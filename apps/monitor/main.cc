// Where `lightcone-monitor` starts.
#include <csignal>
#include <string>
#include <vector>

#include "monitor_program.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return lightcone::service::run_monitor(std::vector<std::string>(argv + 1, argv + argc));
}
