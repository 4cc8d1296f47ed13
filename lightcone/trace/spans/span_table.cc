// Ids as text, attributes by name, and tables joined.
#include <lightcone/trace/spans/span_table.h>

#include <fmt/format.h>
#include <lightcone/causal/interned_value.h>

#include <array>
#include <cstring>
#include <type_traits>

namespace lightcone {
namespace {

constexpr std::size_t digits_of_span = 16;

/// The value of each digit; all ones for any other byte.
constexpr std::array<std::uint64_t, 256> digit_values = [] {
  std::array<std::uint64_t, 256> values{};
  values.fill(UINT64_MAX);
  for (unsigned i = 0; i < 10; ++i) values['0' + i] = i;
  for (unsigned i = 0; i < 6; ++i) values['a' + i] = values['A' + i] = 10 + i;
  return values;
}();

[[nodiscard]] std::optional<std::uint64_t> hex_number(std::string_view digits) {
  std::uint64_t number = 0, all = 0;
  for (const char c : digits) {
    const std::uint64_t digit = digit_values[static_cast<unsigned char>(c)];
    number = number << 4 | digit;
    all |= digit;
  }
  if (all > 15) return std::nullopt;
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

void SpanTable::clear_spans() {
  spans.clear();
  attributes.clear();
  events.clear();
  links.clear();
  resources.clear();
  kept.clear();
}

void SpanCollector::expect(double times) {
  const auto reserve = [&](auto& array) {
    array.reserve(static_cast<std::size_t>(static_cast<double>(array.size()) * times));
  };
  reserve(all_.spans);
  reserve(all_.attributes);
  reserve(all_.events);
  reserve(all_.links);
}

void SpanCollector::add(const SpanTable& part, Renamed& renamed) {
  for (auto i = static_cast<std::uint32_t>(renamed.size()); i < part.names.size(); ++i) {
    renamed.push_back(all_.names.intern(part.names[NameIndex{i}]));
  }
  const auto name_of = [&](NameIndex name) {
    return name == NameIndex::none ? name : renamed[static_cast<std::uint32_t>(name)];
  };
  std::vector<std::uint32_t> resources;
  resources.reserve(part.resources.size());
  for (std::size_t i = 0; i < part.resources.size(); ++i) {
    resources.push_back(resource(part, i, renamed));
  }
  const auto keep = [&](const KeptTexts& from, std::size_t index, KeptTexts& to, std::size_t at) {
    if (const NameIndex text = from[index]; text != NameIndex::none) to.set(at, name_of(text));
  };
  for (std::size_t s = 0; s < part.spans.size(); ++s) {
    const Span& one = part.spans[s];
    keep(part.kept.starts, s, all_.kept.starts, all_.spans.size());
    keep(part.kept.ends, s, all_.kept.ends, all_.spans.size());
    Span& span = all_.spans.emplace_back(one);
    span.name = name_of(one.name);
    span.resource = resources[one.resource];
    std::size_t begin = all_.attributes.size();
    add_attributes(part[one.attributes], renamed);
    span.attributes = all_.attributes_since(begin);
    span.events.begin = static_cast<std::uint32_t>(all_.events.size());
    for (std::uint32_t i = one.events.begin; i < one.events.end; ++i) {
      begin = all_.attributes.size();
      add_attributes(part[part.events[i].attributes], renamed);
      keep(part.kept.events, i, all_.kept.events, all_.events.size());
      all_.events.push_back(
          {part.events[i].time, name_of(part.events[i].name), all_.attributes_since(begin)});
    }
    span.events.end = static_cast<std::uint32_t>(all_.events.size());
    span.links.begin = static_cast<std::uint32_t>(all_.links.size());
    for (std::uint32_t i = one.links.begin; i < one.links.end; ++i) {
      keep(part.kept.links, i, all_.kept.links, all_.links.size());
      all_.links.push_back(part.links[i]);
    }
    span.links.end = static_cast<std::uint32_t>(all_.links.size());
  }
}

void SpanCollector::add_attributes(std::span<const Assignment> attributes, const Renamed& renamed) {
  const std::size_t begin = all_.attributes.size();
  all_.attributes.insert(all_.attributes.end(), attributes.begin(), attributes.end());
  for (Assignment& copy : std::span(all_.attributes).subspan(begin)) {
    copy.variable = renamed[static_cast<std::uint32_t>(copy.variable)];
    if (auto* text = std::get_if<NameIndex>(&copy.value)) {
      *text = renamed[static_cast<std::uint32_t>(*text)];
    }
  }
}

std::uint32_t SpanCollector::resource(const SpanTable& part, std::size_t index,
                                      const Renamed& renamed) {
  const std::size_t begin = all_.attributes.size();
  add_attributes(part[part.resources[index]], renamed);
  const NameIndex kept = part.kept.resources[index];
  const NameIndex text = kept == NameIndex::none ? kept : renamed[static_cast<std::uint32_t>(kept)];
  std::string key = std::to_string(static_cast<std::uint32_t>(text)) + ' ';
  for (std::size_t i = begin; i < all_.attributes.size(); ++i) append_key(key, all_.attributes[i]);
  const auto fresh = static_cast<std::uint32_t>(all_.resources.size());
  const auto [known, is_new] = resources_.emplace(std::move(key), fresh);
  if (is_new) {
    all_.resources.push_back(all_.attributes_since(begin));
    if (text != NameIndex::none) all_.kept.resources.set(fresh, text);
  } else {
    all_.attributes.resize(begin);
  }
  return known->second;
}

}  // namespace lightcone
