// The inside of a simulated network: which processes wait, what is in transit, what happens next.
#pragma once

#include <lightcone/explore/search/named_exploration.h>
#include <lightcone/live/process/surroundings.h>
#include <lightcone/live/simulation/chooser.h>
#include <lightcone/live/simulation/fiber.h>
#include <lightcone/live/simulation/process_random.h>
#include <lightcone/live/simulation/simulated_moment.h>
#include <lightcone/simulation.h>

#include <deque>
#include <map>
#include <queue>
#include <set>
#include <span>

namespace lightcone {

class SimulatedNetwork::Simulation {
 public:
  explicit Simulation(SimulationOptions options);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void spawn(std::string name, std::function<void()> body);
  SimulationOutcome run();
  void send(std::string_view to, Parcel parcel);
  /// Waits for a parcel in a mailbox, if any, and for so long, if a time is given. Sleeping is
  /// waiting for no mailbox; polling is waiting for a short time.
  std::optional<Parcel> wait(std::optional<std::string_view> mailbox,
                             std::optional<SimulatedTime> patience,
                             const std::source_location& where);
  void close();
  [[nodiscard]] const SimulationOptions& options() const { return options_; }
  [[nodiscard]] SimulatedTime now() const { return now_; }
  [[nodiscard]] std::string_view self() const;
  [[nodiscard]] PortableRandom& random();
  [[nodiscard]] std::uint32_t choose(std::uint32_t alternatives);

 private:
  /// The simulation as the surroundings of its processes.
  class Inside final : public Surroundings {
   public:
    explicit Inside(Simulation& simulation) : simulation_(simulation) {}
    [[nodiscard]] Expected<std::optional<RunOrders>> orders() override;
    [[nodiscard]] std::uint64_t now() override;
    [[nodiscard]] std::uint64_t random() override;
    [[nodiscard]] std::uint64_t choose(std::uint64_t alternatives) override;
    void stand_still(const std::string& why) override;
    void leave() override;
    [[nodiscard]] bool is_stopping() override;

   private:
    Simulation& simulation_;
  };
  struct Member;
  /// A parcel under way, or waiting to be taken.
  struct InTransit {
    Parcel parcel;
    const Member* sender = nullptr;  ///< none: from outside
    std::uint64_t number = 0;        ///< among its sender's
    bool copy = false;
  };
  struct Mailbox {
    std::string name;
    std::uint32_t id = 0;  ///< in an exploration
    std::map<SimulatedMoment, InTransit> parcels = {};
    std::deque<Member*> waiting = {};
    std::map<std::uint64_t, SimulatedMoment> last = {};  ///< FIFO: of each sender, by its index
  };
  struct Wait {
    Mailbox* mailbox = nullptr;
    std::optional<SimulatedMoment> deadline = {};
    SimulatedTime since = {};
    std::source_location where = {};
  };
  /// A process.
  struct Member {
    std::string name;
    std::uint64_t index = 0;  ///< in the order of spawning, from 1; 0 is the outside
    std::uint32_t id = 0;     ///< in an exploration
    SimulatedTime time = {};  ///< in an exploration: its own
    std::function<void()> body = {};
    std::unique_ptr<Fiber> fiber = {};
    std::optional<Wait> wait = {};
    std::optional<Parcel> given = {};  ///< what ended the wait
    std::optional<PortableRandom> random = {};
    std::uint64_t actions = 0, sent = 0, crash_at = 0;
    std::uint32_t ignored = 0;  ///< how often it did not heed that it was stopped
    bool stopped = false, ended = false;
  };
  /// What may happen next: to a process, with a parcel from the mailbox or without.
  struct Event {
    SimulatedMoment moment;
    Member* member = nullptr;
    Mailbox* mailbox = nullptr;
    [[nodiscard]] bool operator>(const Event& other) const { return moment > other.moment; }
  };
  enum class Fate : std::uint8_t { arrives, lost, doubled };

  [[nodiscard]] Mailbox& mailbox(std::string_view name);
  [[nodiscard]] SimulatedMoment moment(SimulatedTime time);
  [[nodiscard]] SimulatedTime draw_delay();

  [[nodiscard]] bool begin_action(Member& member);
  void stop(Member& member);
  void live(Member& member);
  void resume(Member& member);
  void end_with(SimulationOutcome::End end);

  [[nodiscard]] Fate fate(const Parcel& parcel, std::uint64_t number);
  [[nodiscard]] Fate choose_fate(const Parcel& parcel, std::uint64_t number);
  [[nodiscard]] bool is_drawn() const;
  [[nodiscard]] std::optional<std::size_t> decide(OpenChoice::Kind kind,
                                                  std::span<const Alternative> alternatives);
  void post(Mailbox& to, InTransit parcel);

  void set_deadline(Member& member, SimulatedTime time);
  void release(Mailbox& mailbox);
  [[nodiscard]] std::optional<Parcel> suspend(Member& member);

  [[nodiscard]] std::optional<Event> next_event();
  [[nodiscard]] std::optional<Event> earliest_event();
  [[nodiscard]] std::optional<Event> chosen_event();
  [[nodiscard]] std::optional<Event> explored_event();
  void add_alternatives(Member& member);
  void happen(const Event& event);
  [[nodiscard]] Parcel take(Mailbox& from, const SimulatedMoment& moment);
  void tell_end();
  void unwind();

  SimulationOptions options_;
  Inside inside_{*this};
  PortableRandom random_;
  std::uint64_t loss_, loss_or_doubling_;  ///< thresholds
  std::deque<Member> members_;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, Mailbox, std::less<>> mailboxes_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;  ///< unless chosen
  std::vector<Alternative> alternatives_;
  std::vector<Event> chosen_from_;  ///< the events of these alternatives
  std::vector<Member*> explored_;   ///< by their numbers in an exploration
  Member* running_ = nullptr;
  SimulatedTime now_ = {}, closed_at_ = {};
  std::uint64_t numbers_ = 0, outside_sent_ = 0;
  bool closed_ = false, ended_ = false;
  SimulationOutcome outcome_;
};

}  // namespace lightcone
