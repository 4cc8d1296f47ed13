// Feeds mutations of a corpus to a fuzz target, in processes with little memory and time: none of
// them may die of a signal, hang, or want more than there is.
//
// mutations [--count N] [--seed S] [--keep FOLDER] NAME CORPUS...
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// The target's own way to change an input, if it has one.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                                                     std::size_t size,
                                                                     std::size_t limit,
                                                                     unsigned int seed);

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr rlim_t most_memory = rlim_t{512} << 20;
constexpr std::chrono::seconds most_time{10};
constexpr std::size_t largest_input = 1 << 18;
constexpr int wanted_too_much = 77;  // the exit status of a child without memory

struct Options {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  std::string keep, name;
  std::vector<fs::path> corpus;
};

/// What children tell: the number of the mutation that they are at.
struct Shared {
  std::atomic<std::uint64_t> at;
};

using Random = std::mt19937_64;
Random* randomness = nullptr;  // of the mutation at hand

[[nodiscard]] std::size_t below(std::size_t end) { return (*randomness)() % end; }

/// One small change: bits, bytes, numbers at the edges of types, pieces that move, go or come
/// twice.
void change(std::string& bytes, std::size_t limit) {
  constexpr std::string_view edges("\x00\xff\x7f\x80\x01\xfe", 6);
  if (bytes.empty()) bytes.push_back(static_cast<char>(below(256)));
  const std::size_t at = below(bytes.size());
  const std::size_t size = 1 + below(std::min<std::size_t>(bytes.size() - at, 1 + below(64)));
  switch (below(8)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
    case 1: bytes[at] = static_cast<char>(below(256)); break;
    case 2: bytes[at] = edges[below(edges.size())]; break;
    case 3:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size,
                  edges[below(edges.size())]);
      break;
    case 4: bytes.erase(at, size); break;
    case 5: bytes.insert(below(bytes.size() + 1), bytes.substr(at, size)); break;
    case 6: bytes.resize(at); break;  // torn
    default: bytes.replace(below(bytes.size()), size, bytes.substr(at, size)); break;
  }
  if (bytes.size() > limit) bytes.resize(limit);
}

/// The mutation of this number: it depends on the seed and the number alone. The first ones are the
/// inputs as they are.
[[nodiscard]] std::string mutation(const Options& options, const std::vector<std::string>& inputs,
                                   std::uint64_t number) {
  if (number < inputs.size()) return inputs[number];
  std::seed_seq seeds{options.seed, number};
  Random random(seeds);
  randomness = &random;
  std::string bytes = inputs[below(inputs.size())];
  if (below(16) == 0) {  // the beginning of one input and the end of another
    const std::string& other = inputs[below(inputs.size())];
    bytes.resize(below(bytes.size() + 1));
    bytes += other.substr(below(other.size() + 1));
  }
  for (std::size_t i = 1 + below(4); i > 0; --i) {
    if (LLVMFuzzerCustomMutator == nullptr || below(4) == 0) {
      change(bytes, largest_input);
      continue;
    }
    const std::size_t size = std::min(bytes.size(), largest_input);
    bytes.resize(largest_input);
    bytes.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t*>(bytes.data()), size,
                                         largest_input, static_cast<unsigned>(random())));
  }
  return bytes;
}

/// Goes through mutations until it dies or all are done.
[[noreturn]] void work(const Options& options, const std::vector<std::string>& inputs,
                       Shared& shared, std::uint64_t end) {
  const rlimit memory{most_memory, most_memory}, no_core{0, 0};
  ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CORE, &no_core);
  try {
    for (; shared.at < end; ++shared.at) {
      const std::string bytes = mutation(options, inputs, shared.at);
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
  } catch (const std::bad_alloc&) {
    std::exit(wanted_too_much);
  }
  std::exit(0);
}

/// Waits for a child; what is wrong with the mutation that it was at, or nothing.
[[nodiscard]] std::string wait_for(pid_t child, const Shared& shared) {
  std::uint64_t seen = shared.at;
  auto since = Clock::now();
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (shared.at != seen) {
      seen = shared.at;
      since = Clock::now();
    } else if (Clock::now() - since > most_time) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return "takes more than 10 s";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (WIFSIGNALED(status)) return "dies of signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == wanted_too_much) return "wants more than 512 MB";
  if (WEXITSTATUS(status) != 0) return "exits with " + std::to_string(WEXITSTATUS(status));
  return {};
}

void keep(const Options& options, const std::string& bytes, std::uint64_t number) {
  if (options.keep.empty()) return;
  fs::create_directories(options.keep);
  std::ofstream(fs::path(options.keep) / (options.name + "-" + std::to_string(number)),
                std::ios::binary)
      << bytes;
}

/// How many mutations failed.
[[nodiscard]] std::uint64_t run(const Options& options, const std::vector<std::string>& inputs) {
  auto* const shared = static_cast<Shared*>(
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  new (shared) Shared{0};
  std::uint64_t failed = 0;
  constexpr std::uint64_t batch = 500, most_told = 20;
  while (shared->at < options.count) {
    const std::uint64_t end = std::min<std::uint64_t>(shared->at + batch, options.count);
    const pid_t child = ::fork();
    if (child == 0) work(options, inputs, *shared, end);
    const std::string wrong = wait_for(child, *shared);
    if (wrong.empty()) continue;
    const std::uint64_t number = shared->at++;
    keep(options, mutation(options, inputs, number), number);
    if (++failed > most_told) continue;
    std::fprintf(stderr, "%s: mutation %llu of seed %llu %s\n", options.name.c_str(),
                 static_cast<unsigned long long>(number),
                 static_cast<unsigned long long>(options.seed), wrong.c_str());
  }
  return failed;
}

[[nodiscard]] Options options_of(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--count" && i + 1 < count) {
      options.count = std::strtoull(words[++i], nullptr, 10);
    } else if (word == "--seed" && i + 1 < count) {
      options.seed = std::strtoull(words[++i], nullptr, 10);
    } else if (word == "--keep" && i + 1 < count) {
      options.keep = words[++i];
    } else if (options.name.empty()) {
      options.name = word;
    } else {
      options.corpus.emplace_back(word);
    }
  }
  return options;
}

[[nodiscard]] std::vector<std::string> read_corpus(const Options& options) {
  std::vector<fs::path> files;
  for (const fs::path& folder : options.corpus) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return inputs;
}

}  // namespace

/// What the target's own mutator calls for changes inside of a block.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  change(bytes, limit);
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

int main(int count, char** words) {
  const Options options = options_of(count, words);
  const std::vector<std::string> inputs = read_corpus(options);
  if (inputs.empty()) {
    std::fprintf(stderr, "%s: there is no input to mutate\n", words[0]);
    return 2;
  }
  const auto begin = Clock::now();
  const std::uint64_t failed = run(options, inputs);
  const std::chrono::duration<double> took = Clock::now() - begin;
  std::printf(
      "%-34s %8llu %8llu failed  %6.1f s  seed %llu\n", ("mutations of " + options.name).c_str(),
      static_cast<unsigned long long>(options.count), static_cast<unsigned long long>(failed),
      took.count(), static_cast<unsigned long long>(options.seed));
  return failed == 0 ? 0 : 1;
}
