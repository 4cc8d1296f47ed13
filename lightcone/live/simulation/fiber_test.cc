// Fibers stop and go on, each with its own stack and its own exceptions.
#include <lightcone/live/simulation/fiber.h>

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace lightcone {
namespace {

TEST(Fiber, StopsAndGoesOn) {
  std::string order;
  std::unique_ptr<Fiber> fiber;
  fiber = std::make_unique<Fiber>(
      [&] {
        order += "b";
        fiber->suspend();
        order += "d";
      },
      64 * 1024);
  EXPECT_FALSE(fiber->begun());
  order += "a";
  fiber->resume();
  order += "c";
  EXPECT_FALSE(fiber->ended());
  fiber->resume();
  EXPECT_TRUE(fiber->ended());
  EXPECT_EQ(order, "abcd");
}

/// Suspends itself while it handles an exception, and while another passes.
void throw_twice(Fiber& fiber, const std::string& name, std::string& handled) {
  struct Suspending {
    Fiber& fiber;
    ~Suspending() {
      EXPECT_EQ(std::uncaught_exceptions(), 1);
      fiber.suspend();
      EXPECT_EQ(std::uncaught_exceptions(), 1);
    }
  };
  try {
    const Suspending suspending{fiber};
    throw std::runtime_error(name);
  } catch (const std::exception&) {
    fiber.suspend();
    try {
      throw;
    } catch (const std::exception& exception) {
      handled += exception.what();
    }
  }
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(Fiber, HasExceptionsOfItsOwn) {
  std::string handled;
  std::vector<std::unique_ptr<Fiber>> fibers(3);
  for (std::size_t i = 0; i < fibers.size(); ++i) {
    fibers[i] = std::make_unique<Fiber>(
        [&, i] { throw_twice(*fibers[i], std::to_string(i), handled); }, 64 * 1024);
  }
  for (int round = 0; round < 3; ++round) {
    for (const auto& fiber : fibers) fiber->resume();
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  }
  EXPECT_EQ(handled, "012");
}

TEST(Fiber, UsesStacksAgain) {
  const void* first = nullptr;
  {
    const FiberStack stack(100'000);
    first = stack.bottom();
    EXPECT_GE(stack.size(), 100'000);
  }
  const FiberStack again(100'000), other(100'000);
  EXPECT_EQ(again.bottom(), first);
  EXPECT_NE(other.bottom(), first);
}

/// Uses up the stack, in small steps.
[[nodiscard]] int dig(int depth) {
  volatile char page[1024] = {};
  page[depth % 1024] = 1;
  return depth == 0 ? page[0] : dig(depth - 1) + page[0];
}

TEST(FiberDeathTest, DoesNotOverrunItsStack) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        Fiber fiber([] { EXPECT_GT(dig(1'000'000), 0); }, 64 * 1024);
        fiber.resume();
      },
      "");
}

}  // namespace
}  // namespace lightcone
