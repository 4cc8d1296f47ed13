// Boolean functions of many bits as straight-line code over 64-bit words.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace lightcone {

/// Computes the bits of a state from those of its local predecessor and the union of those of its
/// remote ones: a fixed list of operations on whole words, without branches.
class WordCode {
 public:
  /// `out` may be one of the inputs.
  void run(const std::uint64_t* previous, const std::uint64_t* message, std::uint64_t* out) const;

 private:
  friend class WordCoder;
  struct Operation {
    enum class Kind : std::uint8_t {
      join,     ///< out = in | other
      invert,   ///< out = ~in
      rotate,   ///< out |= rotate(in & mask, shift)
      look_up,  ///< out |= table[part of in], for `count` parts from bit `shift` on
      flip,     ///< out ^= mask
    };
    Kind kind;
    std::uint8_t shift = 0;
    std::uint16_t count = 0;
    std::uint32_t in = 0, out = 0;
    std::uint32_t other = 0;  ///< of join: a register; of look_up: where its tables begin
    std::uint64_t mask = 0;
  };

  [[nodiscard]] std::uint64_t look_up(const Operation& op, std::uint64_t in) const;

  std::uint32_t words_ = 0;
  std::uint32_t registers_ = 0;
  std::vector<Operation> operations_;
  std::uint32_t part_bits_ = 8;        // of a word, that one table is for
  std::vector<std::uint64_t> tables_;  // 2^part_bits_ entries each
};

/// Builds WordCode. Every function is brought to gates "one of these literals holds"; gates that do
/// not depend on each other are computed together: as the positions of bits in words go, a level of
/// such gates is a linear map, done by rotations, or by a table for each byte (or, where there are
/// many words, for each four bits).
class WordCoder {
 public:
  /// A bit, or its opposite.
  struct Literal {
    std::uint32_t node = 0;  ///< 0: true
    bool negated = false;
    friend auto operator<=>(const Literal&, const Literal&) = default;
  };

  /// For states of `bits` bits.
  explicit WordCoder(std::uint32_t bits);

  [[nodiscard]] static Literal constant(bool value) { return {0, !value}; }
  [[nodiscard]] static Literal opposite(Literal a) { return {a.node, !a.negated}; }
  [[nodiscard]] Literal previous(std::uint32_t bit) const { return input(0, bit); }
  [[nodiscard]] Literal message(std::uint32_t bit) const { return input(1, bit); }
  /// `previous(bit)` or `message(bit)`.
  [[nodiscard]] Literal either(std::uint32_t bit) const { return input(2, bit); }
  [[nodiscard]] Literal one_of(std::vector<Literal> literals);
  [[nodiscard]] Literal all_of(std::vector<Literal> literals);

  /// The state's bit is this literal; each bit is set at most once, and is 0 if never.
  void set(std::uint32_t bit, Literal value);
  [[nodiscard]] WordCode finish();

 private:
  struct Bit {
    std::uint32_t word = UINT32_MAX;  ///< a register
    std::uint32_t bit = 0;
    bool flipped = false;  ///< it holds the opposite
  };
  struct Gate {
    std::vector<Literal> inputs;
    std::uint32_t level = 1;
    Bit home;
  };
  struct Link {
    std::uint32_t in, in_bit, out, out_bit;
  };

  [[nodiscard]] Literal input(std::uint32_t group, std::uint32_t bit) const {
    return {1 + group * 64 * words_ + bit, false};
  }
  [[nodiscard]] bool is_gate(std::uint32_t node) const { return node >= first_gate_; }
  [[nodiscard]] Gate& gate(std::uint32_t node) { return gates_[node - first_gate_]; }
  [[nodiscard]] Bit place(std::uint32_t node) const;
  [[nodiscard]] std::uint32_t level(std::uint32_t node) const;
  void place_outputs();
  void place_others();
  void emit_level(std::uint32_t level);
  void emit_links(std::vector<Link> links);
  void emit_map(const Link* begin, const Link* end);
  [[nodiscard]] std::uint32_t inverted(std::uint32_t word);

  std::uint32_t words_;
  std::uint32_t first_gate_;
  std::vector<Gate> gates_;
  std::vector<Literal> outputs_;
  std::vector<std::uint32_t> inverses_;  // register of the inverse of each input register
  WordCode code_;
};

}  // namespace lightcone
