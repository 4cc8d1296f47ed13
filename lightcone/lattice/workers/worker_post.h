// Letters between workers that work on one lattice: what they are about, and waiting for them.
#pragma once

#include <lightcone/base/wire.h>
#include <lightcone/lattice/workers/workers.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <thread>
#include <utility>

namespace lightcone {

/// What a letter is: the number that it begins with.
enum class LetterKind : std::uint8_t {
  // Worker 0 to the others.
  search,  ///< a level, maybe a condition: what shares will be of
  share,   ///< intervals to work on
  avoid,   ///< a level and a condition that observations are to avoid
  step,    ///< go on to the next size of cuts
  ask,     ///< which of these cuts were reached
  leave,   ///< the end
  // To worker 0.
  report,  ///< what became of a share or a step
  reply,   ///< to `ask`
  // Anyone to anyone.
  cuts,  ///< that the receiver owns
};

/// A letter, begun.
[[nodiscard]] inline WireWriter begin_letter(LetterKind kind) {
  WireWriter writer;
  writer.number(static_cast<std::uint64_t>(kind));
  return writer;
}
[[nodiscard]] inline std::shared_ptr<const std::string> finished(WireWriter& writer) {
  return std::make_shared<const std::string>(std::move(writer.bytes()));
}

[[nodiscard]] inline LetterKind kind_of(const Workers::Letter& letter) {
  return static_cast<LetterKind>(letter.bytes.at(0));
}
/// The letter without its kind.
[[nodiscard]] inline WireReader content_of(const Workers::Letter& letter) {
  return WireReader(std::string_view(letter.bytes).substr(1));
}

/// One worker's letters. What comes before it is waited for is kept.
class WorkerPost {
 public:
  explicit WorkerPost(Workers& workers) : workers_(workers) {}

  [[nodiscard]] Workers& workers() const { return workers_; }

  void send_to_others(const std::shared_ptr<const std::string>& letter) {
    for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
      if (worker != workers_.number()) workers_.send(worker, letter);
    }
  }

  /// The first letter that is wanted, if it is there.
  template <class Wanted>
  [[nodiscard]] std::optional<Workers::Letter> poll(const Wanted& wanted) {
    while (auto letter = workers_.poll()) kept_.push_back(std::move(*letter));
    const auto is_wanted = [&](const Workers::Letter& letter) { return wanted(kind_of(letter)); };
    const auto found = std::find_if(kept_.begin(), kept_.end(), is_wanted);
    if (found == kept_.end()) return std::nullopt;
    Workers::Letter letter = std::move(*found);
    kept_.erase(found);
    return letter;
  }

  /// The same, when it is there; no core is kept busy until then.
  template <class Wanted>
  [[nodiscard]] Workers::Letter wait(const Wanted& wanted) {
    using namespace std::chrono_literals;
    for (auto pause = 20us;; pause = std::min<std::chrono::microseconds>(2 * pause, 500us)) {
      if (auto letter = poll(wanted)) return std::move(*letter);
      std::this_thread::sleep_for(pause);
    }
  }
  [[nodiscard]] Workers::Letter wait_for(LetterKind kind) {
    return wait([kind](LetterKind it) { return it == kind; });
  }

 private:
  Workers& workers_;
  std::deque<Workers::Letter> kept_;
};

}  // namespace lightcone
