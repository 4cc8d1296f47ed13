// Writes what describes a search field by field, and reads it in the same order.
#include <lightcone/lattice/workers/lattice_wire.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace lightcone {
namespace {

using Form = Condition::Form;

void write_signed(WireWriter& writer, std::int64_t value) {
  writer.fixed(static_cast<std::uint64_t>(value), 8);
}
[[nodiscard]] std::int64_t read_signed(WireReader& reader) {
  return static_cast<std::int64_t>(reader.fixed(8));
}

/// No more elements than there are bytes left.
[[nodiscard]] std::size_t read_count(WireReader& reader) {
  const std::uint64_t count = reader.number();
  if (count > reader.left()) reader.fail();
  return reader.failed() ? 0 : count;
}
[[nodiscard]] std::uint32_t read_index(WireReader& reader) {
  return static_cast<std::uint32_t>(reader.number());
}

void write_value(WireWriter& writer, std::uint8_t value) { writer.number(value); }
void write_value(WireWriter& writer, std::int64_t value) { write_signed(writer, value); }
void write_value(WireWriter& writer, const Datum& datum) {
  writer.number(datum.index());
  if (const auto* integer = std::get_if<std::int64_t>(&datum)) write_signed(writer, *integer);
  if (const auto* real = std::get_if<double>(&datum)) {
    writer.fixed(std::bit_cast<std::uint64_t>(*real), 8);
  }
  if (const auto* text = std::get_if<std::string_view>(&datum)) writer.text(*text);
  if (const auto* wide = std::get_if<WideInteger>(&datum)) {
    write_signed(writer, wide->high);
    writer.fixed(wide->low, 8);
  }
}

void read_value(WireReader& reader, std::uint8_t& value) {
  value = static_cast<std::uint8_t>(reader.number());
}
void read_value(WireReader& reader, std::int64_t& value) { value = read_signed(reader); }
void read_value(WireReader& reader, Datum& datum) {
  switch (reader.number()) {
    case 1: datum = read_signed(reader); break;
    case 2: datum = std::bit_cast<double>(reader.fixed(8)); break;
    case 3: datum = reader.text(std::numeric_limits<std::size_t>::max()); break;
    case 4: {
      const std::int64_t high = read_signed(reader);
      datum = WideInteger{high, reader.fixed(8)};
      break;
    }
    default: datum = std::monostate(); break;
  }
}

template <class T>
void write_table(WireWriter& writer, const StateTable<T>& table) {
  writer.number(table.process);
  writer.number(table.chain);
  writer.number(table.values.size());
  for (const T& value : table.values) write_value(writer, value);
}
template <class T>
[[nodiscard]] StateTable<T> read_table(WireReader& reader) {
  StateTable<T> table;
  table.process = read_index(reader);
  table.chain = read_index(reader);
  table.values.resize(read_count(reader));
  for (T& value : table.values) read_value(reader, value);
  return table;
}

void write_term(WireWriter& writer, const Term& term) {
  writer.number(static_cast<std::uint64_t>(term.kind));
  writer.number(static_cast<std::uint64_t>(term.aggregate));
  write_value(writer, term.constant);
  writer.number(term.columns.size());
  for (const std::uint32_t column : term.columns) writer.number(column);
  writer.number(term.parts.size());
  for (const Term& part : term.parts) write_term(writer, part);
}
[[nodiscard]] Term read_term(WireReader& reader) {
  Term term;
  term.kind = static_cast<Expression::Kind>(reader.number());
  term.aggregate = static_cast<Expression::Aggregate>(reader.number());
  read_value(reader, term.constant);
  term.columns.resize(read_count(reader));
  for (std::uint32_t& column : term.columns) column = read_index(reader);
  term.parts.resize(read_count(reader));
  for (Term& part : term.parts) part = read_term(reader);
  return term;
}

void write_other(WireWriter& writer, const Condition::Other& other) {
  write_term(writer, other.term);
  writer.number(other.columns.size());
  for (const auto& column : other.columns) write_table(writer, column);
}
[[nodiscard]] std::shared_ptr<const Condition::Other> read_other(WireReader& reader) {
  Condition::Other other{read_term(reader), {}};
  other.columns.resize(read_count(reader));
  for (auto& column : other.columns) column = read_table<Datum>(reader);
  return std::make_shared<const Condition::Other>(std::move(other));
}

}  // namespace

void write(WireWriter& writer, const Cut& cut) {
  writer.number(cut.size());
  for (const Rank rank : cut) writer.number(rank);
}

Cut read_cut(WireReader& reader) {
  Cut cut(read_count(reader));
  for (Rank& rank : cut) rank = read_index(reader);
  return cut;
}

void write(WireWriter& writer, const Interval& interval) {
  write(writer, interval.lower);
  write(writer, interval.upper);
}

Interval read_interval(WireReader& reader) {
  Cut lower = read_cut(reader);
  return {std::move(lower), read_cut(reader)};
}

void write(WireWriter& writer, const Level& level) {
  write(writer, level.bottom());
  write(writer, level.top());
  for (std::uint32_t c = 0; c < level.chains(); ++c) writer.number(level.length(c));
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = 1; k <= level.length(c); ++k) {
      for (const Rank rank : level.past(c, k)) writer.number(rank);
    }
  }
}

Level read_level(WireReader& reader) {
  Cut bottom = read_cut(reader);
  Cut top = read_cut(reader);
  std::vector<Rank> lengths(bottom.size());
  std::size_t events = 0;
  for (Rank& length : lengths) events += length = read_index(reader);
  TimestampTable pasts(events, static_cast<std::uint32_t>(bottom.size()));
  for (std::size_t i = 0; i < events; ++i) {
    std::uint32_t* row = pasts.row(i);
    std::fill_n(row, pasts.stride(), 0);
    for (std::size_t c = 0; c < bottom.size(); ++c) row[c] = read_index(reader);
  }
  return {lengths, std::move(pasts), std::move(bottom), std::move(top)};
}

void write(WireWriter& writer, const Condition& condition) {
  writer.number(static_cast<std::uint64_t>(condition.form));
  writer.number(condition.truth ? 1 : 0);
  writer.number(static_cast<std::uint64_t>(condition.relation));
  write_signed(writer, condition.bound);
  if (condition.form == Form::local) write_table(writer, condition.local);
  if (condition.form == Form::term) write_other(writer, *condition.other);
  writer.number(condition.sum.size());
  for (const Condition::Summand& summand : condition.sum) write_table(writer, summand);
  writer.number(condition.parts.size());
  for (const Condition& part : condition.parts) write(writer, part);
}

Condition read_condition(WireReader& reader) {
  Condition condition;
  condition.form = static_cast<Form>(reader.number());
  condition.truth = reader.number() != 0;
  condition.relation = static_cast<Condition::Relation>(reader.number());
  condition.bound = read_signed(reader);
  if (condition.form == Form::local) condition.local = read_table<std::uint8_t>(reader);
  if (condition.form == Form::term) condition.other = read_other(reader);
  condition.sum.resize(read_count(reader));
  for (Condition::Summand& summand : condition.sum) summand = read_table<std::int64_t>(reader);
  condition.parts.resize(read_count(reader));
  for (Condition& part : condition.parts) part = read_condition(reader);
  return condition;
}

}  // namespace lightcone
