// Calls of every kind over real connections: their events, their tags, and peers without Lightcone.
#include <lightcone/grpc/interceptors.h>

#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <lightcone/causality.h>
#include <lightcone/snapshot.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "temporary_folder.h"
#include "tests/echo_server.h"

namespace lightcone {
namespace {

/// A client and a server, watched and traced.
class GrpcCalls : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Process> started(const std::string& name) {
    ProcessOptions options;
    options.name = name;
    options.traces = folder_.path();
    options.on_error = [this](const Error& error) { errors_.push_back(error.text()); };
    return std::move(Process::start(std::move(options)).value());
  }
  /// What both have written.
  [[nodiscard]] Computation written() {
    client_.reset();
    server_.reset();
    auto reading = read_trace(folder_.path(), Format::lct);
    EXPECT_TRUE(reading) << reading.error().text();
    return std::move(reading->computation);
  }
  /// `receive Once`, for each event of a process.
  [[nodiscard]] static std::vector<std::string> told(const Computation& c, std::string_view name) {
    const char* kinds[] = {"internal", "send", "receive"};
    std::vector<std::string> all;
    const auto p = c.find_process(name);
    if (!p) return all;
    for (EventIndex e = c.first_event(*p); e < c.end_event(*p); ++e) {
      std::string words = kinds[static_cast<std::size_t>(c.kind(e))];
      for (const NameIndex label : c.labels(e)) words += "|" + std::string(c.names()[label]);
      all.push_back(words);
    }
    return all;
  }
  using Words = std::vector<std::string>;

  const TemporaryFolder folder_;
  std::vector<std::string> errors_;
  std::unique_ptr<Process> client_ = started("client"), server_ = started("server");
};

TEST_F(GrpcCalls, AUnaryCallMakesTwoEventsOnEachSide) {
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_));
    EXPECT_EQ(asked_once(*stub, "hello"), "hello");
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client"), (Words{"send|call Once", "receive|return Once"}));
  EXPECT_EQ(told(c, "server"), (Words{"receive|Once", "send|end Once"}));
  EXPECT_EQ(c.edge_count(), 2U);
  // All four events are one causal chain.
  EXPECT_EQ(causal_past(c, c.event(*c.find_process("client"), 2)), (std::vector<Rank>{2, 2}));
  EXPECT_EQ(*c.source(c.event(*c.find_process("server"), 1)), "/lightcone.tests.Echo/Once");
  EXPECT_TRUE(errors_.empty()) << errors_[0];
}

TEST_F(GrpcCalls, AFailedCallHasAnError) {
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_));
    EXPECT_EQ(asked_once(*stub, ""), "");
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client"), (Words{"send|call Once", "receive|return Once|error"}));
  EXPECT_EQ(told(c, "server"), (Words{"receive|Once", "send|end Once|error"}));
}

TEST_F(GrpcCalls, ACallThatReachesNoServerEnds) {
  {
    const auto channel = ::grpc::experimental::CreateCustomChannelWithInterceptors(
        "127.0.0.1:1", ::grpc::InsecureChannelCredentials(), {},
        grpc::client_interceptors(*client_));
    const auto stub = tests::Echo::NewStub(channel);
    EXPECT_EQ(asked_once(*stub, "hello"), "");
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client"), (Words{"send|call Once", "internal|return Once|error"}));
}

/// More than the adapter remembers, and each is called twice.
TEST_F(GrpcCalls, ManyMethodsHaveTheirOwnNames) {
  Words expected;
  {
    ::grpc::TemplatedGenericStub<tests::Text, tests::Text> stub(
        ::grpc::experimental::CreateCustomChannelWithInterceptors(
            "127.0.0.1:1", ::grpc::InsecureChannelCredentials(), {},
            grpc::client_interceptors(*client_)));
    for (int i = 0; i < 200; ++i) {
      const std::string name = "Method" + std::to_string(i / 2);
      ::grpc::ClientContext context;
      const tests::Text asked;
      tests::Text answer;
      std::promise<::grpc::StatusCode> ended;
      stub.UnaryCall(&context, "/generic.Service/" + name, {}, &asked, &answer,
                     [&](const ::grpc::Status& status) { ended.set_value(status.error_code()); });
      EXPECT_EQ(ended.get_future().get(), ::grpc::StatusCode::UNAVAILABLE);
      expected.push_back("send|call " + name);
      expected.push_back("internal|return " + name + "|error");
    }
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client"), expected);
  EXPECT_EQ(*c.source(c.event(*c.find_process("client"), 399)), "/generic.Service/Method99");
}

TEST_F(GrpcCalls, AStreamToTheServerIsARequestAndAResponse) {
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_));
    ::grpc::ClientContext context;
    tests::Text answer, text;
    const auto writer = stub->Join(&context, &answer);
    for (const char* part : {"a", "b", "c"}) {
      text.set_text(part);
      EXPECT_TRUE(writer->Write(text));
    }
    writer->WritesDone();
    EXPECT_TRUE(writer->Finish().ok());
    EXPECT_EQ(answer.text(), "abc");
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client").front(), "send|call Join");
  EXPECT_EQ(told(c, "client").back(), "receive|return Join");
  EXPECT_EQ(told(c, "server").front(), "receive|Join");
  EXPECT_EQ(told(c, "server").back(), "send|end Join");
  EXPECT_TRUE(errors_.empty()) << errors_[0];
}

