// Writes ranks next to names many times, so the names are prepared once.
#include "commands/states_view.h"

#include <fmt/format.h>
#include <lightcone/causal/process_words.h>

#include <algorithm>
#include <iterator>

#include "print/json_output.h"
#include "print/terminal.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t name_columns = 24;

}  // namespace

StatesView::StatesView(const Level& level, std::vector<ProcessIndex> processes, Wholeness wholeness)
    : level_(level), wholeness_(wholeness), processes_(std::move(processes)) {
  for (const ProcessIndex p : processes_) {
    const std::string_view name = level.computation().process_name(p);
    const std::uint32_t chain = level.chain_of(p);
    chains_.push_back(chain);
    keys_.push_back(json_text(name) + ':');
    const std::string largest = std::to_string(chain == none ? 0 : level.length(chain));
    widths_.push_back(std::max(display_width(printable(name, name_columns)), largest.size()));
  }
}

const std::string& StatesView::json(std::span<const Rank> cut) {
  text_ = '{';
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (i > 0) text_ += ',';
    text_ += keys_[i];
    fmt::format_to(std::back_inserter(text_), "{}", rank(cut, i));
  }
  text_ += '}';
  return text_;
}

std::string StatesView::heading() const {
  std::string text;
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const std::string name = process_words(level_.computation(), processes_[i], name_columns);
    text += std::string(2 + widths_[i] - display_width(name), ' ') + name;
  }
  return text;
}

const std::string& StatesView::line(std::span<const Rank> cut) {
  text_.clear();
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    fmt::format_to(std::back_inserter(text_), "  {:>{}}", rank(cut, i), widths_[i]);
  }
  return text_;
}

std::string StatesView::ranks(std::span<const Rank> cut) const {
  std::string text;
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", i > 0 ? "," : "", rank(cut, i));
  }
  return text;
}

}  // namespace lightcone::cli
