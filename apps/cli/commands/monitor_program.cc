// Looks for `lightcone-monitor` beside this program, then where the shell does.
#include "commands/monitor_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace lightcone::cli {

/// It is a program of its own, since it needs more libraries.
Status become_monitor(std::vector<std::string> words) {
  constexpr const char* monitor_name = "lightcone-monitor";
  words.insert(words.begin(), monitor_name);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) ::execv((here / monitor_name).c_str(), arguments.data());
  ::execvp(monitor_name, arguments.data());
  if (errno != ENOENT) {
    return report({std::string("cannot be started: ") + std::strerror(errno), monitor_name, 0, {}});
  }
  return report({"the monitor is not installed",
                 {},
                 0,
                 "install the package lightcone-monitor, or build it by `make monitor`"});
}

}  // namespace lightcone::cli
