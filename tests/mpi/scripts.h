// Small programs of sends and receives, and all that MPI lets happen in them, by brute force.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace lightcone {

/// What each rank does, as `scripted` reads it.
using Scripts = std::vector<std::string>;

[[nodiscard]] Scripts arbitrary_scripts(std::uint64_t seed);

/// The definition. Messages of one rank to another arrive in their order, at any time. One that
/// arrives goes to the first posted receive that accepts it, or waits for one. A synchronous send
/// is over when its message has got a receive.
class AllOutcomes {
 public:
  /// With `unbuffered`, standard sends are synchronous.
  AllOutcomes(const Scripts& scripts, bool unbuffered);
  std::set<std::string> outcomes;   ///< as the program prints them
  std::set<std::string> deadlocks;  ///< the ranks that wait forever: "0 2 "

 private:
  struct Message {
    int from = 0, value = 0;
    int send = 0;  ///< which of its sender's
  };
  struct Receive {
    int source = -1, place = 0;  ///< -1: any
  };
  struct Rank {
    std::size_t at = 0;  ///< in its script
    int sends = 0, receives = 0;
    std::vector<int> begun_sends, begun_receives;  ///< that were not waited for
    std::vector<Receive> posted;                   ///< that have no message
    std::vector<Message> arrived;                  ///< that have no receive
    std::vector<int> received;                     ///< by place; -1: nothing yet
    std::set<int> matched;                         ///< sends that have got a receive
    bool waits = false;                            ///< in the call that it has begun
  };
  struct State {
    std::vector<Rank> ranks;
    std::vector<std::vector<std::vector<Message>>> under_way;  ///< from, to
  };

  void visit(const State& state);
  [[nodiscard]] bool step(State& state, std::size_t rank) const;
  [[nodiscard]] bool goes_on(State& state, std::size_t rank, char what) const;
  static void arrive(State& state, std::size_t from, std::size_t to);
  static void post(State& state, std::size_t rank, const Receive& receive);
  static void match(State& state, std::size_t rank, int place, const Message& message);
  [[nodiscard]] static std::string key(const State& state);
  void end(const State& state);

  Scripts scripts_;
  bool unbuffered_;
  std::set<std::string> seen_;
};

}  // namespace lightcone
