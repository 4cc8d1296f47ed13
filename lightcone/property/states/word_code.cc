// Brings boolean functions into levels of gates, and levels into operations on words.
#include <lightcone/property/states/word_code.h>

#include <lightcone/error.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint32_t unplaced = UINT32_MAX;
constexpr std::size_t registers_on_stack = 64;
constexpr std::uint32_t most_words_by_byte = 4;

}  // namespace

void WordCode::run(const std::uint64_t* previous, const std::uint64_t* message,
                   std::uint64_t* out) const {
  std::array<std::uint64_t, registers_on_stack> few;
  std::vector<std::uint64_t> many;
  std::uint64_t* r = few.data();
  if (registers_ > registers_on_stack) {
    many.resize(registers_);
    r = many.data();
  }
  // Written out: for the one or two words there usually are, a call costs more than the work.
  for (std::uint32_t w = 0; w < words_; ++w) {
    r[w] = previous[w];
    r[words_ + w] = message[w];
  }
  for (std::uint32_t w = 3 * words_; w < registers_; ++w) r[w] = 0;
  for (const Operation& op : operations_) {
    switch (op.kind) {
      case Operation::Kind::join: r[op.out] = r[op.in] | r[op.other]; break;
      case Operation::Kind::invert: r[op.out] = ~r[op.in]; break;
      case Operation::Kind::rotate: r[op.out] |= std::rotl(r[op.in] & op.mask, op.shift); break;
      case Operation::Kind::look_up: r[op.out] |= look_up(op, r[op.in]); break;
      case Operation::Kind::flip: r[op.out] ^= op.mask; break;
    }
  }
  for (std::uint32_t w = 0; w < words_; ++w) out[w] = r[3 * words_ + w];
}

std::uint64_t WordCode::look_up(const Operation& op, std::uint64_t in) const {
  const std::uint64_t mask = (std::uint64_t{1} << part_bits_) - 1;
  const std::uint64_t* table = tables_.data() + (std::size_t{op.other} << part_bits_);
  std::uint64_t sum = 0;
  in >>= op.shift;
  for (std::size_t i = 0; i < op.count; ++i) {
    sum |= table[in & mask];
    in >>= part_bits_;
    table += mask + 1;
  }
  return sum;
}

WordCoder::WordCoder(std::uint32_t bits)
    : words_(std::max<std::uint32_t>((bits + 63) / 64, 1)),
      first_gate_(1 + 3 * 64 * words_),
      outputs_(bits, constant(false)),
      inverses_(3 * words_, unplaced) {
  code_.words_ = words_;
  code_.registers_ = 4 * words_;  // previous, message, either, out
  if (words_ > most_words_by_byte) code_.part_bits_ = 4;
}

WordCoder::Literal WordCoder::one_of(std::vector<Literal> literals) {
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  const std::uint32_t group = 64 * words_;
  const auto has = [&](Literal wanted) {
    return std::binary_search(literals.begin(), literals.end(), wanted);
  };
  std::vector<Literal> kept;
  for (const Literal literal : literals) {
    if (literal.node == 0) {
      if (!literal.negated) return literal;
      continue;
    }
    if (has(opposite(literal))) return constant(true);
    const bool both =
        !literal.negated && literal.node <= group && has({literal.node + group, false});
    const bool second = !literal.negated && literal.node > group && literal.node <= 2 * group &&
                        has({literal.node - group, false});
    if (both) kept.push_back({literal.node + 2 * group, false});
    if (!both && !second) kept.push_back(literal);
  }
  if (kept.empty()) return constant(false);
  if (kept.size() == 1) return kept.front();
  Gate gate;
  for (const Literal literal : kept) gate.level = std::max(gate.level, level(literal.node) + 1);
  gate.inputs = std::move(kept);
  gates_.push_back(std::move(gate));
  return {first_gate_ + static_cast<std::uint32_t>(gates_.size() - 1), false};
}

WordCoder::Literal WordCoder::all_of(std::vector<Literal> literals) {
  for (Literal& literal : literals) literal = opposite(literal);
  return opposite(one_of(std::move(literals)));
}

void WordCoder::set(std::uint32_t bit, Literal value) { outputs_[bit] = value; }

std::uint32_t WordCoder::level(std::uint32_t node) const {
  return is_gate(node) ? gates_[node - first_gate_].level : 0;
}

WordCoder::Bit WordCoder::place(std::uint32_t node) const {
  if (is_gate(node)) return gates_[node - first_gate_].home;
  return {(node - 1) / 64, (node - 1) % 64, false};
}

/// A gate that is an output is computed where the output has to be. What is an output twice, or
/// already at hand as an input, gets a gate of its own that copies it.
void WordCoder::place_outputs() {
  for (std::uint32_t bit = 0; bit < outputs_.size(); ++bit) {
    Literal value = outputs_[bit];
    if (value.node == 0) continue;
    if (!is_gate(value.node) || gate(value.node).home.word != unplaced) {
      Gate copy;
      copy.level = level(value.node) + 1;
      copy.inputs = {value};
      gates_.push_back(std::move(copy));
      value = {first_gate_ + static_cast<std::uint32_t>(gates_.size() - 1), false};
    }
    gate(value.node).home = {3 * words_ + bit / 64, bit % 64, value.negated};
  }
}

