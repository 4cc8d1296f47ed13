// Prints JSON documents.
#include "print/json_output.h"

#include <cstdio>
#include <string>

namespace lightcone::cli {

namespace {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

void print_json(const Json& document) { print(document.dump() + '\n'); }

std::string json_text(std::string_view text) { return Json(text).dump(); }

JsonStream::JsonStream(const Wholeness& wholeness) {
  std::string open = json_document(wholeness).dump();
  open.pop_back();
  print(open);
}

JsonStream::~JsonStream() { print("}\n"); }

void JsonStream::text(std::string_view name, std::string_view value) {
  member(name, json_text(value));
}

void JsonStream::number(std::string_view name, std::uint64_t value) {
  member(name, std::to_string(value));
}

void JsonStream::number(std::string_view name, std::string_view digits) { member(name, digits); }

void JsonStream::nothing(std::string_view name) { member(name, "null"); }

void JsonStream::begin_list(std::string_view name) {
  member(name, "[");
  first_ = true;
}

void JsonStream::add(std::string_view text) {
  if (!first_) print(",");
  first_ = false;
  print(text);
}

void JsonStream::end_list() { print("]"); }

void JsonStream::member(std::string_view name, std::string_view value) {
  print(',' + json_text(name) + ':');
  print(value);
}

}  // namespace lightcone::cli
