// The riders of one live process: what they see, what they put on messages, what they find.
#pragma once

#include <lightcone/live/process/checkpoint.h>
#include <lightcone/live/watch/live_content.h>
#include <lightcone/live/watch/property_watch.h>
#include <lightcone/live/watch/watched_properties.h>
#include <lightcone/process.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/riders/clocks/race_rider.h>
#include <lightcone/riders/clocks/vector_clock_rider.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/riders/longest_flow_rider.h>
#include <lightcone/riders/lrdag_rider.h>
#include <lightcone/riders/tags/envelope.h>
#include <lightcone/riders/tags/peers.h>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

/// All riders of one process, over one envelope. Not safe from several threads: Process is.
class Watcher {
 public:
  /// `races`: tags say which receives happened before, for a journal of races.
  Watcher(CompiledProperties properties, std::uint64_t agreement, const ProcessOptions& options,
          bool races = false);

  /// A state with the time of its event, if properties read it. It may be a copy, which holds until
  /// the next call.
  [[nodiscard]] const LiveState& timed(const LiveState& state);
  /// The three kinds of events. What was found is in `detections()` afterwards.
  void start(const LiveState& initial);
  void event(Kind kind, const LiveState& state);
  /// The envelope of a message that leaves at the event just told of.
  [[nodiscard]] std::string send(std::span<const std::string_view> to, std::uint64_t number,
                                 const Colours& colours = {});
  /// The envelope of a marker.
  [[nodiscard]] std::string marker(std::string_view to, std::uint64_t number,
                                   const Colours& colours);
  /// Whom the last message or marker went to; empty: to anyone.
  [[nodiscard]] const std::vector<std::uint32_t>& receivers() const { return receivers_; }
  /// What a tag can speak of, as far as others than the riders know.
  struct Bounds {
    Colours colours = {SnapshotRange::most, SnapshotRange::most};
    std::uint64_t sent = most_messages;  ///< how many messages this process has sent
  };
  /// Reads a tag, without any effect but on the peers heard of. Of one that is refused nothing is
  /// kept, but how far a FIFO channel has come.
  [[nodiscard]] Expected<void> open(std::string_view tag, const Bounds& bounds, Envelope& envelope);
  [[nodiscard]] Expected<Envelope> open(std::string_view tag);
  /// Returns whether the last tag was refused because there was no room for the processes it speaks
  /// of.
  [[nodiscard]] bool lacks_room() const { return peers_.lacks_room(); }
  /// Forgets processes that were only spoken of, here and in envelopes that were opened and not
  /// received yet; how many.
  std::size_t make_room(std::span<Envelope* const> opened);
  /// Returns whether there are so many sets of states that it pays to forget some.
  [[nodiscard]] bool has_many_sets() const;
  /// Forgets those that neither the riders nor these envelopes refer to.
  void forget_sets(std::span<Envelope* const> opened);
  /// From now on tags may mention events that this process has not made yet. In a replay a message
  /// can arrive early, from a process that got recorded messages of later events.
  void expect_early_messages() { checks_claims_ = false; }
  /// Returns how many receives of this process the sender of a message knew of.
  [[nodiscard]] std::uint32_t receives_known(const Envelope& envelope) const;
  /// The process takes a message. Returns whether it races with the one taken before.
  bool take(const Envelope& envelope);
  /// `sends`: a message leaves at the same event.
  void receive(std::span<const Envelope* const> envelopes, const LiveState& state,
               bool sends = false);
  void receive(std::span<const Envelope> envelopes, const LiveState& state, bool sends = false);

  /// What a checkpoint keeps of each peer, by its number here.
  [[nodiscard]] std::vector<Checkpoint::Peer> peers_now() const;
  /// Continues from a checkpoint, without detecting anything. Returns the numbers of its peers
  /// here.
  [[nodiscard]] Expected<std::vector<std::uint32_t>> resume(const Checkpoint& checkpoint);
  /// Reads a tag that was opened before the checkpoint.
  [[nodiscard]] Expected<Envelope> reopen(std::string_view tag) { return codec_->decode(tag); }

  /// Takes up the counts of a process that has made so many events, all of them labelled.
  void resume_counts(std::uint32_t events);

