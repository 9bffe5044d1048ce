# Included into whisper.cpp's own build (CMAKE_PROJECT_INCLUDE in .cargo/config.toml).
#
# Its spectrogram and sampling are compiled for the same processors as its matrix kernels.
# Its word alignment takes the library's default number of threads and cannot be told
# otherwise: here that is one. The other three only spin at barriers, on cores that
# recognise other windows meanwhile.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT MSVC)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-march=x86-64-v3>")
endif()
if(NOT MSVC)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/one_thread.h>")
endif()
