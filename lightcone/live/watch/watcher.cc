// Tells the riders of a live process what happens, fills envelopes, and keeps memory bounded.
#include <lightcone/live/watch/watcher.h>

#include <fmt/format.h>
#include <lightcone/base/success.h>
#include <lightcone/error.h>
#include <lightcone/property/language/property_reads.h>

#include <algorithm>
#include <chrono>

namespace lightcone {
namespace {

constexpr const char* start_again = "start it again: its next incarnation counts from 1";

/// How many messages of a FIFO channel may be lost at a time; a greater gap is not believed.
constexpr std::uint64_t longest_gap = std::uint64_t{1} << 20;

/// An observed entry without its set: the rank, and whether it is covered.
[[nodiscard]] std::uint32_t value_of(ObservedEntry entry) {
  return static_cast<std::uint32_t>(entry >> 32);
}

[[nodiscard]] std::uint64_t& counter(std::vector<std::uint64_t>& counters, std::uint32_t peer) {
  if (peer >= counters.size()) counters.resize(peer + 1, 0);
  return counters[peer];
}

template <class Number>
[[nodiscard]] Number entry_of(const std::vector<Number>& entries, std::uint32_t peer) {
  return peer < entries.size() ? entries[peer] : 0;
}

}  // namespace

Watcher::Watcher(CompiledProperties properties, std::uint64_t agreement,
                 const ProcessOptions& options, bool races)
    : properties_(std::move(properties)),
      content_(properties_.vocabulary(), LiveContent::Texts::forgotten),
      observer_(properties_.vocabulary(), content_.names()),
      lrdag_(properties_, observer_),
      lrdag_rider_(lrdag_),
      peers_(options.members),
      self_(*peers_.find_or_add(std::string_view(options.name))),
      name_(options.name),
      incarnation_(incarnation_of(options.name).number),
      channels_(options.channels),
      clocks_(options.clocks),
      races_(races),
      clock_(self_),
      race_rider_(self_) {
  peers_.heard_from(self_);
  std::vector<ReachedSets*> alphabets;
  for (auto& flows : by_alphabet(properties_, observer_)) {
    Vector vector;
    vector.rider = std::make_unique<LongestFlowRider>(*flows, self_);
    vector.flows = std::move(flows);
    alphabets.push_back(&vector.flows->sets);
    vectors_.push_back(std::move(vector));
  }
  watch_alone(options);
  watches_nothing_ = !clocks_ && vectors_.empty() && alone_.empty() && lrdag_.members().empty();
  std::vector<PropertyRules*> alone;
  for (const auto& watch : alone_) alone.push_back(&watch->rules());
  codec_ = std::make_unique<EnvelopeCodec>(std::move(alphabets), lrdag_.bits(), clocks_, agreement,
                                           peers_, alone);
  observer_.add_process(name_);
  set_room(options);
}

/// Properties with `for each` or `within` have riders and names of their own.
void Watcher::watch_alone(const ProcessOptions& options) {
  const auto& all = properties_.source().properties;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!is_watched_alone(all[i])) continue;
    alone_.push_back(std::make_unique<PropertyWatch>(
        CompiledProperties::compile_alone(properties_.source(), options.labels, i), i, self_, name_,
        options.most_values));
  }
}

void Watcher::step_alone(Kind kind, const LiveState& state, bool sends,
                         std::span<const Envelope* const> envelopes) {
  for (std::size_t i = 0; i < alone_.size(); ++i) {
    std::vector<const PropertyTag*> tags;
    for (const Envelope* const envelope : envelopes) tags.push_back(&envelope->alone[i]);
    alone_[i]->event(kind, state, sends, tags);
    look_at_alone(*alone_[i]);
  }
}

void Watcher::look_at_alone(PropertyWatch& watch) {
  if (watch.is_given_up()) static_cast<void>(is_given_up(watch.property()));
  for (const PropertyWatch::Found& one : watch.found()) {
    Detection* detection = told_of(watch.index(), one.found);
    if (detection == nullptr || !one.value) continue;
    detection->each = watch.property().each;
    detection->value = *one.value;
  }
  if (std::string news = watch.news(); !news.empty()) {
    errors_.push_back(failure(std::move(news)).value());
  }
}

