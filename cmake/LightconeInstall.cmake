# Installs the library for other projects: headers, archive, CMake package, pkg-config file.
include(CMakePackageConfigHelpers)

set(LIGHTCONE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/lightcone)

install(TARGETS lightcone EXPORT lightconeTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET lightcone_shared)
  install(TARGETS lightcone_shared EXPORT lightconeTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev)
endif()
install(EXPORT lightconeTargets NAMESPACE lightcone:: DESTINATION ${LIGHTCONE_PACKAGE_DIR})
if(TARGET lightcone_zeromq)
  install(TARGETS lightcone_zeromq EXPORT lightconeZeromqTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT lightconeZeromqTargets NAMESPACE lightcone::
          DESTINATION ${LIGHTCONE_PACKAGE_DIR})
endif()

if(TARGET lightcone_grpc)
  install(TARGETS lightcone_grpc EXPORT lightconeGrpcTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT grpc
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT grpc)
  install(EXPORT lightconeGrpcTargets NAMESPACE lightcone::
          DESTINATION ${LIGHTCONE_PACKAGE_DIR} COMPONENT grpc)
endif()

find_package(OpenSSL QUIET)
if(OPENSSL_FOUND)
  set(LIGHTCONE_PC_TLS ", libssl")
endif()
configure_package_config_file(cmake/lightconeConfig.cmake.in lightconeConfig.cmake
                              INSTALL_DESTINATION ${LIGHTCONE_PACKAGE_DIR}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(lightconeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/lightconeConfig.cmake
              ${CMAKE_BINARY_DIR}/lightconeConfigVersion.cmake
        DESTINATION ${LIGHTCONE_PACKAGE_DIR})

# Relative to where the file itself lies, so that the installed tree can be moved.
file(RELATIVE_PATH LIGHTCONE_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" LIGHTCONE_PC_TO_PREFIX ${LIGHTCONE_PC_TO_PREFIX})
configure_file(cmake/lightcone.pc.in lightcone.pc @ONLY)
configure_file(cmake/lightcone-c.pc.in lightcone-c.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/lightcone.pc ${CMAKE_BINARY_DIR}/lightcone-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
