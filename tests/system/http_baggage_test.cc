// Tags in the `baggage` header, through a real HTTP server and client on loopback.
#include <lightcone/transport.h>

#include <gtest/gtest.h>
#include <httplib.h>
#include <lightcone/process.h>

#include <memory>
#include <string>
#include <thread>

#include "live_and_checked.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

constexpr const char* properties =
    "require asked : every longest flow over {ask, answer} at answer ends with ask answer\n";

/// The event of taking a request. Returns who sent it.
std::string take(Process& process, const httplib::Request& request, const LiveState& state) {
  return process.receive(tag_in_baggage(request.get_header_value("baggage")), state);
}

/// The event of answering it. A client without Lightcone gets no tag.
void answer(Process& process, const std::string& client, httplib::Response& response,
            const LiveState& state) {
  if (client.empty()) return process.event(state);
  response.set_header("baggage", baggage_with_tag(process.send(client, state)));
}

/// Both events of a client. Other members of its baggage stay.
std::string ask(Process& process, httplib::Client& client, const std::string& path) {
  const std::string tag = process.send("server", {.labels = {"ask"}});
  const auto response = client.Get(path, {{"baggage", baggage_with_tag(tag, "userId=alice")}});
  if (!response) return {};
  process.receive(tag_in_baggage(response->get_header_value("baggage")), {.labels = {"answered"}});
  return response->body;
}

/// A server with one page, and one client of it.
class HttpBaggage : public testing::Test {
 protected:
  HttpBaggage() {
    server_.Get("/page", [this](const httplib::Request& request, httplib::Response& response) {
      const std::string client = take(*process_, request, {.labels = {"asked"}});
      response.set_content("hello " + client, "text/plain");
      answer(*process_, client, response, {.labels = {"answer"}});
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::jthread([this] { server_.listen_after_bind(); });
  }
  ~HttpBaggage() override { server_.stop(); }

  [[nodiscard]] std::unique_ptr<Process> started(const std::string& name) {
    ProcessOptions options;
    options.name = name;
    options.properties = properties;
    options.traces = folder_.path();
    options.on_detection = live_.teller();
    return std::move(Process::start(std::move(options)).value());
  }

  const TemporaryFolder folder_;
  LiveTold live_;
  std::unique_ptr<Process> process_ = started("server");
  httplib::Server server_;
  int port_ = 0;
  std::jthread thread_;
};

TEST_F(HttpBaggage, RequestsAndResponsesAreMessages) {
  httplib::Client client("127.0.0.1", port_);
  auto process = started("client");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(*process, client, "/page"), "hello client");
  EXPECT_TRUE(live_.told().empty());
  process.reset();
  process_.reset();
  auto reading = read_trace(folder_.path(), Format::lct);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.edge_count(), 6U);
  EXPECT_TRUE(told_by_check(folder_.path(), properties).empty());
}

/// Its request has no tag, so that the answer knows of no question.
TEST_F(HttpBaggage, AClientWithoutTagsIsServedAndSeen) {
  httplib::Client client("127.0.0.1", port_);
  const auto response = client.Get("/page", {{"baggage", "userId=alice"}});
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, "hello ");
  EXPECT_FALSE(response->has_header("baggage"));
  EXPECT_EQ(process_->counts().without_tag, 1U);
  process_.reset();
  EXPECT_EQ(live_.told(), (Told{{"asked", "server", 2}}));
  EXPECT_EQ(live_.told(), told_by_check(folder_.path(), properties));
}

TEST_F(HttpBaggage, AMemberThatIsNoTagIsRefusedAndCounted) {
  httplib::Client client("127.0.0.1", port_);
  for (const char* value : {"lightcone=not+base64", "lightcone=bm8gdGFn"}) {
    ASSERT_TRUE(client.Get("/page", {{"baggage", value}}));
  }
  EXPECT_EQ(process_->counts().bad_tags, 2U);
}

}  // namespace
}  // namespace lightcone
