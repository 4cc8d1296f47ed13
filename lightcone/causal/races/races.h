// Message races (RR-2257, section 3.4): which messages could have arrived earlier.
#pragma once

#include <lightcone/causal/order/past_survey.h>
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

/// Races of all receivers.
class RacesOfReceivers {
 public:
  /// The computation must outlive it.
  explicit RacesOfReceivers(const Computation& computation);

  /// The traced receptions, and the messages that race although they were never received. Clocks
  /// are computed only for the receivers that can have races.
  [[nodiscard]] std::vector<Reception> traced(const Progress& progress) const;
  [[nodiscard]] std::vector<Unreceived> unreceived(const Progress& progress) const;

  /// The same from a survey of all processes and of the messages that are `missing`.
  [[nodiscard]] std::vector<Reception> traced(const PastSurvey& survey) const;
  [[nodiscard]] std::vector<Unreceived> unreceived(const PastSurvey& survey) const;
  /// The messages that were never received, by addressee.
  [[nodiscard]] const std::vector<Unreceived>& missing() const { return missing_; }

 private:
  void add_traced(ProcessIndex p, const PastSurvey& survey, std::vector<Reception>& traced) const;

  const Computation& computation_;
  Admission admission_;
  std::vector<Unreceived> missing_;
};

/// Returns how many messages were never received and have sends that name no receiver.
[[nodiscard]] std::size_t unaddressed_messages(const Computation& computation);

}  // namespace lightcone
