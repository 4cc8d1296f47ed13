// A function with a stack of its own, which may stop in the middle and go on later.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <functional>

namespace lightcone {

/// Memory for a stack, with a protected page below it. Stacks are kept when they are given
/// back, in each thread, and used again.
class FiberStack {
 public:
  explicit FiberStack(std::size_t size);
  ~FiberStack();
  FiberStack(const FiberStack&) = delete;
  FiberStack& operator=(const FiberStack&) = delete;

  [[nodiscard]] void* bottom() const { return bottom_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  void* bottom_;
};

/// Where to go on with a stack.
struct FiberContext {
  ucontext_t entry = {};
  jmp_buf jump = {};
  bool entered = false;
};

/// A fiber belongs to the thread that resumes it first.
class Fiber {
 public:
  /// The body must not throw. It runs when the fiber is resumed for the first time.
  Fiber(std::function<void()> body, std::size_t stack_size);
  /// The fiber has not begun, or has ended: what lies on its stack would not be destroyed.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Goes on with the body, until it suspends itself or ends.
  void resume();
  /// Called by the body: goes back to who resumed it.
  void suspend();
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  /// What the C++ runtime keeps for a thread: the exceptions that are being handled.
  struct Exceptions {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };
  /// A stack as the address sanitizer knows it.
  struct Region {
    const void* bottom = nullptr;
    std::size_t size = 0;
  };

  static void enter(unsigned int high, unsigned int low);
  void run();
  void exchange_exceptions();

  std::function<void()> body_;
  FiberStack stack_;
  FiberContext own_, resumer_ = {.entry = {}, .jump = {}, .entered = true};
  Exceptions exceptions_;
  Region resumer_region_;
  void* fake_stack_ = nullptr;     ///< the address sanitizer's
  void* thread_state_ = nullptr;   ///< the thread sanitizer's
  void* resumer_state_ = nullptr;  ///< the thread sanitizer's
  bool begun_ = false, ended_ = false;
};

}  // namespace lightcone
