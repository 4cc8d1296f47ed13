// Races, by comparing what the send knew of the receiver with the rank of an earlier receive.
#include <lightcone/causal/races/races.h>

#include <lightcone/causal/races/earlier_receptions.h>

#include <algorithm>
#include <span>
#include <unordered_map>

namespace lightcone {
namespace {

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

/// The addressees with receives that could have taken one of these messages.
[[nodiscard]] std::vector<ProcessIndex> with_receives_and(const std::vector<Unreceived>& missing,
                                                          const Computation& computation) {
  std::vector<ProcessIndex> processes;
  for (const Unreceived& each : missing) {
    if (!processes.empty() && processes.back() == each.addressee) continue;
    if (receive_count(computation, each.addressee) > 0) processes.push_back(each.addressee);
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
      missing_(unreceived_messages(computation)) {}

std::vector<Unreceived> RacesOfReceivers::unreceived(const PastSurvey& survey) const {
  std::vector<Unreceived> racing;
  for (std::size_t i = 0; i < missing_.size();) {
    const ProcessIndex p = missing_[i].addressee;
    const EarlierReceptions all = all_receptions(computation_, admission_, p);
    for (; i < missing_.size() && missing_[i].addressee == p; ++i) {
      // A send that knew of the last receive that admits its message knew of all before it.
      const Rank last = all.last_admitting(missing_[i].message);
      if (survey.known_of_addressee[i] < last) racing.push_back(missing_[i]);
    }
  }
  return racing;
}

void RacesOfReceivers::add_traced(ProcessIndex p, const PastSurvey& survey,
                                  std::vector<Reception>& traced) const {
  EarlierReceptions earlier(computation_, admission_);
  Rank previous_receive = 0;  // the first receive has none, and races with none before it
  for (EventIndex e = computation_.first_event(p); e < computation_.end_event(p); ++e) {
    const auto takes = computation_.takes(e);
    if (takes.empty()) continue;
    const Rank* known = survey.known_of_receiver.data() + computation_.columns().takes_begin[e];
    for (const MessageIndex m : takes) {
      if (admission_.selects()) previous_receive = earlier.last_admitting(m);
      if (*known++ < previous_receive) traced.push_back({e, m});
    }
    previous_receive = computation_.rank_of(e);
    if (admission_.selects()) earlier.add(e);
  }
}

std::vector<Reception> RacesOfReceivers::traced(const PastSurvey& survey) const {
  std::vector<Reception> traced;
  for (const ProcessIndex p : with_two_receives(computation_)) add_traced(p, survey, traced);
  return traced;
}

std::vector<Unreceived> RacesOfReceivers::unreceived(const Progress& progress) const {
  const auto processes = with_receives_and(missing_, computation_);
  return unreceived(survey_pasts(computation_, {processes, missing_}, progress));
}

std::vector<Reception> RacesOfReceivers::traced(const Progress& progress) const {
  const auto processes = with_two_receives(computation_);
  return traced(survey_pasts(computation_, {processes}, progress));
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
  const std::vector<Unreceived> missing = unreceived_messages(computation);
  const auto processes = with_receives_and(missing, computation);
  const PastSurvey survey = survey_pasts(computation, {processes, missing}, progress);
  for (std::size_t i = 0; i < missing.size();) {
    const ProcessIndex p = missing[i].addressee;
    const EarlierReceptions all = all_receptions(computation, admission, p);
    for (; i < missing.size() && missing[i].addressee == p; ++i) {
      const auto visit_pair = [&](Reception first, Reception) { return visit(first, missing[i]); };
      const Rank known = survey.known_of_addressee[i];
      if (!all.for_each_admitting({none, missing[i].message}, known, visit_pair)) return false;
    }
  }
  return true;
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
  const auto processes = with_two_receives(computation);
  const PastSurvey survey = survey_pasts(computation, {processes}, progress);
  for (const ProcessIndex p : processes) {
    EarlierReceptions earlier(computation, admission);
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      const Rank* known = survey.known_of_receiver.data() + computation.columns().takes_begin[e];
      for (const MessageIndex m : computation.takes(e)) {
        // Those received after what the sender of m knew of p.
        if (!earlier.for_each_admitting({e, m}, *known++, visit)) return false;
      }
      earlier.add(e);
    }
  }
  return true;
}

}  // namespace lightcone
