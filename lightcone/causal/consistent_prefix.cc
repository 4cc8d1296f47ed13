// One walk in causal order finds what depends on a lost event; another one copies the rest.
#include <lightcone/causal/consistent_prefix.h>

#include <lightcone/causal/builder.h>

#include <algorithm>
#include <string>

namespace lightcone {
namespace {

/// Copies events one by one; names get new numbers, since some may be left out.
class PrefixCopy {
 public:
  explicit PrefixCopy(const Computation& from) : from_(from) {
    builder_.set_header_extra(std::string(from.header_extra()));
    for (ProcessIndex p = 0; p < from.process_count(); ++p) builder_.process(from.process_name(p));
    for (ProcessIndex p = 0; p < from.process_count(); ++p) {
      if (!from.has_initial(p)) continue;
      Arrival arrival;
      arrival.process = p;
      arrival.kind = Kind::initial;
      builder_.add(arrival);
      copy_attributes(from.initial_row(p));
    }
  }

  void add(EventIndex e) {
    takes_.clear();
    for (const MessageIndex m : from_.takes(e)) takes_.push_back(message(m));
    Arrival arrival;
    arrival.process = from_.process_of(e);
    arrival.kind = from_.kind(e);
    arrival.takes = takes_;
    if (from_.sends(e) != none) arrival.sends = message(from_.sends(e));
    arrival.duplicate = from_.is_duplicate(e);
    builder_.add(arrival);
    if (!from_.to(e).empty()) builder_.set_to(names(from_.to(e)));
    copy_attributes(e);
  }

  [[nodiscard]] Computation build() {
    auto built = builder_.build();
    LIGHTCONE_ASSERT(built.has_value());
    return std::move(*built);
  }

 private:
  [[nodiscard]] NameIndex name(NameIndex index) { return builder_.name(from_.names()[index]); }
  [[nodiscard]] MessageIndex message(MessageIndex m) {
    return builder_.message(std::string_view(from_.message_name(m)));
  }
  [[nodiscard]] NameSetIndex names(std::span<const NameIndex> members) {
    names_.clear();
    for (const NameIndex index : members) names_.push_back(name(index));
    return builder_.name_set(names_);
  }

  void copy_attributes(Row row) {
    if (!from_.labels(row).empty()) builder_.set_labels(names(from_.labels(row)));
    for (const Assignment& assignment : from_.assignments(row)) {
      const auto* text = std::get_if<NameIndex>(&assignment.value);
      builder_.assign(name(assignment.variable), text ? Value(name(*text)) : assignment.value);
    }
    if (const auto time = from_.time(row)) builder_.set_time(*time);
    if (const auto text = from_.text(row)) builder_.set_text(builder_.name(*text));
    if (const auto source = from_.source(row)) builder_.set_source(builder_.name(*source));
    if (const auto digest = from_.digest(row)) builder_.set_digest(*digest);
    if (!from_.extra(row).empty()) builder_.set_extra(builder_.name(from_.extra(row)));
  }

  const Computation& from_;
  Builder builder_;
  std::vector<MessageIndex> takes_;
  std::vector<NameIndex> names_;
};

}  // namespace

std::vector<Rank> ranks_without(const Computation& computation,
                                std::span<const EventPlace> doubtful) {
  std::vector<Rank> kept(computation.process_count());
  for (ProcessIndex p = 0; p < kept.size(); ++p) kept[p] = computation.last_rank(p);
  const auto leave_out = [&](ProcessIndex p, Rank rank) {
    kept[p] = std::min(kept[p], rank == 0 ? 0 : rank - 1);
  };
  for (const EventPlace& place : doubtful) leave_out(place.process, place.rank);
  for (const EventIndex e : computation.order()) {
    const ProcessIndex p = computation.process_of(e);
    if (computation.rank_of(e) > kept[p]) continue;
    for (const MessageIndex m : computation.takes(e)) {
      const EventIndex send = computation.sent_by(m);
      if (computation.rank_of(send) <= kept[computation.process_of(send)]) continue;
      leave_out(p, computation.rank_of(e));
      break;
    }
  }
  return kept;
}

Computation prefix_of(const Computation& computation, std::span<const Rank> kept) {
  PrefixCopy copy(computation);
  for (const EventIndex e : computation.order()) {
    if (computation.rank_of(e) <= kept[computation.process_of(e)]) copy.add(e);
  }
  return copy.build();
}

}  // namespace lightcone
