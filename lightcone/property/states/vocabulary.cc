// Collects propositions, and which processes a name stands for.
#include <lightcone/property/states/vocabulary.h>

#include <algorithm>

namespace lightcone {
namespace {

/// `*` stands for any run of characters: the classic walk with one step back to the last star.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

bool contains(const Group& group, std::string_view process) {
  return std::any_of(group.patterns.begin(), group.patterns.end(),
                     [&](const std::string& pattern) { return matches(pattern, process); });
}

Vocabulary::Vocabulary(const Properties& properties)
    : properties_(&properties),
      propositions_{{Proposition::Kind::initial, {}},
                    {Proposition::Kind::send, {}},
                    {Proposition::Kind::receive, {}}},
      whos_{{{}, nullptr, {}}} {}

Test Vocabulary::test(const Atom& atom) {
  return {one_of(atom.names), atom.kind == Atom::Kind::one_of};
}

std::uint32_t Vocabulary::one_of(const std::vector<LabelName>& names) {
  Proposition proposition;
  for (const LabelName& mention : names) proposition.names.push_back(name(mention));
  return add(std::move(proposition));
}

std::uint32_t Vocabulary::any_or_one(const std::vector<LabelName>& names,
                                     const std::vector<std::string>& also) {
  Proposition proposition;
  proposition.kind = Proposition::Kind::any_or_one;
  for (const LabelName& mention : names) {
    if (properties_->find_label(mention.label)) {
      proposition.names.push_back({0, label(mention)});
    }
  }
  for (const std::string& hidden : also) proposition.names.push_back({0, label({{}, hidden, {}})});
  return add(std::move(proposition));
}

bool Vocabulary::implies(std::uint32_t a, std::uint32_t b) const {
  const Proposition& narrow = propositions_[a];
  const Proposition& wide = propositions_[b];
  if (narrow.kind != Proposition::Kind::one_of || wide.kind != Proposition::Kind::one_of) {
    return a == b;
  }
  return std::all_of(narrow.names.begin(), narrow.names.end(), [&](const Proposition::Name& name) {
    const auto has = [&](Proposition::Name wanted) {
      return std::binary_search(wide.names.begin(), wide.names.end(), wanted);
    };
    return has(name) || has({0, name.label});
  });
}

std::uint32_t Vocabulary::add(Proposition proposition) {
  auto& names = proposition.names;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto known = std::find(propositions_.begin(), propositions_.end(), proposition);
  if (known == propositions_.end()) {
    propositions_.push_back(std::move(proposition));
    return static_cast<std::uint32_t>(propositions_.size() - 1);
  }
  return static_cast<std::uint32_t>(known - propositions_.begin());
}

Proposition::Name Vocabulary::name(const LabelName& mention) {
  return {who(mention), label(mention)};
}

std::uint32_t Vocabulary::label(const LabelName& mention) {
  const auto known = std::find_if(labels_.begin(), labels_.end(),
                                  [&](const Label& l) { return l.name == mention.label; });
  if (known != labels_.end()) return static_cast<std::uint32_t>(known - labels_.begin());
  labels_.push_back({mention.label, properties_->find_label(mention.label), mention.place});
  return static_cast<std::uint32_t>(labels_.size() - 1);
}

std::uint32_t Vocabulary::who(const LabelName& mention) {
  const auto known =
      std::find_if(whos_.begin(), whos_.end(), [&](const Who& w) { return w.name == mention.who; });
  if (known != whos_.end()) return static_cast<std::uint32_t>(known - whos_.begin());
  whos_.push_back({mention.who, properties_->find_group(mention.who), mention.place});
  return static_cast<std::uint32_t>(whos_.size() - 1);
}

}  // namespace lightcone
