// The error state. CUDA keeps two kinds: an error of one call (a bad launch configuration), which
// cudaGetLastError returns and forgets, and a sticky one (an illegal access), after which every call
// fails until the process ends. Ours ends with the judge's call, so that one bad case cannot spoil the next.
#include "errors.h"
#include "note.h"
#include <atomic>

namespace emu {
namespace {

std::atomic<int> last{0};
std::atomic<int> sticky{0};

struct Text {
    int error;
    const char *name, *text;
};
// Names and texts as cudaGetErrorName and cudaGetErrorString give them (driver_types.h).
const Text texts[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {4, "cudaErrorCudartUnloading", "driver shutting down"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {16, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    {52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {201, "cudaErrorDeviceUninitialized", "invalid device context"},
    {209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {708, "cudaErrorSetOnActiveProcess", "cannot set while device is active in this process"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {712, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
    {713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, "cudaErrorInvalidAddressSpace", "operation not supported on global/shared address space"},
    {718, "cudaErrorInvalidPc", "invalid program counter"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {800, "cudaErrorNotPermitted", "operation not permitted"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {999, "cudaErrorUnknown", "unknown error"},
};

const Text *find(int error) {
    for (const Text &t : texts)
        if (t.error == error) return &t;
    return nullptr;
}

} // namespace

void reset_errors() {
    last = 0;
    sticky = 0;
}

} // namespace emu

extern "C" {

int emu_record_error(int error) {
    if (error) emu::last = error;
    return error;
}

int emu_set_error(int error, int is_sticky, const char *message, unsigned line) {
    emu::last = error;
    int none = 0;
    if (is_sticky) emu::sticky.compare_exchange_strong(none, error); // the first one is the cause
    if (message)
        emu::Note("error").number("error", error).text("name", emu_error_name(error))
            .text("message", message).number("line", line).send();
    return error;
}

int emu_last_error(int clear) {
    if (int error = emu::sticky) return error;
    return clear ? emu::last.exchange(0) : emu::last.load();
}

int emu_sticky_error(void) { return emu::sticky; }

const char *emu_error_name(int error) {
    auto *t = emu::find(error);
    return t ? t->name : "unrecognized error code";
}

const char *emu_error_text(int error) {
    auto *t = emu::find(error);
    return t ? t->text : "unrecognized error code";
}

} // extern "C"
