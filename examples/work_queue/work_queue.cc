// Workers take tasks from a queue that has room for two, and put the parts of large tasks back.
// With --bug they wait until there is room: when both wait, nobody takes anything out.
#include <deque>

#include "command_line.h"

namespace {

using lightcone::Actor;

constexpr std::size_t room = 2;
constexpr int parts = 2;  // of a large task
constexpr std::size_t workers = 2;

class Queue {
 public:
  explicit Queue(Actor& actor, bool bug) : actor_(actor), bug_(bug) {}

  /// All is done when every worker asks for a task and there is none.
  void run() {
    while (takers_.size() < workers) {
      serve();
      while (give() || admit()) {
      }
    }
    while (!takers_.empty()) answer(takers_, "over");
  }

 private:
  void serve() {
    auto message = actor_.take();
    const bool puts = message.content == "put";
    const bool refused = puts && !bug_ && tasks_.size() == room;
    if (!refused) (puts ? putters_ : takers_).push_back(message.from);
    const auto waiting = static_cast<std::int64_t>(tasks_.size() == room ? putters_.size() : 0);
    actor_.receive(message, {.variables = {{"waiting", waiting}}});
    if (refused) actor_.send(message.from, "full");
  }
  [[nodiscard]] bool give() {
    if (takers_.empty() || tasks_.empty()) return false;
    answer(takers_, tasks_.front());
    tasks_.pop_front();
    return true;
  }
  [[nodiscard]] bool admit() {
    if (putters_.empty() || tasks_.size() == room) return false;
    tasks_.emplace_back("small");
    answer(putters_, "done");
    return true;
  }
  void answer(std::deque<std::string>& waiting, const std::string& text) {
    actor_.send(waiting.front(), text);
    waiting.pop_front();
  }

  Actor& actor_;
  bool bug_;
  std::deque<std::string> tasks_ = {"large", "large"};
  std::deque<std::string> takers_, putters_;  // who waits
};

/// What finds no room in the queue it does itself.
void be_worker(Actor& actor) {
  for (;;) {
    actor.send("queue", "take");
    const std::string task = actor.receive().content;
    if (task == "over") return;
    for (int part = 0; task == "large" && part < parts; ++part) {
      actor.send("queue", "put");
      actor.receive();
    }
  }
}

}  // namespace

int main(int count, char** words) {
  const auto said = examples::explored(count, words);
  const auto part = [&](Actor& actor) {
    if (actor.name() == "queue") return Queue(actor, said.bug).run();
    be_worker(actor);
  };
  return examples::run({{"queue", "anna", "ben"}, part}, said);
}
