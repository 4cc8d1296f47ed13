// Hands each global property to the library.
#include "global_answers.h"

#include "progress_bar.h"
#include "ranks_run.h"

namespace lightcone::cli {

GlobalAnswers answer_globals(const Properties& properties, const Computation& computation,
                             const Limits& limits, bool witnesses) {
  GlobalAnswers answers(properties.properties.size());
  ProgressBar bar;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto* global = std::get_if<Global>(&properties.properties[i].question);
    if (global == nullptr) continue;
    Budget budget(limits);
    GlobalPredicate predicate(computation, properties, global->expression,
                              [&] { return budget.has_time(); });
    Decision decision = decide(global->modality, predicate, computation,
                               {budget, bar.progress(), witnesses, ranks()});
    answers[i].emplace(GlobalAnswer{std::move(predicate), std::move(decision)});
  }
  return answers;
}

}  // namespace lightcone::cli
