// A SAT solver with a time limit, and the few gates that encodings are built from.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stop_token>

namespace CaDiCaL {
class Solver;
}  // namespace CaDiCaL

namespace lightcone {

/// A variable (positive) or its negation (negative).
using Literal = int;

/// CaDiCaL, with constants. Clauses can be added after each call of `solve`.
class SatSolver {
 public:
  enum class Satisfiability : std::uint8_t { satisfiable, unsatisfiable, unknown };
  using Clock = std::chrono::steady_clock;

  /// Ends at the deadline, or when it is told to.
  explicit SatSolver(Clock::time_point deadline, std::stop_token stop = {});
  ~SatSolver();
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;

  /// A literal that is true in every model.
  [[nodiscard]] Literal always() const { return 1; }
  [[nodiscard]] Literal constant(bool truth) const { return truth ? always() : -always(); }
  [[nodiscard]] Literal new_variable() { return ++variables_; }

  void add(std::span<const Literal> clause);
  void add(std::initializer_list<Literal> clause) { add(std::span(clause.begin(), clause.size())); }
  /// Which value to try first.
  void prefer(Literal literal);

  /// Returns unknown if the deadline has passed, or if it was told to stop.
  [[nodiscard]] Satisfiability solve();
  /// Returns whether a literal is true in the model that was found; until clauses are added.
  [[nodiscard]] bool is_true(Literal literal) const;
  /// From now on, there is so much time, if not less.
  void limit(Clock::duration time) { deadline_ = std::min(deadline_, Clock::now() + time); }
  [[nodiscard]] bool is_late() const { return stop_.stop_requested() || Clock::now() >= deadline_; }
  /// Returns how many literals have been added, in all clauses.
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  Clock::time_point deadline_;
  std::stop_token stop_;
  Literal variables_ = 1;
  std::uint64_t size_ = 0;
  std::unique_ptr<CaDiCaL::Solver> solver_;
};

}  // namespace lightcone
