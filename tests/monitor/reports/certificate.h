// A certificate that signs itself, and its key, made by the program `openssl`.
#pragma once

#include <cstdlib>
#include <string>

namespace lightcone {

struct Certificate {
  std::string file, key;
  bool is_made = false;  ///< false: there is no openssl

  /// In the folder. The names are as openssl writes them: `DNS:localhost,IP:127.0.0.1`.
  Certificate(const std::string& folder, const std::string& title, const std::string& names)
      : file(folder + "/" + title + ".pem"), key(folder + "/" + title + "-key.pem") {
    const std::string make =
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=" + title +
        " -addext subjectAltName=" + names + " -keyout " + key + " -out " + file + " 2>/dev/null";
    is_made = std::system(make.c_str()) == 0;
  }
};

}  // namespace lightcone
