// The trace of an MPI process: its calls as events, with the messages that they send and take.
#pragma once

#include <lightcone/trace/lct/lct_appender.h>
#include <lightcone/trace/row_words.h>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "calls/posted_receives.h"

namespace lightcone::mpi {

/// A message: a prefix that says from where to where, and a number. One that is received may have
/// to wait for its number.
struct MessageName {
  const std::string* prefix = nullptr;
  std::uint64_t number = 0;
  std::shared_ptr<const Receive> receive = {};
  int from = -1;  ///< of one that is received: the rank in the world

  [[nodiscard]] std::uint64_t resolved() const { return receive ? receive->number : number; }
};

/// What labels an event: the call, and where it applies, tag, communicator and wildcards.
struct CallLabels {
  const char* call = nullptr;
  const std::string* communicator = nullptr;
  int tag = any;
  bool any_source = false, any_tag = false;
  friend auto operator<=>(const CallLabels&, const CallLabels&) = default;
};

/// Their texts, in the order in which they are shown.
[[nodiscard]] std::vector<std::string> texts_of(const CallLabels& labels);

/// What is known of the contents of an event.
struct ContentsNote {
  std::uint64_t digest = 0;           ///< 0: not known
  std::int64_t count = 0;             ///< elements
  const std::string* type = nullptr;  ///< the name of their type; null: there are no contents

  /// `4 MPI_DOUBLE`; empty if there are no contents.
  [[nodiscard]] std::string text() const;
};

/// An event that a program makes itself, through lightcone/mpi.h.
struct OwnState {
  std::vector<std::string> labels = {};
  std::vector<std::pair<std::string, std::int64_t>> variables = {};
};

struct MpiEvent {
  Kind kind = Kind::internal;
  CallLabels labels = {};
  std::optional<MessageName> sends = {};
  std::vector<MessageName> takes = {};
  std::vector<int> to = {};  ///< ranks in the world
  OwnState own = {};
  ContentsNote contents = {};
  const void* site = nullptr;  ///< where the program makes the call; null: not recorded
  double time = 0;

  /// The call that was to send something failed before it did.
  void send_nothing() {
    kind = Kind::internal;
    sends.reset();
    to.clear();
  }
  /// As `line` of the event that was recorded.
  [[nodiscard]] RowWords words() const;
};

/// An event that sends or takes one message whose number is known, and says nothing else. One is
/// made for each message: the constructor puts the members down one by one, which is quicker than
/// to clear them all first.
struct MpiMessage {
  MpiMessage(Kind of, const CallLabels& labelled, const std::string& begins, std::uint64_t which,
             int with, const ContentsNote& note)
      : kind(of), labels(labelled), prefix(begins), number(which), peer(with), contents(note) {}
  Kind kind;
  CallLabels labels;
  const std::string& prefix;  ///< of the message's name
  std::uint64_t number;
  int peer;  ///< who gets it, or whom it is from: the rank in the world
  ContentsNote contents;
  const void* site = nullptr;  ///< as for MpiEvent
  double time = 0;
};

/// Events in their order. Those after one whose message has no number yet are held back.
class MpiTrace {
 public:
  [[nodiscard]] static Expected<MpiTrace> create(const std::string& path, std::string process);
  void add(const MpiEvent& event);
  /// Returns whether no event is held back: then a message
  [[nodiscard]] bool is_empty_handed() const { return held_.empty() && !attempt_; }
  /// can be written at once.
  void add(const MpiMessage& message);
  /// An event that may turn out to send nothing, until another is added or all is written.
  void attempt(const MpiEvent& event);
  /// Returns whether there was still time to say so.
  bool end_attempt(bool sent);
  /// Writes what can be written; at the end of a process also what never had a number. A process
  /// that dies keeps the events before the first of these.
  [[nodiscard]] Expected<void> flush(bool at_end = false);
  /// Lists the places of calls in this file, too.
  void list_sites(std::string path) { sites_path_ = std::move(path); }
  /// It keeps the first error.
  [[nodiscard]] const LctAppender& appender() const { return appender_; }

