// Races, by comparing one entry of the send's timestamp with the rank of an earlier receive.
#include <lightcone/causal/races/races.h>

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/races/earlier_receptions.h>

#include <unordered_map>

namespace lightcone {
namespace {

/// Calls `visit(receiver, timestamps)` for each process, with timestamps that have its column.
void for_each_receiver(const Computation& computation, const Progress& progress,
                       const std::function<void(ProcessIndex, const Timestamps&)>& visit) {
  for_each_column_range(
      computation,
      [&](const Timestamps& known) {
        for (ProcessIndex i = 0; i < known.columns().count; ++i) {
          visit(known.columns().first + i, known);
        }
      },
      progress);
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

std::vector<Unreceived> RacesOfReceivers::unreceived(const Timestamps& known) const {
  std::vector<Unreceived> racing;
  const ProcessRange receivers = known.columns();
  for (ProcessIndex p = receivers.first; p < receivers.first + receivers.count; ++p) {
    if (missing_[p].empty()) continue;
    const EarlierReceptions all = all_receptions(computation_, admission_, p);
    for (const MessageIndex m : missing_[p]) {
      // A send that knew of the last receive that admits its message knew of all before it.
      if (known.at(computation_.sent_by(m), p) < all.last_admitting(m)) racing.push_back({p, m});
    }
  }
  return racing;
}

std::vector<Reception> RacesOfReceivers::traced(const Timestamps& known) const {
  std::vector<Reception> traced;
  const ProcessRange receivers = known.columns();
  for (ProcessIndex p = receivers.first; p < receivers.first + receivers.count; ++p) {
    EarlierReceptions earlier(computation_, admission_);
    Rank previous_receive = 0;  // the first receive has none, and races with none before it
    for (EventIndex e = computation_.first_event(p); e < computation_.end_event(p); ++e) {
      const auto takes = computation_.takes(e);
      if (takes.empty()) continue;
      for (const MessageIndex m : takes) {
        if (admission_.selects()) previous_receive = earlier.last_admitting(m);
        if (known.at(computation_.sent_by(m), p) < previous_receive) traced.push_back({e, m});
      }
      previous_receive = computation_.rank_of(e);
      if (admission_.selects()) earlier.add(e);
    }
  }
  return traced;
}

std::vector<Unreceived> racing_unreceived(const Computation& computation,
                                          const Progress& progress) {
  std::vector<Unreceived> racing;
  const RacesOfReceivers races(computation);
  for_each_column_range(
      computation,
      [&](const Timestamps& known) {
        const auto some = races.unreceived(known);
        racing.insert(racing.end(), some.begin(), some.end());
      },
      progress);
  return racing;
}

bool for_each_unreceived_pair(const Computation& computation,
                              const std::function<bool(Reception, Unreceived)>& visit,
                              const Progress& progress) {
  bool going_on = true;
  const Admission admission(computation);
  const auto missing = unreceived_by_process(computation);
  for_each_receiver(computation, progress, [&](ProcessIndex p, const Timestamps& known) {
    if (missing[p].empty() || !going_on) return;
    const EarlierReceptions all = all_receptions(computation, admission, p);
    for (const MessageIndex m : missing[p]) {
      const Rank known_rank = known.at(computation.sent_by(m), p);
      going_on = going_on &&
                 all.for_each_admitting({none, m}, known_rank, [&](Reception first, Reception) {
                   return visit(first, {p, m});
                 });
    }
  });
  return going_on;
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

std::vector<Reception> traced_receptions(const Computation& computation, const Progress& progress) {
  std::vector<Reception> traced;
  const RacesOfReceivers races(computation);
  for_each_column_range(
      computation,
      [&](const Timestamps& known) {
        const auto some = races.traced(known);
        traced.insert(traced.end(), some.begin(), some.end());
      },
      progress);
  return traced;
}

bool for_each_racing_pair(const Computation& computation,
                          const std::function<bool(Reception, Reception)>& visit,
                          const Progress& progress) {
  bool going_on = true;
  const Admission admission(computation);
  for_each_receiver(computation, progress, [&](ProcessIndex p, const Timestamps& known) {
    EarlierReceptions earlier(computation, admission);
    for (EventIndex e = computation.first_event(p); going_on && e < computation.end_event(p); ++e) {
      for (const MessageIndex m : computation.takes(e)) {
        // Those received after what the sender of m knew of p.
        const Rank known_rank = known.at(computation.sent_by(m), p);
        going_on = going_on && earlier.for_each_admitting({e, m}, known_rank, visit);
      }
      earlier.add(e);
    }
  });
  return going_on;
}

}  // namespace lightcone
