// The whole runtime as one translation unit: it is built when it is first needed, and this way in a
// third of the time. The files also compile one by one. Beside it: context_switch.S.
#include "async.cpp"
#include "barrier.cpp"
#include "blocks.cpp"
#include "call.cpp"
#include "check.cpp"
#include "sanitizer.cpp"
#include "shadow.cpp"
#include "errors.cpp"
#include "faults.cpp"
#include "image.cpp"
#include "launch.cpp"
#include "memory.cpp"
#include "misaligned.cpp"
#include "note.cpp"
#include "pool.cpp"
#include "preempt.cpp"
#include "scheduler.cpp"
#include "stacks.cpp"
#include "warp.cpp"
#if __has_include("api.cpp")
#include "api.cpp"
#endif