 private:
  MpiTrace(LctAppender appender, std::string process)
      : appender_(std::move(appender)), process_(std::move(process)) {}
  void write_held();
  void write_attempt();
  void write(const MpiEvent& event);
  void begin_row() {
    if (block_ != appender_.block() || appender_.full()) begin_block();
  }
  void begin_block();
  /// Labels as names in the block at hand, and as a set of them.
  struct NamedLabels {
    std::array<std::uint32_t, 5> names = {};
    std::uint32_t count = 0, set = 0;
  };
  /// What the rows of messages that differ in their tags alone have in common, in one block.
  struct Frame {
    CallLabels labels = {};  ///< without the tag
    int peer = -1;
    Kind kind = Kind::internal;
    std::uint32_t block = UINT32_MAX;
    std::uint64_t id = 0;          ///< no other frame has had it
    std::uint32_t to = 0;          ///< see lct::MessageRow
    std::uint32_t before_tag = 0;  ///< how many of the names stand before that of the tag
    NamedLabels named = {};
  };
  /// The names of the rows of a frame that have the same tag.
  struct TagNames {
    std::uint64_t frame = 0;
    int tag = 0;
    std::uint32_t labels = 0, prefix = 0;  ///< see lct::MessageRow
  };
  void make(Frame& frame, const MpiMessage& message);
  void name(const MpiMessage& message, const Frame& frame, TagNames& names);
  [[nodiscard]] const NamedLabels& names_of(const CallLabels& labels);
  [[nodiscard]] NamedLabels name(const CallLabels& labels);
  [[nodiscard]] std::uint32_t name_of_rank(int rank);
  /// A receiver alone, as a set of names.
  [[nodiscard]] std::uint32_t set_of_rank(int rank);
  [[nodiscard]] std::uint32_t name_of_contents(const ContentsNote& contents);
  [[nodiscard]] std::optional<std::uint32_t> name_of_site(const void* site);
  [[nodiscard]] lct::MessageMention mention(const std::string& prefix, std::uint64_t number);
  /// The name of a text that stays where it is: it is looked up by its place.
  template <class MakeText>
  [[nodiscard]] std::uint32_t name_at(const void* place, MakeText make_text);
  /// A program may use a tag for each row of a grid.
  struct LabelsHash {
    [[nodiscard]] std::size_t operator()(const CallLabels& labels) const;
  };

  LctAppender appender_;
  std::string process_;
  std::deque<MpiEvent> held_;
  std::optional<MpiEvent> attempt_;
  std::optional<std::uint32_t> block_;  // that these hold for:
  std::uint32_t process_index_ = 0;
  std::unordered_map<CallLabels, NamedLabels, LabelsHash> label_names_;
  const NamedLabels* last_named_ = nullptr;  // and what it names:
  CallLabels last_labels_;
  std::vector<Frame> frames_;        // by a hash, the last one at each place
  std::uint64_t last_frame_ = 0;     // an id
  std::vector<TagNames> tag_names_;  // by a hash; tags that follow each other stand side by side
  tsl::robin_map<int, std::uint32_t> rank_names_, rank_sets_;
  tsl::robin_map<const void*, std::uint32_t> names_;
  std::int64_t last_count_ = 0;  // of contents, and its type and name
  const std::string* last_type_ = nullptr;
  std::uint32_t last_contents_ = 0;
  std::string sites_path_;
  tsl::robin_map<const void*, std::string> sites_;  // as texts, for all blocks
  std::vector<lct::MessageMention> takes_;
  std::vector<std::uint32_t> labels_, to_;
  std::vector<lct::RowContent::Variable> variables_;
};

[[nodiscard]] std::string process_name(int rank);

}  // namespace lightcone::mpi
