// One global property of a computation that is still growing.
#pragma once

#include <lightcone/check/global_answers.h>
#include <lightcone/check/growing/conjunctions.h>
#include <lightcone/lattice/monitor/definitely_monitor.h>
#include <lightcone/lattice/monitor/possibly_monitor.h>
#include <lightcone/lattice/monitor/properly_monitor.h>
#include <lightcone/property/states/global_reads.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lightcone {

/// Follows the values that a global property reads, and decides it as early as it is certain.
///
/// What a monitor can decide is decided by one as soon as the processes that the property reads are
/// known and have all said something: `possibly` of a choice of conjunctions of local predicates,
/// `definitely` of a conjunction, any `properly`. A monitor forgets what cannot matter any more.
/// For all other properties, the events that change what is read are kept, and decided on at the
/// end; `possibly` also whenever there are twice as many of them as before.
class GrowingGlobal {
 public:
  /// How many events of each process a process knows of now; entries that are not there are 0.
  using ClockOf = std::function<std::span<const Rank>(ProcessIndex)>;

  /// The arguments must outlive this.
  GrowingGlobal(const Properties& properties, const Global& global, const Names& names,
                const GlobalEffort& effort, ClockOf clock_of);

  /// One more process; they are numbered in order.
  void add_process(std::string_view name);
  /// The processes so far are all there are, as the trace says. If the property reads another one
  /// that comes nevertheless, the answer is not known.
  void close() { is_closed_ = true; }

  void start(ProcessIndex process, const StateContent& initial);
  /// The next event of a process, with how many events of each process its past has. Events come in
  /// a causal order.
  void step(ProcessIndex process, Rank rank, const StateContent& state,
            std::span<const Rank> clock);
  /// No event follows, and all processes have started. If something was lost, only what was found
  /// is certain.
  void finish(bool is_incomplete);

  /// What is known so far, without an observation.
  [[nodiscard]] const Decision& decision() const { return decision_; }
  /// Returns whether the answer cannot change any more, and is certain if no process is missing.
  [[nodiscard]] bool is_decided() const { return decision_.found.has_value(); }
  [[nodiscard]] const Global& global() const { return global_; }
  [[nodiscard]] const LocalExpressions& expressions() const { return reads_.local(); }
  /// Returns whether one more process could make what was found untrue.
  [[nodiscard]] bool needs_all_processes() const;
  /// Returns about how much memory it takes.
  [[nodiscard]] std::size_t bytes() const;
  /// Returns whether it reads anything of this process.
  [[nodiscard]] bool reads(ProcessIndex process) const {
    return !chains_[process].reader.reads().empty();
  }

 private:
  /// An event that changes what is read.
  struct Change {
    Rank rank = 0;
    Cut clock = {};  // empty where it cannot be asked for any more
  };
  /// Those of one process.
  struct Chain {
    explicit Chain(const GlobalReads& reads, std::string_view process)
        : name(process), reader(reads, process) {}
    std::string name;
    StateReader reader;
    bool has_started = false;
    std::vector<Datum> initial = {};
    std::uint32_t forgotten = 0;  // so many changes came before these
    std::deque<Change> changes = {};
  };
  /// A change, to be told to a monitor or kept to the end.
  struct Arrival {
    ProcessIndex process = 0;
    Cut timestamp = {};  // in changes, of all processes known then
    std::vector<Datum> values = {};
  };
  /// A monitor, and what it watches.
  template <class M>
  struct Watched {
    Conjunction conjunction = {};              // not of `properly`
    std::vector<ProcessIndex> processes = {};  // that it reads, in order
    std::unique_ptr<M> monitor = {};
  };
  using Values = std::vector<Datum>;
  using Possibly = std::vector<Watched<PossiblyMonitor>>;
  using Definitely = std::vector<Watched<DefinitelyMonitor>>;      // one
  using Properly = std::vector<Watched<ProperlyMonitor<Values>>>;  // one

  void bind();
  [[nodiscard]] bool has_all_started() const;
  [[nodiscard]] bool knows_processes() const;
  void watch_if_possible();
  [[nodiscard]] bool make_monitors();
  template <class M>
  [[nodiscard]] std::vector<Watched<M>> monitors_of(std::vector<Conjunction> conjunctions);
  [[nodiscard]] Properly properly_monitor();
  [[nodiscard]] bool predicate_holds(std::span<const Values> values,
                                     std::span<const ProcessIndex> processes) const;
  void tell(const Arrival& arrival);
  template <class M>
  void tell(const Arrival& arrival, std::vector<Watched<M>>& monitors);
  void look_at_monitors();
  void end_monitors();
  [[nodiscard]] bool holds(const Conjunction& conjunction, ProcessIndex process) const;
  [[nodiscard]] Cut timestamp(std::span<const Rank> clock) const;
  [[nodiscard]] std::vector<Rank> ranks_of(std::span<const ProcessIndex> processes,
                                           std::span<const Rank> cut) const;
  [[nodiscard]] Decision decision_on_kept(const Limits& limits);
  void try_kept();
  void settle(Decision decision);
  void forget_some();
  void forget_clocks();
  void forget_known();

  const Global& global_;
  GlobalEffort effort_;
  ClockOf clock_of_;
  GlobalReads reads_;
  std::optional<std::vector<std::string>> only_;  // the processes that can be read at all
  std::deque<Chain> chains_;
  std::vector<Arrival> kept_;  // until a monitor is there
  bool is_closed_ = false;
  bool is_watched_ = false;
  bool cannot_be_watched_ = false;
  std::string latecomer_;  // a process that came when monitors had begun

  Term term_;
  std::vector<GlobalReads::Column> columns_;
  std::vector<std::vector<std::uint32_t>> columns_of_;  // by process, in the order of its reads
  std::vector<Datum> now_;                              // by column
  std::variant<std::monostate, Possibly, Definitely, Properly> monitors_;
  std::vector<std::vector<std::uint32_t>> monitors_of_;  // by process: which read it
  std::size_t changes_ = 0, most_changes_ = 1024;        // before some are forgotten
  std::size_t next_trial_ = 64;                          // kept changes before the next trial
  Decision decision_;
};

}  // namespace lightcone
