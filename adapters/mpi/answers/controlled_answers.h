// A controller answers: it explores all orders in which messages can come.
#pragma once

#include <map>

#include "answers/known_answers.h"
#include "process/explored_process.h"

namespace lightcone::mpi {

/// Asks the controller what happens, and enters it in a journal.
class ControlledAnswers final : public KnownAnswers {
 public:
  ControlledAnswers(MpiProcess& rank, ExploredProcess explored)
      : KnownAnswers(rank), explored_(std::move(explored)) {}

  int send(const Sending& sending, MPI_Request* request, FunctionRef<int()> real,
           FunctionRef<int()> synchronous) override;
  int start_send(const char* call, Request& request, MPI_Request* handle) override;
  [[nodiscard]] std::optional<int> send_beside(const Sending& sending) override;
  void end_beside(const Sending& sending) override;
  [[nodiscard]] SentMessage begun_beside(const Sending& sending) override;
  [[nodiscard]] int peer_of_made(int rank) const override { return rank; }

  int begin_receive(const Receiving& receiving, MPI_Request* request,
                    FunctionRef<int(int, int, MPI_Request*)> real) override;
  int start_receive(Request& request, MPI_Request* handle) override;
  int start_again(const Request&, FunctionRef<int()>) override { return MPI_ERR_REQUEST; }
  int cancel(Request& request, FunctionRef<int()> real) override;
  int free_request(Request& request, MPI_Request* handle, FunctionRef<int()> real) override;
  int get_status(const char* call, MPI_Request request, int* flag, MPI_Status* status) override;

  int meet(const Collective& collective, ResultPlaces results, FunctionRef<int()> real) override;
  int begin_meeting(Request& made, ResultPlaces results, MPI_Request* request,
                    FunctionRef<int()> real) override;
  int make(const Collective* collective, const char* call, MPI_Comm parent, MPI_Comm* made,
           CommunicatorFacts& facts, FunctionRef<int()> real) override;
  void begin_making(Request& made) override;
  int meet_neighbours(const char*, ResultPlaces, FunctionRef<int()> real) override {
    return real();
  }
  int begin_neighbours(Request&, ResultPlaces, MPI_Request*, FunctionRef<int()> real) override {
    return real();
  }

  int make_window(const char* call, MPI_Comm comm, MPI_Win* window,
                  FunctionRef<int()> real) override;
  int free_window(const char* call, MPI_Win* window, FunctionRef<int()> real) override;
  int synchronise(const char* call, MPI_Win window, MPI_Group group,
                  FunctionRef<int()> real) override;
  int test_window(const char* call, MPI_Win window, int* flag) override;
  int access(FunctionRef<int()> real) override { return real(); }
  int begin_access(MPI_Request*, FunctionRef<int()> real) override { return real(); }
  [[nodiscard]] std::optional<std::string> fetched(std::string_view bytes) override;

  [[nodiscard]] std::uint64_t time(int clock, std::uint64_t now) override;
  [[nodiscard]] double seconds() override;
  int tell(const char*, std::string&, FunctionRef<int()> real) override { return real(); }
  void end() override { explored_.end(); }
  void ends_before_its_end(const std::string& how, bool fails) override {
    explored_.ends_before_its_end(how, fails);
  }

 protected:
  [[nodiscard]] std::optional<Aim> take(const Receiving& receiving, bool polls) override;
  [[nodiscard]] bool poll(const char* call, int count, const MPI_Request* requests) override;
  [[nodiscard]] std::optional<int> choose(const char* call, int count, const MPI_Request* requests,
                                          bool polls) override;
  [[nodiscard]] Chosen choose_some(const char* call, int count, const MPI_Request* requests,
                                   bool polls) override;
  [[nodiscard]] int finish(const char* call, MPI_Request* request, MPI_Status* status) override;
  [[nodiscard]] int ask(const Receiving& receiving, const Aim& aim, MPI_Status* status,
                        FunctionRef<int(int, int, MPI_Status*)> real) override;
  [[nodiscard]] int look(const Receiving& receiving, const Aim& aim, MPI_Status* status) override;
  [[nodiscard]] int take_out(const Receiving& receiving, const Aim& aim, MPI_Message* message,
                             TakenMessage& taken, MPI_Status* status) override;
  void accept_taken(const TakenMessage& taken) override;

 private:
  /// A window as one of its processes sees it.
  struct Window {
    std::string name;
    std::vector<int> others = {};      ///< its processes, by their ranks in the world
    std::int32_t meetings = 0;         ///< of all of them
    std::vector<int> accessed = {};    ///< the ranks of `MPI_Win_start`
    std::vector<int> exposed_to = {};  ///< the ranks of `MPI_Win_post`
    std::map<std::pair<std::string, int>, std::int32_t> told = {}, heard = {};  ///< so often
  };

  [[nodiscard]] Aim begin(int source, int tag);
  [[nodiscard]] bool is_over(const char* call, MPI_Request handle);
  [[nodiscard]] std::optional<int> ask_which(const char* call, int count,
                                             const MPI_Request* requests, bool polls);
  [[nodiscard]] Window* find(MPI_Win window);
  [[nodiscard]] static Meeting meeting_at(Window& window, std::string_view call);
  void tell_each(Window& window, const std::string& what, const std::vector<int>& ranks);
  void hear_each(Window& window, const std::string& what, const char* call, std::vector<int>& ranks,
                 bool polls);

  ExploredProcess explored_;
  std::uint64_t looks_ = 0;  // at clocks
  std::map<std::uint64_t, Window> windows_;
  std::map<const Communicator*, std::int32_t> made_windows_;
};

}  // namespace lightcone::mpi
