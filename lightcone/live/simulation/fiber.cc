// Contexts of POSIX, with what sanitizers and exceptions need to know of a change of stacks.
#undef _FORTIFY_SOURCE  // its longjmp takes a jump to another stack for a mistake
#include <lightcone/live/simulation/fiber.h>

#include <lightcone/error.h>

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#if defined(__has_feature)  // clang's way to say it
#if __has_feature(address_sanitizer)
#define LIGHTCONE_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define LIGHTCONE_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LIGHTCONE_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define LIGHTCONE_THREAD_SANITIZER
#endif

#if defined(LIGHTCONE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(LIGHTCONE_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace lightcone {
namespace {

constexpr std::size_t most_kept = 1024;

[[nodiscard]] std::size_t page() {
  static const std::size_t size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

/// With its guard page.
[[nodiscard]] char* map_stack(std::size_t size) {
  void* memory = ::mmap(nullptr, size + page(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  if (::mprotect(memory, page(), PROT_NONE) != 0) {
    ::munmap(memory, size + page());
    throw std::bad_alloc();
  }
  return static_cast<char*>(memory) + page();
}

/// Stacks that no fiber uses at the moment.
class Kept {
 public:
  ~Kept() {
    for (const auto& [bottom, size] : stacks_) unmap(bottom, size);
  }
  [[nodiscard]] char* take(std::size_t size) {
    if (stacks_.empty() || stacks_.back().second != size) return map_stack(size);
    char* bottom = stacks_.back().first;
    stacks_.pop_back();
    return bottom;
  }
  void give(char* bottom, std::size_t size) {
#if defined(LIGHTCONE_ADDRESS_SANITIZER)
    ASAN_UNPOISON_MEMORY_REGION(bottom, size);
#endif
    if (stacks_.size() >= most_kept) return unmap(bottom, size);
    stacks_.emplace_back(bottom, size);
  }

 private:
  static void unmap(char* bottom, std::size_t size) { ::munmap(bottom - page(), size + page()); }

  std::vector<std::pair<char*, std::size_t>> stacks_;
};

thread_local Kept kept;

/// Goes to the other stack. A context is entered with POSIX's calls, which save the signal mask: a
/// system call each time. From then on jumps do, except where sanitizers would misunderstand them.
void change(FiberContext& from, FiberContext& to) {
#if defined(LIGHTCONE_ADDRESS_SANITIZER) || defined(LIGHTCONE_THREAD_SANITIZER)
  ::swapcontext(&from.entry, &to.entry);
#else
  if (_setjmp(from.jump) != 0) return;
  if (std::exchange(to.entered, true)) _longjmp(to.jump, 1);
  ::setcontext(&to.entry);
#endif
}

/// To be called before a switch to another stack; `leaving` is where the sanitizer may note what it
/// needs to come back, nothing if it never comes back.
void leave([[maybe_unused]] void** leaving, [[maybe_unused]] const void* bottom,
           [[maybe_unused]] std::size_t size, [[maybe_unused]] void* state) {
#if defined(LIGHTCONE_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(leaving, bottom, size);
#endif
#if defined(LIGHTCONE_THREAD_SANITIZER)
  __tsan_switch_to_fiber(state, 0);
#endif
}

/// To be called after a switch, on the new stack.
void arrive([[maybe_unused]] void* left, [[maybe_unused]] const void** old_bottom,
            [[maybe_unused]] std::size_t* old_size) {
#if defined(LIGHTCONE_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(left, old_bottom, old_size);
#endif
}

}  // namespace

FiberStack::FiberStack(std::size_t size)
    : size_((size + page() - 1) / page() * page()), bottom_(kept.take(size_)) {}

FiberStack::~FiberStack() { kept.give(static_cast<char*>(bottom_), size_); }

Fiber::Fiber(std::function<void()> body, std::size_t stack_size)
    : body_(std::move(body)), stack_(stack_size) {
#if defined(LIGHTCONE_THREAD_SANITIZER)
  thread_state_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
  LIGHTCONE_ASSERT(!begun_ || ended_);
#if defined(LIGHTCONE_THREAD_SANITIZER)
  __tsan_destroy_fiber(thread_state_);
#endif
}

/// A fiber may stop inside a handler, or inside a destructor that an exception calls, while others
/// throw: each stack has its own exceptions.
void Fiber::exchange_exceptions() {
  Exceptions current;
  auto* place = abi::__cxa_get_globals();
  std::memcpy(static_cast<void*>(&current), place, sizeof current);
  std::memcpy(static_cast<void*>(place), &exceptions_, sizeof exceptions_);
  exceptions_ = current;
}

void Fiber::resume() {
  LIGHTCONE_ASSERT(!ended_);
  if (!begun_) {
    begun_ = true;
    ::getcontext(&own_.entry);
    own_.entry.uc_stack.ss_sp = stack_.bottom();
    own_.entry.uc_stack.ss_size = stack_.size();
    own_.entry.uc_link = nullptr;
    const auto self = reinterpret_cast<std::uintptr_t>(this);  // makecontext passes integers
    ::makecontext(&own_.entry, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
                  static_cast<unsigned int>(std::uint64_t{self} >> 32),
                  static_cast<unsigned int>(self));
  }
#if defined(LIGHTCONE_THREAD_SANITIZER)
  resumer_state_ = __tsan_get_current_fiber();
#endif
  exchange_exceptions();
  void* fake_stack = nullptr;
  leave(&fake_stack, stack_.bottom(), stack_.size(), thread_state_);
  change(resumer_, own_);
  arrive(fake_stack, nullptr, nullptr);
  exchange_exceptions();
}

void Fiber::suspend() {
  leave(&fake_stack_, resumer_region_.bottom, resumer_region_.size, resumer_state_);
  change(own_, resumer_);
  arrive(fake_stack_, &resumer_region_.bottom, &resumer_region_.size);
}

void Fiber::enter(unsigned int high, unsigned int low) {
  const std::uint64_t self = (std::uint64_t{high} << 32) | low;
  reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(self))->run();
}

void Fiber::run() {
  arrive(nullptr, &resumer_region_.bottom, &resumer_region_.size);
  [this]() noexcept { body_(); }();
  ended_ = true;
  leave(nullptr, resumer_region_.bottom, resumer_region_.size, resumer_state_);
  change(own_, resumer_);
}

}  // namespace lightcone
