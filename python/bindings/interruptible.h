// Long work: other threads of Python go on, and Ctrl-C ends it.
#pragma once

#include <lightcone/progress.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace lightcone::python {

/// Work in a thread of its own, and whether it is still wanted.
class BackgroundWork {
 public:
  /// Ends the work where it reports its progress, once it is not wanted any more.
  [[nodiscard]] Progress progress();

  /// Waits for the end without the GIL, which the caller holds. If a signal handler raises, the
  /// work is asked to end, and the exception is thrown. Work that does not end soon is left alone:
  /// it owns all that it uses, and ends at its next report.
  void wait();

  /// Runs in the thread of the work. Keeps the exception for `wait`.
  template <class Function>
  void run(const Function& function) {
    try {
      function();
    } catch (...) {
      problem_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    over_.notify_all();
  }

 private:
  [[nodiscard]] bool is_over_within(int milliseconds);

  std::atomic<bool> is_unwanted_ = false;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::exception_ptr problem_;  // written before is_over_
};

/// Calls `work(progress)`, which must own what it uses and must not use Python, and returns its
/// result. The caller holds the GIL, and waits without it.
template <class Work>
auto interruptible(Work work) {
  using Result = std::invoke_result_t<Work&, const Progress&>;
  struct Task : BackgroundWork {
    explicit Task(Work&& given) : work(std::move(given)) {}
    Work work;
    std::optional<Result> result;
  };
  const auto task = std::make_shared<Task>(std::move(work));
  std::thread([task] {
    task->run([&] { task->result.emplace(task->work(task->progress())); });
  }).detach();
  task->wait();
  return std::move(*task->result);
}

}  // namespace lightcone::python
