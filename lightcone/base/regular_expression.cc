// Regular expressions by PCRE2, set up to behave like JavaScript's and to give up in time.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <lightcone/base/regular_expression.h>

#include <lightcone/base/utf8.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace lightcone {
namespace {

// Enough for any sensible expression, and reached within a second by one that is not.
constexpr std::uint32_t match_limit = 5'000'000;
constexpr std::uint32_t heap_limit_kib = 64 * 1024;
constexpr std::size_t jit_stack_most = 16 << 20;
constexpr std::size_t longest_pattern = 1 << 16;

[[nodiscard]] std::string pcre2_message(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

[[nodiscard]] PCRE2_SPTR bytes(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

[[nodiscard]] bool is_limit(int code) {
  return code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_DEPTHLIMIT ||
         code == PCRE2_ERROR_HEAPLIMIT || code == PCRE2_ERROR_JIT_STACKLIMIT;
}

void set_limits(pcre2_match_context* context, pcre2_jit_stack* stack) {
  pcre2_set_match_limit(context, match_limit);
  pcre2_set_depth_limit(context, match_limit);
  pcre2_set_heap_limit(context, heap_limit_kib);
  if (stack != nullptr) pcre2_jit_stack_assign(context, nullptr, stack);
}

}  // namespace

void RegularExpression::Free::operator()(pcre2_code* code) const { pcre2_code_free(code); }
void RegularExpression::Free::operator()(pcre2_match_data* data) const {
  pcre2_match_data_free(data);
}
void RegularExpression::Free::operator()(pcre2_match_context* context) const {
  pcre2_match_context_free(context);
}
void RegularExpression::Free::operator()(pcre2_jit_stack* stack) const {
  pcre2_jit_stack_free(stack);
}

Expected<RegularExpression> RegularExpression::compile(std::string_view pattern) {
  // As in JavaScript: ^ matches behind a last newline, \u and \x escapes, [] matches nothing, unset
  // groups match empty. \C would
  // match half a character.
  constexpr std::uint32_t options = PCRE2_UTF | PCRE2_MULTILINE | PCRE2_ALT_CIRCUMFLEX |
                                    PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS |
                                    PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
  const std::unique_ptr<pcre2_compile_context, decltype(&pcre2_compile_context_free)> context(
      pcre2_compile_context_create(nullptr), &pcre2_compile_context_free);
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_max_pattern_length(context.get(), longest_pattern);
  pcre2_set_compile_extra_options(context.get(), PCRE2_EXTRA_ALT_BSUX);

  int error = 0;
  std::size_t offset = 0;
  RegularExpression expression;
  expression.pattern_ = pattern;
  expression.code_.reset(pcre2_compile(bytes(expression.pattern_), pattern.size(), options, &error,
                                       &offset, context.get()));
  if (!expression.code_) {
    return failure("the expression " + expression.pattern_ + " is wrong at character " +
                   std::to_string(offset + 1) + ": " + pcre2_message(error));
  }
  pcre2_jit_compile(expression.code_.get(), PCRE2_JIT_COMPLETE);  // it works without, but slower
  expression.read_groups();
  return expression;
}

void RegularExpression::read_groups() {
  std::uint32_t count = 0;
  std::uint32_t entry_size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code_.get(), PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(code_.get(), PCRE2_INFO_NAMEENTRYSIZE, &entry_size);
  pcre2_pattern_info(code_.get(), PCRE2_INFO_NAMETABLE, &table);
  for (std::uint32_t i = 0; i < count; ++i, table += entry_size) {
    groups_.push_back({reinterpret_cast<const char*>(table + 2),
                       static_cast<std::uint32_t>(table[0] << 8 | table[1])});
  }
  std::sort(groups_.begin(), groups_.end(),
            [](const Group& a, const Group& b) { return a.number < b.number; });
}

std::optional<std::uint32_t> RegularExpression::group(std::string_view name) const {
  for (const Group& group : groups_) {
    if (group.name == name) return group.number;
  }
  return std::nullopt;
}

Matches::Matches(const RegularExpression& expression, std::string_view text)
    : expression_(expression),
      text_(text),
      data_(pcre2_match_data_create_from_pattern(expression.code_.get(), nullptr)),
      context_(pcre2_match_context_create(nullptr)),
      stack_(pcre2_jit_stack_create(32 << 10, jit_stack_most, nullptr)) {
  LIGHTCONE_ASSERT(data_ && context_);
  set_limits(context_.get(), stack_.get());
}

void Matches::restart(std::string_view text) {
  text_ = text;
  begin_ = end_ = from_ = 0;
}

Expected<bool> Matches::next() {
  if (from_ > text_.size()) return false;
  // The text is known to be valid; PCRE2 would check all the rest of it at each match.
  const int result = pcre2_match(expression_.code_.get(), bytes(text_), text_.size(), from_,
                                 PCRE2_NO_UTF_CHECK, data_.get(), context_.get());
  if (result == PCRE2_ERROR_NOMATCH) {
    from_ = text_.size() + 1;
    return false;
  }
  if (result < 0) {
    return failure("the expression " + expression_.pattern() +
                       (is_limit(result) ? " takes too long on this text"
                                         : " failed: " + pcre2_message(result)),
                   {}, 0,
                   is_limit(result) ? "it can match in too many ways; repetitions inside "
                                      "repetitions, like (a+)+, are the usual reason"
                                    : "");
  }
  const std::size_t* ends = pcre2_get_ovector_pointer(data_.get());
  begin_ = std::max(from_, std::min(ends[0], ends[1]));  // \K can put them the wrong way round
  end_ = std::max(begin_, ends[1]);
  from_ = end_;
  if (end_ == begin_) {  // an empty match: go on behind the next character
    do ++from_;
    while (from_ < text_.size() && (static_cast<unsigned char>(text_[from_]) & 0xc0U) == 0x80U);
  }
  return true;
}

std::optional<std::string_view> Matches::group(std::uint32_t number) const {
  const std::size_t* ends = pcre2_get_ovector_pointer(data_.get()) + 2 * std::size_t{number};
  if (ends[0] == PCRE2_UNSET || ends[1] < ends[0]) return std::nullopt;
  return text_.substr(ends[0], ends[1] - ends[0]);
}

TextSearch::TextSearch(const RegularExpression& expression)
    : expression_(expression),
      data_(pcre2_match_data_create(1, nullptr)),
      context_(pcre2_match_context_create(nullptr)),
      stack_(pcre2_jit_stack_create(32 << 10, jit_stack_most, nullptr)) {
  LIGHTCONE_ASSERT(data_ && context_);
  set_limits(context_.get(), stack_.get());
}

std::optional<bool> TextSearch::is_in(std::string_view text) {
  const auto search = [&](std::string_view valid) {
    return pcre2_match(expression_.code_.get(), bytes(valid), valid.size(), 0, 0, data_.get(),
                       context_.get());
  };
  int result = search(text);
  const bool is_not_utf8 = result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21;
  if (is_not_utf8) result = search(as_utf8(text));
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  return std::nullopt;
}

}  // namespace lightcone
