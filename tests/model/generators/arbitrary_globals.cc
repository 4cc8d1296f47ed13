// Computations whose variables change often, and property files about them.
#include "model/generators/arbitrary_globals.h"

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>
#include <utility>

namespace lightcone::arbitrary {
namespace {

constexpr std::uint8_t assign_all = 0xF0;  // a decoration

constexpr std::array<double, 15> reals{
    1.0,         0.5,   -1.5, -0.0,     0x1p62,
    0x1p-40,     0.1,   0.7,  0x1p63,   9007199254740994.0,
    -0x1.8p1023, 1e308, 1e17, INFINITY, std::numeric_limits<double>::quiet_NaN()};
constexpr std::array<std::int64_t, 6> large_integers{INT64_MAX,
                                                     INT64_MIN,
                                                     std::int64_t{1} << 62,
                                                     std::int64_t{1} << 53,
                                                     (std::int64_t{1} << 53) + 1,
                                                     (std::int64_t{1} << 53) + 2};

/// Gives variables their next values.
class Variables {
 public:
  explicit Variables(Manner manner) : manner_(manner) {}

  void decorate(Builder& builder, ProcessIndex process, std::uint8_t decoration,
                std::uint8_t choice) {
    label(builder, decoration);
    const auto assign = [&](const char* variable, Value value) {
      builder.assign(builder.name(variable), value);
    };
    const auto name = [&] { return builder.name(std::array{"ann", "bob", ""}[choice % 3]); };
    switch (decoration >> 4) {
      case 0: return;
      case 1:
      case 2:
      case 3:
      case 4: return assign("y", next(builder, process, "y", choice));
      case 5:
      case 6: return assign("flag", choice % 2 == 0);
      case 7: return assign("name", name());
      case 8:
        assign("y", next(builder, process, "y", choice));
        return assign("flag", choice % 3 == 0);
      case assign_all >> 4:
        assign("y", next(builder, process, "y", choice / 2));
        assign("flag", choice % 2 == 0);
        assign("name", name());
        [[fallthrough]];
      default: return assign("x", next(builder, process, "x", choice));
    }
  }

 private:
  static void label(Builder& builder, std::uint8_t decoration) {
    if (decoration % 16 > 4 || decoration % 16 == 0) return;
    const std::array label{builder.name(decoration % 2 == 0 ? "a" : "b")};
    builder.set_labels(builder.name_set(label));
  }

  [[nodiscard]] Value next(Builder& builder, ProcessIndex process, const char* variable,
                           std::uint8_t choice) {
    std::int64_t& last = last_[{process, variable}];
    switch (manner_) {
      case Manner::any: return std::int64_t{choice % 5} - 1;
      case Manner::growing: return last += choice % 3;
      case Manner::steps: return last += choice % 2 == 0 ? 1 : -1;
      case Manner::mixed: break;
    }
    const std::size_t which = choice / 6;
    switch (choice % 6) {
      case 0:
      case 1: return reals[which % reals.size()];
      case 2: return large_integers[which % large_integers.size()];
      case 3: return builder.name(which % 2 == 0 ? "ann" : "");
      default: return static_cast<std::int64_t>(which % 3);
    }
  }

  Manner manner_;
  std::map<std::pair<ProcessIndex, std::string>, std::int64_t> last_;
};

}  // namespace

rc::Gen<GlobalScript> global_script(std::size_t most_steps) {
  const auto manner =
      rc::gen::element(Manner::any, Manner::any, Manner::growing, Manner::steps, Manner::mixed);
  // RapidCheck starts with small sizes, at which nothing is concurrent.
  const auto any = rc::gen::resize(rc::kNominalSize, script(most_steps));
  const auto fitting = rc::gen::map(any, [](Script script) {
    script.processes = static_cast<std::uint8_t>(2 + script.processes % 3);
    script.starts.resize(script.processes);
    script.starts[0] |= assign_all;
    for (std::uint8_t& start : script.starts) {
      if (start % 4 != 0) start |= assign_all;
    }
    return script;
  });
  return rc::gen::build<GlobalScript>(rc::gen::set(&GlobalScript::script, fitting),
                                      rc::gen::set(&GlobalScript::manner, manner));
}

Computation play(const GlobalScript& script) {
  Variables variables(script.manner);
  return play(script.script, [&](Builder& builder, ProcessIndex process, std::uint8_t decoration,
                                 std::uint8_t choice) {
    variables.decorate(builder, process, decoration, choice);
  });
}

void for_all_globals(const std::string& what, int cases,
                     const std::function<void(const Computation&, const Properties&)>& property) {
  for_all(what, cases, [&] {
    const GlobalScript script = *global_script();
    const Computation computation = play(script);
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = random_globals(random, computation);
    RC_LOG(text);
    const auto properties = parse_property_syntax(text, "random");
    if (!properties) RC_FAIL(properties.error().text() + "\n\n" + text);
    const auto names = check_names(*properties, computation);
    if (!names) RC_FAIL(names.error().text() + "\n\n" + text);
    property(computation, *properties);
  });
}

std::ostream& operator<<(std::ostream& out, const GlobalScript& script) {
  return out << write_trace_text(play(script), Format::jsonl);
}

}  // namespace lightcone::arbitrary
