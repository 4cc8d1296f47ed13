// `lightcone demo`: the tour that the README shows.
#include "program.h"

namespace lightcone::cli {
namespace {
void define(CLI::App&, Status&) {}
}  // namespace
Command demo_command() { return {"demo", "a tour", "A tour.", {}, define}; }
}  // namespace lightcone::cli