void Watcher::start(const LiveState& initial) {
  const Scene scene = observer_.observe(0, content_.of(Kind::initial, initial));
  lrdag_rider_.start({scene});
  for (Vector& vector : vectors_) vector.rider->start({scene});
  clock_.start({scene});
  look_at_lrdag(scene);
  for (const auto& watch : alone_) {
    watch->start(initial);
    look_at_alone(*watch);
  }
}

const LiveState& Watcher::timed(const LiveState& state) {
  const bool reads_times =
      std::ranges::any_of(alone_, [](const auto& watch) { return watch->reads_times(); });
  if (!reads_times || state.time) return state;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  timed_ = state;
  timed_.time = std::chrono::duration<double>(now).count();
  return timed_;
}

void Watcher::event(Kind kind, const LiveState& state) {
  if (watches_nothing_) return;
  const Scene scene = observer_.observe(0, content_.of(kind, state));
  lrdag_rider_.event({scene});
  observe(scene);
  if (alone_.empty()) return;
  step_alone(kind, timed(state), false, {});
}

void Watcher::receive(std::span<const Envelope* const> envelopes, const LiveState& state,
                      bool sends) {
  if (watches_nothing_) return;
  StateContent shown = content_.of(Kind::receive, state);
  shown.sends = sends;
  const Scene scene = observer_.observe(0, shown);
  tags_.clear();
  taken_tags_.clear();
  tags_.reserve(envelopes.size());
  for (const Envelope* const envelope : envelopes) {
    learn_from(*envelope);
    taken_tags_.push_back(&tags_.emplace_back(envelope->bits));
  }
  lrdag_rider_.receive({scene}, taken_tags_);
  observe(scene);
  if (alone_.empty()) return;
  step_alone(Kind::receive, timed(state), sends, envelopes);
}

void Watcher::receive(std::span<const Envelope> envelopes, const LiveState& state, bool sends) {
  std::vector<const Envelope*> received;
  for (const Envelope& envelope : envelopes) received.push_back(&envelope);
  receive(received, state, sends);
}

/// What an envelope brings for the vectors; and that its sender holds it.
void Watcher::learn_from(const Envelope& envelope) {
  for (std::size_t i = 0; i < vectors_.size(); ++i) {
    for (const auto& [peer, entry] : envelope.flows[i]) {
      vectors_[i].rider->take(peer, entry);
      vectors_[i].knowledge.learn(envelope.sender, peer, value_of(entry));
    }
  }
  for (const auto& [peer, rank] : envelope.clock) {
    clock_.take(peer, rank);
    clock_knowledge_.learn(envelope.sender, peer, rank);
  }
}

std::uint32_t Watcher::receives_known(const Envelope& envelope) const {
  for (const auto& [peer, receives] : envelope.receives) {
    if (peer == self_) return receives;
  }
  return 0;
}

/// A message without a channel number is never implied: which it is must be written down.
bool Watcher::take(const Envelope& envelope) {
  if (!races_) return true;
  const bool races = race_rider_.must_trace(receives_known(envelope)) || !envelope.in_channel;
  for (const auto& [peer, receives] : envelope.receives) {
    race_rider_.take(peer, receives);
    race_knowledge_.learn(envelope.sender, peer, receives);
  }
  race_rider_.receive();
  return races;
}

/// The event happens, as far as vectors go; then everyone looks at the state it made.
void Watcher::observe(Scene scene) {
  for (Vector& vector : vectors_) observe(vector, scene);
  tell_of_full_clock();
  clock_.event({scene});
  look_at_lrdag(scene);
}

/// A vector that is over is not watched any more; what it knows still travels.
void Watcher::observe(Vector& vector, Scene scene) {
  if (vector.is_over) return;
  before_.clear();
  if (vector.flows->sets.is_labelled(scene)) {
    if (vector.rider->is_full()) {
      vector.is_over = true;
      errors_.push_back({fmt::format("{} has made {} labelled events, and more cannot be counted: "
                                     "longest flows are not watched any more",
                                     name_, most_observed),
                         {},
                         0,
                         start_again,
                         0,
                         {}});
      return;
    }
    for (const std::uint32_t peer : vector.rider->maximal()) {
      before_.emplace_back(peer, rank_of(vector.rider->entry(peer)));
    }
  }
  vector.rider->event({scene});
  look_at_longest(vector, scene);
}

