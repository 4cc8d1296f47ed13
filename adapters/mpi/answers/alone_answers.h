// A journal with contents answers a process that runs alone: no other process, no network.
#pragma once

#include "answers/journal_answers.h"
#include "answers/stand_ins.h"

namespace lightcone::mpi {

/// Asks the MPI for nothing that concerns others. What is sent goes nowhere, what is received comes
/// from the journal. The MPI is one of a single process, for datatypes and the like.
class AloneAnswers final : public JournalAnswers {
 public:
  AloneAnswers(MpiProcess& rank, MpiReplayer& journal);
  /// What the journal says of the beginning.
  struct Beginning {
    int size = 1;     ///< of the world
    std::string mpi;  ///< the one that was recorded with
  };
  [[nodiscard]] static Prompted<Beginning> read_beginning(MpiReplayer& journal);

  int send(const Sending& sending, MPI_Request* request, FunctionRef<int()> real,
           FunctionRef<int()> synchronous) override;
  [[nodiscard]] std::optional<int> send_beside(const Sending& sending) override;
  [[nodiscard]] int peer_of_made(int) const override { return MPI_PROC_NULL; }

  int begin_receive(const Receiving& receiving, MPI_Request* request,
                    FunctionRef<int(int, int, MPI_Request*)> real) override;
  int start_receive(Request& request, MPI_Request* handle) override;
  int receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                    MPI_Message* message, MPI_Status* status, bool& is_still_there,
                    FunctionRef<int(MPI_Status*)> real) override;
  int begin_receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                          MPI_Message* message, MPI_Request* request,
                          FunctionRef<int()> real) override;
  int get_status(const char* call, MPI_Request request, int* flag, MPI_Status* status) override;
  void will_free(MPI_Comm) override {}
  int wait(const char* call, MPI_Request* request, MPI_Status* status) override;
  int wait_all(const char* call, int count, MPI_Request* requests, MPI_Status* statuses) override;
  int test_all(const char* call, int count, MPI_Request* requests, int* flag,
               MPI_Status* statuses) override;

  int meet(const Collective& collective, ResultPlaces results, FunctionRef<int()> real) override;
  int begin_meeting(Request& made, ResultPlaces results, MPI_Request* request,
                    FunctionRef<int()> real) override;
  int make(const Collective* collective, const char* call, MPI_Comm parent, MPI_Comm* made,
           CommunicatorFacts& facts, FunctionRef<int()> real) override;
  int meet_neighbours(const char* call, ResultPlaces results, FunctionRef<int()> real) override;
  int begin_neighbours(Request& made, ResultPlaces results, MPI_Request* request,
                       FunctionRef<int()> real) override;

  int make_window(const char* call, MPI_Comm comm, MPI_Win* window,
                  FunctionRef<int()> real) override;
  int free_window(const char* call, MPI_Win* window, FunctionRef<int()> real) override;
  int synchronise(const char* call, MPI_Win window, MPI_Group group,
                  FunctionRef<int()> real) override;
  int test_window(const char* call, MPI_Win window, int* flag) override;
  int access(FunctionRef<int()>) override { return MPI_SUCCESS; }
  int begin_access(MPI_Request* request, FunctionRef<int()> real) override;
  int begin_fetch(Request& made, MPI_Request* request, FunctionRef<int()> real) override;

  int tell(const char* call, std::string& text, FunctionRef<int()> real) override;
  void note_not_alone(const char* call) override;
  [[nodiscard]] StandIns* stand_ins() override { return &stand_ins_; }

 protected:
  [[nodiscard]] int finish(const char* call, MPI_Request* request, MPI_Status* status) override;
  [[nodiscard]] int ask(const Receiving& receiving, const Aim& aim, MPI_Status* status,
                        FunctionRef<int(int, int, MPI_Status*)> real) override;
  [[nodiscard]] int look(const Receiving& receiving, const Aim& aim, MPI_Status* status) override;
  [[nodiscard]] int take_out(const Receiving& receiving, const Aim& aim, MPI_Message* message,
                             TakenMessage& taken, MPI_Status* status) override;
  void pass_poll() override {}
  void finish_failed(const char* call, const std::vector<MPI_Request*>& requests,
                     const std::string& ends, std::vector<MPI_Status>& statuses) override;

 private:
  struct Window {
    std::uint64_t key = 0, number = 0;
    char* base = nullptr;
    std::size_t size = 0;
  };
  /// Gives a message to a buffer. Returns the error that the receive had.
  [[nodiscard]] int deliver(const char* call, const Buffer& buffer, const Channel& from,
                            MPI_Status* status);
  void deliver(const char* call, Request& request);
  /// Gives results to their places. Returns the error that the operation had.
  [[nodiscard]] int give_results(const char* call, const std::vector<Buffer>& places);
  /// The result of a call that gave nothing else.
  [[nodiscard]] int recorded_result(const char* call, MPI_Comm comm);
  void change_windows();
  void add_window(MPI_Win window);
  [[nodiscard]] MPI_Comm comm_of(const Communicator* communicator) const;
  [[nodiscard]] int fail(MPI_Comm comm, int error) const;
  [[noreturn]] void cannot_fit(const char* call, std::size_t bytes);

  StandIns stand_ins_;
  bool is_quiet_ = false;  // no error handler is called
  std::vector<Window> windows_;
  std::uint64_t made_windows_ = 0;
};

}  // namespace lightcone::mpi
