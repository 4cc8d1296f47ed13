// How an error reads on a terminal, and how a broken invariant ends the program.
#include <lightcone/error.h>

#include <cstdio>
#include <cstdlib>

namespace lightcone {

std::string Error::text() const {
  std::string out;
  if (!file.empty()) {
    out += file;
    if (line != 0) out += ':' + std::to_string(line);
    if (column != 0) out += ':' + std::to_string(column);
    out += ": ";
  }
  out += what;
  if (!excerpt.empty()) out += "\n    " + excerpt + '\n' + std::string(column + 3, ' ') + '^';
  if (!hint.empty()) out += "\n  " + hint;
  return out;
}

void broken_invariant(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "lightcone: internal error: %s does not hold (%s:%d)\n", condition, file,
               line);
  std::abort();
}

}  // namespace lightcone
