// Computes a step that has not been seen, or not lately.
#include <lightcone/riders/walks/lrdag_walk.h>

#include <algorithm>

namespace lightcone {

LrdagWalk::LrdagWalk(Lrdag& lrdag, std::uint32_t scenes)
    : lrdag_(lrdag),
      has_only_flows_(std::ranges::all_of(
          lrdag.members(), [](const Lrdag::Member& member) { return member.flow != nullptr; })),
      known_(scenes * kept_per_scene) {}

void LrdagWalk::find_out(Scene scene, Known& known) {
  lrdag_.code(scene).run(&known.previous, &known.message, &known.next);
  for (std::size_t m = 0; m < lrdag_.members().size(); ++m) {
    if (lrdag_.is_found(m, &known.next)) known.found |= std::uint64_t{1} << m;
  }
}

}  // namespace lightcone
