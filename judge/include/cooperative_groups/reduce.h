// cooperative_groups::reduce and its operators.
#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"

#include "../detail/cooperative_reduce.h"
