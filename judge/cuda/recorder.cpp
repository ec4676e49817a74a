// Linked into every submission on the GPU backend: sees each launch, and takes each timed sample.
//
// It defines the runtime functions that start or await work, does its book-keeping and forwards to
// the real ones.  It runs in the submission's process, so what it says is a claim: it explains a
// verdict and gives a time, which the judge holds against its own clock; it never makes an AC.
//
// A sample is "gated" so that the host's part stays out of it: a one-thread kernel holds the stream
// while start event, the submission's launches and stop event are queued; then the gate opens.  A
// submission that awaits its work inside `solve` opens the gate there: the stop event is recorded
// first, because what is queued before it is what is to be timed.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <unordered_map>

// In gate.cu, the one part of this that needs nvcc.
void judge_gate(volatile int* open, volatile int* gave_up, long long limit_ns);

// The name the launch stubs of CUDA 13 call; declared in no public header.
extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);

namespace {

struct Launch {
  char kernel[256];
  unsigned grid[3], block[3];
  unsigned long long shared_bytes;
  unsigned error, count;
};
constexpr int kMostLaunches = 64;
constexpr long long kGateLimitNs = 2000000;  // a call that waits unseen for the device costs this
Launch launches[kMostLaunches];
int launch_count = 0;
std::mutex lock;

// Calls the runtime's own function of that name with arguments of exactly these types.
template <class... Arguments> cudaError_t real(const char* name, Arguments... arguments) {
  return reinterpret_cast<cudaError_t (*)(Arguments...)>(dlsym(RTLD_NEXT, name))(arguments...);
}

void record(const void* function, dim3 grid, dim3 block, size_t shared, cudaError_t error) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, function) != cudaSuccess || !name) name = "?";
  Launch now{};
  strncpy(now.kernel, name, sizeof now.kernel - 1);
  now.grid[0] = grid.x, now.grid[1] = grid.y, now.grid[2] = grid.z;
  now.block[0] = block.x, now.block[1] = block.y, now.block[2] = block.z;
  now.shared_bytes = shared, now.error = error;
  std::lock_guard<std::mutex> guard(lock);
  for (int i = 0; i < launch_count; i++)
    if (!memcmp(&launches[i], &now, offsetof(Launch, count))) {
      launches[i].count++;
      return;
    }
  now.count = 1;
  if (launch_count < kMostLaunches) launches[launch_count++] = now;
}

// --- memory: what the submission may hold, for itself -------------------------------------------

unsigned long long limit_bytes = ~0ull, held_bytes = 0, refused_bytes = 0;
std::unordered_map<void*, size_t>& held() {
  static auto* map = new std::unordered_map<void*, size_t>;  // never destroyed: freed late is fine
  return *map;
}

// --- the gate -----------------------------------------------------------------------------------

volatile int* gate_open = nullptr;   // pinned; the host opens, the kernel waits
volatile int* gate_gave_up = nullptr;  // pinned; the kernel says that nobody opened in time
cudaEvent_t start_event, stop_event;
bool armed = false;         // a gate is closed and the submission is being called
bool stopped = false;       // the stop event stands behind all work queued so far
bool side_stream = false;   // work was queued where the events cannot see it
void* flush_buffer = nullptr;
size_t flush_bytes = 0;
bool ready = false;
bool ours = false;  // the launch at hand is the gate

void open_gate() {
  if (!armed) return;
  armed = false;
  cudaEventRecord(stop_event, 0);
  stopped = true;
  *gate_open = 1;
}

void queued(cudaStream_t stream) {
  stopped = false;
  if (stream && stream != cudaStreamLegacy) {
    unsigned flags = 0;
    if (cudaStreamGetFlags(stream, &flags) == cudaSuccess && (flags & cudaStreamNonBlocking))
      side_stream = true;
  }
}

}  // namespace

// --- what the submission calls --------------------------------------------------------------------

extern "C" {

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream) {
  if (ours) return real("__cudaLaunchKernel", kernel, grid, block, arguments, shared, stream);
  queued(stream);
  cudaError_t error = real("__cudaLaunchKernel", kernel, grid, block, arguments, shared, stream);
  record(reinterpret_cast<const void*>(kernel), grid, block, shared, error);
  return error;
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  if (ours) return real("cudaLaunchKernel", function, grid, block, arguments, shared, stream);
  queued(stream);
  cudaError_t error = real("cudaLaunchKernel", function, grid, block, arguments, shared, stream);
  record(function, grid, block, shared, error);
  return error;
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared, cudaStream_t stream) {
  queued(stream);
  cudaError_t error =
      real("cudaLaunchCooperativeKernel", function, grid, block, arguments, shared, stream);
  record(function, grid, block, shared, error);
  return error;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  queued(config->stream);
  cudaError_t error = real("cudaLaunchKernelExC", config, function, arguments);
  record(function, config->gridDim, config->blockDim, config->dynamicSmemBytes, error);
  return error;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  queued(stream);
  return real("cudaGraphLaunch", graph, stream);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  queued(stream);
  return real("cudaMemcpyAsync", to, from, bytes, kind, stream);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  queued(stream);
  return real("cudaMemsetAsync", to, value, bytes, stream);
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  queued(0);
  return real("cudaMemset", to, value, bytes);
}

