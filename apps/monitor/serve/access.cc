// Reads addresses, tokens and certificates.
#include "serve/access.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <charconv>
#include <sstream>

namespace lightcone::service {
namespace {

constexpr std::size_t shortest_token = 16;

[[nodiscard]] std::optional<std::uint16_t> port_in(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, port);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return port;
}

[[nodiscard]] std::string openssl_reason() {
  const char* const reason = ERR_reason_error_string(ERR_get_error());
  return reason != nullptr ? reason : "unknown reason";
}

}  // namespace

Expected<void> check_host(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.host.c_str(), nullptr, &hints, &found);
  if (error != 0) {
    return failure(fmt::format("`{}` is no address: {}", address.host, ::gai_strerror(error)), {},
                   0, "write HOST:PORT, such as 127.0.0.1:4000");
  }
  ::freeaddrinfo(found);
  return {};
}

bool ListenAddress::is_loopback() const {
  return host.starts_with("127.") || host == "::1" || host == "localhost";
}

std::string ListenAddress::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

Expected<ListenAddress> address_of(std::string_view text, std::uint16_t port) {
  ListenAddress address;
  address.port = port;
  if (const auto alone = port_in(text)) {
    address.port = *alone;
    return address;
  }
  std::string_view host = text, rest;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    host = text.substr(1, end == std::string_view::npos ? end : end - 1);
    rest = end == std::string_view::npos ? text : text.substr(end + 1);
  } else if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    rest = text.substr(colon);
  }
  if (!rest.empty()) {
    const auto given = rest.starts_with(':') ? port_in(rest.substr(1)) : std::nullopt;
    if (!given) {
      return failure(fmt::format("`{}` is no address", text), {}, 0,
                     "write HOST:PORT, such as 127.0.0.1:4000");
    }
    address.port = *given;
  }
  if (!host.empty()) address.host = host;
  return address;
}

Expected<Tokens> Tokens::read(const std::string& path) {
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0 && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return failure("can be read by others than its owner", path, 0, "chmod 600 it");
  }
  const auto text = file->read_all();
  if (!text) return failure(text.error());
  Tokens tokens;
  std::istringstream lines(*text);
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string token, name, more;
    if (!(words >> token)) continue;
    if (!(words >> name) || (words >> more)) {
      return failure("this line is not a token and a name", path, number);
    }
    if (token.size() < shortest_token) {
      return failure(fmt::format("a token of fewer than {} characters", shortest_token), path,
                     number, "make one by: openssl rand -hex 32");
    }
    tokens.add(std::move(token), std::move(name));
  }
  if (tokens.empty()) return failure("holds no token", path);
  return tokens;
}

void Tokens::add(std::string token, std::string name) {
  entries_.push_back({std::move(token), std::move(name)});
}

std::optional<std::string> Tokens::client_of(std::string_view token) const {
  std::optional<std::string> client;
  for (const Entry& entry : entries_) {
    if (entry.token.size() != token.size()) continue;
    unsigned different = 0;
    for (std::size_t i = 0; i < token.size(); ++i) {
      different |= static_cast<unsigned char>(token[i]) ^
                   static_cast<unsigned>(static_cast<unsigned char>(entry.token[i]));
    }
    if (different == 0) client = entry.name;
  }
  return client;
}

Expected<TlsContext> tls_context(const TlsFiles& files) {
  if (files.empty()) return TlsContext();
  TlsContext context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context) return failure("TLS cannot be used: " + openssl_reason());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  if (SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1) {
    return failure("is no certificate: " + openssl_reason(), files.certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), files.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1) {
    return failure("is not the key of the certificate: " + openssl_reason(), files.key);
  }
  return context;
}

Expected<void> check_exposure(const ListenAddress& address, const TlsFiles& tls, bool insecure) {
  if (address.is_loopback() || !tls.empty() || insecure) return {};
  return failure(fmt::format("{} is reached by other machines, and nothing protects what is sent "
                             "there",
                             address.text()),
                 {}, 0,
                 "give --tls-certificate and --tls-key, or say --insecure if the network is safe");
}

Expected<void> check_server(std::string_view url, bool insecure) {
  constexpr std::string_view plain = "nats://", safe = "tls://";
  if (url.starts_with(safe)) return {};
  std::string_view rest = url;
  if (rest.starts_with(plain)) rest.remove_prefix(plain.size());
  if (const std::size_t user = rest.rfind('@'); user != rest.npos) rest.remove_prefix(user + 1);
  const auto address = address_of(rest, 4222);
  if (!address || rest.find("://") != rest.npos) {
    return failure(fmt::format("`{}` is not the address of a NATS server", url), {}, 0,
                   "write nats://HOST:PORT");
  }
  if (address->is_loopback() || insecure) return {};
  return failure(fmt::format("{} is on another machine, and nothing protects what is sent there",
                             address->text()),
                 {}, 0, "write tls://HOST:PORT, or say --insecure if the network is safe");
}

}  // namespace lightcone::service
