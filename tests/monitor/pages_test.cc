// What a browser is told about executions, without a browser.
#include "monitor/monitor_process.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "pages/execution_list.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

TEST(MonitorPages, ListExecutionsAndAnswerForThem) {
  const TemporaryFolder folder;
  const std::string rules = folder.path() + "/rules.prop", kept = folder.path() + "/kept";
  std::ofstream(rules) << "forbid bad : some flow contains wrong\n";
  const MonitorProcess monitor(
      folder.path(), {rules, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--keep", kept});
  ASSERT_NE(monitor.port(), 0) << monitor.errors();
  const auto list = [&] {
    return nlohmann::json::parse(web_get(monitor.web_port(), "/executions"), nullptr, false);
  };
  LineClient client(monitor.port());
  client.send(
      "{\"lightcone\": 1, \"execution\": \"a b\", \"answers\": true}\n"
      "{\"process\": \"p\", \"kind\": \"internal\", \"labels\": [\"wrong\"]}\n"
      "{\"lightcone\": 1, \"execution\": \"a b\", \"end\": true}\n"
      "{\"lightcone\": 1, \"execution\": \"c\", \"answers\": true}\n"
      "{\"process\": \"p\", \"kind\": \"internal\"}\n{\"process\": \"q\", \"kind\": "
      "\"internal\"}\n");
  nlohmann::json listed = list();
  const auto is_whole = [&] {
    return !listed["open"].empty() && !listed["kept"].empty() &&
           !listed["kept"][0]["verdicts"].empty();
  };
  for (int i = 0; i < 600 && !is_whole(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    listed = list();
  }
  ASSERT_EQ(listed["kept"].size(), 1U) << listed;
  EXPECT_EQ(listed["keeps"], true);
  EXPECT_EQ(listed["kept"][0]["execution"], "a b");
  EXPECT_EQ(listed["kept"][0]["name"], "a%20b");
  EXPECT_EQ(listed["kept"][0]["verdicts"][0]["property"], "bad");
  EXPECT_EQ(listed["kept"][0]["verdicts"][0]["verdict"], "fail");
  ASSERT_EQ(listed["open"].size(), 1U) << listed;
  EXPECT_EQ(listed["open"][0]["execution"], "c");
  EXPECT_EQ(listed["open"][0]["processes"], 2);
  EXPECT_EQ(listed["open"][0]["events"], 2);
  const auto get = [&](const std::string& path, const std::string& headers = {}) {
    return web_get(monitor.web_port(), path, headers, true);
  };
  EXPECT_NE(get("/").find("<title>Executions"), std::string::npos);
  EXPECT_NE(get("/executions", "Origin: http://example.org\r\n").find(" 403 "), std::string::npos);
  EXPECT_NE(get("/view/kept/..%2f..%2frules/api/trace").find(" 404 "), std::string::npos);
#ifdef LIGHTCONE_HAS_VIEWER
  EXPECT_NE(get("/view/kept/a%2520b/").find("<lightcone-page"), std::string::npos);
  EXPECT_NE(get("/view/kept/a%2520b/api/trace").find("\"events\":1"), std::string::npos);
  EXPECT_NE(get("/view/open/c/api/trace").find("\"events\":2"), std::string::npos);
#endif
}

TEST(MonitorPages, NoNameLeadsOutOfTheFolder) {
  for (const char* good : {"a", "order%2017", "A-b_9"}) EXPECT_TRUE(service::is_kept_name(good));
  for (const char* bad : {"", "..", ".", "a/b", "a.b", "a b", "\xC3\xA9"}) {
    EXPECT_FALSE(service::is_kept_name(bad)) << bad;
  }
}

}  // namespace
}  // namespace lightcone
