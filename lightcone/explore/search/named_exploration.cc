// The place of a part begins with the place of the one that gave it away. Of two that were given
// away by one, the later one comes first, as what is given away comes after all that is kept.
#include <lightcone/explore/search/named_exploration.h>

#include <fmt/format.h>

namespace lightcone {

NamedExploration::NamedExploration(const ExplorationOptions& options, const NamedGuide& first)
    : exploration_(std::make_unique<Exploration>(options, first.guide)),
      names_(std::make_shared<ExploredNames>()) {
  for (const std::string& name : first.names) static_cast<void>(names_->process(name));
}

std::optional<NamedExploration> NamedExploration::split() {
  auto rest = exploration_->split();
  if (rest == nullptr) return std::nullopt;
  PartPlace place = place_;
  place.push_back(parts_left_--);
  return NamedExploration(std::move(rest), names_, std::move(place));
}

NamedGuide NamedExploration::guide() const {
  NamedGuide named{.names = names_->processes(), .guide = exploration_->guide()};
  named.guide.processes.resize(named.names.size());
  return named;
}

std::string NamedExploration::trouble() const {
  const auto& trouble = exploration_->trouble();
  if (!trouble) return {};
  const std::string process = names_->process_name(trouble->process);
  using What = Exploration::Trouble::What;
  switch (trouble->what) {
    case What::second_reader:
      return fmt::format(
          "{} waits at mailbox {}, which {} reads: it cannot be explored who of "
          "several readers gets a message",
          process, names_->mailbox_name(trouble->mailbox), names_->process_name(trouble->other));
    case What::second_closing:
      return fmt::format("{} closes the network, and {} does so independently", process,
                         names_->process_name(trouble->other));
    case What::early_closing: return "the network is closed before the execution begins";
    case What::difference:
      return fmt::format(
          "{} did something else than before, after the same choices: what it does "
          "must depend on them alone",
          process);
  }
  return {};
}

}  // namespace lightcone