void Watcher::tell_of_full_clock() {
  if (!clocks_ || is_clock_over_ || clock_.clock().size() <= self_) return;
  if (clock_.clock()[self_] != UINT32_MAX) return;
  is_clock_over_ = true;
  const auto text =
      fmt::format("{} has made {} events, and its clock stands still", name_, UINT32_MAX);
  errors_.push_back(failure(text, {}, 0, start_again).value());
}

void Watcher::resume_counts(std::uint32_t events) {
  for (Vector& vector : vectors_) vector.rider->resume(std::min(events, most_observed));
  clock_.take(self_, events);
}

void Watcher::look_at_longest(const Vector& vector, Scene scene) {
  if (!vector.rider->observed()) return;
  vector.flows->sets.for_each_answer(
      *vector.rider->observed(), scene, [&](std::uint32_t property, bool found) {
        Detection* detection = told_of(property, found);
        if (detection == nullptr) return;
        for (const auto& [peer, rank] : before_) {
          detection->predecessors.push_back({peers_.name(peer), rank});
        }
      });
}

void Watcher::look_at_lrdag(Scene scene) {
  const std::vector<std::uint64_t>& state = lrdag_rider_.state();
  lrdag_.for_each_answer(scene, state.data(), [&](const Lrdag::Member& member, bool found) {
    Detection* detection = told_of(member.property, found);
    if (detection == nullptr || member.logic == nullptr) return;
    const auto& equations = member.logic->logic->equations;
    for (std::size_t i = 0; i < equations.size(); ++i) {
      const std::size_t bit = member.first_bit + i;
      if ((state[bit / 64] >> (bit % 64) & 1) == 0) continue;
      detection->variables.push_back(equations[i].name);
    }
  });
}

/// Returns whether a property reads a text on which a regular expression took too long. That is
/// told once.
bool Watcher::is_given_up(const Property& property) {
  const auto& patterns = observer_.expressions().given_up();
  if (!depends_on_matching(properties_.source(), property, patterns)) return false;
  if (!given_up_.insert(property.name).second) return true;
  errors_.push_back(
      failure(property.name + " is not watched any more: an expression takes too long").value());
  return true;
}

/// A new detection, if this is one.
Detection* Watcher::told_of(std::uint32_t index, bool found) {
  const Property& property = properties_.source().properties[index];
  if (resumed_ || !is_told(property.verb, found) || is_given_up(property)) return nullptr;
  Detection& detection = detections_.emplace_back();
  detection.property = property.name;
  detection.verb = property.verb;
  detection.failed = property.verb == Verb::forbid || property.verb == Verb::require;
  detection.process = name_;
  return &detection;
}

/// `itself`: how much of the entry its own process holds without having been told.
bool Watcher::is_needed(const Knowledge& knowledge, std::uint32_t entry, std::uint32_t value,
                        std::uint32_t itself) {
  if (made_for_ == 0) return true;
  const bool needed =
      std::any_of(receivers_.begin(), receivers_.end(), [&](std::uint32_t receiver) {
        const std::uint32_t known = knowledge.of(receiver, entry);
        return std::max(known, receiver == entry ? itself : 0) < value;
      });
  leaves_out_ = leaves_out_ || !needed;
  return needed;
}

void Watcher::find_receivers(std::span<const std::string_view> to) {
  leaves_out_ = false;
  const bool same_as_before =
      to.size() == 1 && receivers_.size() == 1 && peers_.last_receiver(to[0]) == receivers_[0];
  if (same_as_before) return;
  receivers_.clear();
  made_for_ = 0;
  bool same = true;
  for (const std::string_view receiver : to) {
    // Beyond the most peers, one more is as good as anyone.
    const auto peer = peers_.find_or_add_latest(receiver);
    if (!peer) {
      receivers_.clear();
      made_for_ = 0;
      return;
    }
    const std::uint32_t incarnation = incarnation_of(peers_.name(*peer)).number;
    same = same && (receivers_.empty() || incarnation == made_for_);
    made_for_ = incarnation;
    receivers_.push_back(*peer);
  }
  if (!same) made_for_ = 0;
}

/// A receiver reads its own entry, so that one is never left out.
void Watcher::put_receives(Envelope& envelope) {
  envelope.races = races_;
  for (std::uint32_t k = 0; races_ && k < race_rider_.clock().size(); ++k) {
    const std::uint32_t receives = race_rider_.clock()[k];
    const bool own = std::find(receivers_.begin(), receivers_.end(), k) != receivers_.end();
    if (receives == 0 || !(own || is_needed(race_knowledge_, k, receives, 0))) continue;
    envelope.receives.emplace_back(k, receives);
  }
  entries_sent_ += envelope.receives.size();
}

