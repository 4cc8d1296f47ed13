// Answers that are known before the MPI is asked: a journal or a controller has decided.
#pragma once

#include <lightcone/run/answers/mpi_replayer.h>

#include "answers/answers.h"

namespace lightcone::mpi {

class MpiProcess;

/// First it is decided what a call finds, then the MPI is asked for just that.
class KnownAnswers : public Answers {
 public:
  int receive(const Receiving& receiving, MPI_Status* status,
              FunctionRef<int(int, int, MPI_Status*)> real) override;
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

  /// Requests that are open need the communicator: a receive may begin when its message is known.
  void will_free(MPI_Comm comm) override;

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

 protected:
  explicit KnownAnswers(MpiProcess& rank) : rank_(rank) {}

  /// What a receive or probe that begins is to ask the MPI for.
  struct Aim {
    std::shared_ptr<Receive> receive;
    int source = 0, tag = 0;  ///< as the MPI has them
    MpiReplayer::Match::What what = MpiReplayer::Match::What::message;
  };
  /// Requests that are complete: none, if none of those that were asked for can be.
  using Chosen = std::optional<std::vector<int>>;

  /// Decides which message a receive or probe gets; a poll may find none.
  [[nodiscard]] virtual std::optional<Aim> take(const Receiving& receiving, bool polls) = 0;
  /// Returns whether the MPI refused the call, and will do so again.
  [[nodiscard]] virtual bool was_refused() { return false; }
  /// Returns how the next call that completes several requests fails: a byte for each of them, 1 if
  /// it is complete; nothing if it does not fail, or if that is not known.
  [[nodiscard]] virtual std::optional<std::string> how_it_fails() { return std::nullopt; }
  /// Completes those of the requests that such a call completed. Each status has its error.
  virtual void finish_failed(const char* call, const std::vector<MPI_Request*>& requests,
                             const std::string& ends, std::vector<MPI_Status>& statuses);
  /// Decides whether all of these requests are over.
  [[nodiscard]] virtual bool poll(const char* call, int count, const MPI_Request* requests) = 0;
  /// Decides which one is over; `count`: none can be. A poll may find none.
  [[nodiscard]] virtual std::optional<int> choose(const char* call, int count,
                                                  const MPI_Request* requests, bool polls) = 0;
  /// Decides which are over; a poll may find none, which is an empty list.
  [[nodiscard]] virtual Chosen choose_some(const char* call, int count, const MPI_Request* requests,
                                           bool polls) = 0;

  /// Waits for one request, whatever stands in for it.
  [[nodiscard]] virtual int finish(const char* call, MPI_Request* request, MPI_Status* status) = 0;
  /// Asks for the message that was decided on, by a call that takes its source and tag.
  [[nodiscard]] virtual int ask(const Receiving& receiving, const Aim& aim, MPI_Status* status,
                                FunctionRef<int(int, int, MPI_Status*)> real) = 0;
  /// The same for a probe that leaves the message there, and for one that takes it out.
  [[nodiscard]] virtual int look(const Receiving& receiving, const Aim& aim,
                                 MPI_Status* status) = 0;
  [[nodiscard]] virtual int take_out(const Receiving& receiving, const Aim& aim,
                                     MPI_Message* message, TakenMessage& taken,
                                     MPI_Status* status) = 0;
  /// A message that a probe took is received.
  virtual void accept_taken(const TakenMessage&) {}

  MpiProcess& rank_;

 private:
  /// A communicator that the program has given up. The request keeps it.
  struct GivenUp {
    const Communicator* communicator = nullptr;
    MPI_Request reference = MPI_REQUEST_NULL;
  };
  [[nodiscard]] int look_at(const Receiving& receiving, const Aim& aim, MPI_Status* status);
  [[nodiscard]] int take_out_at(const Receiving& receiving, const Aim& aim, MPI_Message* message,
                                TakenMessage& taken, MPI_Status* status);
  template <class IndexOf>
  [[nodiscard]] int finish_each(const char* call, int count, MPI_Request* requests,
                                MPI_Status* statuses, IndexOf index_of);
  [[nodiscard]] int complete_all(const char* call, int count, MPI_Request* requests,
                                 MPI_Status* statuses, const std::optional<std::string>& ends);
  template <class IndexOf>
  [[nodiscard]] int fail_each(const char* call, MPI_Request* requests, MPI_Status* statuses,
                              IndexOf index_of, const std::string& ends);
  [[nodiscard]] int finish_chosen(const char* call, int count, MPI_Request* requests, int which,
                                  int* index, MPI_Status* status);
  [[nodiscard]] int finish_some(const char* call, const Chosen& chosen, MPI_Request* requests,
                                int* outcount, int* indices, MPI_Status* statuses);

  std::vector<GivenUp> given_up_;
};

}  // namespace lightcone::mpi
