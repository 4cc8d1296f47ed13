// Delays of random length, so that no two runs of a test program are alike.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Sleeps for a while, or not at all, if the environment variable NOISE is set.
void noise(void);

#ifdef __cplusplus
}
#endif
