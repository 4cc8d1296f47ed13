// The public view of a property file: its syntax tree, shared and unchanged.
#include <lightcone/property.h>
#include <lightcone/property/language/parser.h>

#include <utility>

namespace lightcone {

PropertyFile::PropertyFile(Properties syntax)
    : syntax_(std::make_shared<const Properties>(std::move(syntax))) {}

const std::string& PropertyFile::file() const { return syntax_->file; }

std::size_t PropertyFile::size() const { return syntax_->properties.size(); }

const std::string& PropertyFile::name(std::size_t property) const {
  return syntax_->properties.at(property).name;
}

Verb PropertyFile::verb(std::size_t property) const {
  return syntax_->properties.at(property).verb;
}

const std::string& PropertyFile::question(std::size_t property) const {
  return syntax_->properties.at(property).text;
}

std::uint32_t PropertyFile::line(std::size_t property) const {
  return syntax_->properties.at(property).place.line;
}

Expected<PropertyFile> parse_properties(std::string_view text, const std::string& file) {
  auto syntax = parse_property_syntax(text, file);
  if (!syntax) return failure(std::move(syntax.error()));
  return PropertyFile(std::move(*syntax));
}

Expected<PropertyFile> read_properties(const std::string& path) {
  auto syntax = read_property_syntax(path);
  if (!syntax) return failure(std::move(syntax.error()));
  return PropertyFile(std::move(*syntax));
}

}  // namespace lightcone
