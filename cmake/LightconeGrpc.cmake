# Finds protocol buffers and gRPC, and compiles .proto files to libraries. Included by what needs them.
include_guard(GLOBAL)
find_package(PkgConfig REQUIRED)
pkg_check_modules(protobuf REQUIRED IMPORTED_TARGET GLOBAL protobuf)
pkg_check_modules(grpc REQUIRED IMPORTED_TARGET GLOBAL grpc++)
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)

# lightcone_protos(TARGET [GRPC] [ROOT FOLDER] FILES FILE...)
#
# A static library of the messages and, with GRPC, the services of these files. Files are named as
# others import them, relative to ROOT, which is the current folder by default. A program that
# links the target includes `FILE.pb.h` and `FILE.grpc.pb.h` without `.proto`.
function(lightcone_protos target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "GRPC" "ROOT" "FILES")
  if(NOT ARG_ROOT)
    set(ARG_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${target})
  file(MAKE_DIRECTORY ${made})
  foreach(file IN LISTS ARG_FILES)
    string(REGEX REPLACE "\\.proto$" "" name ${made}/${file})
    set(outputs ${name}.pb.cc ${name}.pb.h)
    set(generators --cpp_out=${made})
    if(ARG_GRPC)
      list(APPEND outputs ${name}.grpc.pb.cc ${name}.grpc.pb.h)
      list(APPEND generators --grpc_out=${made} --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN})
    endif()
    add_custom_command(OUTPUT ${outputs} DEPENDS ${ARG_ROOT}/${file} VERBATIM
      COMMAND ${PROTOC} -I${ARG_ROOT} ${generators} ${ARG_ROOT}/${file})
    list(APPEND sources ${outputs})
  endforeach()
  add_library(${target} STATIC ${sources})
  target_compile_options(${target} PRIVATE -w)  # we do not write this code
  target_include_directories(${target} SYSTEM PUBLIC ${made})
  target_link_libraries(${target} PUBLIC PkgConfig::protobuf)
  if(ARG_GRPC)
    target_link_libraries(${target} PUBLIC PkgConfig::grpc)
  endif()
endfunction()
