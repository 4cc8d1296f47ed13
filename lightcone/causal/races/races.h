// Message races (RR-2257, section 3.4): which messages could have arrived earlier.
#pragma once

#include <lightcone/causal/races/admission.h>
#include <lightcone/causality.h>
#include <lightcone/progress.h>

#include <cstddef>
#include <vector>

namespace lightcone {

/// The messages that race although they were never received: a receive of the addressee admits the
/// message and does not precede its send, so that it could have taken the message. To replay this
/// execution it must be known that no receive took them.
[[nodiscard]] std::vector<Unreceived> racing_unreceived(const Computation& computation,
                                                        const Progress& progress = {});

/// Races of all receivers, or of some at a time. What does not depend on them is found once.
class RacesOfReceivers {
 public:
  /// The computation must outlive it.
  explicit RacesOfReceivers(const Computation& computation);

  /// The traced receptions of the receivers that have these timestamps.
  [[nodiscard]] std::vector<Reception> traced(const Timestamps& known) const;
  /// The messages to them that race although they were never received.
  [[nodiscard]] std::vector<Unreceived> unreceived(const Timestamps& known) const;

  /// Those of all receivers. Timestamps are computed only for those that can have races.
  [[nodiscard]] std::vector<Reception> traced(const Progress& progress) const;
  [[nodiscard]] std::vector<Unreceived> unreceived(const Progress& progress) const;

 private:
  /// `known(e)` is the rank of the last event of p in the past of e.
  template <typename Known>
  void add_traced(ProcessIndex p, const Known& known, std::vector<Reception>& traced) const;
  template <typename Known>
  void add_unreceived(ProcessIndex p, const Known& known, std::vector<Unreceived>& racing) const;

  const Computation& computation_;
  Admission admission_;
  std::vector<std::vector<MessageIndex>> missing_;  // never received, by addressee
};

/// Returns how many messages were never received and have sends that name no receiver.
[[nodiscard]] std::size_t unaddressed_messages(const Computation& computation);

}  // namespace lightcone
