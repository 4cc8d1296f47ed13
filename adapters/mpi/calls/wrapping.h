// Makes wrappers: functions of the names and types that mpi.h declares, for each entry of calls.h.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <tuple>

#include "calls/calls.h"
#include "calls/mpi_functions.h"
#include "process/call_site.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {

template <class Function>
struct Signature;
template <class Result, class... Parameters>
struct Signature<Result (*)(Parameters...)> {
  using Types = std::tuple<Parameters...>;
};
/// The type of a parameter of an MPI function.
template <class Function, std::size_t index>
using Parameter = std::tuple_element_t<index, typename Signature<Function>::Types>;

}  // namespace lightcone::mpi

#define LIGHTCONE_P(name, i) ::lightcone::mpi::Parameter<decltype(&PMPI_##name), i> a##i
#define LIGHTCONE_PARAMETERS_1(name) LIGHTCONE_P(name, 0)
#define LIGHTCONE_PARAMETERS_2(name) LIGHTCONE_PARAMETERS_1(name), LIGHTCONE_P(name, 1)
#define LIGHTCONE_PARAMETERS_3(name) LIGHTCONE_PARAMETERS_2(name), LIGHTCONE_P(name, 2)
#define LIGHTCONE_PARAMETERS_4(name) LIGHTCONE_PARAMETERS_3(name), LIGHTCONE_P(name, 3)
#define LIGHTCONE_PARAMETERS_5(name) LIGHTCONE_PARAMETERS_4(name), LIGHTCONE_P(name, 4)
#define LIGHTCONE_PARAMETERS_6(name) LIGHTCONE_PARAMETERS_5(name), LIGHTCONE_P(name, 5)
#define LIGHTCONE_PARAMETERS_7(name) LIGHTCONE_PARAMETERS_6(name), LIGHTCONE_P(name, 6)
#define LIGHTCONE_PARAMETERS_8(name) LIGHTCONE_PARAMETERS_7(name), LIGHTCONE_P(name, 7)
#define LIGHTCONE_PARAMETERS_9(name) LIGHTCONE_PARAMETERS_8(name), LIGHTCONE_P(name, 8)
#define LIGHTCONE_PARAMETERS_10(name) LIGHTCONE_PARAMETERS_9(name), LIGHTCONE_P(name, 9)
#define LIGHTCONE_PARAMETERS_11(name) LIGHTCONE_PARAMETERS_10(name), LIGHTCONE_P(name, 10)
#define LIGHTCONE_PARAMETERS_12(name) LIGHTCONE_PARAMETERS_11(name), LIGHTCONE_P(name, 11)
#define LIGHTCONE_PARAMETERS_13(name) LIGHTCONE_PARAMETERS_12(name), LIGHTCONE_P(name, 12)
#define LIGHTCONE_ARGUMENTS_1 a0
#define LIGHTCONE_ARGUMENTS_2 LIGHTCONE_ARGUMENTS_1, a1
#define LIGHTCONE_ARGUMENTS_3 LIGHTCONE_ARGUMENTS_2, a2
#define LIGHTCONE_ARGUMENTS_4 LIGHTCONE_ARGUMENTS_3, a3
#define LIGHTCONE_ARGUMENTS_5 LIGHTCONE_ARGUMENTS_4, a4
#define LIGHTCONE_ARGUMENTS_6 LIGHTCONE_ARGUMENTS_5, a5
#define LIGHTCONE_ARGUMENTS_7 LIGHTCONE_ARGUMENTS_6, a6
#define LIGHTCONE_ARGUMENTS_8 LIGHTCONE_ARGUMENTS_7, a7
#define LIGHTCONE_ARGUMENTS_9 LIGHTCONE_ARGUMENTS_8, a8
#define LIGHTCONE_ARGUMENTS_10 LIGHTCONE_ARGUMENTS_9, a9
#define LIGHTCONE_ARGUMENTS_11 LIGHTCONE_ARGUMENTS_10, a10
#define LIGHTCONE_ARGUMENTS_12 LIGHTCONE_ARGUMENTS_11, a11
#define LIGHTCONE_ARGUMENTS_13 LIGHTCONE_ARGUMENTS_12, a12

/// Defines MPI_name and PMPI_name: Fortran programs, and other tools, call the second. A call that
/// the MPI makes inside of another goes on to the MPI.
#define LIGHTCONE_WRAP(name, count, handler)                                                \
  extern "C" int MPI_##name(LIGHTCONE_PARAMETERS_##count(name)) {                           \
    auto* const rank = ::lightcone::mpi::MpiProcess::of_this_call();                        \
    if (rank == nullptr) return LIGHTCONE_REAL(name)(LIGHTCONE_ARGUMENTS_##count);          \
    const ::lightcone::mpi::MpiProcess::Inside inside("MPI_" #name);                        \
    ::lightcone::mpi::call_returns_to = __builtin_return_address(0);                        \
    return handler(*rank, "MPI_" #name, LIGHTCONE_REAL(name), LIGHTCONE_ARGUMENTS_##count); \
  }                                                                                         \
  extern "C" decltype(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));
