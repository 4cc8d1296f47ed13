// Calls of OpenSSL. A library that was built without it says so.
#include <lightcone/live/report/tls_session.h>

#ifdef LIGHTCONE_HAS_TLS

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

using ContextPointer = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

[[nodiscard]] std::string openssl_reason() {
  const char* const reason = ERR_reason_error_string(ERR_get_error());
  return reason != nullptr ? reason : "unknown reason";
}

class OpenSslSession final : public TlsSession {
 public:
  OpenSslSession(SSL_CTX* context, int socket, const std::string& host)
      : session_(SSL_new(context), SSL_free), host_(host) {
    SSL_set_fd(session_.get(), socket);
    SSL_set_connect_state(session_.get());
    SSL_set_mode(session_.get(),
                 SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    X509_VERIFY_PARAM* const wanted = SSL_get0_param(session_.get());
    const bool is_number = X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1;
    if (is_number) return;
    ERR_clear_error();
    X509_VERIFY_PARAM_set1_host(wanted, host.c_str(), host.size());
    SSL_set_tlsext_host_name(session_.get(), host.c_str());
  }

  [[nodiscard]] TlsProgress begin() override {
    ERR_clear_error();
    const int done = SSL_connect(session_.get());
    if (done == 1) return {.bytes = 1};
    const TlsProgress step = step_of(done);
    if (step.is_broken) note_trouble();
    return step;
  }
  [[nodiscard]] TlsProgress write(std::string_view bytes) override {
    ERR_clear_error();
    return step_of(SSL_write(session_.get(), bytes.data(), limited(bytes.size())));
  }
  [[nodiscard]] TlsProgress read(char* buffer, std::size_t size) override {
    ERR_clear_error();
    return step_of(SSL_read(session_.get(), buffer, limited(size)));
  }
  [[nodiscard]] bool has_read() const override { return SSL_pending(session_.get()) > 0; }
  [[nodiscard]] std::string trouble() const override { return trouble_; }

 private:
  [[nodiscard]] static int limited(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, 1 << 20));
  }
  [[nodiscard]] TlsProgress step_of(int result) const {
    if (result > 0) return {.bytes = static_cast<std::size_t>(result)};
    const int why = SSL_get_error(session_.get(), result);
    if (why == SSL_ERROR_WANT_READ) return {.waits_for = POLLIN};
    if (why == SSL_ERROR_WANT_WRITE) return {.waits_for = POLLOUT};
    return {.is_broken = true};
  }
  void note_trouble() {
    const long wrong = SSL_get_verify_result(session_.get());
    trouble_ = wrong != X509_V_OK ? fmt::format("its certificate is not trusted for `{}`: {}",
                                                host_, X509_verify_cert_error_string(wrong))
                                  : "it does not speak TLS: " + openssl_reason();
  }

  std::unique_ptr<SSL, decltype(&SSL_free)> session_;
  std::string host_, trouble_;
};

class OpenSslTrust final : public TlsTrust {
 public:
  explicit OpenSslTrust(ContextPointer context) : context_(std::move(context)) {}
  [[nodiscard]] std::unique_ptr<TlsSession> session(int socket, const std::string& host) override {
    return std::make_unique<OpenSslSession>(context_.get(), socket, host);
  }

 private:
  ContextPointer context_;
};

}  // namespace

Expected<std::shared_ptr<TlsTrust>> TlsTrust::of(const std::string& certificates) {
  ContextPointer context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!context) return failure("TLS cannot be used: " + openssl_reason());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  if (certificates.empty()) {
    SSL_CTX_set_default_verify_paths(context.get());
  } else if (SSL_CTX_load_verify_locations(context.get(), certificates.c_str(), nullptr) != 1) {
    return failure("holds no certificates: " + openssl_reason(), certificates, 0,
                   "give the PEM file of those who signed the monitor's certificate");
  }
  return std::make_shared<OpenSslTrust>(std::move(context));
}

}  // namespace lightcone

#else

namespace lightcone {

Expected<std::shared_ptr<TlsTrust>> TlsTrust::of(const std::string&) {
  return failure("this Lightcone was built without TLS", {}, 0,
                 "install OpenSSL's headers (libssl-dev) before it is built");
}

}  // namespace lightcone

#endif
