// Included before every file of whisper.cpp: see project.cmake beside this file.
#if __has_include("ggml.h")
#include "ggml.h"
#undef GGML_DEFAULT_N_THREADS
#define GGML_DEFAULT_N_THREADS 1
#endif
