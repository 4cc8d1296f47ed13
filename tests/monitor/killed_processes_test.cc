// Processes that report to a monitor are killed under load: what they told is decided once, what
// died with them is not invented, and the others go on.
#include "monitor/monitor_process.h"
#include "monitor/ring_trace.h"
#include "monitor/told_verdicts.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <lightcone/check.h>
#include <lightcone/trace.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "decide/kept_executions.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr const char* service_rules =
    "forbid began : some flow contains begin\n"  // so that each execution is kept
    "forbid stale : some flow ends with write -> read without sync\n"
    "watch  odd   : some flow at read contains write\n"
    "forbid both  : possibly count(inside == 1) >= 2\n";

/// A port for datagrams that nobody has now.
[[nodiscard]] int free_datagram_port() {
  const int made = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(made, reinterpret_cast<const sockaddr*>(&address), size);
  ::getsockname(made, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(made);
  return ntohs(address.sin_port);
}

/// Three services of one execution, and their traces.
class ReportingServices {
 public:
  static constexpr std::size_t count = 3;

  ReportingServices(std::string execution, const std::string& folder, std::uint16_t monitor)
      : execution_(std::move(execution)), folder_(folder + "/" + execution_), monitor_(monitor) {
    std::filesystem::create_directories(folder_);
    for (int& port : ports_) port = free_datagram_port();
    for (std::size_t i = 0; i < count; ++i) start(i);
    wait_for_start();
  }
  ReportingServices(const ReportingServices&) = delete;
  ReportingServices& operator=(const ReportingServices&) = delete;
  ~ReportingServices() {
    for (std::size_t i = 0; i < count; ++i) kill(i);
  }

  void start(std::size_t i) {
    std::vector<std::string> words = {LIGHTCONE_REPORTING_PROGRAM,
                                      name(i),
                                      std::to_string(monitor_),
                                      execution_,
                                      folder_,
                                      std::to_string(++starts_),
                                      std::to_string(ports_[i])};
    for (std::size_t k = 0; k < count; ++k) {
      if (k != i) words.insert(words.end(), {name(k), std::to_string(ports_[k])});
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string err = folder_ + "/errors";
    pids_[i] = ::fork();
    if (pids_[i] != 0) return;
    ::dup2(::open(err.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600), 2);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  /// Until each has a trace.
  void wait_for_start() const {
    for (int i = 0; i < 6000; ++i) {
      int traces = 0;
      for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
        if (entry.path().extension() == ".lct") ++traces;
      }
      if (traces >= starts_) return;
      std::this_thread::sleep_for(milliseconds(10));
    }
    ADD_FAILURE() << "the services do not start: " << std::ifstream(folder_ + "/errors").rdbuf();
  }
  void kill(std::size_t i) {
    if (pids_[i] <= 0) return;
    ::kill(pids_[i], SIGKILL);
    ::waitpid(pids_[i], nullptr, 0);
    pids_[i] = -1;
  }
  /// Each tells what it has left.
  void end() {
    for (const pid_t pid : pids_) ::kill(pid, SIGTERM);
    for (pid_t& pid : pids_) {
      int status = -1;
      ::waitpid(pid, &status, 0);
      pid = -1;
      EXPECT_EQ(status, 0) << std::ifstream(folder_ + "/errors").rdbuf();
    }
  }
  [[nodiscard]] const std::string& execution() const { return execution_; }
  [[nodiscard]] static std::string name(std::size_t i) { return std::string(1, "abc"[i]); }
  /// The greatest consistent part of what they wrote themselves.
  [[nodiscard]] Reading own_traces() const {
    std::filesystem::remove(folder_ + "/errors");
    auto reading = read_trace(folder_, Format::lct, {.cut_off = true});
    if (!reading) ADD_FAILURE() << reading.error().text();
    return std::move(reading.value());
  }

 private:
  std::string execution_, folder_;
  std::uint16_t monitor_;
  int ports_[count] = {}, starts_ = 0;
  pid_t pids_[count] = {-1, -1, -1};
};

/// What each process did, one event after the other, without its times.
using Histories = std::map<std::string, std::vector<std::string>>;

[[nodiscard]] Histories histories_of(const Reading& reading) {
  Histories all;
  std::istringstream lines(write_trace_text(reading.computation, Format::jsonl));
  for (std::string line; std::getline(lines, line);) {
    const json read = json::parse(line, nullptr, false);
    if (!read.contains("process") || read.value("kind", "") == "init") continue;
    json kept = json::object();
    for (const char* member : {"kind", "labels", "vars", "message", "messages", "to"}) {
      if (read.contains(member)) kept[member] = read[member];
    }
    all[read["process"]].push_back(kept.dump());
  }
  return all;
}

class KilledProcesses : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() + "/rules.prop") << service_rules;
    monitor_ = std::make_unique<MonitorProcess>(
        folder_.path(), std::vector<std::string>{
                            folder_.path() + "/rules.prop", "--json", "--state",
                            folder_.path() + "/state", "--keep", kept(), "--keep-megabytes", "4000",
                            "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--silent", "0.5"});
    ASSERT_NE(monitor_->port(), 0) << monitor_->errors();
  }
  [[nodiscard]] std::string kept() const { return folder_.path() + "/kept"; }
  [[nodiscard]] double memory() const {
    return json::parse(web_get(monitor_->web_port(), "/status"))["memory"].get<double>() / 1e6;
  }

  /// How many events of a process the monitor has stored.
  [[nodiscard]] std::uint64_t stored(const std::string& execution, const std::string& process) {
    LineClient client(monitor_->port());
    client.send("{\"lightcone\": 1, \"execution\": \"" + execution +
                "\", \"answers\": true, \"process\": \"" + process + "\", \"from\": 1}\n");
    const json answer = json::parse(client.line(20'000), nullptr, false);
    EXPECT_TRUE(answer.contains("stored")) << execution << ' ' << process << ": " << answer;
    return answer.contains("stored") ? answer["stored"].value(process, std::uint64_t{0}) : 0;
  }
  void end_execution(const std::string& execution) const {
    LineClient last(monitor_->port());
    last.send("{\"lightcone\": 1, \"execution\": \"" + execution + "\", \"end\": true}\n");
    last.finish();
    while (!last.line(20'000).empty()) {
    }
  }
  /// The verdicts on an execution, with numbers of its own.
  [[nodiscard]] ToldVerdicts told_of(const std::string& execution) const {
    ToldVerdicts told;
    std::ifstream file(folder_.path() + "/state/verdicts.jsonl");
    std::uint64_t number = 0;
    for (std::string line; std::getline(file, line);) {
      if (line.find("\"execution\":\"" + execution + '"') == std::string::npos) continue;
      json verdict = json::parse(line, nullptr, false);
      verdict["sequence"] = ++number;
      told.add(verdict.dump());
    }
    return told;
  }
  /// Waits until the final verdicts are told.
  [[nodiscard]] ToldVerdicts finals_of(const std::string& execution) const {
    ToldVerdicts told;
    for (int i = 0; i < 1200 && told.finals.size() < 4; ++i) {
      told = told_of(execution);
      if (told.finals.size() < 4) std::this_thread::sleep_for(milliseconds(50));
    }
    return told;
  }
  [[nodiscard]] Reading kept_of(const std::string& execution) const {
    const std::string path = kept() + "/" + service::KeptExecutions::file_name(execution) + ".lct";
    auto reading = read_trace(path, Format::lct);
    if (!reading) ADD_FAILURE() << reading.error().text();
    return std::move(reading.value());
  }
  [[nodiscard]] static ToldVerdicts checked(const Reading& reading) {
    const auto report = check(parse_properties(service_rules, "rules").value(), reading);
    return expected_of(report.value());
  }

  struct Compared {
    Histories own, decided;  ///< as the traces have them, and as the monitor decided them
    std::map<std::string, std::uint64_t> stored;  ///< as the monitor said
  };
  static void expect_same_histories(const Compared& it, const std::string& killed);
  static void expect_same_places(const Compared& it, const ToldVerdicts& told,
                                 const ToldVerdicts& of_own);
  void expect_decided_once(const ReportingServices& services, const std::string& killed);

  std::size_t places_ = 0;  // that were told
  TemporaryFolder folder_;
  std::unique_ptr<MonitorProcess> monitor_;
};

/// Nothing is invented, nothing is decided that was not stored, and who was not killed has told
/// all.
void KilledProcesses::expect_same_histories(const Compared& it, const std::string& killed) {
  for (const auto& [process, history] : it.decided) {
    EXPECT_LE(history.size(), it.stored.at(process)) << process;
    const auto found = it.own.find(process);
    if (found == it.own.end()) continue;
    const auto common = static_cast<std::ptrdiff_t>(std::min(history.size(), found->second.size()));
    EXPECT_TRUE(std::equal(history.begin(), history.begin() + common, found->second.begin()))
        << process;
  }
  for (const auto& [process, history] : it.own) {
    if (process == killed) continue;
    EXPECT_GE(it.stored.at(process), history.size()) << process;
  }
  if (killed.empty()) {
    EXPECT_EQ(it.decided, it.own);
  }
}

/// Whatever the traces and the monitor both have leads to the same places.
void KilledProcesses::expect_same_places(const Compared& it, const ToldVerdicts& told,
                                         const ToldVerdicts& of_own) {
  const auto both_have = [&](const ToldVerdicts::Place& place) {
    const auto mine = it.decided.find(place.first), its = it.own.find(place.first);
    return mine != it.decided.end() && its != it.own.end() &&
           place.second <= std::min(mine->second.size(), its->second.size());
  };
  const auto common_places = [&](const ToldVerdicts& verdicts) {
    auto places = verdicts.places;
    for (auto& [property, all] : places) std::erase_if(all, std::not_fn(both_have));
    std::erase_if(places, [](const auto& entry) { return entry.second.empty(); });
    return places;
  };
  EXPECT_EQ(common_places(told), common_places(of_own));
}

/// `killed` is empty where none of them was.
void KilledProcesses::expect_decided_once(const ReportingServices& services,
                                          const std::string& killed) {
  const std::string& execution = services.execution();
  SCOPED_TRACE(execution);
  const Reading own = services.own_traces();
  Compared it{.own = histories_of(own), .decided = {}, .stored = {{"a", 0}, {"b", 0}, {"c", 0}}};
  for (const auto& [process, history] : it.own) it.stored[process] = 0;
  for (auto& [process, events] : it.stored) events = stored(execution, process);
  end_execution(execution);
  const ToldVerdicts told = finals_of(execution);
  ASSERT_EQ(told.finals.size(), 4U) << monitor_->errors();
  EXPECT_EQ(told.trouble, "");
  const Reading decided = kept_of(execution);
  it.decided = histories_of(decided);
  expect_same_histories(it, killed);
  const ToldVerdicts expected = checked(decided);
  EXPECT_EQ(told.places, expected.places);
  for (const auto& [property, final_one] : expected.finals) {
    // What died with its process could have been more.
    if (!killed.empty() && !final_one.starts_with("fail")) continue;
    EXPECT_EQ(told.finals.at(property), final_one) << property;
  }
  expect_same_places(it, told, checked(own));
  for (const auto& [property, places] : told.places) places_ += places.size();
}

TEST_F(KilledProcesses, TellNothingTwiceAndNothingThatTheyDidNotDo) {
  const int kills = kills_wanted(3);  // each takes longer than one of a monitor
  std::mt19937_64 random(5);
  double early_memory = 0;
  for (int i = 0; i < kills; ++i) {
    ReportingServices services("run-" + std::to_string(i), folder_.path(), monitor_->port());
    ReportingServices others("whole-" + std::to_string(i), folder_.path(), monitor_->port());
    const std::size_t victim = random() % ReportingServices::count;
    std::this_thread::sleep_for(milliseconds(150 + random() % 300));
    services.kill(victim);
    std::this_thread::sleep_for(milliseconds(random() % 60));
    services.start(victim);
    services.wait_for_start();
    std::this_thread::sleep_for(milliseconds(150));
    services.end();
    others.end();
    expect_decided_once(services, ReportingServices::name(victim));
    expect_decided_once(others, "");
    if (i == kills / 3) early_memory = memory();
  }
  EXPECT_LT(memory(), early_memory + 60);
  EXPECT_GT(places_, 20U * static_cast<std::size_t>(kills));
  EXPECT_EQ(monitor_->end(), 0) << monitor_->errors();
}

/// The message is received, and its send died with its process.
TEST_F(KilledProcesses, OthersWaitForThemByName) {
  auto dead = std::make_unique<LineClient>(monitor_->port());
  LineClient waiting(monitor_->port());
  const std::string heading =
      "{\"lightcone\": 1, \"execution\": \"one\", \"answers\": true, \"process\": \"";
  dead->send(heading + "dead\", \"from\": 1}\n{\"process\": \"dead\", \"kind\": \"internal\"}\n");
  EXPECT_NE(dead->line(20'000).find("stored"), std::string::npos);
  dead.reset();
  waiting.send(heading +
               "living\", \"from\": 1}\n"
               "{\"process\": \"living\", \"kind\": \"internal\", \"labels\": [\"begin\"]}\n"
               "{\"process\": \"living\", \"kind\": \"receive\", \"message\": \"dead:1\"}\n");
  for (int i = 0; i < 400; ++i) {
    if (monitor_->errors().find("process `dead` has been silent") != std::string::npos) break;
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_NE(monitor_->errors().find("process `dead` has been silent"), std::string::npos)
      << monitor_->errors();
  EXPECT_NE(monitor_->errors().find(", and its connection has ended; 1 event of others wait"),
            std::string::npos)
      << monitor_->errors();
  EXPECT_NE(web_get(monitor_->web_port(), "/status").find("dead:1"), std::string::npos);
  const ToldVerdicts told = told_of("one");
  EXPECT_EQ(told.places.count("began"), 1U);  // what does not depend on it
}

}  // namespace
}  // namespace lightcone
