// Races of receives that choose what they take: textbook cases, and the definition by brute force.
#include <lightcone/causal/races/admission.h>

#include <gtest/gtest.h>
#include <lightcone/causal/races/races.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

using Labels = std::vector<std::string>;
using Pairs = std::vector<std::pair<Reception, Reception>>;

[[nodiscard]] Pairs racing_pairs(const Computation& c) {
  Pairs pairs;
  for_each_racing_pair(c, [&](Reception first, Reception second) {
    pairs.emplace_back(first, second);
    return true;
  });
  return pairs;
}

/// The text after a prefix of one of the labels of an event, or a text that no label has.
[[nodiscard]] std::string labelled(const Computation& c, EventIndex e, std::string_view prefix) {
  for (const NameIndex label : c.labels(e)) {
    const std::string_view text = c.names()[label];
    if (text.starts_with(prefix)) return std::string(text);
  }
  return "";
}

[[nodiscard]] bool admits(const Computation& c, Reception first, MessageIndex other) {
  const EventIndex send = c.sent_by(other);
  if (labelled(c, first.event, "comm:").empty()) return true;
  if (labelled(c, first.event, "comm:") != labelled(c, send, "comm:")) return false;
  const std::string wanted = labelled(c, first.event, "tag:"), sent = labelled(c, send, "tag:");
  const bool any_tag = !labelled(c, first.event, "any_tag").empty() && !sent.empty();
  const bool same_sender = c.process_of(send) == c.process_of(c.sent_by(first.message));
  const bool any_source = !labelled(c, first.event, "any_source").empty();
  return any_source && !same_sender && (any_tag || wanted == sent);
}

/// Some events of MPI, some not; decorations of few values, so that labels are often equal.
void decorate(Builder& builder, ProcessIndex, std::uint8_t decoration, std::uint8_t choice) {
  std::vector<NameIndex> labels;
  if (decoration % 8 != 0) labels.push_back(builder.name(choice % 5 == 0 ? "comm:b" : "comm:a"));
  if (decoration % 7 != 0) labels.push_back(builder.name(choice % 3 == 0 ? "tag:1" : "tag:2"));
  if (decoration % 4 < 3) labels.push_back(builder.name("any_source"));
  if (decoration % 5 < 2) labels.push_back(builder.name("any_tag"));
  builder.set_labels(builder.name_set(labels));
}

TEST(Admission, RacesAreThoseOfNetzerAndMillerAmongAdmittedMessages) {
  std::uint64_t races = 0, more = 0;
  arbitrary::for_all("admission", 1500, [&] {
    const Computation c = arbitrary::play(*arbitrary::script(), decorate);
    const definition::HappenedBefore before(c);
    const Admission admission(c);
    Pairs pairs;
    std::vector<Reception> traced;
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (const MessageIndex m : c.takes(e)) {
        bool races_with_one = false;
        for (EventIndex f = c.first_event(c.process_of(e)); f < e; ++f) {
          for (const MessageIndex n : c.takes(f)) {
            RC_ASSERT(admission.admits(f, n, m) == admits(c, {f, n}, m));
            const EventIndex send = c.sent_by(m);
            const bool could = !before(f, send) && f != send;
            if (!could || !admits(c, {f, n}, m)) continue;
            races_with_one = true;
            if (n != m) pairs.push_back({{f, n}, {e, m}});
          }
        }
        if (races_with_one) traced.push_back({e, m});
      }
    }
    RC_ASSERT(racing_pairs(c) == pairs);
    RC_ASSERT(traced_receptions(c) == traced);
    races += pairs.size();
    more += definition::racing_pairs(c, before).size();
  });
  EXPECT_GT(races, 800U / arbitrary::one_in);
  EXPECT_GT(more, races + 800U / arbitrary::one_in);
}

/// The same, and sends say for whom they are: for one process, for two, or they do not say.
void decorate_with_addressees(Builder& builder, ProcessIndex process, std::uint8_t decoration,
                              std::uint8_t choice) {
  decorate(builder, process, decoration, choice);
  if (decoration % 6 == 0) return;
  std::vector<NameIndex> addressees{builder.name("p" + std::to_string(choice % 4 + 1))};
  if (decoration % 6 == 1) addressees.push_back(builder.name("p" + std::to_string(choice % 3 + 1)));
  builder.set_to(builder.name_set(addressees));
}

