// Who may ask the server: only the page that it gave the token to.
#pragma once

#include <string>
#include <string_view>

namespace lightcone::cli {

/// What a request says about who sends it; empty: it says nothing.
struct RequestOrigin {
  std::string_view host;    ///< the header `Host`
  std::string_view origin;  ///< the header `Origin`
  std::string_view token;   ///< of the address or of the header `X-Lightcone-Token`
};

/// Refuses other programs and other pages: a page from elsewhere that asks by a name of its own
/// (its Host is another), that sends requests to 127.0.0.1 (its Origin is another), and whoever
/// does not know the token.
class RequestGate {
 public:
  /// Makes a random token of 256 bits.
  explicit RequestGate(int port);
  RequestGate(int port, std::string token);

  [[nodiscard]] const std::string& token() const { return token_; }
  /// Why the request is refused; empty if it is not.
  [[nodiscard]] std::string refusal(const RequestOrigin& from) const;
  /// The address for a browser.
  [[nodiscard]] std::string address() const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;

  std::string port_;
  std::string token_;
};

}  // namespace lightcone::cli
