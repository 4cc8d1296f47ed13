// Compares what a request says with what the page would say.
#include "view/request_gate.h"

#include <sodium.h>

#include <array>

namespace lightcone::cli {
namespace {

[[nodiscard]] std::string random_token() {
  std::array<unsigned char, 32> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  std::array<char, 2 * bytes.size() + 1> text{};
  sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  return text.data();
}

/// Takes as long for a token that is nearly right as for any other.
[[nodiscard]] bool same_token(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

RequestGate::RequestGate(int port) : RequestGate(port, random_token()) {}

RequestGate::RequestGate(int port, std::string token)
    : port_(std::to_string(port)), token_(std::move(token)) {}

bool RequestGate::is_own_host(std::string_view host) const {
  return host == "127.0.0.1:" + port_ || host == "localhost:" + port_;
}

std::string RequestGate::refusal(const RequestOrigin& from) const {
  if (!is_own_host(from.host)) return "another Host than 127.0.0.1";
  constexpr std::string_view scheme = "http://";
  if (!from.origin.empty() &&
      !(from.origin.starts_with(scheme) && is_own_host(from.origin.substr(scheme.size())))) {
    return "another Origin than this page";
  }
  if (!same_token(from.token, token_)) {
    return "no token, or a wrong one: use the address that lightcone printed";
  }
  return {};
}

std::string RequestGate::address() const {
  return "http://127.0.0.1:" + port_ + "/?token=" + token_;
}

}  // namespace lightcone::cli
