// cudaLaunchKernel: the device's limits, and the permission for much shared memory.
#include "launch.h"
#include "errors.h"
#include "hooks.h"
#include "image.h"
#include "note.h"
#include "pool.h"
#include <string.h>

namespace emu {
namespace {

uint64_t schedule = 0, launches = 0; // of this call
std::atomic<Launch *> current{nullptr};

struct OptIn {
    const void *entry;
    size_t bytes;
};
constexpr int max_opt_ins = 256;
OptIn opt_ins[max_opt_ins];
int opt_in_count = 0;

// Dynamic shared memory that the kernel was allowed. A launch that could not name its kernel by address
// goes by the name.
size_t allowed_dynamic(const emu_kernel &kernel) {
    size_t allowed = 0;
    for (int i = 0; i < opt_in_count; i++)
        if (kernel.entry ? opt_ins[i].entry == kernel.entry : entry_may_be(opt_ins[i].entry, kernel.name))
            if (opt_ins[i].bytes > allowed) allowed = opt_ins[i].bytes;
    return allowed;
}

int refuse(const emu_kernel &kernel, int error, const Sentence &why, bool empty = false) {
    Note note("launch");
    note.number("error", error).text("name", emu_error_name(error)).text("kernel", kernel.name)
        .number("line", kernel.line).text("message", why.c_str());
    if (empty) note.number("empty", 1);
    note.send();
    return emu_record_error(error);
}

int check_limits(const emu_config &c, const emu_kernel &k) {
    emu_dim g = c.grid, b = c.block;
    uint64_t threads = static_cast<uint64_t>(b.x) * b.y * b.z; // 96 bits at most, but see the limits first
    bool huge = b.x > 65536 || b.y > 65536 || b.z > 65536;     // a negative int, as a rule
    Sentence s;
    // The number that the runtime of CUDA 13 gives; up to CUDA 12 it was cudaErrorInvalidConfiguration.
    if (!g.x || !g.y || !g.z) return refuse(k, invalid_value, s << "grid " << g << " is empty", true);
    if (!b.x || !b.y || !b.z) return refuse(k, invalid_value, s << "block " << b << " is empty");
    if (huge || threads > max_threads) {
        s << "block " << b;
        if (!huge) (s << " = ").count(threads, "thread");
        return refuse(k, invalid_value, s << ", limit " << max_threads);
    }
    if (b.x > max_block_x || b.y > max_block_y || b.z > max_block_z)
        return refuse(k, invalid_value, s << "block " << b << ", limits " << emu_dim{max_block_x, max_block_y, max_block_z});
    if (g.x > max_grid_x || g.y > max_grid_y || g.z > max_grid_z)
        return refuse(k, invalid_value, s << "grid " << g << ", limits " << emu_dim{max_grid_x, max_grid_y, max_grid_z});

    // What of the submission's __shared__ arrays belongs to this kernel, its symbols say (not those of
    // __device__ functions it calls). Where they do not, 0: a limit is reported only when it is known.
    long known = emu_static_shared_bytes(k.entry);
    size_t fixed = known > 0 ? static_cast<size_t>(known) : 0;
    if (fixed > default_shared_bytes)
        return refuse(k, invalid_value, s.count(fixed, "byte") << " of static shared memory, limit " << default_shared_bytes
                                          << "; nvcc does not compile this kernel");
    if (!c.dynamic_bytes) return success;
    if (c.dynamic_bytes > opt_in_shared_bytes - fixed) {
        s.count(c.dynamic_bytes, "byte") << " of dynamic shared memory";
        if (fixed) s << " and " << fixed << " static";
        return refuse(k, invalid_value, s << ", limit " << opt_in_shared_bytes << " a block");
    }
    if (c.dynamic_bytes + fixed > default_shared_bytes && c.dynamic_bytes > allowed_dynamic(k)) {
        s.count(c.dynamic_bytes, "byte") << " of dynamic shared memory";
        if (fixed) s << " and " << fixed << " static";
        return refuse(k, invalid_value, s << ", limit " << default_shared_bytes
                                          << " without cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)");
    }
    return success;
}

} // namespace

void start_launches(uint64_t seed) {
    schedule = seed;
    launches = 0;
}

Launch *current_launch() { return current; }

} // namespace emu

using namespace emu;

extern "C" {

int emu_launch(const emu_config *config, const emu_kernel *kernel) {
    if (emu_in_kernel()) {
        emu_kernel_error(not_supported, "a kernel launches a kernel: the CPU backend has no dynamic parallelism", kernel->line);
        return not_supported;
    }
    if (int error = emu_sticky_error()) return error;
    if (int error = check_limits(*config, *kernel)) return error;
    Launch launch;
    launch.config = *config;
    launch.kernel = *kernel;
    launch.block_count = static_cast<uint64_t>(config->grid.x) * config->grid.y * config->grid.z;
    launch.threads = config->block.x * config->block.y * config->block.z;
    launch.order = order_of(schedule, launches++, launch.block_count);
    on_launch(launch);
    current = &launch;
    run_on_pool(launch);
    current = nullptr;
    return emu_sticky_error();
}

int emu_allow_dynamic_shared(const void *entry, size_t bytes) {
    long fixed = emu_static_shared_bytes(entry);
    if (bytes + static_cast<size_t>(fixed > 0 ? fixed : 0) > opt_in_shared_bytes) return invalid_value;
    for (int i = 0; i < opt_in_count; i++)
        if (opt_ins[i].entry == entry) {
            opt_ins[i].bytes = bytes;
            return success;
        }
    if (opt_in_count == max_opt_ins) return invalid_value;
    opt_ins[opt_in_count++] = {entry, bytes};
    return success;
}

} // extern "C"
