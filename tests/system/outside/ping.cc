// A program as a user of the library writes it: builds a computation, prints its counts.
#include <lightcone/causal/builder.h>

#include <array>
#include <iostream>

int main() {
  using lightcone::Kind;
  lightcone::Builder builder;
  const auto client = builder.process("client");
  const auto server = builder.process("server");
  const std::array ping{builder.message("ping1")};

  const std::array arrivals{
      lightcone::Arrival{.process = client, .kind = Kind::internal},
      lightcone::Arrival{.process = client, .kind = Kind::send, .sends = ping[0]},
      lightcone::Arrival{.process = server, .kind = Kind::receive, .takes = ping},
  };
  for (const auto& arrival : arrivals) builder.add(arrival);
  const auto computation = builder.build();
  if (!computation) {
    std::cerr << computation.error().text() << '\n';
    return 1;
  }
  std::cout << computation->process_count() << " processes, " << computation->event_count()
            << " events, " << computation->message_count() << " message\n";
}
