// Texts on which a regular expression takes too long: what reads them is not watched any more.
#include <lightcone/live/watch/watcher.h>
#include <lightcone/property/language/property_reads.h>

namespace lightcone {

/// Returns whether a property reads a text on which a regular expression took too long. That is
/// told once.
bool Watcher::is_given_up(const Property& property) {
  const auto& patterns = observer_.expressions().given_up();
  if (!depends_on_matching(properties_.source(), property, patterns)) return false;
  if (!given_up_.insert(property.name).second) return true;
  constexpr std::string_view why =
      " is not watched any more: a regular expression takes too long on a text";
  Error error;
  error.what = property.name + std::string(why);
  errors_.push_back(std::move(error));
  return true;
}

}  // namespace lightcone
