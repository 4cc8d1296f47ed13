# Debian packages, one per component of what is installed: `make package`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lightcone)
set(CPACK_PACKAGE_CONTACT "The Lightcone developers <lightcone@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own first line
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_COMPONENTS_ALL program library dev)
foreach(mpi IN ITEMS openmpi mpich)
  if(TARGET lightcone_${mpi})
    list(APPEND CPACK_COMPONENTS_ALL ${mpi})
  endif()
endforeach()
foreach(part IN ITEMS grpc python monitor)
  if(TARGET lightcone_${part})
    list(APPEND CPACK_COMPONENTS_ALL ${part})
  endif()
endforeach()

if(TARGET lightcone_otf2)
  list(APPEND CPACK_COMPONENTS_ALL otf2)
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME lightcone)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "lightcone-openmpi, lightcone-mpich, lightcone-otf2")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "shows, checks and replays what a distributed program did
Reads traces of distributed programs, finds races, and answers questions about
the causes of events and about global states. Records programs, replays them
exactly, and explores their other executions.")

set(SHARED_PACKAGE liblightcone${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${SHARED_PACKAGE})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "shared library to trace and record distributed programs
The C interface, for programs in C and in all languages that can call C.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME liblightcone-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)  # an archive: who links it needs what it was built with
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "${SHARED_PACKAGE} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), "
    "libcadical-dev, libexpected-dev, libfmt-dev, libgmp-dev, libpcre2-dev, libsimdjson-dev, libssl-dev, "
    "libxxhash-dev, libzstd-dev, pkg-config, zlib1g-dev")
string(JOIN "" CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ${CPACK_DEBIAN_DEV_PACKAGE_DEPENDS})
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cppzmq-dev, lightcone")
set(CPACK_COMPONENT_DEV_DESCRIPTION "library to trace, check, record and explore distributed programs
Headers, static library, CMake package and pkg-config file. With cppzmq-dev,
the adapter for ZeroMQ, too.")

set(EXACTLY "lightcone (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_OTF2_PACKAGE_NAME lightcone-otf2)
set(CPACK_DEBIAN_OTF2_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_OTF2_PACKAGE_DEPENDS "${EXACTLY}")
set(CPACK_COMPONENT_OTF2_DESCRIPTION "lets Lightcone read OTF2 archives
The program by which Lightcone reads the traces of Score-P and other tools for
high-performance computing.")
foreach(mpi IN ITEMS openmpi mpich)
  set(title "Open MPI")
  set(launcher openmpi-bin)
  if(mpi STREQUAL mpich)
    set(title MPICH)
    set(launcher mpich)
  endif()
  string(TOUPPER ${mpi} MPI)
  set(CPACK_DEBIAN_${MPI}_PACKAGE_NAME lightcone-${mpi})
  set(CPACK_DEBIAN_${MPI}_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_${MPI}_PACKAGE_DEPENDS "${EXACTLY}")
  set(CPACK_DEBIAN_${MPI}_PACKAGE_RECOMMENDS ${launcher})
  set(CPACK_COMPONENT_${MPI}_DESCRIPTION "records, replays and explores programs of ${title}
The libraries that Lightcone loads into programs of ${title}, and into its own
workers that ${title} starts.")
endforeach()

set(CPACK_DEBIAN_GRPC_PACKAGE_NAME liblightcone-grpc-dev)
set(CPACK_DEBIAN_GRPC_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_GRPC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_GRPC_PACKAGE_DEPENDS
    "liblightcone-dev (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libgrpc++-dev")
set(CPACK_COMPONENT_GRPC_DESCRIPTION "library to watch services that talk over gRPC
Interceptors that carry Lightcone's tags in the metadata of calls: headers and
static library.")

set(CPACK_DEBIAN_MONITOR_PACKAGE_NAME lightcone-monitor)
set(CPACK_DEBIAN_MONITOR_PACKAGE_SECTION net)
set(CPACK_DEBIAN_MONITOR_PACKAGE_RECOMMENDS lightcone)
set(CPACK_DEBIAN_MONITOR_PACKAGE_SUGGESTS nats-server)
set(CPACK_COMPONENT_MONITOR_DESCRIPTION "decides properties of distributed programs while they run
A service that is fed with the events of programs, tells each verdict as soon
as it is certain, and goes on after a crash with nothing lost.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-lightcone)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
# Python writes what it has compiled beside the module: that goes with the package.
set(PYTHON_PRERM ${CMAKE_BINARY_DIR}/python3-lightcone/prerm)
file(WRITE ${PYTHON_PRERM} "#!/bin/sh\nset -e\npy3clean -p python3-lightcone\n")
file(CHMOD ${PYTHON_PRERM} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
     GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PYTHON_PRERM})
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "traces of distributed programs in Python
Reads traces as numpy arrays, checks properties, finds races, counts global
states, and watches Python programs while they run.")

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} COMPONENT)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
endforeach()
include(CPack)
