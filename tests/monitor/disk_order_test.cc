// In which order a monitor writes to the disk: a machine may lose its power between any two calls.
#include "monitor/shuffled_lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <set>
#include <string>

#include "monitor_service.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

/// What the disk may lack, after the calls of the system so far.
class DiskOrder {
 public:
  void begin() {
    const std::lock_guard lock(mutex_);
    is_watched_ = true;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    is_watched_ = false;
  }
  void write(int descriptor) {
    note([&] { unstored_.insert(path_of(descriptor)); });
  }
  void store(int descriptor) {
    note([&] {
      const std::string path = path_of(descriptor);
      unstored_.erase(path);
      if (std::filesystem::is_directory(path)) has_unstored_names_ = false;
    });
  }
  void rename(const std::string& from, const std::string& to) {
    note([&] {
      if (unstored_.erase(from) > 0) trouble += to + " gets its name before its contents\n";
      has_unstored_names_ = true;
    });
  }
  void remove(const std::string& path) {
    note([&] {
      if (path.find("/accepted.") == std::string::npos) return;
      ++removed;
      if (has_unstored_names_) trouble += path + " goes before the position is stored\n";
      expect_stored_verdicts(path + " goes");
    });
  }
  void show() {
    note([&] {
      ++shown;
      expect_stored_verdicts("a verdict is shown");
    });
  }

  int removed = 0, shown = 0;
  std::string trouble;

 private:
  template <class Call>
  void note(const Call& call) {
    if (!is_watched_) return;
    const std::lock_guard lock(mutex_);
    if (is_watched_) call();
  }
  void expect_stored_verdicts(const std::string& what) {
    for (const std::string& path : unstored_) {
      if (path.ends_with("verdicts.jsonl")) trouble += what + " before verdicts are stored\n";
    }
  }
  [[nodiscard]] static std::string path_of(int descriptor) {
    char path[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
    return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "";
  }

  std::atomic<bool> is_watched_ = false;
  std::mutex mutex_;
  std::set<std::string> unstored_;
  bool has_unstored_names_ = false;
};

DiskOrder& disk_order() {
  static DiskOrder one;
  return one;
}

}  // namespace
}  // namespace lightcone

// These stand for the functions of the system in the whole program of tests.
extern "C" {

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  lightcone::disk_order().write(descriptor);
  return ::syscall(SYS_write, descriptor, bytes, size);
}
int fsync(int descriptor) {
  lightcone::disk_order().store(descriptor);
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
int fdatasync(int descriptor) {
  lightcone::disk_order().store(descriptor);
  return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}
int rename(const char* from, const char* to) noexcept {
  lightcone::disk_order().rename(from, to);
  return static_cast<int>(::syscall(SYS_rename, from, to));
}
int remove(const char* path) noexcept {
  lightcone::disk_order().remove(path);
  const int flags = std::filesystem::is_directory(path) ? AT_REMOVEDIR : 0;
  return static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, flags));
}
}

namespace lightcone {
namespace {

TEST(DiskOrder, VerdictsAreStoredBeforeTheyAreShownAndBeforeTheLogGoes) {
  const TemporaryFolder folder;
  constexpr const char* rules = "forbid bad : some flow contains bad\n";
  service::ServiceOptions options;
  options.state = folder.path() + "/state";
  options.identity = rules;
  options.log_file_bytes = 200;
  options.show = [](const service::VerdictLog::Line&) { disk_order().show(); };
  auto service = service::MonitorService::start(parse_properties(rules, "rules").value(), options);
  ASSERT_TRUE(service) << service.error().text();
  disk_order().begin();
  for (int i = 0; i < 30; ++i) {
    const std::string name = "e" + std::to_string(i);
    service::LineCutter cutter(std::make_shared<QuietSource>(), "none", {});
    const auto take = [&](service::Arrival arrival) { (*service)->offer(std::move(arrival)); };
    EXPECT_TRUE(cutter.add(execution_heading(name) +
                               R"({"process": "p", "kind": "internal", "labels": ["bad"]})" + "\n" +
                               execution_heading(name, true),
                           take));
    (*service)->settle();
  }
  EXPECT_TRUE((*service)->stop(false));
  disk_order().end();
  EXPECT_EQ(disk_order().trouble, "");
  EXPECT_GT(disk_order().removed, 10);
  EXPECT_EQ(disk_order().shown, 60);
}

}  // namespace
}  // namespace lightcone