/// The client learns of the server before the stream has ended.
TEST_F(GrpcCalls, AStreamFromTheServerCarriesATagAtItsBeginning) {
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_));
    ::grpc::ClientContext context;
    tests::Text asked, part;
    asked.set_text("xy");
    const auto reader = stub->Split(&context, asked);
    std::string all;
    while (reader->Read(&part)) {
      if (all.empty()) client_->event({.labels = {"first part"}});
      all += part.text();
    }
    EXPECT_TRUE(reader->Finish().ok());
    EXPECT_EQ(all, "xy");
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client"),
            (Words{"send|call Split", "receive", "internal|first part", "receive|return Split"}));
  EXPECT_EQ(told(c, "server"), (Words{"receive|Split", "send", "send|end Split"}));
}

TEST_F(GrpcCalls, AStreamInBothDirectionsCarriesTags) {
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_));
    ::grpc::ClientContext context;
    const auto both = stub->Each(&context);
    tests::Text text;
    for (int i = 0; i < 100; ++i) {
      text.set_text(std::to_string(i));
      EXPECT_TRUE(both->Write(text));
      EXPECT_TRUE(both->Read(&text));
      EXPECT_EQ(text.text(), std::to_string(i));
    }
    both->WritesDone();
    EXPECT_TRUE(both->Finish().ok());
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client"), (Words{"send|call Each", "receive", "receive|return Each"}));
  EXPECT_EQ(told(c, "server"), (Words{"receive|Each", "send", "send|end Each"}));
}

TEST_F(GrpcCalls, PeersWithoutLightconeTakePart) {
  {
    const EchoServer watched(grpc::server_interceptors(*server_)), plain;
    EXPECT_EQ(asked_once(*watched.stub(), "to a watched server"), "to a watched server");
    const auto stub = plain.stub(grpc::client_interceptors(*client_));
    EXPECT_EQ(asked_once(*stub, "to a plain server"), "to a plain server");
  }
  EXPECT_EQ(server_->counts().without_tag, 1U);
  const Computation c = written();
  EXPECT_EQ(told(c, "client"), (Words{"send|call Once", "internal|return Once"}));
  ASSERT_EQ(told(c, "server").size(), 2U);
  EXPECT_EQ(told(c, "server")[1], "internal|end Once");
}

TEST_F(GrpcCalls, BytesThatAreNoTagAreRefusedAndCounted) {
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    ::grpc::ClientContext context;
    context.AddMetadata(grpc::metadata_key, std::string("\xC1\xFF\x00garbage", 10));
    tests::Text text, answer;
    text.set_text("hello");
    EXPECT_TRUE(server.stub()->Once(&context, text, &answer).ok());
  }
  EXPECT_EQ(server_->counts().bad_tags, 1U);
  EXPECT_FALSE(errors_.empty());
}

TEST_F(GrpcCalls, ATagThatIsTooLongIsReplaced) {
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_, {true, 4}));
    EXPECT_EQ(asked_once(*stub, "hello"), "hello");
  }
  EXPECT_EQ(server_->counts().bad_tags, 1U);
}

