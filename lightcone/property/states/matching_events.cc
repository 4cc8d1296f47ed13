// Asks the atom of each event, as a property file without declarations would.
#include <lightcone/property/states/matching_events.h>

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/states/observer.h>

#include <utility>

namespace lightcone {

Expected<MatchingEvents> matching_events(const Computation& computation, const Atom& atom,
                                         const std::string& file) {
  Properties properties;
  properties.file = file;
  Flow asked;
  asked.at = atom;
  properties.properties.push_back(
      {.verb = Verb::watch, .name = {}, .text = {}, .question = std::move(asked)});
  auto warnings = check_names(properties, computation);
  if (!warnings) return failure(warnings.error());

  Vocabulary vocabulary(properties);
  const Test test = vocabulary.test(atom);
  Observer observer(vocabulary, computation.names());
  const std::vector<Scene> scenes = observe(computation, observer);
  return MatchingEvents{
      Selection(computation, [&](EventIndex e) { return observer.holds(scenes[e], test); }),
      std::move(*warnings)};
}

}  // namespace lightcone
