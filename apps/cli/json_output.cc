// Prints JSON documents.
#include "json_output.h"

#include <cstdio>
#include <string>

namespace lightcone::cli {

namespace {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void print_json(const nlohmann::ordered_json& document) { print(json_text(document) + '\n'); }

JsonStream::JsonStream() {
  std::string open = json_text(json_document());
  open.pop_back();
  print(open);
}

JsonStream::~JsonStream() { print("}\n"); }

void JsonStream::member(std::string_view name, const nlohmann::ordered_json& value) {
  number(name, json_text(value));
}

void JsonStream::number(std::string_view name, std::string_view digits) {
  print(',' + json_text(name) + ':');
  print(digits);
}

void JsonStream::begin_list(std::string_view name) {
  number(name, "[");
  first_ = true;
}

void JsonStream::add(std::string_view text) {
  if (!first_) print(",");
  first_ = false;
  print(text);
}

void JsonStream::end_list() { print("]"); }

}  // namespace lightcone::cli