/// Gates of one level share words, so that a level is complete at once.
void WordCoder::place_others() {
  std::map<std::uint32_t, std::uint32_t> placed;  // by level
  std::map<std::uint32_t, std::uint32_t> word;
  for (Gate& gate : gates_) {
    if (gate.home.word != unplaced) continue;
    const std::uint32_t index = placed[gate.level]++;
    if (index % 64 == 0) word[gate.level] = code_.registers_++;
    gate.home = {word[gate.level], index % 64, false};
  }
}

/// A register that holds the opposite of a word as it is now. That of an input lasts.
std::uint32_t WordCoder::inverted(std::uint32_t word) {
  if (word < inverses_.size() && inverses_[word] != unplaced) return inverses_[word];
  const std::uint32_t inverse = code_.registers_++;
  if (word < inverses_.size()) inverses_[word] = inverse;
  code_.operations_.push_back({WordCode::Operation::Kind::invert, 0, 0, word, inverse, 0, 0});
  return inverse;
}

void WordCoder::emit_level(std::uint32_t level) {
  std::vector<Link> links;
  std::map<std::uint32_t, std::uint64_t> flips;
  std::map<std::uint32_t, std::uint32_t> inverses;  // of words that later levels still change
  for (const Gate& gate : gates_) {
    if (gate.level != level) continue;
    for (const Literal literal : gate.inputs) {
      const Bit from = place(literal.node);
      std::uint32_t word = from.word;
      if (literal.negated != from.flipped) {
        const auto [at, is_new] = inverses.try_emplace(word, 0);
        if (is_new) at->second = inverted(word);
        word = at->second;
      }
      links.push_back({word, from.bit, gate.home.word, gate.home.bit});
    }
    if (gate.home.flipped) flips[gate.home.word] |= std::uint64_t{1} << gate.home.bit;
  }
  emit_links(std::move(links));
  for (const auto& [word, mask] : flips) {
    code_.operations_.push_back({WordCode::Operation::Kind::flip, 0, 0, 0, word, 0, mask});
  }
}

void WordCoder::emit_links(std::vector<Link> links) {
  const auto words = [](const Link& link) { return std::pair(link.in, link.out); };
  std::sort(links.begin(), links.end(), [&](const Link& a, const Link& b) {
    return std::tuple(a.in, a.out, a.in_bit, a.out_bit) <
           std::tuple(b.in, b.out, b.in_bit, b.out_bit);
  });
  for (auto begin = links.begin(); begin != links.end();) {
    const auto end = std::find_if(begin, links.end(),
                                  [&](const Link& link) { return words(link) != words(*begin); });
    emit_map(&*begin, &*begin + (end - begin));
    begin = end;
  }
}

/// From one word into another: by rotations, or by tables, whichever is less work.
void WordCoder::emit_map(const Link* begin, const Link* end) {
  using Op = WordCode::Operation::Kind;
  const std::uint32_t part = code_.part_bits_;
  std::map<std::uint32_t, std::uint64_t> rotations;  // how far: which bits
  std::array<std::uint64_t, 64> leads_to{};          // each bit of the word
  for (const Link* link = begin; link != end; ++link) {
    rotations[(link->out_bit - link->in_bit) & 63] |= std::uint64_t{1} << link->in_bit;
    leads_to[link->in_bit] |= std::uint64_t{1} << link->out_bit;
  }
  const std::uint32_t first = begin->in_bit / part;  // links are sorted by it
  const std::uint32_t tables = (end - 1)->in_bit / part - first + 1;
  if (rotations.size() <= tables) {
    for (const auto& [shift, mask] : rotations) {
      code_.operations_.push_back(
          {Op::rotate, static_cast<std::uint8_t>(shift), 0, begin->in, begin->out, 0, mask});
    }
    return;
  }
  code_.operations_.push_back({Op::look_up, static_cast<std::uint8_t>(first * part),
                               static_cast<std::uint16_t>(tables), begin->in, begin->out,
                               static_cast<std::uint32_t>(code_.tables_.size() >> part), 0});
  for (std::uint32_t i = first; i < first + tables; ++i) {
    // Each entry is that of the value without its lowest bit, and where that bit leads.
    const std::size_t base = code_.tables_.size();
    code_.tables_.push_back(0);
    for (std::uint64_t value = 1; value < std::uint64_t{1} << part; ++value) {
      const auto lowest = static_cast<std::uint32_t>(std::countr_zero(value));
      code_.tables_.push_back(code_.tables_[base + (value & (value - 1))] |
                              leads_to[part * i + lowest]);
    }
  }
}

WordCode WordCoder::finish() {
  using Op = WordCode::Operation::Kind;
  place_outputs();
  place_others();
  for (std::uint32_t w = 0; w < words_; ++w) {
    code_.operations_.push_back({Op::join, 0, 0, w, 2 * words_ + w, words_ + w, 0});
  }
  std::uint32_t levels = 0;
  for (const Gate& gate : gates_) levels = std::max(levels, gate.level);
  for (std::uint32_t level = 1; level <= levels; ++level) emit_level(level);
  std::vector<std::uint64_t> constants(words_, 0);
  for (std::uint32_t bit = 0; bit < outputs_.size(); ++bit) {
    if (outputs_[bit] == constant(true)) constants[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  for (std::uint32_t w = 0; w < words_; ++w) {
    if (constants[w] == 0) continue;
    code_.operations_.push_back({Op::flip, 0, 0, 0, 3 * words_ + w, 0, constants[w]});
  }
  return std::move(code_);
}

}  // namespace lightcone
