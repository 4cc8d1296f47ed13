# How every target here is compiled: standard, warnings, sanitizers, compiler cache, unity.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE ccache)
if(CCACHE)
  # Told so, it caches what is compiled with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options($<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-fpch-preprocess>)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

# What is built does not name the folder it was built in, so that two clones build the same.
add_compile_options(-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow
                    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                    $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
                    -Wcast-qual -Wformat=2 -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of its own strings, vectors and variants.
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
                      -Wno-maybe-uninitialized)
endif()
if(LIGHTCONE_WERROR)
  add_compile_options(-Werror)
endif()
if(LIGHTCONE_FUZZ)
  set(LIGHTCONE_SANITIZE fuzzer-no-link,address,undefined)
endif()
if(LIGHTCONE_SANITIZE)
  add_compile_options(-fsanitize=${LIGHTCONE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-Wno-maybe-uninitialized)  # it warns of code that sanitizers insert
  else()
    add_compile_options(-Wno-deprecated-declarations)  # clang warns inside gcc's std::stable_sort
  endif()
  # Programs at a fixed address: a randomly placed one can lie where the sanitizer's own memory
  # has to be, on kernels that randomise by 32 bits.
  add_link_options(-fsanitize=${LIGHTCONE_SANITIZE} -no-pie)
endif()

# Tests are many programs, which this linker links in half the time.
find_program(GOLD ld.gold)
if(GOLD AND LIGHTCONE_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  string(APPEND CMAKE_EXE_LINKER_FLAGS " -fuse-ld=gold")
endif()

if(LIGHTCONE_UNITY)
  # It takes a source that is included for a header.
  add_compile_options($<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-Wno-subobject-linkage>)
endif()

# With LIGHTCONE_UNITY, the sources of a target that stand in one folder are compiled as one source:
# headers and templates are compiled once per folder. It makes a build from nothing fast. Without it,
# a build after a change to one source is fast, and shows that each source includes what it needs.
function(lightcone_unity target)
  set_target_properties(${target} PROPERTIES
                        UNITY_BUILD ${LIGHTCONE_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
