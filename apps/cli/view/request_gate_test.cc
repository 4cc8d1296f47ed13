// Requests of other pages and programs are refused.
#include "view/request_gate.h"

#include <gtest/gtest.h>

namespace lightcone::cli {
namespace {

TEST(RequestGate, LetsThePageIn) {
  const RequestGate gate(8080, "secret");
  EXPECT_EQ(gate.refusal({"127.0.0.1:8080", "", "secret"}), "");
  EXPECT_EQ(gate.refusal({"127.0.0.1:8080", "http://127.0.0.1:8080", "secret"}), "");
  EXPECT_EQ(gate.refusal({"localhost:8080", "http://localhost:8080", "secret"}), "");
  EXPECT_EQ(gate.address(), "http://127.0.0.1:8080/?token=secret");
}

TEST(RequestGate, RefusesAForeignHost) {
  const RequestGate gate(8080, "secret");
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "evil.example:8080", "127.0.0.1:80800",
                           "evil.127.0.0.1:8080", "localhost"}) {
    EXPECT_NE(gate.refusal({host, "", "secret"}), "") << host;
  }
}

TEST(RequestGate, RefusesAForeignOrigin) {
  const RequestGate gate(8080, "secret");
  for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:8080",
                             "http://127.0.0.1", "http://127.0.0.1:8080.evil.example"}) {
    EXPECT_NE(gate.refusal({"127.0.0.1:8080", origin, "secret"}), "") << origin;
  }
}

TEST(RequestGate, RefusesAWrongToken) {
  const RequestGate gate(8080, "secret");
  for (const char* token : {"", "secre", "secret1", "Secret"}) {
    EXPECT_NE(gate.refusal({"127.0.0.1:8080", "", token}), "") << token;
  }
}

TEST(RequestGate, MakesLongTokensThatDiffer) {
  const RequestGate one(1), two(1);
  EXPECT_EQ(one.token().size(), 64U);
  EXPECT_NE(one.token(), two.token());
}

}  // namespace
}  // namespace lightcone::cli
