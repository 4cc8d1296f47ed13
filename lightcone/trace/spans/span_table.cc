// Ids as text, attributes by name, and tables joined.
#include <lightcone/trace/spans/span_table.h>

#include <fmt/format.h>
#include <lightcone/causal/interned_value.h>

#include <bit>
#include <cstring>
#include <type_traits>

namespace lightcone {
namespace {

constexpr std::size_t digits_of_span = 16;

[[nodiscard]] std::optional<std::uint64_t> hex_number(std::string_view digits) {
  std::uint64_t number = 0;
  for (const char c : digits) {
    std::uint64_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint64_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<std::uint64_t>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<std::uint64_t>(c - 'A') + 10;
    } else {
      return std::nullopt;
    }
    number = number << 4 | digit;
  }
  return number;
}

/// Appends what tells a value from others.
void append_key(std::string& key, const Assignment& assignment) {
  const auto append = [&](const auto& part) {
    char bytes[sizeof part];
    std::memcpy(bytes, &part, sizeof part);
    key.append(bytes, sizeof part);
  };
  append(assignment.variable);
  append(static_cast<std::uint8_t>(assignment.value.index()));
  std::visit(append, assignment.value);
}

}  // namespace

std::string hex_of(TraceId id) { return fmt::format("{:016x}{:016x}", id.high, id.low); }

std::string hex_of(SpanId id) { return fmt::format("{:016x}", id); }

std::optional<TraceId> trace_id_in(std::string_view text) {
  if (text.empty() || text.size() > 2 * digits_of_span) return std::nullopt;
  const std::size_t before = text.size() > digits_of_span ? text.size() - digits_of_span : 0;
  const auto high = hex_number(text.substr(0, before));
  const auto low = hex_number(text.substr(before));
  if (!high || !low) return std::nullopt;
  return TraceId{*high, *low};
}

std::optional<SpanId> span_id_in(std::string_view text) {
  if (text.empty() || text.size() > digits_of_span) return std::nullopt;
  return hex_number(text);
}

const Value* SpanTable::find(SpanRange range, NameIndex name) const {
  const Value* found = nullptr;
  for (const Assignment& attribute : (*this)[range]) {
    if (attribute.variable == name) found = &attribute.value;
  }
  return found;
}

std::string SpanTable::spelled(const Value& value) const {
  return std::visit(
      [&](const auto& known) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, NameIndex>) {
          return std::string(names[known]);
        } else {
          return fmt::format("{}", known);
        }
      },
      value);
}

void SpanTable::add_attribute(std::string_view name, const SpelledValue& value) {
  const NameIndex variable = names.intern(name);
  attributes.push_back(
      {variable, interned(value, [&](std::string_view text) { return names.intern(text); })});
}

bool SpanTable::fits() const {
  constexpr std::size_t most = UINT32_MAX - 1;
  return spans.size() < most && attributes.size() < most && events.size() < most &&
         links.size() < most && names.size() < most;
}

void SpanCollector::add(const SpanTable& part) {
  renamed_.resize(part.names.size());
  for (std::uint32_t i = 0; i < renamed_.size(); ++i) {
    renamed_[i] = all_.names.intern(part.names[NameIndex{i}]);
  }
  const auto renamed = [&](NameIndex name) {
    return name == NameIndex::none ? name : renamed_[static_cast<std::uint32_t>(name)];
  };
  std::vector<std::uint32_t> resources;
  resources.reserve(part.resources.size());
  for (const SpanRange attributes : part.resources) {
    resources.push_back(resource(part, attributes));
  }
  for (const Span& one : part.spans) {
    Span& span = all_.spans.emplace_back(one);
    span.name = renamed(one.name);
    span.resource = resources[one.resource];
    std::size_t begin = all_.attributes.size();
    add_attributes(part[one.attributes]);
    span.attributes = all_.attributes_since(begin);
    span.events.begin = static_cast<std::uint32_t>(all_.events.size());
    for (std::uint32_t i = one.events.begin; i < one.events.end; ++i) {
      begin = all_.attributes.size();
      add_attributes(part[part.events[i].attributes]);
      all_.events.push_back(
          {part.events[i].time, renamed(part.events[i].name), all_.attributes_since(begin)});
    }
    span.events.end = static_cast<std::uint32_t>(all_.events.size());
    span.links.begin = static_cast<std::uint32_t>(all_.links.size());
    all_.links.insert(all_.links.end(), part.links.begin() + one.links.begin,
                      part.links.begin() + one.links.end);
    span.links.end = static_cast<std::uint32_t>(all_.links.size());
  }
}

void SpanCollector::add_attributes(std::span<const Assignment> attributes) {
  for (const Assignment& one : attributes) {
    Assignment& copy = all_.attributes.emplace_back(one);
    copy.variable = renamed_[static_cast<std::uint32_t>(one.variable)];
    if (const auto* text = std::get_if<NameIndex>(&one.value)) {
      copy.value = renamed_[static_cast<std::uint32_t>(*text)];
    }
  }
}

std::uint32_t SpanCollector::resource(const SpanTable& part, SpanRange attributes) {
  const std::size_t begin = all_.attributes.size();
  add_attributes(part[attributes]);
  std::string key;
  for (std::size_t i = begin; i < all_.attributes.size(); ++i) append_key(key, all_.attributes[i]);
  const auto fresh = static_cast<std::uint32_t>(all_.resources.size());
  const auto [known, is_new] = resources_.emplace(std::move(key), fresh);
  if (is_new) {
    all_.resources.push_back(all_.attributes_since(begin));
  } else {
    all_.attributes.resize(begin);
  }
  return known->second;
}

}  // namespace lightcone
