// The yes-or-no questions that properties ask of single states, each once.
#pragma once

#include <lightcone/property/language/syntax.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// A question about one local state. Its index in the vocabulary is how others refer to it.
struct Proposition {
  enum class Kind : std::uint8_t {
    initial,     ///< it is an initial state
    send,        ///< its event sends
    receive,     ///< its event receives
    one_of,      ///< it carries one of the names
    any_or_one,  ///< it carries an event label that no declaration hides, or one of the names
  };
  /// A label, by its index in the vocabulary; carried by these processes only.
  struct Name {
    std::uint32_t who = 0;
    std::uint32_t label = 0;
    friend auto operator<=>(const Name&, const Name&) = default;
  };

  Kind kind = Kind::one_of;
  std::vector<Name> names;  ///< sorted
  friend bool operator==(const Proposition&, const Proposition&) = default;
};

/// An atom: a proposition that must hold, or must not.
struct Test {
  std::uint32_t proposition = 0;
  bool expected = true;
};

/// All propositions of a property file, and the names they are made of.
class Vocabulary {
 public:
  /// A name as it may stand in a state: an event label, or a declared one.
  struct Label {
    std::string name;
    std::optional<std::uint32_t> declared;  ///< its index among the declared labels
    TextPlace place;                        ///< where it is first named
  };
  /// A process or a group; the first, with an empty name, is everyone.
  struct Who {
    std::string name;
    const Group* group;  ///< nullptr: a process
    TextPlace place;
  };
  static constexpr std::uint32_t initial = 0, send = 1, receive = 2;

  explicit Vocabulary(const Properties& properties);

  [[nodiscard]] Test test(const Atom& atom);
  /// Returns whether a state is labelled, for this alphabet.
  [[nodiscard]] std::uint32_t one_of(const std::vector<LabelName>& names);
  /// Returns whether a state is labelled, where the pattern is all that was said: by any event
  /// label, or by a declared label among these names. `also` are declared labels that hide event
  /// labels.
  [[nodiscard]] std::uint32_t any_or_one(const std::vector<LabelName>& names,
                                         const std::vector<std::string>& also);

  [[nodiscard]] const std::vector<Proposition>& propositions() const { return propositions_; }
  [[nodiscard]] const std::vector<Label>& labels() const { return labels_; }
  [[nodiscard]] const std::vector<Who>& whos() const { return whos_; }
  [[nodiscard]] const Properties& properties() const { return *properties_; }
  /// Returns whether every state at which `a` holds is one at which `b` does, by their names alone.
  [[nodiscard]] bool implies(std::uint32_t a, std::uint32_t b) const;

 private:
  [[nodiscard]] std::uint32_t add(Proposition proposition);
  [[nodiscard]] Proposition::Name name(const LabelName& name);
  [[nodiscard]] std::uint32_t label(const LabelName& name);
  [[nodiscard]] std::uint32_t who(const LabelName& name);

  const Properties* properties_;
  std::vector<Proposition> propositions_;
  std::vector<Label> labels_;
  std::vector<Who> whos_;
};

/// Returns whether a process of this name belongs to the group.
[[nodiscard]] bool contains(const Group& group, std::string_view process);

}  // namespace lightcone
