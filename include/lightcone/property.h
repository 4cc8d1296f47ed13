// Property files: what an execution must and must not show (docs/properties.md).
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lightcone {

struct Properties;  // the syntax tree, which is internal

/// What a property says about its question.
enum class Verb : std::uint8_t { forbid, expect, require, watch };

/// The verb as property files spell it.
[[nodiscard]] std::string_view name_of(Verb verb);

/// The properties of a file, parsed. Copies share what was parsed, which never changes.
class PropertyFile {
 public:
  /// For the library itself: users call `parse_properties` or `read_properties`.
  explicit PropertyFile(Properties syntax);

  /// The file that errors name.
  [[nodiscard]] const std::string& file() const;
  /// The number of properties. They are numbered from 0, in the order of the file.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const std::string& name(std::size_t property) const;
  [[nodiscard]] Verb verb(std::size_t property) const;
  /// The question as it was written, on one line.
  [[nodiscard]] const std::string& question(std::size_t property) const;
  /// The line on which the property begins, from 1.
  [[nodiscard]] std::uint32_t line(std::size_t property) const;

  /// For the library itself: the syntax tree.
  [[nodiscard]] const Properties& syntax() const { return *syntax_; }

 private:
  std::shared_ptr<const Properties> syntax_;
};

/// Parses the text of a property file; errors call it `file`.
[[nodiscard]] Expected<PropertyFile> parse_properties(std::string_view text,
                                                      const std::string& file);

/// Reads and parses a property file; `-` is standard input.
[[nodiscard]] Expected<PropertyFile> read_properties(const std::string& path);

}  // namespace lightcone
