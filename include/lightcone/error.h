// Errors as values: what went wrong, where, and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace lightcone {

/// What went wrong, in which file and at which place of it, and what the user can do.
struct Error {
  std::string what;
  std::string file;          ///< empty if there is none
  std::uint64_t line = 0;    ///< counted from 1; 0 if there is none
  std::string hint;          ///< what to do; may be empty
  std::uint64_t column = 0;  ///< counted from 1; 0 if there is none
  std::string excerpt = {};  ///< the line in the file; may be empty

  /// Returns what a terminal shows: `file:line:column: what`, the line with a mark under the
  /// column, and the hint.
  [[nodiscard]] std::string text() const;
};

template <class T>
using Expected = tl::expected<T, Error>;

/// The value to return from a function of type Expected when it fails.
[[nodiscard]] inline tl::unexpected<Error> failure(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
[[nodiscard]] inline tl::unexpected<Error> failure(std::string what, std::string file = {},
                                                   std::uint64_t line = 0, std::string hint = {}) {
  return failure(Error{std::move(what), std::move(file), line, std::move(hint), 0, {}});
}

/// Ends the program if an invariant of Lightcone itself is broken, also in release builds.
[[noreturn]] void broken_invariant(const char* condition, const char* file, int line);

}  // namespace lightcone

/// An assertion that is also checked in release builds. Never for input: input gives an Error.
#define LIGHTCONE_ASSERT(condition) \
  ((condition) ? void(0) : ::lightcone::broken_invariant(#condition, __FILE__, __LINE__))