// These wait for the device, so the gate has to be open.
cudaError_t cudaDeviceSynchronize() {
  open_gate();
  return real("cudaDeviceSynchronize");
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  open_gate();
  return real("cudaStreamSynchronize", stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  open_gate();
  return real("cudaEventSynchronize", event);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  open_gate();
  cudaError_t error = real("cudaMemcpy", to, from, bytes, kind);
  stopped = false;
  return error;
}
cudaError_t cudaFree(void* pointer) {
  open_gate();
  {
    std::lock_guard<std::mutex> guard(lock);
    auto found = held().find(pointer);
    if (found != held().end()) held_bytes -= found->second, held().erase(found);
  }
  return real("cudaFree", pointer);
}
cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  open_gate();
  std::lock_guard<std::mutex> guard(lock);
  if (bytes > limit_bytes - held_bytes) {
    refused_bytes = bytes;
    return cudaErrorMemoryAllocation;
  }
  cudaError_t error = real("cudaMalloc", pointer, bytes);
  if (!error) held_bytes += bytes, held()[*pointer] = bytes;
  return error;
}

// --- what the worker calls ------------------------------------------------------------------------

// Copies what was launched since the last call of this and forgets it; returns how many.
int judge_launches(Launch* into, int most) {
  std::lock_guard<std::mutex> guard(lock);
  int n = launch_count < most ? launch_count : most;
  memcpy(into, launches, n * sizeof(Launch));
  launch_count = 0;
  return n;
}

void judge_limit_memory(unsigned long long bytes) { limit_bytes = bytes; }

// Bytes of the last cudaMalloc that was refused for the limit, 0 if none was; forgets it.
unsigned long long judge_refused_bytes() {
  unsigned long long bytes = refused_bytes;
  refused_bytes = 0;
  return bytes;
}

void judge_nothing(void* const*) {}

// Makes events, gate and the flush buffer (twice the L2 cache); once.
int judge_prepare(size_t bytes) {
  if (ready) return cudaSuccess;
  cudaError_t error = cudaEventCreate(&start_event);
  if (!error) error = cudaEventCreate(&stop_event);
  void *open = nullptr, *gave_up = nullptr;
  if (!error) error = cudaHostAlloc(&open, sizeof(int), cudaHostAllocMapped);
  if (!error) error = cudaHostAlloc(&gave_up, sizeof(int), cudaHostAllocMapped);
  if (!error) error = real("cudaMalloc", &flush_buffer, bytes);
  // Inputs pinned in the L2 cache would survive the flush.
  if (!error && cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0)) cudaGetLastError();
  gate_open = static_cast<int*>(open), gate_gave_up = static_cast<int*>(gave_up);
  flush_bytes = bytes, ready = !error;
  return error;
}

// One timed call.  gated, cold: as asked.  Returns an error code; method: 2 gated, 1 events, 0 events
// around a synchronise (work on a side stream), -1 the gate gave up waiting: not a sample.
int judge_sample(void (*entry)(void* const*), void* const* arguments, int gated, int cold,
                 float* microseconds, int* method) {
  if (cold) {
    cudaCtxResetPersistingL2Cache();
    real("cudaMemsetAsync", flush_buffer, 0x5A, flush_bytes, cudaStream_t{});
  }
  side_stream = false, stopped = false;
  if (gated) {
    *gate_open = 0, *gate_gave_up = 0;
    ours = true;
    judge_gate(gate_open, gate_gave_up, kGateLimitNs);
    ours = false;
    armed = true;
  }
  cudaEventRecord(start_event, 0);
  entry(arguments);
  if (side_stream) {
    open_gate();
    real("cudaDeviceSynchronize");
    stopped = false;
  }
  if (!stopped) cudaEventRecord(stop_event, 0);
  armed = false;
  if (gate_open) *gate_open = 1;
  cudaError_t error = real("cudaDeviceSynchronize");
  float milliseconds = 0;
  if (!error) error = cudaEventElapsedTime(&milliseconds, start_event, stop_event);
  *microseconds = milliseconds * 1000;
  *method = side_stream ? 0 : !gated ? 1 : *gate_gave_up ? -1 : 2;
  return error;
}
}
