// The process that enters without the token finds that out itself, as it enters.
#include "system/example_run.h"

namespace lightcone {
namespace {

using TokenRing = ExampleRun;

TEST_F(TokenRing, EveryoneWaitsForTheToken) {
  const Told told = run_example("token_ring", false);
  EXPECT_EQ(told.out, "");
  EXPECT_EQ(told.property("held")["at"].size(), 12U) << "four processes, three rounds";
}

TEST_F(TokenRing, TheIntruderIsFoundAsItEnters) {
  const Told told = run_example("token_ring", true);
  const Places intrusion{{"carol", 5}};
  EXPECT_EQ(told.places,
            (std::map<std::string, Places>{{"held", intrusion}, {"intruder", intrusion}}));
  EXPECT_TRUE(has(told.out, {"require: held at event 5 of carol (enter) is missing, after carol#3",
                             "forbid: intruder at event 5 of carol (enter)", "[token_ring.cc:"}));
}

}  // namespace
}  // namespace lightcone