[[nodiscard]] bool is_addressed(const Computation& c, MessageIndex m, ProcessIndex p) {
  for (const NameIndex name : c.to(c.sent_by(m))) {
    if (c.names()[name] == c.process_name(p)) return true;
  }
  return false;
}

[[nodiscard]] bool receives(const Computation& c, ProcessIndex p, MessageIndex m) {
  for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
    if (std::ranges::count(c.takes(e), m) > 0) return true;
  }
  return false;
}

TEST(Admission, MessagesThatWereNeverReceivedRaceWithReceivesThatTheirSendersDidNotKnowOf) {
  std::uint64_t in_transit = 0, races = 0;
  arbitrary::for_all("unreceived", 2000, [&] {
    const Computation c = arbitrary::play(*arbitrary::script(), decorate_with_addressees);
    const definition::HappenedBefore before(c);
    std::vector<Unreceived> all, racing;
    std::vector<std::pair<Reception, Unreceived>> pairs, found;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      for (MessageIndex m = 0; m < c.message_count(); ++m) {
        if (!is_addressed(c, m, p) || receives(c, p, m)) continue;
        all.push_back({p, m});
        const std::size_t without = pairs.size();
        for (EventIndex f = c.first_event(p); f < c.end_event(p); ++f) {
          for (const MessageIndex n : c.takes(f)) {
            const EventIndex send = c.sent_by(m);
            if (f == send || before(f, send) || !admits(c, {f, n}, m)) continue;
            pairs.push_back({{f, n}, {p, m}});
          }
        }
        if (pairs.size() > without) racing.push_back({p, m});
      }
    }
    RC_ASSERT(unreceived_messages(c) == all);
    RC_ASSERT(racing_unreceived(c) == racing);
    for_each_unreceived_pair(c, [&](Reception first, Unreceived second) {
      found.emplace_back(first, second);
      return true;
    });
    RC_ASSERT(found == pairs);
    in_transit += all.size();
    races += racing.size();
  });
  EXPECT_GT(races, 800U / arbitrary::one_in);
  EXPECT_GT(in_transit, 2 * races);
}

/// Rank 0 receives, one after the other; each other rank sends to it.
class Ranks {
 public:
  Ranks& sends(int rank, const Labels& labels) {
    add("rank" + std::to_string(rank), Kind::send, labels, {});
    return *this;
  }
  /// Takes messages by number, from 1, in the order of their sending.
  Ranks& takes(const std::vector<int>& numbers, const Labels& labels) {
    add("rank0", Kind::receive, labels, numbers);
    return *this;
  }
  [[nodiscard]] Computation build() { return *builder_.build(); }

 private:
  void add(const std::string& process, Kind kind, const Labels& labels,
           const std::vector<int>& numbers) {
    std::vector<MessageIndex> taken;
    for (const int i : numbers) taken.push_back(builder_.message("m" + std::to_string(i)));
    Arrival arrival;
    arrival.process = builder_.process(process);
    arrival.kind = kind;
    arrival.line = ++line_;
    arrival.takes = taken;
    if (kind == Kind::send) arrival.sends = builder_.message("m" + std::to_string(++sent_));
    builder_.add(arrival);
    std::vector<NameIndex> names;
    for (const std::string& label : labels) names.push_back(builder_.name(label));
    builder_.set_labels(builder_.name_set(names));
    const NameIndex rank0 = builder_.name("rank0");
    if (kind == Kind::send) builder_.set_to(builder_.name_set(std::span(&rank0, 1)));
  }

  Builder builder_{"ranks"};
  std::uint32_t line_ = 0;
  int sent_ = 0;
};

[[nodiscard]] std::size_t unreceived_races_of(Ranks& ranks) {
  return racing_unreceived(ranks.build()).size();
}

[[nodiscard]] std::size_t races_of(Ranks& ranks) {
  const Computation c = ranks.build();
  return racing_pairs(c).size();
}

