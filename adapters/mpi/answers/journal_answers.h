// A journal answers: the process takes the messages that it took when it was recorded.
#pragma once

#include "answers/early_messages.h"
#include "answers/known_answers.h"

namespace lightcone::mpi {

/// Asks the MPI for the messages that a journal names. All other processes replay, too.
class JournalAnswers : public KnownAnswers {
 public:
  /// `standings`: what the processes of this host say of themselves; null if that is not known.
  JournalAnswers(MpiProcess& rank, MpiReplayer& journal, Standings* standings);

  int send(const Sending& sending, MPI_Request* request, FunctionRef<int()> real,
           FunctionRef<int()> synchronous) override;
  int start_send(const char* call, Request& request, MPI_Request* handle) override;
  [[nodiscard]] std::optional<int> send_beside(const Sending& sending) override;
  void end_beside(const Sending&) override {}
  [[nodiscard]] SentMessage begun_beside(const Sending&) override { return {}; }
  [[nodiscard]] int peer_of_made(int rank) const override { return rank; }

  int begin_receive(const Receiving& receiving, MPI_Request* request,
                    FunctionRef<int(int, int, MPI_Request*)> real) override;
  int start_receive(Request& request, MPI_Request* handle) override;
  int receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                    MPI_Message* message, MPI_Status* status, bool& is_still_there,
                    FunctionRef<int(MPI_Status*)> real) override;
  int begin_receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                          MPI_Message* message, MPI_Request* request,
                          FunctionRef<int()> real) override;
  int start_again(const Request& request, FunctionRef<int()> real) override;
  int cancel(Request& request, FunctionRef<int()> real) override;
  int free_request(Request& request, MPI_Request* handle, FunctionRef<int()> real) override;
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
  [[nodiscard]] bool keeps_more() override;
  [[nodiscard]] bool are_old() const override { return journal_.is_old(); }
  int tell(const char* call, std::string& text, FunctionRef<int()> real) override;
  [[nodiscard]] bool accepts_unrecorded() const override { return true; }

 protected:
  [[nodiscard]] std::optional<Aim> take(const Receiving& receiving, bool polls) override;
  [[nodiscard]] bool was_refused() override { return journal_.refused(); }
  [[nodiscard]] std::optional<std::string> how_it_fails() override {
    return journal_.how_it_failed();
  }
  void finish_failed(const char* call, const std::vector<MPI_Request*>& requests,
                     const std::string& ends, std::vector<MPI_Status>& statuses) override;
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
  /// A poll finds nothing. There are as many as were recorded, and none of them needs the MPI, so
  /// that few let it move, and now and then others get the core.
  virtual void pass_poll();

  [[nodiscard]] Aim aim(int source, int tag);
  /// The same for a receive that is not waited for yet.
  [[nodiscard]] Aim begun_aim(int source, int tag);
  /// A receive that got no message is over once it is cancelled.
  void end_without_message(Request& request, MPI_Request* handle, MPI_Status* status);
  [[nodiscard]] bool poll(const char* call);

  MpiReplayer& journal_;

 private:
  using Early = std::shared_ptr<EarlyMessage>;
  /// Returns whether the message that a receive gets was taken early; else the MPI is to be asked.
  /// `waits`: until it has come.
  [[nodiscard]] bool is_early(const Receiving& receiving, const Aim& aim, bool waits);
  /// The same message, taken out; else null.
  [[nodiscard]] Early take_early(const Receiving& receiving, const Aim& aim, bool waits);
  /// Puts an early message where the program wants it, and sends what the call sends.
  [[nodiscard]] int give(const Receiving& receiving, const Aim& aim, EarlyMessage& early,
                         MPI_Status* status, FunctionRef<int(int, int, MPI_Status*)> real);
  [[nodiscard]] int begin_early(const Receiving& receiving, const Aim& aim, const Early& early,
                                MPI_Request* request,
                                FunctionRef<int(int, int, MPI_Request*)> real);
  [[nodiscard]] int finish_early(const char* call, Request& request, MPI_Request* handle,
                                 MPI_Status* status);
  /// Others copy no messages of this process any more, once it has made such a call.
  void note_synchronous(std::string_view call);

  std::optional<EarlyMessages> early_;
  std::optional<bool> keeps_more_;
  std::uint64_t polls_in_a_row_ = 0;  // that found nothing
};

}  // namespace lightcone::mpi
