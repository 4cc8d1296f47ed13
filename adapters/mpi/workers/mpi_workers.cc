// Workers that are the processes of MPI_COMM_WORLD: compiled once per MPI, loaded on demand.
#include <lightcone/lattice/workers/workers.h>

#include <mpi.h>

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

namespace {

/// MPI counts with `int`: longer letters come in pieces.
constexpr std::size_t piece_size = std::size_t{1} << 30;
constexpr int last_piece = 0, more_follow = 1;  // tags

class MpiWorkers final : public lightcone::Workers {
 public:
  MpiWorkers() {
    // Other threads work, but leave MPI alone.
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    number_ = static_cast<std::size_t>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size_ = static_cast<std::size_t>(number);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &number);
    neighbours_ = static_cast<std::size_t>(number);
    MPI_Comm_free(&here);
    begun_.resize(size_);
  }
  ~MpiWorkers() override {
    for (Sending& sending : sendings_) MPI_Wait(&sending.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  [[nodiscard]] std::size_t number() const override { return number_; }
  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] std::size_t neighbours() const override { return neighbours_; }

  void send(std::size_t to, std::shared_ptr<const std::string> bytes) override {
    std::size_t begin = 0;
    do {
      const std::size_t size = std::min(bytes->size() - begin, piece_size);
      const bool last = begin + size == bytes->size();
      Sending& sending = sendings_.emplace_back(Sending{bytes, MPI_REQUEST_NULL});
      MPI_Isend(bytes->data() + begin, static_cast<int>(size), MPI_BYTE, static_cast<int>(to),
                last ? last_piece : more_follow, MPI_COMM_WORLD, &sending.request);
      begin += size;
    } while (begin < bytes->size());
  }

  [[nodiscard]] std::optional<Letter> poll() override {
    forget_what_is_sent();
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    const auto from = static_cast<std::size_t>(status.MPI_SOURCE);
    std::string& letter = begun_[from];
    const std::size_t begin = letter.size();
    letter.resize(begin + static_cast<std::size_t>(size));
    MPI_Recv(letter.data() + begin, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == more_follow) return std::nullopt;
    return Letter{from, std::exchange(letter, std::string())};
  }

 private:
  struct Sending {
    std::shared_ptr<const std::string> bytes;
    MPI_Request request;
  };

  void forget_what_is_sent() {
    sendings_.remove_if([](Sending& sending) {
      int sent = 0;
      MPI_Test(&sending.request, &sent, MPI_STATUS_IGNORE);
      return sent != 0;
    });
  }

  std::size_t number_ = 0, size_ = 0, neighbours_ = 1;
  std::list<Sending> sendings_;
  std::vector<std::string> begun_;  // incomplete letters, by worker
};

}  // namespace

// Under the name that is looked for, `lightcone::join_workers_name`.
extern "C" [[gnu::visibility("default")]] lightcone::Workers* lightcone_join_ranks() {
  return new MpiWorkers;
}
