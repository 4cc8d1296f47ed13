// Small files that claim to hold much: they are refused, or end in an error, never in a signal.
#include <gtest/gtest.h>
#include <lightcone/base/parallel.h>
#include <lightcone/trace/lct/lct.h>
#include <lightcone/trace/lct/lct_block.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace lightcone {
namespace {

enum Outcome : int { was_read = 10, was_refused = 11, had_no_memory = 12 };

/// What tests before this one have left, if they ran in the same program, counts for the limit.
[[nodiscard]] std::size_t addresses_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// What becomes of reading this in a process that may have so much more memory.
[[nodiscard]] int outcome_within(std::size_t bytes, const std::string& file) {
  const std::size_t most = bytes == RLIM_INFINITY ? bytes : bytes + addresses_in_use();
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
    ::alarm(60);
    try {
      const auto reading = read_lct(file, "bomb.lct", {});
      ::_exit(reading ? was_read : was_refused);
    } catch (const std::bad_alloc&) {
      ::_exit(had_no_memory);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Sanitizers take more than any limit of addresses.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t memory = RLIM_INFINITY;
#else
constexpr std::size_t memory = std::size_t{512} << 20;
#endif

/// Rows of zeros in all columns that take no bytes then.
[[nodiscard]] lct::Columns zeros(std::size_t count) {
  lct::Columns c;
  c.names = {""};
  c.processes = {0};
  c.ranks_before = {0};
  c.event_process.assign(1, 0);
  c.event_flags.assign(1, static_cast<std::uint8_t>(Kind::internal));
  c.set_sizes.assign(count, 0);
  c.new_messages.assign(count, 0);
  c.new_prefixes.assign(count, 0);
  c.new_numbers.assign(count, 0);
  return c;
}

TEST(LctBombs, ManyBlocksOfZerosAreRefused) {
  const std::string block = lct::seal(zeros(1 << 19), 0);
  std::string file = lct::file_header();
  while (file.size() + block.size() <= 16'384) file += block;
  ASSERT_GT(file.size(), 15'000U);
  EXPECT_EQ(outcome_within(memory, file), was_refused);
}

TEST(LctBombs, LargeBlocksEndInAnErrorNotInASignal) {
  lct::Columns c = zeros(1);
  c.header_extra.assign(std::size_t{200} << 20, ' ');
  const std::string block = lct::seal(c, 0);
  std::string file = lct::file_header();
  while (file.size() + block.size() <= 1'000'000) file += block;
  const int outcome = outcome_within(memory, file);
  EXPECT_TRUE(outcome == was_refused || outcome == had_no_memory) << outcome;
}

TEST(LctBombs, MuchOfTheSameIsNoBomb) {
  lct::Columns c = zeros(1);
  c.event_process.assign(Arrivals::usual_rows, 0);
  c.event_flags.assign(Arrivals::usual_rows, static_cast<std::uint8_t>(Kind::internal));
  const std::string block = lct::seal(c, 0);
  std::string file = lct::file_header();
  for (int i = 0; i < 40; ++i) file += block;
  const auto reading = read_lct(file, "t.lct", {});
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.event_count(), 40 * Arrivals::usual_rows);
}

TEST(ForEachPart, HandsAnExceptionOn) {
  const auto work = [](std::size_t i) {
    if (i == 7) throw std::runtime_error("part 7");
  };
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(for_each_part(100, work), std::runtime_error);
    EXPECT_THROW(for_each_part(8, work), std::runtime_error);
  }
  EXPECT_NO_THROW(for_each_part(7, work));
}

}  // namespace
}  // namespace lightcone
