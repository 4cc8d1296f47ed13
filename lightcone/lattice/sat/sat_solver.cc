// The only file that knows CaDiCaL.
#include <lightcone/lattice/sat/sat_solver.h>

#include <cadical.hpp>
#include <utility>

namespace lightcone {
namespace {

class Deadline final : public CaDiCaL::Terminator {
 public:
  explicit Deadline(const SatSolver& solver) : solver_(solver) {}

  bool terminate() override {
    // CaDiCaL asks very often; the clock is slower than that.
    if (++asked_ % 64 != 0) return false;
    return solver_.is_late();
  }

 private:
  const SatSolver& solver_;
  std::uint32_t asked_ = 0;
};

}  // namespace

SatSolver::SatSolver(Clock::time_point deadline, std::stop_token stop)
    : deadline_(deadline), stop_(std::move(stop)), solver_(std::make_unique<CaDiCaL::Solver>()) {
  solver_->set("quiet", 1);
  solver_->add(always());
  solver_->add(0);
}

SatSolver::~SatSolver() = default;

void SatSolver::add(std::span<const Literal> clause) {
  for (const Literal literal : clause) {
    if (literal == always()) return;
  }
  for (const Literal literal : clause) {
    if (literal != -always()) solver_->add(literal);
  }
  solver_->add(0);
  size_ += clause.size();
}

void SatSolver::prefer(Literal literal) { solver_->phase(literal); }

SatSolver::Satisfiability SatSolver::solve() {
  if (is_late()) return Satisfiability::unknown;
  Deadline deadline(*this);
  solver_->connect_terminator(&deadline);
  const int answer = solver_->solve();
  solver_->disconnect_terminator();
  if (answer == 10) return Satisfiability::satisfiable;
  return answer == 20 ? Satisfiability::unsatisfiable : Satisfiability::unknown;
}

bool SatSolver::is_true(Literal literal) const {
  return literal > 0 ? solver_->val(literal) > 0 : !is_true(-literal);
}

}  // namespace lightcone