  [[nodiscard]] std::vector<Detection>& detections() { return detections_; }
  /// What cannot be watched any more, each told once.
  [[nodiscard]] std::vector<Error>& errors() { return errors_; }
  [[nodiscard]] const Peers& peers() const { return peers_; }
  [[nodiscard]] const std::string& peer_name(std::uint32_t peer) const { return peers_.name(peer); }
  [[nodiscard]] const std::vector<std::uint32_t>& clock() const { return clock_.clock(); }
  [[nodiscard]] std::uint64_t entries_sent() const { return entries_sent_; }
  /// The names of properties that one process cannot decide.
  [[nodiscard]] std::vector<std::string> unwatched() const {
    return lightcone::unwatched(properties_);
  }

 private:
  /// A vector that travels: which entries each peer holds already.
  struct Vector {
    std::unique_ptr<LongestFlows> flows;
    std::unique_ptr<LongestFlowRider> rider;
    Knowledge knowledge;
    std::uint32_t most_sets = 1024;  ///< from so many on, unused ones are forgotten
    bool is_over = false;            ///< there were more labelled events than can be counted
  };

  /// Bounds what is kept of processes that are no members.
  void set_room(const ProcessOptions& options);
  void find_receivers(std::span<const std::string_view> to);
  void put_receives(Envelope& envelope);
  void leave_out_known(Colours& colours, std::uint32_t receiver);
  [[nodiscard]] Expected<void> open_on_trial(std::string_view tag, const Bounds& bounds,
                                             Envelope& envelope);
  [[nodiscard]] Expected<void> check_bounds(const Envelope& envelope, const Bounds& bounds) const;
  [[nodiscard]] Expected<void> check_claims(const Envelope& envelope) const;
  [[nodiscard]] Expected<void> check_order(const Envelope& envelope);
  void learn_from(const Envelope& envelope);
  void observe(Scene scene);
  void observe(Vector& vector, Scene scene);
  void watch_alone(const ProcessOptions& options);
  void step_alone(Kind kind, const LiveState& state, bool sends,
                  std::span<const Envelope* const> envelopes);
  void look_at_alone(PropertyWatch& watch);
  void tell_of_full_clock();
  void look_at_longest(const Vector& vector, Scene scene);
  void look_at_lrdag(Scene scene);
  [[nodiscard]] bool is_given_up(const Property& property);
  [[nodiscard]] Detection* told_of(std::uint32_t index, bool found);
  /// Returns whether one of the receivers may not hold this much of an entry yet; notes that it is
  /// left out otherwise.
  [[nodiscard]] bool is_needed(const Knowledge& knowledge, std::uint32_t entry, std::uint32_t value,
                               std::uint32_t itself);

  CompiledProperties properties_;
  LiveContent content_;
  Observer observer_;
  Lrdag lrdag_;
  LrdagRider lrdag_rider_;
  Peers peers_;
  std::uint32_t self_;
  std::string name_;
  std::uint32_t incarnation_;
  Channels channels_;
  bool clocks_, races_, checks_claims_ = true;
  bool watches_nothing_ = false;  // there is nothing that events could tell the riders
  bool resumed_ = false;
  std::vector<Vector> vectors_;                        // one per alphabet
  std::vector<std::unique_ptr<PropertyWatch>> alone_;  // properties with `for each` or `within`
  VectorClockRider clock_;
  Knowledge clock_knowledge_;
  RaceRider race_rider_;
  Knowledge race_knowledge_;
  std::unique_ptr<EnvelopeCodec> codec_;
  std::vector<std::uint64_t> sent_in_channel_, received_in_channel_;  // by peer
  std::vector<Colours> told_;             // FIFO: what each peer knows of ours
  std::vector<std::uint32_t> receivers_;  // of the message being sent; empty: anyone
  std::uint32_t made_for_ = 0;  // the incarnation of all of them; 0: of several, or anyone
  bool leaves_out_ = false;     // of the message being sent
  std::vector<std::pair<std::uint32_t, std::uint32_t>> before_;  // maximal entries: peer, rank
  std::vector<LrdagTag> tags_;                                   // of the messages being received
  std::vector<const LrdagTag*> taken_tags_;
  Envelope sent_;    // the last one, for its memory
  LiveState timed_;  // the last one that got a time
  std::vector<Detection> detections_;
  std::vector<Error> errors_;
  bool is_clock_over_ = false;
  std::set<std::string> given_up_;  // properties of which that was told
  std::uint64_t entries_sent_ = 0;
};

}  // namespace lightcone
