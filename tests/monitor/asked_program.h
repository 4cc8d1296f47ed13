// A program that tests start, and commands that ask a monitor about it.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

[[nodiscard]] inline std::string contents_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A program that tests start, and kill at the end.
class StartedProgram {
 public:
  StartedProgram(std::vector<std::string> words, const std::string& output) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    process_ = ::fork();
    if (process_ != 0) return;
    ::dup2(::open("/dev/null", O_RDONLY), 0);
    ::dup2(::open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), 1);
    ::dup2(::open((output + ".err").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), 2);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;
  ~StartedProgram() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    static_cast<void>(wait());
  }
  [[nodiscard]] int wait() {
    int status = -1;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int process_ = -1;
};

/// What the command said.
struct Said {
  int status = -1;
  std::string output, errors;
  nlohmann::json document = {};
};

/// Runs a command line. Its output goes to a file.
[[nodiscard]] inline Said said_by(std::vector<std::string> words, const std::string& output) {
  Said said;
  said.status = StartedProgram(std::move(words), output).wait();
  said.output = contents_of(output);
  said.errors = contents_of(output + ".err");
  said.document = nlohmann::json::parse(said.output, nullptr, false);
  return said;
}

}  // namespace lightcone