std::string Watcher::marker(std::string_view to, std::uint64_t number, const Colours& colours) {
  find_receivers(std::span(&to, 1));
  Envelope envelope;
  envelope.sender = self_;
  envelope.number = number;
  envelope.colours = colours;
  envelope.marker = true;
  envelope.flows.resize(vectors_.size());
  envelope.bits = lrdag_rider_.state();
  put_receives(envelope);
  if (leaves_out_) envelope.made_for = made_for_;
  return codec_->encode(envelope);
}

/// The first message of a channel after a state was saved is its marker.
void Watcher::leave_out_known(Colours& colours, std::uint32_t receiver) {
  if (receiver >= told_.size()) told_.resize(receiver + 1);
  Colours& told = told_[receiver];
  for (const auto colour : {&Colours::snapshot, &Colours::checkpoint}) {
    if (told.*colour == colours.*colour) {
      colours.*colour = 0;
    } else {
      told.*colour = colours.*colour;
    }
  }
}

std::string Watcher::send(std::span<const std::string_view> to, std::uint64_t number,
                          const Colours& colours) {
  find_receivers(to);
  Envelope& envelope = sent_;
  envelope.clear();
  envelope.sender = self_;
  envelope.number = number;
  envelope.colours = colours;
  if (!lrdag_rider_.state().empty()) envelope.bits = lrdag_rider_.state();
  envelope.fifo = channels_ == Channels::fifo && receivers_.size() == 1;
  if (envelope.fifo) leave_out_known(envelope.colours, receivers_[0]);
  if (envelope.fifo || (races_ && receivers_.size() == 1)) {
    envelope.in_channel = counter(sent_in_channel_, receivers_[0])++;
  }
  for (Vector& vector : vectors_) {
    EntriesOfFlows entries;
    const std::uint32_t count = vector.rider->process_count();
    for (std::uint32_t k = 0; k < count; ++k) {
      const ObservedEntry entry = vector.rider->entry(k);
      const std::uint32_t value = value_of(entry);
      // A process knows its own events, but not that they have been covered.
      if (entry == 0 || !is_needed(vector.knowledge, k, value, value & ~1U)) continue;
      entries.emplace_back(k, entry);
      if (envelope.fifo) vector.knowledge.learn(receivers_[0], k, value);
    }
    entries_sent_ += entries.size();
    envelope.flows.push_back(std::move(entries));
  }
  if (clocks_) {
    for (std::uint32_t k = 0; k < clock_.clock().size(); ++k) {
      const std::uint32_t rank = clock_.clock()[k];
      if (rank == 0 || !is_needed(clock_knowledge_, k, rank, rank)) continue;
      envelope.clock.emplace_back(k, rank);
      if (envelope.fifo) clock_knowledge_.learn(receivers_[0], k, rank);
    }
    entries_sent_ += envelope.clock.size();
  }
  put_receives(envelope);
  for (const auto& watch : alone_) envelope.alone.push_back(watch->tag());
  if (leaves_out_ || envelope.fifo) envelope.made_for = made_for_;
  return codec_->encode(envelope);
}

/// No one can know more of this process than it does itself.
Expected<void> Watcher::check_claims(const Envelope& envelope) const {
  for (std::size_t i = 0; i < vectors_.size(); ++i) {
    for (const auto& [peer, entry] : envelope.flows[i]) {
      if (peer == self_ && rank_of(entry) > rank_of(vectors_[i].rider->entry(self_))) {
        return failure("speaks of events that this process has not made: it is forged");
      }
    }
  }
  const std::uint32_t events = self_ < clock_.clock().size() ? clock_.clock()[self_] : 0;
  for (const auto& [peer, rank] : envelope.clock) {
    if (peer == self_ && rank > events) {
      return failure("speaks of events that this process has not made: it is forged");
    }
  }
  for (std::size_t i = 0; i < alone_.size(); ++i) {
    if (!alone_[i]->is_credible(envelope.alone[i])) {
      return failure("speaks of events that this process has not made: it is forged");
    }
  }
  if (races_ && receives_known(envelope) > race_rider_.receives()) {
    return failure("speaks of receives that this process has not made: it is forged");
  }
  return success();
}

