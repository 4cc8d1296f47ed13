// Races, by comparing one entry of the send's timestamp with the rank of an earlier receive.
#include <lightcone/causal/races/races.h>

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/races/earlier_receptions.h>

#include <algorithm>
#include <span>
#include <unordered_map>

namespace lightcone {
namespace {

/// Calls `visit(p, known)` for these processes until it returns false, where `known(e)` is the rank
/// of the last event of p in the past of e. Returns whether all were visited.
template <typename Visit>
bool for_each_known(const Computation& computation, std::span<const ProcessIndex> processes,
                    const Progress& progress, const Visit& visit) {
  const std::size_t width = columns_at_a_time(computation, default_timestamp_bytes);
  std::vector<std::uint32_t> column_of(computation.process_count(), none);
  for (std::size_t first = 0; first < processes.size(); first += width) {
    if (progress) progress("computing timestamps", first, processes.size());
    const auto some = processes.subspan(first, std::min(width, processes.size() - first));
    const auto columns = static_cast<std::uint32_t>(some.size());
    for (std::uint32_t c = 0; c < columns; ++c) column_of[some[c]] = c;
    const TimestampTable table = timestamp_table(computation, columns, column_of);
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (!visit(some[c], [&](EventIndex e) { return table.row(e)[c]; })) return false;
    }
    for (const ProcessIndex p : some) column_of[p] = none;
  }
  return true;
}

[[nodiscard]] std::size_t receive_count(const Computation& computation, ProcessIndex p) {
  std::size_t count = 0;
  for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
    count += computation.takes(e).empty() ? 0 : 1;
  }
  return count;
}

/// The processes whose receives can race with each other.
[[nodiscard]] std::vector<ProcessIndex> with_two_receives(const Computation& computation) {
  std::vector<ProcessIndex> processes;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (receive_count(computation, p) > 1) processes.push_back(p);
  }
  return processes;
}

/// The processes with receives that could have taken one of these messages.
[[nodiscard]] std::vector<ProcessIndex> with_receives_and(
    const std::vector<std::vector<MessageIndex>>& missing, const Computation& computation) {
  std::vector<ProcessIndex> processes;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (!missing[p].empty() && receive_count(computation, p) > 0) processes.push_back(p);
  }
  return processes;
}

/// For each process the messages that it never received; other processes have empty lists.
[[nodiscard]] std::vector<std::vector<MessageIndex>> unreceived_by_process(
    const Computation& computation) {
  std::vector<std::vector<MessageIndex>> missing(computation.process_count());
  std::unordered_map<NameIndex, ProcessIndex> processes;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    processes.emplace(computation.names().find(computation.process_name(p)), p);
  }
  for (MessageIndex m = 0; m < computation.message_count(); ++m) {
    for (const NameIndex name : computation.to(computation.sent_by(m))) {
      const auto process = processes.find(name);
      if (process == processes.end()) continue;
      auto& here = missing[process->second];
      if (here.empty() || here.back() != m) here.push_back(m);  // a name may stand twice
    }
  }
  std::vector<bool> received(computation.message_count(), false);
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const auto mark = [&](bool value) {
      for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
        for (const MessageIndex m : computation.takes(e)) received[m] = value;
      }
    };
    mark(true);
    std::erase_if(missing[p], [&](MessageIndex m) { return received[m]; });
    mark(false);
  }
  return missing;
}

/// All receptions of a process.
[[nodiscard]] EarlierReceptions all_receptions(const Computation& computation,
                                               const Admission& admission, ProcessIndex p) {
  EarlierReceptions all(computation, admission);
  for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) all.add(e);
  return all;
}

}  // namespace

std::vector<Unreceived> unreceived_messages(const Computation& computation) {
  std::vector<Unreceived> all;
  const auto missing = unreceived_by_process(computation);
  for (ProcessIndex p = 0; p < missing.size(); ++p) {
    for (const MessageIndex m : missing[p]) all.push_back({p, m});
  }
  return all;
}

RacesOfReceivers::RacesOfReceivers(const Computation& computation)
    : computation_(computation),
      admission_(computation),
      missing_(unreceived_by_process(computation)) {}

template <typename Known>
void RacesOfReceivers::add_unreceived(ProcessIndex p, const Known& known,
                                      std::vector<Unreceived>& racing) const {
  if (missing_[p].empty()) return;
  const EarlierReceptions all = all_receptions(computation_, admission_, p);
  for (const MessageIndex m : missing_[p]) {
    // A send that knew of the last receive that admits its message knew of all before it.
    if (known(computation_.sent_by(m)) < all.last_admitting(m)) racing.push_back({p, m});
  }
}

