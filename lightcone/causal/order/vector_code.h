// Functions compiled several times over, for what the processor at hand can do.
#pragma once

/// Before a function whose loops are worth wider vectors than the baseline has. Sanitizers start
/// too late for the choice to be made at load time, so that they get the baseline.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LIGHTCONE_VECTOR_CODE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define LIGHTCONE_VECTOR_CODE
#endif
