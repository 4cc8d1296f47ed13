// Checks that clocks are vector clocks of one computation, and finds what each event covers.
#include <lightcone/trace/clocks/clock_order.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lightcone {

std::string ClockOrder::host(HostIndex h) const { return std::string(log_.host_name(h)); }

std::string ClockOrder::described(HostIndex h, Rank k) const {
  return host(h) + ":" + std::to_string(k);
}

Error ClockOrder::at(LogPosition e, std::string what, std::string hint) const {
  return {std::move(what), log_.file, log_.line[e], std::move(hint)};
}

Expected<void> ClockOrder::order_hosts() {
  for (LogPosition e = 0; e < log_.size(); ++e) {
    if (log_.own[e] != 0) continue;
    const std::string name = host(log_.host[e]);
    return failure(at(e, "the clock of this event of " + name + " has no entry for " + name,
                      "the clock of an event must count the event itself: the first event of " +
                          name + " has 1 there, the next 2, and so on"));
  }
  first_.assign(log_.hosts.size() + 1, 0);
  for (const HostIndex h : log_.host) ++first_[h + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  by_rank_.resize(log_.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (LogPosition e = 0; e < log_.size(); ++e) by_rank_[next[log_.host[e]]++] = e;

  const auto by_own_entry = [&](LogPosition e, LogPosition f) {
    return log_.own[e] != log_.own[f] ? log_.own[e] < log_.own[f] : e < f;
  };
  for (HostIndex h = 0; h + 1 < first_.size(); ++h) {
    const auto begin = by_rank_.begin() + first_[h];
    const auto end = by_rank_.begin() + first_[h + 1];
    if (!std::is_sorted(begin, end, by_own_entry)) std::sort(begin, end, by_own_entry);
    if (auto ok = check_ranks(h); !ok) return ok;
  }
  return {};
}

Expected<void> ClockOrder::check_ranks(HostIndex h) const {
  for (Rank k = 1; k <= last_rank(h); ++k) {
    const LogPosition e = event(h, k);
    const Rank own = log_.own[e];
    if (own == k) continue;
    if (own < k) {
      return failure(at(e,
                        "two events of " + host(h) + " have the same own entry, " +
                            std::to_string(own) + " (the other is on line " +
                            std::to_string(log_.line[event(h, k - 1)]) + ")",
                        "each event counts one up in its own entry; if the file holds several "
                        "executions, --delimiter says where one ends"));
    }
    const std::string missing =
        own == k + 1 ? "the event " + described(h, k) + " is"
                     : "the events " + described(h, k) + " to " + described(h, own - 1) + " are";
    return failure(
        at(e, missing + " missing before this one, " + described(h, own),
           "in its own entry a host must count 1, 2, 3, ... without a gap; make sure that no "
           "lines were lost and that the expression matches all events"));
  }
  return {};
}

Expected<void> ClockOrder::check_references() const {
  for (LogPosition e = 0; e < log_.size(); ++e) {
    for (const auto [h, count] : log_.clock(e)) {
      const Rank last = last_rank(h);
      if (count <= last) continue;
      const std::string has =
          last == 0 ? "no events"
                    : "only " + std::to_string(last) + (last == 1 ? " event" : " events");
      return failure(at(e,
                        "the clock names the event " + described(h, count) + ", but " + host(h) +
                            " has " + has + " in this log",
                        "add what is missing to the log; --lenient ignores references to events "
                        "that are not there"));
    }
  }
  return {};
}

std::vector<LogPosition> ClockOrder::cut_references() {
  // From the last event of a host to its first, so that each is compared with what its predecessor
  // said before that was cut.
  std::vector<LogPosition> missing;
  std::vector<Rank> before(log_.hosts.size(), 0);
  for (HostIndex h = 0; h + 1 < first_.size(); ++h) {
    for (Rank k = last_rank(h); k >= 1; --k) {
      const LogPosition e = event(h, k);
      const auto previous = k > 1 ? log_.clock(event(h, k - 1)) : std::span<const Entry>();
      for (const Entry entry : previous) before[entry.host] = entry.count;
      for (std::size_t i = log_.clock_begin[e]; i < log_.clock_begin[e + 1]; ++i) {
        Entry& entry = log_.entries[i];
        const Rank last = last_rank(entry.host);
        if (entry.count <= last) continue;
        if (entry.count != before[entry.host]) missing.push_back(e);
        entry.count = last;
      }
      for (const Entry entry : previous) before[entry.host] = 0;
    }
  }
  return missing;
}

void ClockOrder::sum_clocks() {
  sums_.resize(log_.size());
  for (LogPosition e = 0; e < log_.size(); ++e) {
    std::uint64_t sum = log_.own[e];
    for (const Entry entry : log_.clock(e)) sum += entry.count;
    sums_[e] = sum;
  }
}

// Why looking at the news is enough. Let f "know" g when clock(f) has at least g's own entry for
// g's host. Clocks never shrink along a host (find_news), so e knows what its predecessor knows,
// and only what is new at e can be covered by e. Claim: every clock dominates the clock of each
// event it names. By induction over the sums of the clocks: check_news tests it directly for each
// f in the news of e, except where a g with a greater sum, itself tested, knows f; then
// clock(e) >= clock(g), sum(g) < sum(e) since g does not know e, and clock(g) >= clock(f) by
// induction. So "knows" is transitive, and a partial order because f never knows e; the sums are a
// linear extension of it; and f is covered by e iff no other event in the news knows f.
Expected<void> ClockOrder::cover(const Progress& progress) {
  constexpr LogPosition between_reports = 1 << 16;
  sum_clocks();
  now_.assign(log_.hosts.size(), 0);
  before_.assign(log_.hosts.size(), 0);
  known_by_.assign(log_.hosts.size(), 0);
  covered_begin_.assign(1, 0);
  covered_begin_.reserve(log_.size() + std::size_t{1});
  for (LogPosition e = 0; e < log_.size(); ++e) {
    if (progress && e % between_reports == 0) progress("comparing clocks", e, log_.size());
    for (const Entry entry : log_.clock(e)) now_[entry.host] = entry.count;
    if (auto ok = find_news(e); !ok) return ok;
    if (auto ok = check_news(e); !ok) return ok;
    for (const LogPosition f : news_) {
      if (known_by_[log_.host[f]] == 0) covered_.push_back(f);
    }
    covered_begin_.push_back(covered_.size());
    for (const Entry entry : log_.clock(e)) {
      now_[entry.host] = 0;
      known_by_[entry.host] = 0;
    }
  }
  return {};
}

Expected<void> ClockOrder::find_news(LogPosition e) {
  news_.clear();
  const HostIndex p = log_.host[e];
  const Rank own = log_.own[e];
  const auto previous = own > 1 ? log_.clock(event(p, own - 1)) : std::span<const Entry>();
  for (const auto [h, count] : previous) {
    before_[h] = count;
    if (now_[h] >= count) continue;
    return failure(at(e,
                      "the clock goes backwards: the entry for " + host(h) + " is " +
                          std::to_string(now_[h]) + ", but " + std::to_string(count) +
                          " at the event before, " + described(p, own - 1) + " (line " +
                          std::to_string(log_.line[event(p, own - 1)]) + ")",
                      "what a host knows it does not forget: on a receive, take the greater of "
                      "the two entries"));
  }
  for (const auto [h, count] : log_.clock(e)) {
    if (count > before_[h]) news_.push_back(event(h, count));
  }
  for (const auto [h, count] : previous) before_[h] = 0;
  return {};
}

Expected<void> ClockOrder::check_news(LogPosition e) {
  std::sort(news_.begin(), news_.end(), [&](LogPosition f, LogPosition g) {
    return sums_[f] != sums_[g] ? sums_[f] > sums_[g] : log_.host[f] < log_.host[g];
  });
  for (const LogPosition f : news_) {
    if (known_by_[log_.host[f]] > sums_[f]) continue;
    for (const Entry known : log_.clock(f)) {
      if (known.host == log_.host[e] ? known.count >= log_.own[e]
                                     : known.count > now_[known.host]) {
        return failure(contradiction(e, f, known));
      }
      std::uint64_t& by = known_by_[known.host];
      if (known.count == now_[known.host]) by = std::max(by, sums_[f]);
    }
  }
  return {};
}

Error ClockOrder::contradiction(LogPosition e, LogPosition f, Entry known) const {
  const std::string this_event = described(log_.host[e], log_.own[e]);
  const std::string named =
      described(log_.host[f], log_.own[f]) + " (line " + std::to_string(log_.line[f]) + ")";
  if (known.host == log_.host[e]) {
    return at(e,
              "the clocks contradict each other: " + this_event + " knows " + named +
                  ", which knows " + described(known.host, known.count),
              "neither of two events can have happened before the other and after it; see that "
              "each clock is written after its event, and no later");
  }
  const Rank own_view = now_[known.host];
  return at(e,
            "the clocks contradict each other: " + this_event + " knows " + named +
                ", which knows " + described(known.host, known.count) + ", but " + this_event +
                (own_view == 0
                     ? " knows nothing of " + host(known.host)
                     : " knows " + host(known.host) + " only up to " + std::to_string(own_view)),
            "on a receive, every entry becomes the greater of the two; see that the whole clock "
            "is sent and merged");
}

}  // namespace lightcone