const Labels send5 = {"MPI_Send", "comm:world", "tag:5"},
             send6 = {"MPI_Send", "comm:world", "tag:6"};
const Labels receive5 = {"MPI_Recv", "comm:world", "tag:5"};
const Labels from_any5 = {"MPI_Recv", "comm:world", "tag:5", "any_source"};
const Labels any5 = {"MPI_Recv", "comm:world", "tag:5", "any_source", "any_tag"};

TEST(Admission, KnowsTheTextbookCases) {
  EXPECT_EQ(
      races_of(Ranks().sends(1, send5).sends(2, send5).takes({1}, from_any5).takes({2}, from_any5)),
      1U);
  EXPECT_EQ(
      races_of(Ranks().sends(1, send5).sends(2, send5).takes({1}, receive5).takes({2}, receive5)),
      0U);
  // The first receive could have taken the message that the second one names, but not conversely.
  EXPECT_EQ(
      races_of(Ranks().sends(1, send5).sends(2, send5).takes({1}, from_any5).takes({2}, receive5)),
      1U);
  EXPECT_EQ(
      races_of(Ranks().sends(1, send5).sends(2, send5).takes({1}, receive5).takes({2}, from_any5)),
      0U);
  // Tags and communicators keep messages apart.
  EXPECT_EQ(
      races_of(Ranks().sends(1, send5).sends(2, send6).takes({1}, from_any5).takes({2}, any5)), 0U);
  EXPECT_EQ(races_of(Ranks().sends(1, send5).sends(2, send6).takes({1}, any5).takes({2}, any5)),
            1U);
  EXPECT_EQ(races_of(Ranks()
                         .sends(1, send5)
                         .sends(2, {"MPI_Send", "comm:dup", "tag:5"})
                         .takes({1}, any5)
                         .takes({2}, {"MPI_Recv", "comm:dup", "any_source"})),
            0U);
  // Messages of one sender do not overtake each other.
  EXPECT_EQ(races_of(Ranks().sends(1, send5).sends(1, send6).takes({1}, any5).takes({2}, any5)),
            0U);
  EXPECT_EQ(races_of(Ranks()
                         .sends(1, send5)
                         .sends(1, send5)
                         .sends(2, send5)
                         .takes({1}, any5)
                         .takes({2}, any5)
                         .takes({3}, any5)),
            2U);
  // A collective operation takes from all.
  const Labels reduce = {"MPI_Allreduce", "comm:world"};
  EXPECT_EQ(races_of(Ranks()
                         .sends(1, reduce)
                         .sends(2, reduce)
                         .sends(1, send5)
                         .takes({1, 2}, reduce)
                         .takes({3}, any5)),
            0U);
  EXPECT_EQ(
      races_of(Ranks().sends(1, send5).sends(1, reduce).sends(2, reduce).takes({1}, any5).takes(
          {2, 3}, reduce)),
      0U);
  // Receives that say nothing take anything.
  EXPECT_EQ(races_of(Ranks().sends(1, send5).sends(2, send6).takes({1}, {}).takes({2}, receive5)),
            1U);
}

TEST(Admission, KnowsTheTextbookCasesOfMessagesInTransit) {
  // The race that makes a run hang: the second receive waits for rank 1, whose message is gone.
  EXPECT_EQ(unreceived_races_of(Ranks().sends(1, send5).sends(2, send5).takes({1}, from_any5)), 1U);
  EXPECT_EQ(unreceived_races_of(Ranks().sends(1, send5).sends(2, send5).takes({1}, receive5)), 0U);
  EXPECT_EQ(unreceived_races_of(Ranks().sends(1, send5).sends(2, send6).takes({1}, from_any5)), 0U);
  EXPECT_EQ(unreceived_races_of(Ranks().sends(1, send5).sends(2, send6).takes({1}, any5)), 1U);
  // Messages of one sender do not overtake each other.
  EXPECT_EQ(unreceived_races_of(Ranks().sends(1, send5).sends(1, send5).takes({1}, from_any5)), 0U);
  EXPECT_EQ(unreceived_races_of(Ranks().sends(1, send5).sends(2, send6).takes({1}, {})), 1U);
}

}  // namespace
}  // namespace lightcone
