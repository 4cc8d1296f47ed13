// The world answers: the MPI does what the program asks for, and a recorder keeps what it said.
#pragma once

#include <lightcone/run/answers/polling_clock.h>

#include <map>
#include <set>

#include "answers/answers.h"

namespace lightcone::mpi {

class MpiProcess;

/// Makes the calls as they are.
class WorldAnswers final : public Answers {
 public:
  explicit WorldAnswers(MpiProcess& rank) : rank_(rank) {}

  int send(const Sending& sending, MPI_Request* request, FunctionRef<int()> real,
           FunctionRef<int()> synchronous) override;
  int start_send(const char* call, Request& request, MPI_Request* handle) override;
  [[nodiscard]] std::optional<int> send_beside(const Sending& sending) override;
  void end_beside(const Sending&) override {}
  [[nodiscard]] SentMessage begun_beside(const Sending&) override { return {}; }
  [[nodiscard]] int peer_of_made(int rank) const override { return rank; }

  int receive(const Receiving& receiving, MPI_Status* status,
              FunctionRef<int(int, int, MPI_Status*)> real) override;
  int begin_receive(const Receiving& receiving, MPI_Request* request,
                    FunctionRef<int(int, int, MPI_Request*)> real) override;
  int start_receive(Request& request, MPI_Request* handle) override;
  int probe(const Receiving& receiving, MPI_Status* status) override;
  int poll_probe(const Receiving& receiving, int* flag, MPI_Status* status) override;
  int take_probe(const Receiving& receiving, MPI_Message* message, TakenMessage& taken,
                 MPI_Status* status) override;
  int poll_take_probe(const Receiving& receiving, int* flag, MPI_Message* message,
                      TakenMessage& taken, MPI_Status* status) override;
  int receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                    MPI_Message* message, MPI_Status* status, bool& is_still_there,
                    FunctionRef<int(MPI_Status*)> real) override;
  int begin_receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                          MPI_Message* message, MPI_Request* request,
                          FunctionRef<int()> real) override;
  int start_again(const Request&, FunctionRef<int()> real) override { return real(); }
  int cancel(Request& request, FunctionRef<int()> real) override;
  int free_request(Request& request, MPI_Request* handle, FunctionRef<int()> real) override;

  int wait(const char* call, MPI_Request* request, MPI_Status* status) override;
  int wait_all(const char* call, int count, MPI_Request* requests, MPI_Status* statuses) override;
  int wait_any(const char* call, int count, MPI_Request* requests, int* index,
               MPI_Status* status) override;
  int wait_some(const char* call, int count, MPI_Request* requests, int* outcount, int* indices,
                MPI_Status* statuses) override;
  int test(const char* call, MPI_Request* request, int* flag, MPI_Status* status) override;
  int test_all(const char* call, int count, MPI_Request* requests, int* flag,
               MPI_Status* statuses) override;
  int test_any(const char* call, int count, MPI_Request* requests, int* index, int* flag,
               MPI_Status* status) override;
  int test_some(const char* call, int count, MPI_Request* requests, int* outcount, int* indices,
                MPI_Status* statuses) override;
  int get_status(const char* call, MPI_Request request, int* flag, MPI_Status* status) override;

  int meet(const Collective& collective, ResultPlaces results, FunctionRef<int()> real) override;
  int begin_meeting(Request& made, ResultPlaces results, MPI_Request* request,
                    FunctionRef<int()> real) override;
  int make(const Collective* collective, const char* call, MPI_Comm parent, MPI_Comm* made,
           CommunicatorFacts& facts, FunctionRef<int()> real) override;
  void begin_making(Request&) override {}
  int meet_neighbours(const char* call, ResultPlaces results, FunctionRef<int()> real) override;
  int begin_neighbours(Request& made, ResultPlaces results, MPI_Request* request,
                       FunctionRef<int()> real) override;

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
  int tell(const char* call, std::string& text, FunctionRef<int()> real) override;
  void note_not_alone(const char* call) override;
  void look_after() override;

 private:
  [[nodiscard]] const std::shared_ptr<Receive>& begin(int source, int tag);
  /// Ends a program whose call gets a status that cannot be recorded.
  void refuse_wrong_status(const Receiving& receiving) const;
  int receive_next(const Receiving& receiving, MPI_Status* status,
                   FunctionRef<int(int, int, MPI_Status*)> real);
  void name(Receive& receive);
  void keep_places(Request& request, std::vector<Buffer> places);
  /// What others have changed in windows is visible from here on.
  void note_windows();
  void enter_completion(int result, FunctionRef<std::string()> ends);

  MpiProcess& rank_;
  std::map<int, PollingClock> clocks_;
  std::uint64_t completions_ = 0;  // calls that completed several requests
  std::set<std::string> noted_;    // calls that cannot be answered alone
};

}  // namespace lightcone::mpi
