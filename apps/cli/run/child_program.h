// Runs a program for a command: in a process group of its own, so that all of it can be ended.
#pragma once

#include <lightcone/error.h>

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace lightcone::cli {

/// A program that was started, and whatever it starts. It has the terminal as long as it runs, if
/// we had it; signals that we get are passed on to all of it. It does not outlive us, however we
/// end. One at a time.
class ChildProgram {
 public:
  struct Options {
    std::vector<std::string> words;      ///< the program and its arguments
    std::vector<std::string> variables;  ///< more of its environment, each as `NAME=VALUE`
    bool keep_output = false;            ///< what it prints goes to standard error
    /// What it prints is not shown. If there is a file for it, standard output goes there.
    bool silent = false;
    std::string output = {};  ///< what it prints goes to this file; empty: it does not
  };
  /// How long it may take to end when it is asked to.
  static constexpr std::chrono::milliseconds time_to_end{1000};

  [[nodiscard]] static Expected<ChildProgram> start(const Options& options);
  ChildProgram(ChildProgram&& other) noexcept;
  ChildProgram& operator=(ChildProgram&&) = delete;
  /// Ends it.
  ~ChildProgram();

  /// Waits until something happens to it, but not longer; its exit status once it has ended, as a
  /// shell tells it: 128 and the signal's number if it died of one.
  std::optional<int> wait(std::chrono::milliseconds longest);
  /// The signal that someone sent us last, to be passed on.
  [[nodiscard]] std::optional<int> interrupted() const { return signal_; }
  /// Waits until all that it started has ended, but not longer; whether that is so.
  bool wait_for_rest(std::chrono::milliseconds longest);
  /// Ends it and all that it started: asks first, and does not wait for longer than this.
  void end(std::chrono::milliseconds longest = time_to_end);
  /// Runs another program, such as a debugger, at the terminal; its exit status.
  [[nodiscard]] Expected<int> run_beside(const std::vector<std::string>& words);

 private:
  ChildProgram(pid_t group, const sigset_t& mask, bool has_terminal)
      : group_(group), mask_(mask), has_terminal_(has_terminal) {}
  void dismiss_guard();
  void note(pid_t id, int status);
  bool collect();
  void pass_on(std::chrono::milliseconds longest);
  void stop_with_it(int signal);
  void give_terminal(pid_t group) const;

  pid_t group_;
  sigset_t mask_;  // ours, as it was
  bool has_terminal_;
  int lifeline_ = -1;  // to a process that ends the program when we are killed
  std::optional<int> status_, signal_;
};

}  // namespace lightcone::cli