template <typename Known>
void RacesOfReceivers::add_traced(ProcessIndex p, const Known& known,
                                  std::vector<Reception>& traced) const {
  EarlierReceptions earlier(computation_, admission_);
  Rank previous_receive = 0;  // the first receive has none, and races with none before it
  for (EventIndex e = computation_.first_event(p); e < computation_.end_event(p); ++e) {
    const auto takes = computation_.takes(e);
    if (takes.empty()) continue;
    for (const MessageIndex m : takes) {
      if (admission_.selects()) previous_receive = earlier.last_admitting(m);
      if (known(computation_.sent_by(m)) < previous_receive) traced.push_back({e, m});
    }
    previous_receive = computation_.rank_of(e);
    if (admission_.selects()) earlier.add(e);
  }
}

std::vector<Unreceived> RacesOfReceivers::unreceived(const Timestamps& known) const {
  std::vector<Unreceived> racing;
  const ProcessRange receivers = known.columns();
  for (ProcessIndex p = receivers.first; p < receivers.first + receivers.count; ++p) {
    add_unreceived(
        p, [&](EventIndex e) { return known.at(e, p); }, racing);
  }
  return racing;
}

std::vector<Reception> RacesOfReceivers::traced(const Timestamps& known) const {
  std::vector<Reception> traced;
  const ProcessRange receivers = known.columns();
  for (ProcessIndex p = receivers.first; p < receivers.first + receivers.count; ++p) {
    add_traced(
        p, [&](EventIndex e) { return known.at(e, p); }, traced);
  }
  return traced;
}

std::vector<Unreceived> RacesOfReceivers::unreceived(const Progress& progress) const {
  std::vector<Unreceived> racing;
  for_each_known(computation_, with_receives_and(missing_, computation_), progress,
                 [&](ProcessIndex p, const auto& known) {
                   add_unreceived(p, known, racing);
                   return true;
                 });
  return racing;
}

std::vector<Reception> RacesOfReceivers::traced(const Progress& progress) const {
  std::vector<Reception> traced;
  for_each_known(computation_, with_two_receives(computation_), progress,
                 [&](ProcessIndex p, const auto& known) {
                   add_traced(p, known, traced);
                   return true;
                 });
  return traced;
}

std::vector<Unreceived> racing_unreceived(const Computation& computation,
                                          const Progress& progress) {
  return RacesOfReceivers(computation).unreceived(progress);
}

std::vector<Reception> traced_receptions(const Computation& computation, const Progress& progress) {
  return RacesOfReceivers(computation).traced(progress);
}

bool for_each_unreceived_pair(const Computation& computation,
                              const std::function<bool(Reception, Unreceived)>& visit,
                              const Progress& progress) {
  const Admission admission(computation);
  const auto missing = unreceived_by_process(computation);
  return for_each_known(
      computation, with_receives_and(missing, computation), progress,
      [&](ProcessIndex p, const auto& known) {
        const EarlierReceptions all = all_receptions(computation, admission, p);
        return std::all_of(missing[p].begin(), missing[p].end(), [&](MessageIndex m) {
          return all.for_each_admitting({none, m}, known(computation.sent_by(m)),
                                        [&](Reception first, Reception) {
                                          return visit(first, {p, m});
                                        });
        });
      });
}

std::size_t unaddressed_messages(const Computation& computation) {
  std::vector<bool> received(computation.message_count(), false);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    for (const MessageIndex m : computation.takes(e)) received[m] = true;
  }
  std::size_t count = 0;
  for (MessageIndex m = 0; m < computation.message_count(); ++m) {
    count += !received[m] && computation.to(computation.sent_by(m)).empty() ? 1 : 0;
  }
  return count;
}

bool for_each_racing_pair(const Computation& computation,
                          const std::function<bool(Reception, Reception)>& visit,
                          const Progress& progress) {
  const Admission admission(computation);
  return for_each_known(computation, with_two_receives(computation), progress,
                        [&](ProcessIndex p, const auto& known) {
                          EarlierReceptions earlier(computation, admission);
                          for (EventIndex e = computation.first_event(p);
                               e < computation.end_event(p); ++e) {
                            for (const MessageIndex m : computation.takes(e)) {
                              // Those received after what the sender of m knew of p.
                              const Rank known_rank = known(computation.sent_by(m));
                              if (!earlier.for_each_admitting({e, m}, known_rank, visit))
                                return false;
                            }
                            earlier.add(e);
                          }
                          return true;
                        });
}

}  // namespace lightcone