TEST_F(GrpcCalls, WithoutLabelsOnlyTheOrderIsKept) {
  {
    const EchoServer server(grpc::server_interceptors(*server_, {.labels = false}));
    const auto stub = server.stub(grpc::client_interceptors(*client_, {.labels = false}));
    EXPECT_EQ(asked_once(*stub, "hello"), "hello");
  }
  const Computation c = written();
  EXPECT_EQ(told(c, "client"), (Words{"send", "receive"}));
  EXPECT_EQ(told(c, "server"), (Words{"receive", "send"}));
}

/// A client and a server that give their parts to one collector.
class GrpcSnapshots : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Process> started(const std::string& name) {
    ProcessOptions options;
    options.name = name;
    options.save = [name] { return "state of " + name; };
    options.on_snapshot_part = [this](std::string_view part) {
      const std::lock_guard lock(mutex_);
      const auto added = collector_.add_bytes(part);
      EXPECT_TRUE(added) << added.error().text();
    };
    options.on_error = [this](const Error& error) {
      const std::lock_guard lock(mutex_);
      errors_ += error.text() + '\n';
    };
    return std::move(Process::start(std::move(options)).value());
  }

  std::mutex mutex_;
  std::string errors_;
  std::vector<GlobalSnapshot> taken_;
  SnapshotCollector collector_{
      {.processes = {"client", "server"},
       .on_complete = [this](GlobalSnapshot snapshot) { taken_.push_back(std::move(snapshot)); }}};
  std::unique_ptr<Process> client_ = started("client"), server_ = started("server");
};

/// What is sent and not taken in a snapshot is in transit in it, and nothing else is.
TEST_F(GrpcSnapshots, AreTakenWhereChannelsNameTheirServers) {
  constexpr int threads = 3, calls = 200;
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_, {.server = "server"}));
    {
      std::vector<std::jthread> callers;
      for (int i = 0; i < threads; ++i) {
        callers.emplace_back([&, i] {
          for (int j = 0; j < calls; ++j) {
            if (j % 20 == 10) (i == 0 ? client_ : server_)->begin_snapshot();
            EXPECT_EQ(asked_once(*stub, "x"), "x");
          }
        });
      }
    }
    for (int i = 0; i < 2; ++i) EXPECT_EQ(asked_once(*stub, "last"), "last");
  }
  client_.reset();
  server_.reset();
  EXPECT_EQ(errors_, "");
  EXPECT_GT(taken_.size(), 10U);
  EXPECT_EQ(collector_.given_up(), 0U);
  for (const GlobalSnapshot& snapshot : taken_) {
    EXPECT_EQ(snapshot.states().at("server")->state, "state of server");
    for (const auto& [ends, channel] : snapshot.channels()) {
      EXPECT_EQ(channel.sent - channel.received, channel.in_transit.size());
      EXPECT_LE(channel.in_transit.size(), static_cast<std::size_t>(threads));
    }
  }
}

TEST_F(GrpcSnapshots, AreRefusedWhereNobodyKnowsWhoTakesACall) {
  const EchoServer server(grpc::server_interceptors(*server_));
  const auto stub = server.stub(grpc::client_interceptors(*client_));
  EXPECT_EQ(asked_once(*stub, "x"), "x");
  EXPECT_NE(errors_.find("cannot be counted"), std::string::npos) << errors_;
}

/// Threads of one client share the process. Every message finds its receive.
TEST_F(GrpcCalls, CallsFromSeveralThreadsAreOneTrace) {
  constexpr int threads = 4, calls = 200;
  {
    const EchoServer server(grpc::server_interceptors(*server_));
    const auto stub = server.stub(grpc::client_interceptors(*client_));
    std::vector<std::jthread> callers;
    for (int i = 0; i < threads; ++i) {
      callers.emplace_back([&stub] {
        for (int j = 0; j < calls; ++j) EXPECT_EQ(asked_once(*stub, "x"), "x");
      });
    }
  }
  const Computation c = written();
  EXPECT_EQ(c.event_count(), 4U * threads * calls);
  EXPECT_EQ(c.edge_count(), 2U * threads * calls);
  EXPECT_TRUE(errors_.empty()) << errors_[0];
}

}  // namespace
}  // namespace lightcone
