// The headers and macros that nvcc provides before the first line of a .cu file.
//
// Standard headers come first: once __CUDACC__ is defined, some of them change what they declare.
//
// Host and device code are one translation unit here, so __CUDA_ARCH__ is defined for both. Device
// code sees what it should; host code behind `#ifndef __CUDA_ARCH__` is left out, unlike with nvcc.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/predefined.h is internal: include <cuda_runtime.h>"
#endif

#include <math.h>
#include <stdlib.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000

// True in a submission compiled by this backend, for those who need to know.
#define __CUDA_EMULATION__ 1
