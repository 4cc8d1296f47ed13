// Opens letters of worker 0, one after the other, and does what they say.
#include <lightcone/lattice/workers/worker_service.h>

#include <lightcone/error.h>
#include <lightcone/lattice/workers/avoidance_on_workers.h>
#include <lightcone/lattice/workers/lattice_wire.h>
#include <lightcone/lattice/workers/visit_on_workers.h>
#include <lightcone/lattice/workers/worker_post.h>
#include <lightcone/lattice/workers/worker_share.h>

#include <memory>
#include <optional>

namespace lightcone {
namespace {

/// What a letter says of a question: a level, and maybe a condition on it.
class Asked {
 public:
  explicit Asked(Workers::Letter letter)
      : letter_(std::move(letter)), reader_(content_of(letter_)), level_(read_level(reader_)) {
    if (reader_.number() != 0) condition_ = read_condition(reader_);
    LIGHTCONE_ASSERT(!reader_.failed());
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  [[nodiscard]] const Level& level() const { return level_; }
  [[nodiscard]] const Condition* condition() const { return condition_ ? &*condition_ : nullptr; }

 private:
  Workers::Letter letter_;  // with the condition's texts
  WireReader reader_;
  Level level_;
  std::optional<Condition> condition_;
};

class Service {
 public:
  explicit Service(Workers& workers) : post_(workers) {}

  [[nodiscard]] int run() {
    while (true) {
      Workers::Letter letter =
          post_.wait([](LetterKind kind) { return kind <= LetterKind::leave; });
      if (kind_of(letter) == LetterKind::leave) {
        return static_cast<int>(content_of(letter).number());
      }
      obey(std::move(letter));
    }
  }

 private:
  void obey(Workers::Letter letter) {
    WireReader reader = content_of(letter);
    switch (kind_of(letter)) {
      case LetterKind::search:
        ask(std::move(letter));
        futures_.emplace(asked_->level());
        break;
      case LetterKind::share: work(reader); break;
      case LetterKind::avoid:
        ask(std::move(letter));
        cuts_.emplace(post_, asked_->level(), *asked_->condition());
        break;
      case LetterKind::step: step(reader); break;
      default: answer(reader); break;
    }
  }

  void ask(Workers::Letter letter) {
    futures_.reset();
    cuts_.reset();
    asked_ = std::make_unique<const Asked>(std::move(letter));
  }

  void work(WireReader& reader) {
    WorkerShare share = read_share(reader);
    LIGHTCONE_ASSERT(!reader.failed() && futures_.has_value());
    WireWriter writer = begin_letter(LetterKind::report);
    write(writer,
          work_on(std::move(share), *futures_, asked_->condition(), threads_of(post_.workers())));
    post_.workers().send(0, finished(writer));
  }

  void step(WireReader& reader) {
    LIGHTCONE_ASSERT(cuts_.has_value());
    WireWriter writer = begin_letter(LetterKind::report);
    write(writer, cuts_->step(read_step_limits(reader)));
    post_.workers().send(0, finished(writer));
  }

  void answer(WireReader& reader) {
    LIGHTCONE_ASSERT(cuts_.has_value());
    WireWriter writer = begin_letter(LetterKind::reply);
    const std::uint64_t size = reader.number();
    for (std::uint64_t left = reader.number(); left > 0; --left) {
      writer.number(cuts_->has_reached(size, read_cut(reader)) ? 1 : 0);
    }
    post_.workers().send(0, finished(writer));
  }

  WorkerPost post_;
  std::unique_ptr<const Asked> asked_;
  std::optional<Futures> futures_;
  std::optional<OwnedCuts> cuts_;
};

}  // namespace

int serve(Workers& workers) { return Service(workers).run(); }

void dismiss(Workers& workers, int number) {
  WireWriter writer = begin_letter(LetterKind::leave);
  writer.number(static_cast<std::uint64_t>(number));
  WorkerPost(workers).send_to_others(finished(writer));
}

}  // namespace lightcone