/// Checks whether a message comes next in its FIFO channel. After a loss the channel goes on behind
/// it.
Expected<void> Watcher::check_order(const Envelope& envelope) {
  std::uint64_t& expected = counter(received_in_channel_, envelope.sender);
  const std::uint64_t number = *envelope.in_channel;
  const bool next = number == expected;
  if (number >= expected && number - expected <= longest_gap) expected = number + 1;
  if (next) return success();
  return failure("is not the next one in its channel, which should be FIFO", {}, 0,
                 "messages were lost or overtaken: use Channels::any");
}

/// Numbers that cannot have been reached.
Expected<void> Watcher::check_bounds(const Envelope& envelope, const Bounds& bounds) const {
  if (envelope.made_for != 0 && envelope.made_for != incarnation_) {
    return failure(
        fmt::format("is for incarnation {} of this process, and this is incarnation {}: "
                    "its sender does not know of the other one",
                    envelope.made_for, incarnation_));
  }
  if (envelope.colours.snapshot > bounds.colours.snapshot ||
      envelope.colours.checkpoint > bounds.colours.checkpoint) {
    return failure("speaks of a snapshot that is too far ahead: it is forged");
  }
  if (envelope.sender == self_ && envelope.number >= bounds.sent) {
    return failure("speaks of a message that this process has not sent: it is forged");
  }
  return success();
}

Expected<void> Watcher::open_on_trial(std::string_view tag, const Bounds& bounds,
                                      Envelope& envelope) {
  if (auto read = codec_->decode(tag, envelope); !read) return read;
  if (auto counted = check_bounds(envelope, bounds); !counted) return counted;
  if (resumed_) {  // of events it has forgotten
    envelope.flows.assign(vectors_.size(), {});
    for (PropertyTag& one : envelope.alone) one.values.clear();
  }
  const bool claims = !watches_nothing_ || races_;
  return claims && checks_claims_ ? check_claims(envelope) : success();
}

Expected<void> Watcher::open(std::string_view tag, const Bounds& bounds, Envelope& envelope) {
  peers_.begin_trial();
  if (auto opened = open_on_trial(tag, bounds, envelope); !opened) {
    peers_.undo_trial();
    return opened;
  }
  if (envelope.fifo) {
    if (auto order = check_order(envelope); !order) return order;
  }
  peers_.heard_from(envelope.sender);
  return success();
}

Expected<Envelope> Watcher::open(std::string_view tag) {
  Envelope envelope;
  if (auto opened = open(tag, Bounds(), envelope); !opened) return failure(opened.error());
  return envelope;
}

std::vector<Checkpoint::Peer> Watcher::peers_now() const {
  std::vector<Checkpoint::Peer> peers(peers_.count());
  for (std::uint32_t k = 0; k < peers.size(); ++k) {
    Checkpoint::Peer& peer = peers[k];
    peer.hash = peers_.hash(k);
    if (Peers::hash_of(peers_.name(k)) == peer.hash) peer.name = peers_.name(k);
    peer.sent = entry_of(sent_in_channel_, k);
    peer.received = entry_of(received_in_channel_, k);
    peer.clock = entry_of(clock_.clock(), k);
    peer.receives = entry_of(race_rider_.clock(), k);
  }
  return peers;
}

Expected<std::vector<std::uint32_t>> Watcher::resume(const Checkpoint& checkpoint) {
  resumed_ = true;
  detections_.clear();
  std::vector<std::uint32_t> numbers;
  const PeerRoom room = peers_.room();
  peers_.set_room({.most = 2 * Peers::most});  // more than a checkpoint can have
  for (const Checkpoint::Peer& peer : checkpoint.peers) {
    const auto known = peer.name.empty() ? peers_.find_or_add(peer.hash, self_)
                                         : peers_.find_or_add(std::string_view(peer.name));
    if (!known) return failure(known.error());
    counter(sent_in_channel_, *known) = peer.sent;
    counter(received_in_channel_, *known) = peer.received;
    clock_.take(*known, peer.clock);
    if (*known == self_) race_rider_.resume(peer.receives);
    race_rider_.take(*known, peer.receives);
    numbers.push_back(*known);
  }
  peers_.set_room(room);
  return numbers;
}

}  // namespace lightcone
