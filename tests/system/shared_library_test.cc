// The shared library: what it shows, and that it can be loaded by a program that was not linked
// with it, in C++ and in Python.
#include <dlfcn.h>
#include <lightcone/c.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "system/shell.h"

#ifdef LIGHTCONE_SHARED_LIBRARY

namespace lightcone {
namespace {

class SharedLibrary : public Shell {};

TEST_F(SharedLibrary, ShowsTheFunctionsOfItsHeaderAndNothingElse) {
  std::ifstream file(LIGHTCONE_SOURCE_DIR "/include/lightcone/c.h");
  std::ostringstream header;
  header << file.rdbuf();
  const std::string text = header.str();
  const std::regex function("\n(?!typedef)[a-z][a-z0-9_* ]*[ *](lightcone_[a-z_]+)\\(");
  std::set<std::string> declared, shown;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), function);
       found != std::sregex_iterator(); ++found) {
    declared.insert((*found)[1].str() + "@@LIGHTCONE_0.1");
  }
  EXPECT_GE(declared.size(), 20U);
  std::istringstream lines(run("nm -D --defined-only '" LIGHTCONE_SHARED_LIBRARY "'").out);
  for (std::string address, type, name; lines >> address >> type >> name;) {
    if (type != "A") shown.insert(name);  // the name of the version itself
  }
  EXPECT_EQ(shown, declared);
}

TEST_F(SharedLibrary, IsNamedByTheVersionOfItsInterface) {
  const Result dynamic = run("objdump -p '" LIGHTCONE_SHARED_LIBRARY "'");
  EXPECT_TRUE(has(dynamic.out, {"SONAME               liblightcone.so.0.1\n"}));
}

TEST_F(SharedLibrary, IsLoadedByAProgramThatWasNotLinkedWithIt) {
  void* library = ::dlopen(LIGHTCONE_SHARED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto start =
      reinterpret_cast<decltype(&lightcone_start)>(::dlsym(library, "lightcone_start"));
  const auto send = reinterpret_cast<decltype(&lightcone_send)>(::dlsym(library, "lightcone_send"));
  const auto end = reinterpret_cast<decltype(&lightcone_end)>(::dlsym(library, "lightcone_end"));
  ASSERT_TRUE(start != nullptr && send != nullptr && end != nullptr);
  lightcone_options options{};
  options.size = sizeof options;
  options.name = "loaded";
  lightcone_process* process = start(&options, nullptr);
  ASSERT_NE(process, nullptr);
  lightcone_tag tag{};
  EXPECT_EQ(send(process, nullptr, 0, nullptr, &tag), 0);
  EXPECT_GT(tag.size, 0U);
  end(process);
  ::dlclose(library);
}

TEST_F(SharedLibrary, IsUsedByPython) {
  if (!has_command("python3")) GTEST_SKIP() << "there is no python3";
  write("used.py", R"(
import ctypes, sys

lib = ctypes.CDLL(sys.argv[1])
class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]
class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("members", ctypes.c_void_p), ("member_count", ctypes.c_size_t),
                ("properties", ctypes.c_char_p), ("properties_file", ctypes.c_char_p),
                ("labels", ctypes.c_void_p), ("label_count", ctypes.c_size_t),
                ("trace", ctypes.c_char_p)]
lib.lightcone_version.restype = lib.lightcone_last_error.restype = ctypes.c_char_p
lib.lightcone_start.restype = ctypes.c_void_p
def start(name):
    options = Options(size=ctypes.sizeof(Options), name=name.encode())
    options.trace = (name + ".lct").encode()
    process = lib.lightcone_start(ctypes.byref(options), None)
    assert process, lib.lightcone_last_error()
    return ctypes.c_void_p(process)
a, b = start("a"), start("b")
tag, message, sender = Bytes(), ctypes.c_void_p(), ctypes.c_char_p()
assert lib.lightcone_send(a, None, 0, None, ctypes.byref(tag)) == 0
assert lib.lightcone_took(b, tag, Bytes(), ctypes.byref(message)) == 0 and message
assert lib.lightcone_receive_taken(b, ctypes.byref(message), 1, None, ctypes.byref(sender)) == 0
assert lib.lightcone_choose(b, ctypes.c_uint64(0), ctypes.byref(ctypes.c_uint64())) == -1
print(lib.lightcone_version().decode(), sender.value.decode(), lib.lightcone_last_error().decode())
lib.lightcone_end(a)
lib.lightcone_end(b)
)");
  const Result used = run("python3 used.py '" LIGHTCONE_SHARED_LIBRARY "'");
  EXPECT_EQ(used.out, "0.1.0 a there is no alternative to choose\n") << used.err;
  const auto info = run("lightcone info --json .").json();
  EXPECT_EQ(info["processes"], 2) << info;
  EXPECT_EQ(info["messages"], 1) << info;
}

}  // namespace
}  // namespace lightcone

#endif
