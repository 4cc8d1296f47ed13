// The rules of docs/formats/spans.md, one after the other, without any thought of speed.
#include "model/definitions/span_definitions.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace lightcone::definition {
namespace {

constexpr std::uint64_t millisecond = 1'000'000;

class SpanRules {
 public:
  SpanRules(const SpanTable& table, ProcessBy by) : table_(table) {
    const SpanProcesses processes(table, by);
    for (const Span& span : table.spans) names_.push_back(processes.name(span));
  }

  SpanOrder run() {
    keep_first_of_each_id();
    for (const std::size_t s : kept_) {
      order_.losses.missing_parents += lacks_parent(s);
      for (std::size_t part = 0; part < parts(s); ++part) {
        order_.events.push_back({s, part, process(s)});
      }
    }
    std::sort(order_.events.begin(), order_.events.end(), [&](const auto& a, const auto& b) {
      return std::tuple(a.process, key(a)) < std::tuple(b.process, key(b));
    });
    order_.before.assign(order_.events.size(), std::vector<bool>(order_.events.size(), false));
    for (std::size_t e = 0; e < order_.events.size(); ++e) {
      for (std::size_t f = e + 1; f < order_.events.size(); ++f) {
        order_.before[e][f] = order_.events[e].process == order_.events[f].process;
      }
    }
    add_requests();
    add_responses();
    return order_;
  }

 private:
  using Key = std::tuple<std::uint64_t, int, long, std::size_t, std::size_t>;

  const Span& at(std::size_t s) const { return table_.spans[s]; }
  const std::string& process(std::size_t s) const { return names_[s]; }
  std::size_t parts(std::size_t s) const { return at(s).events.size() + 2; }

  void keep_first_of_each_id() {
    for (std::size_t s = 0; s < table_.spans.size(); ++s) {
      const bool is_known = std::any_of(kept_.begin(), kept_.end(), [&](std::size_t other) {
        return at(other).id == at(s).id && at(other).shared == at(s).shared;
      });
      if (is_known)
        ++order_.losses.repeated_spans;
      else
        kept_.push_back(s);
    }
  }

  std::optional<std::size_t> find(SpanId id, bool shared) const {
    for (const std::size_t s : kept_) {
      if (at(s).id == id && at(s).shared == shared) return s;
    }
    return std::nullopt;
  }

  /// The server's half, if the id is shared.
  std::optional<std::size_t> meant_by(SpanId id) const {
    const auto shared = find(id, true);
    return shared ? shared : find(id, false);
  }

  bool lacks_parent(std::size_t s) const {
    if (at(s).shared && find(at(s).id, false)) return false;
    return at(s).parent != 0 && !meant_by(at(s).parent);
  }

  std::optional<std::size_t> parent(std::size_t s) const {
    if (at(s).shared) {
      if (const auto client = find(at(s).id, false)) return client;
    }
    if (at(s).parent == 0) return std::nullopt;
    const auto found = meant_by(at(s).parent);
    return found == s ? std::nullopt : found;
  }

  bool is_on_cycle(std::size_t s) const {
    auto at = parent(s);
    for (std::size_t step = 0; at && step <= kept_.size(); ++step) {
      if (*at == s) return true;
      at = parent(*at);
    }
    return false;
  }

  long depth(std::size_t s) const {
    if (is_on_cycle(s) || !parent(s)) return 0;
    return 1 + depth(*parent(s));
  }

  bool has_coarse_clock(const std::string& name) const {
    return std::all_of(kept_.begin(), kept_.end(), [&](std::size_t s) {
      return process(s) != name || at(s).start % millisecond == 0;
    });
  }

  std::uint64_t shown(std::size_t s, std::uint64_t time) const {
    return has_coarse_clock(process(s)) ? time / millisecond * millisecond : time;
  }

  std::uint64_t end_of(std::size_t s) const {
    return shown(s, at(s).end < at(s).start ? at(s).start : at(s).end);
  }

  Key key(const SpanOrder::Event& event) const {
    const std::size_t s = event.span;
    const std::uint64_t start = at(s).start, end = end_of(s);
    if (event.part == 0) return {start, 2, depth(s), s, event.part};
    if (event.part + 1 == parts(s)) return {end, end > start ? 1 : 4, -depth(s), s, event.part};
    const SpanEvent& inner = table_.events[at(s).events.begin + event.part - 1];
    const std::uint64_t time = std::min(std::max(shown(s, inner.time), start), end);
    return {time, time > start ? 0 : 3, 0, s, event.part};
  }

  std::size_t place(std::size_t s, std::size_t part) const {
    for (std::size_t e = 0; e < order_.events.size(); ++e) {
      if (order_.events[e].span == s && order_.events[e].part == part) return e;
    }
    throw std::logic_error("no such event");
  }

  /// Returns whether a message does not close a cycle.
  bool add(std::size_t from, std::size_t to) {
    if (order_.before[to][from]) return false;
    const auto known = order_.before;
    for (std::size_t e = 0; e < known.size(); ++e) {
      for (std::size_t f = 0; f < known.size(); ++f) {
        const bool to_from = e == from || known[e][from];
        const bool after_to = f == to || known[to][f];
        if (to_from && after_to) order_.before[e][f] = true;
      }
    }
    return true;
  }

  void add_requests() {
    for (const std::size_t s : kept_) {
      std::vector<std::size_t> senders;
      if (parent(s)) senders.push_back(*parent(s));
      std::vector<std::size_t> linked;
      for (std::size_t i = at(s).links.begin; i < at(s).links.end; ++i) {
        const SpanLink& link = table_.links[i];
        const auto other = link.trace == at(s).trace ? meant_by(link.span) : std::nullopt;
        if (!other)
          ++order_.losses.other_links;
        else
          linked.push_back(*other);
      }
      std::sort(linked.begin(), linked.end());
      senders.insert(senders.end(), linked.begin(), linked.end());
      std::vector<std::size_t> done;
      for (const std::size_t sender : senders) {
        const bool is_known = std::find(done.begin(), done.end(), sender) != done.end();
        if (is_known || process(sender) == process(s)) continue;
        done.push_back(sender);
        order_.losses.dropped_requests += !add(place(sender, 0), place(s, 0));
      }
    }
  }

  void add_responses() {
    for (const std::size_t s : kept_) {
      const auto client = parent(s);
      if (!client || process(*client) == process(s)) continue;
      if (at(*client).kind != SpanKind::client || at(s).kind != SpanKind::server) continue;
      order_.losses.dropped_responses +=
          !add(place(s, parts(s) - 1), place(*client, parts(*client) - 1));
    }
  }

  const SpanTable& table_;
  std::vector<std::string> names_;  // of the processes of spans
  std::vector<std::size_t> kept_;
  SpanOrder order_;
};

}  // namespace

SpanOrder order_of_spans(const SpanTable& table, ProcessBy by) {
  return SpanRules(table, by).run();
}

}  // namespace lightcone::definition
