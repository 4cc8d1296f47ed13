// Clients that lie, are slow, send too much or have no token are refused by name.
#include "monitor/monitor_process.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

#include "temporary_folder.h"

namespace lightcone {
namespace {

class GuardedMonitor : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(props()) << "forbid bad : some flow contains bad\n"
                              "require fed : every flow at eat contains cook\n";
    std::ofstream(tokens()) << "# clients\n0123456789abcdef alice\nfedcba9876543210 bob\n";
    ::chmod(tokens().c_str(), 0600);
  }
  [[nodiscard]] std::string props() const { return folder_.path() + "/rules.prop"; }
  [[nodiscard]] std::string tokens() const { return folder_.path() + "/tokens"; }
  [[nodiscard]] std::unique_ptr<MonitorProcess> start(std::vector<std::string> more) const {
    std::vector<std::string> all = {props(), "--json", "--listen", "127.0.0.1:0"};
    all.insert(all.end(), more.begin(), more.end());
    return std::make_unique<MonitorProcess>(folder_.path(), all);
  }
  /// What is said to a client that sends this.
  [[nodiscard]] static std::string answer_to(const MonitorProcess& monitor,
                                             const std::string& text) {
    LineClient client(monitor.port());
    client.send(text);
    return client.line(5000);
  }
  [[nodiscard]] static bool waits_for(const std::function<bool()>& condition) {
    for (int i = 0; i < 400; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  [[nodiscard]] static std::string heading(const std::string& token) {
    return "{\"lightcone\": 1, \"token\": \"" + token + "\", \"answers\": true}\n";
  }

  TemporaryFolder folder_;
};

constexpr const char* bad_event =
    "{\"process\": \"p1\", \"kind\": \"internal\", \"labels\": [\"bad\"]}\n";

TEST_F(GuardedMonitor, ClientsNeedATokenThatIsKnown) {
  const auto monitor = start({"--tokens", tokens()});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  EXPECT_EQ(answer_to(*monitor, bad_event), R"({"refused":"no token came"})");
  EXPECT_EQ(answer_to(*monitor, heading("0123456789abcdeF") + bad_event),
            R"({"refused":"the token is not known"})");
  EXPECT_EQ(answer_to(*monitor, heading("0123456789abcdef") + bad_event),
            R"({"execution":"default","stored":{"p1":1}})");
  EXPECT_TRUE(waits_for([&] { return !monitor->output().empty(); }));
  EXPECT_EQ(monitor->end(), 0);
}

TEST_F(GuardedMonitor, NobodySpeaksForTheProcessOfAnother) {
  const auto monitor = start({"--tokens", tokens()});
  EXPECT_EQ(answer_to(*monitor, heading("0123456789abcdef") + bad_event),
            R"({"execution":"default","stored":{"p1":1}})");
  EXPECT_EQ(answer_to(*monitor, heading("fedcba9876543210") + bad_event),
            R"({"refused":"client `bob` speaks for process `p1`, which is of client `alice`"})");
  EXPECT_EQ(monitor->end(), 0);
  const std::string told = monitor->output();
  EXPECT_NE(told.find("\"event\":1"), std::string::npos) << told;
  EXPECT_EQ(told.find("\"event\":2"), std::string::npos) << told;
}

TEST_F(GuardedMonitor, WhoHasNoPartInAnExecutionDoesNotEndIt) {
  const auto monitor = start({"--tokens", tokens()});
  const std::string alice = heading("0123456789abcdef"), bob = heading("fedcba9876543210");
  const std::string end = "{\"lightcone\": 1, \"end\": true}\n";
  // Nobody has spoken of it yet: it is not ended for those who come.
  EXPECT_EQ(answer_to(*monitor, bob + end), R"({"execution":"default","ended":true})");
  LineClient client(monitor->port());
  client.send(alice + bad_event);
  EXPECT_EQ(client.line(5000), R"({"execution":"default","stored":{"p1":1}})");
  EXPECT_EQ(answer_to(*monitor, bob + end),
            R"({"refused":"client `bob` ends execution `default`, in which it has no part"})");
  client.send(bad_event);
  EXPECT_EQ(client.line(5000), R"({"execution":"default","stored":{"p1":2}})");
  // Who takes part may end it, though another one has opened it.
  LineClient other(monitor->port());
  other.send(bob + "{\"process\": \"p2\", \"kind\": \"internal\"}\n");
  EXPECT_EQ(other.line(5000), R"({"execution":"default","stored":{"p2":1}})");
  EXPECT_EQ(monitor->output().find("final"), std::string::npos);
  other.send(end);
  EXPECT_TRUE(waits_for([&] { return monitor->output().find("final") != std::string::npos; }));
  EXPECT_EQ(monitor->end(), 0);
}

TEST_F(GuardedMonitor, ATokensFileOfAllIsRefused) {
  ::chmod(tokens().c_str(), 0644);
  const auto monitor = start({"--tokens", tokens()});
  EXPECT_EQ(monitor->port(), 0);
  EXPECT_NE(monitor->errors().find("can be read by others"), std::string::npos);
}

TEST_F(GuardedMonitor, LinesThatAreTooLongOrBrokenEndTheConnection) {
  const auto monitor = start({"--longest-line", "1000"});
  const std::string endless = answer_to(*monitor, std::string(5000, 'x'));
  EXPECT_NE(endless.find("more than 1000 bytes"), std::string::npos) << endless;
  const std::string broken = answer_to(*monitor, "{\"process\": \n");
  EXPECT_NE(broken.find("refused"), std::string::npos) << broken;
  const std::string other = answer_to(*monitor, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(other.find("not a JSON object"), std::string::npos) << other;
  const std::string binary = answer_to(*monitor, std::string("\x16\x03\x01\x00\n", 5));
  EXPECT_NE(binary.find("refused"), std::string::npos) << binary;
  EXPECT_EQ(monitor->end(), 0);
}

TEST_F(GuardedMonitor, TooManyProcessesExecutionsAndClientsAreRefused) {
  const auto monitor = start({"--processes", "2", "--executions", "2", "--clients", "2"});
  std::string many;
  for (int i = 0; i < 3; ++i) {
    many += "{\"process\": \"p" + std::to_string(i) + "\", \"kind\": \"internal\"}\n";
  }
  EXPECT_NE(answer_to(*monitor, many).find("more than 2 processes"), std::string::npos);
  std::string executions;
  for (int i = 0; i < 3; ++i) {
    executions += "{\"process\": \"p\", \"kind\": \"internal\", \"execution\": \"e" +
                  std::to_string(i) + "\"}\n";
  }
  EXPECT_NE(answer_to(*monitor, executions).find("more than 2 executions"), std::string::npos);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const LineClient one(monitor->port()), two(monitor->port());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  LineClient three(monitor->port());
  EXPECT_EQ(three.line(5000), R"({"refused":"more than 2 clients","again":true})");
  EXPECT_EQ(monitor->end(), 0);
}

TEST_F(GuardedMonitor, AProcessThatCannotBeIsNamedAndNothingItSaysCountsUnmarked) {
  const auto monitor = start({});
  LineClient client(monitor->port());
  client.send(
      "{\"process\": \"liar\", \"kind\": \"send\", \"message\": \"m\", \"to\": \"p\"}\n"
      "{\"process\": \"liar\", \"kind\": \"send\", \"message\": \"m\", \"to\": \"p\"}\n"
      "{\"process\": \"liar\", \"kind\": \"internal\", \"labels\": [\"bad\"]}\n"
      "{\"process\": \"p\", \"kind\": \"internal\", \"labels\": [\"bad\"]}\n"
      "{\"lightcone\": 1, \"end\": true}\n");
  EXPECT_TRUE(waits_for([&] { return monitor->output().find("final") != std::string::npos; }));
  EXPECT_EQ(monitor->end(), 0);
  const std::string told = monitor->output();
  EXPECT_EQ(told.find("\"process\":\"liar\""), std::string::npos) << told;
  EXPECT_NE(told.find("\"at\":{\"process\":\"p\",\"event\":1}"), std::string::npos) << told;
  EXPECT_NE(told.find("\"refused\":[\"liar\"]"), std::string::npos) << told;
  EXPECT_NE(monitor->errors().find("nothing more of process `liar` is used"), std::string::npos)
      << monitor->errors();
}

TEST_F(GuardedMonitor, OtherMachinesNeedTls) {
  MonitorProcess open(folder_.path(), {props(), "--listen", "0.0.0.0:0"});
  EXPECT_EQ(open.port(), 0);
  EXPECT_NE(open.errors().find("--insecure"), std::string::npos) << open.errors();
  MonitorProcess insecure(folder_.path(), {props(), "--listen", "0.0.0.0:0", "--insecure"});
  EXPECT_NE(insecure.port(), 0) << insecure.errors();
  EXPECT_EQ(insecure.end(), 0);
}

TEST_F(GuardedMonitor, PlainTextToATlsPortIsNotTaken) {
  const std::string key = folder_.path() + "/key.pem", certificate = folder_.path() + "/cert.pem";
  const std::string make =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
      "-keyout " +
      key + " -out " + certificate + " 2>/dev/null";
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "there is no openssl";
  const auto monitor =
      start({"--tls-certificate", certificate, "--tls-key", key, "--http", "127.0.0.1:0"});
  ASSERT_NE(monitor->port(), 0) << monitor->errors();
  EXPECT_EQ(answer_to(*monitor, bad_event), "");
  const std::string port = std::to_string(monitor->port());
  const std::string send = "(printf '%s' '" + heading("") + bad_event +
                           "'; sleep 1) | timeout 60 openssl s_client -quiet -no_ign_eof "
                           "-connect 127.0.0.1:" +
                           port + " > " + folder_.path() + "/answer 2>/dev/null";
  EXPECT_EQ(std::system(send.c_str()), 0);
  std::string answer;
  std::getline(std::ifstream(folder_.path() + "/answer") >> std::ws, answer);
  EXPECT_EQ(answer, R"({"execution":"default","stored":{"p1":1}})");
  EXPECT_EQ(monitor->end(), 0);
  EXPECT_NE(monitor->output().find("\"bad\""), std::string::npos);
}

TEST_F(GuardedMonitor, WebRequestsNeedATokenButForHealth) {
  const auto monitor = start({"--tokens", tokens(), "--http", "127.0.0.1:0"});
  ASSERT_NE(monitor->web_port(), 0) << monitor->errors();
  EXPECT_EQ(web_get(monitor->web_port(), "/healthz"), "ok\n");
  EXPECT_NE(web_get(monitor->web_port(), "/metrics", {}, true).find("401"), std::string::npos);
  const std::string metrics =
      web_get(monitor->web_port(), "/metrics", "Authorization: Bearer 0123456789abcdef\r\n");
  EXPECT_NE(metrics.find("lightcone_events_accepted_total 0"), std::string::npos) << metrics;
}

TEST_F(GuardedMonitor, ASilentProcessIsNamedWithItsTime) {
  const auto monitor = start({"--silent", "0.2", "--http", "127.0.0.1:0"});
  LineClient client(monitor->port());
  client.send(
      "{\"lightcone\": 1, \"processes\": [\"p1\", \"p2\"]}\n"
      "{\"process\": \"p2\", \"kind\": \"internal\"}\n"
      "{\"process\": \"p1\", \"kind\": \"receive\", \"message\": \"m\"}\n");
  EXPECT_TRUE(waits_for([&] {
    return monitor->errors().find("process `p2` has been silent since 20") != std::string::npos;
  })) << monitor->errors();
  const std::string status = web_get(monitor->web_port(), "/status");
  EXPECT_NE(status.find("\"process\":\"p2\""), std::string::npos) << status;
  EXPECT_NE(status.find("\"message\":\"m\""), std::string::npos) << status;
  client.send("{\"process\": \"p2\", \"kind\": \"send\", \"message\": \"m\", \"to\": \"p1\"}\n");
  EXPECT_TRUE(waits_for([&] {
    return web_get(monitor->web_port(), "/status").find("\"silent\":[]") != std::string::npos;
  }));
  EXPECT_EQ(monitor->end(), 0);
}

/// Of two that wait for each other neither is silent without a cause, and both are named.
TEST_F(GuardedMonitor, WhoWaitsForLongIsNamedWithItsTimeAndTheSender) {
  const auto monitor = start({"--silent", "0.2", "--http", "127.0.0.1:0"});
  LineClient client(monitor->port());
  client.send(
      "{\"process\": \"p1\", \"kind\": \"receive\", \"message\": \"p2:1\"}\n"
      "{\"process\": \"p2\", \"kind\": \"receive\", \"message\": \"p1:1\"}\n"
      "{\"process\": \"p3\", \"kind\": \"receive\", \"message\": \"lost\"}\n");
  for (const char* words : {"process `p1` has waited for message `p2:1` since 20",
                            ", which `p2` has not told of sending; 1 event of it wait",
                            "process `p2` has waited for message `p1:1` since 20",
                            "process `p3` has waited for message `lost` since 20"}) {
    EXPECT_TRUE(waits_for([&] { return monitor->errors().find(words) != std::string::npos; }))
        << words << '\n'
        << monitor->errors();
  }
  const std::string status = web_get(monitor->web_port(), "/status");
  EXPECT_NE(status.find("\"sender\":\"p2\""), std::string::npos) << status;
  EXPECT_NE(web_get(monitor->web_port(), "/metrics")
                .find("lightcone_waits_since_seconds{execution=\"default\",process=\"p1\"} "),
            std::string::npos);
  EXPECT_EQ(monitor->end(), 0);
}

TEST_F(GuardedMonitor, AGapIsWaitedForAndReported) {
  const auto monitor = start({"--silent", "0.2"});
  LineClient client(monitor->port());
  client.send(
      "{\"lightcone\": 1, \"answers\": true}\n"
      "{\"process\": \"p1\", \"rank\": 1, \"kind\": \"internal\"}\n"
      "{\"process\": \"p1\", \"rank\": 3, \"kind\": \"internal\", \"labels\": [\"bad\"]}\n");
  EXPECT_EQ(client.line(5000), R"({"execution":"default","stored":{"p1":1}})");
  EXPECT_TRUE(waits_for([&] {
    return monitor->errors().find("its event 2 is missing") != std::string::npos;
  })) << monitor->errors();
  EXPECT_EQ(monitor->output(), "");
  client.send("{\"process\": \"p1\", \"rank\": 2, \"kind\": \"internal\"}\n");
  EXPECT_EQ(client.line(5000), R"({"execution":"default","stored":{"p1":3}})");
  EXPECT_TRUE(
      waits_for([&] { return monitor->output().find("\"event\":3") != std::string::npos; }));
}

TEST_F(GuardedMonitor, ClientsOfAnExecutionThatHasEndedAreTold) {
  const auto monitor = start({});
  const std::string ended = R"({"execution":"default","ended":true})";
  const std::string counted =
      "{\"lightcone\": 1, \"answers\": true, \"process\": \"p1\", \"from\": ";
  LineClient client(monitor->port());
  const auto is_told = [&](const std::string& wanted) {
    std::string answer = client.line(20'000);
    while (!answer.empty() && answer != wanted) answer = client.line(20'000);
    return answer == wanted;
  };
  client.send(counted + "1}\n" + bad_event);
  EXPECT_TRUE(is_told(R"({"execution":"default","stored":{"p1":1}})"));
  // What comes together with the end is stored before it.
  client.send(bad_event + std::string("{\"lightcone\": 1, \"end\": true}\n"));
  EXPECT_TRUE(is_told(R"({"execution":"default","stored":{"p1":2}})"));
  client.send(bad_event);
  EXPECT_TRUE(is_told(ended));
  EXPECT_EQ(answer_to(*monitor, counted + "1}\n" + bad_event), ended);
  EXPECT_EQ(monitor->end(), 0) << monitor->errors();
  EXPECT_EQ(monitor->output().find("\"event\":3"), std::string::npos) << monitor->output();
}

TEST_F(GuardedMonitor, WhatIsNoAddressIsSaidToBeNone) {
  MonitorProcess monitor(folder_.path(), {props(), "--listen", "no-such-host.invalid"});
  EXPECT_EQ(monitor.port(), 0);
  EXPECT_NE(monitor.errors().find("`no-such-host.invalid` is no address"), std::string::npos)
      << monitor.errors();
  EXPECT_EQ(monitor.errors().find("other machines"), std::string::npos) << monitor.errors();
}

/// Each sends a letter now and then, and occupies a thread of the server if nobody stops it.
class SlowWebClients {
 public:
  SlowWebClients(std::uint16_t port, int count)
      : thread_([this, port, count] {
          std::vector<std::unique_ptr<LineClient>> clients;
          for (int i = 0; i < count; ++i) {
            clients.push_back(std::make_unique<LineClient>(port));
            clients.back()->send("GET /metrics HTTP/1.1\r\nX-Slow: ");
          }
          are_there = true;
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
          while (!stops_ && std::chrono::steady_clock::now() < end) {
            for (const auto& client : clients) client->send("x");
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
          }
        }) {}
  ~SlowWebClients() {
    stops_ = true;
    thread_.join();
  }
  std::atomic<bool> are_there = false;

 private:
  std::atomic<bool> stops_ = false;
  std::thread thread_;
};

TEST_F(GuardedMonitor, SlowWebClientsDoNotKeepOthersOut) {
  const auto monitor = start({"--http", "127.0.0.1:0"});
  ASSERT_NE(monitor->web_port(), 0) << monitor->errors();
  const SlowWebClients slow(monitor->web_port(), 60);
  for (int i = 0; i < 3; ++i) {
    if (waits_for([&] { return slow.are_there.load(); })) break;
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(web_get(monitor->web_port(), "/healthz"), "ok\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace lightcone
