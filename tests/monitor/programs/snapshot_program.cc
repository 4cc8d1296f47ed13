// A program of three processes that report to a monitor, and that tests take snapshots of.
//
// snapshot_program MODE MONITOR_PORT[,MONITOR_PORT]... FOLDER [TOKEN]
//   terminates   a token goes round some times, then all are idle
//   deadlocks    then each waits for the next one, which waits, too; a message to `a` is not taken
//   runs         the token goes round forever
//   silent       as `terminates`, but c saves its state and never comes to where it could
//   untold       as `terminates`, but c does not tell whether it waits
//   holds        as `terminates`, but c has taken a message where it waits, and goes no further
//   ends         as `terminates`, and c has ended
// They report to the monitors in turn. The process numbers of the three go to FOLDER/pids.
#include <lightcone/process.h>
#include <lightcone/snapshot.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tcp/tcp_mailbox.h"

namespace {

using lightcone::Awaited;

const std::vector<std::string> names = {"a", "b", "c"};
constexpr int rounds = 5;

void expect(const lightcone::Expected<void>& done) {
  if (done) return;
  std::cerr << done.error().text() << "\n";
  std::exit(1);
}

struct Orders {
  std::string mode, ports, folder, token;

  /// Where one of the processes reports to.
  [[nodiscard]] std::string port_of(std::size_t place) const {
    std::vector<std::string> all;
    std::istringstream list(ports);
    for (std::string port; std::getline(list, port, ',');) all.push_back(port);
    return all[place % all.size()];
  }
};

/// One of the three.
class Member {
 public:
  Member(std::size_t place, tcp::Mailbox& mailbox, const Orders& orders)
      : name_(names[place]),
        next_(names[(place + 1) % names.size()]),
        mode_(orders.mode),
        mailbox_(mailbox) {
    lightcone::ProcessOptions options;
    options.name = name_;
    options.members = names;
    options.report_to = "127.0.0.1:" + orders.port_of(place);
    options.report_execution = "ring";
    options.report_token = orders.token;
    options.on_error = [](const lightcone::Error& error) { std::cerr << error.text() << '\n'; };
    if (mode_ != "holds") options.save = [this] { return "seen " + std::to_string(seen_); };
    if (mode_ != "untold" || name_ != "c") options.waits_for = [this] { return awaited_; };
    process_ = lightcone::Process::start(options, {.variables = {{"seen", seen_}}}).value();
  }

  void live() {
    if (name_ == "a") send(next_, "token");
    awaited_ = {Awaited::For::any, names};
    while (mode_ == "runs" || seen_ < rounds) {
      take();
      if (name_ != "a" || mode_ == "runs" || seen_ < rounds) send(next_, "token");
    }
    if (mode_ == "ends" && name_ == "c") return;
    if (mode_ == "deadlocks") return wait_for_next();
    if (mode_ == "holds" && name_ == "a") send("c", "more");
    if (mode_ == "holds" && name_ == "c") hold();
    if (mode_ == "silent" && name_ == "c") std::this_thread::sleep_for(std::chrono::hours(1));
    awaited_ = {Awaited::For::idle, {}};
    for (;;) take();
  }

 private:
  void send(const std::string& to, const char* text) { expect(mailbox_.send(*process_, to, text)); }
  void take() {
    auto parcel = mailbox_.take(*process_);
    if (!parcel) std::exit(0);  // the others have gone
    ++seen_;
    process_->receive(std::move(parcel->taken), {.variables = {{"seen", seen_}}});
    if (mode_ == "runs") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void hold() {
    awaited_ = {Awaited::For::idle, {}};
    const lightcone::MessageWait wait(*process_);
    const auto parcel = mailbox_.take(*process_);
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
  /// It takes nothing any more, as a program that only reads the replies it needs.
  void wait_for_next() {
    if (name_ == "c") send("a", "unwanted");
    awaited_ = {Awaited::For::all, {next_}};
    const lightcone::MessageWait wait(*process_);
    std::this_thread::sleep_for(std::chrono::hours(1));
  }

  std::string name_, next_, mode_;
  tcp::Mailbox& mailbox_;
  std::int64_t seen_ = 0;
  Awaited awaited_;
  std::unique_ptr<lightcone::Process> process_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  const Orders orders{words[1], words[2], words[3], count > 4 ? words[4] : ""};
  std::vector<tcp::Mailbox> mailboxes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    mailboxes.push_back(std::move(tcp::Mailbox::listen().value()));
  }
  std::ofstream numbers(orders.folder + "/pids");
  for (std::size_t place = 0; place < names.size(); ++place) {
    const int child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (i != place) expect(mailboxes[place].connect(names[i], mailboxes[i].port()));
      }
      mailboxes[place].expect_peers(names.size() - 1);
      Member(place, mailboxes[place], orders).live();
      return 0;
    }
    numbers << child << std::endl;
  }
  while (::wait(nullptr) > 0) {
  }
}
