// What the runtime API answers: the codes that an H200 with CUDA 13.0 gave for the same calls.
#include <cstdlib>
#include <cstring>
#include <vector>

__device__ int symbol[16];
__constant__ float coefficients[4];
__global__ void read_constants(float* out) { out[threadIdx.x] = coefficients[threadIdx.x]; }
__global__ void big_shared(float* out)
{
    extern __shared__ float dynamic[];
    dynamic[threadIdx.x] = 1;
    out[threadIdx.x] = dynamic[threadIdx.x];
}

static std::vector<float> answers;
static void answer(int value)
{
    answers.push_back((float)value);
    cudaGetLastError();
}

extern "C" void solve(float* out)
{
    answers.clear();
    void *host = malloc(8192), *pinned, *device, *other, *managed, *in_symbol;
    answer(cudaMallocHost(&pinned, 4096));
    answer(cudaMalloc(&device, 4096));
    answer(cudaMalloc(&other, 4096));
    answer(cudaMallocManaged(&managed, 4096));
    answer(cudaGetSymbolAddress(&in_symbol, symbol));
    // 5 destinations x 5 sources x 5 directions
    void* places[] = {host, pinned, device, managed, in_symbol};
    for (void* to : places)
        for (void* from : places)
            for (int kind = 0; kind < 5; kind++)
                answer(cudaMemcpy(to, to == from && to == device ? other : from, 16, (cudaMemcpyKind)kind));
    answer(cudaMemcpy(device, host, 16, (cudaMemcpyKind)7));
    answer(cudaMemcpy(host, host, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(host, nullptr, 16, cudaMemcpyDeviceToHost));
    answer(cudaMemcpy(device, host, 8192, cudaMemcpyHostToDevice));
    answer(cudaMemset(host, 0, 16));
    answer(cudaMemset(pinned, 0, 16));
    answer(cudaMemset(nullptr, 0, 16));
    answer(cudaMemset(nullptr, 0, 0));
    answer(cudaFree(host));
    answer(cudaFree((char*)device + 16));
    void* freed;
    cudaMalloc(&freed, 4096);
    answer(cudaFree(freed));
    answer(cudaFree(freed));
    answer(cudaMemcpy(host, freed, 16, cudaMemcpyDeviceToHost));
    answer(cudaFreeHost(nullptr));
    answer(cudaFree(nullptr));
    void* nothing = host;
    answer(cudaMalloc(&nothing, 0));
    answer(nothing == nullptr);
    answer(cudaMalloc(&nothing, (size_t)1 << 50));
    answer(cudaMemcpyToSymbol(symbol, host, 100));
    answer(cudaMemcpyToSymbol(symbol, host, 64, 4));
    answer(cudaMemcpyToSymbol(symbol, host, 64, 0, cudaMemcpyDeviceToHost));
    answer(cudaMemcpyToSymbol(symbol, host, 64, 0, cudaMemcpyHostToHost));
    size_t pitch;
    float* rows;
    answer(cudaMallocPitch(&rows, &pitch, 100, 3));
    answer((int)pitch);
    answer(cudaMemcpy2D(rows, 50, host, 100, 100, 3, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(rows, pitch, host, 100, 100, 3, cudaMemcpyHostToDevice));
    cudaPointerAttributes attributes;
    for (void* place : places) {
        answer(cudaPointerGetAttributes(&attributes, place));
        answer(attributes.type);
        answer(attributes.device);
        answer(attributes.devicePointer == place);
        answer(attributes.hostPointer == place);
    }
    cudaEvent_t start, stop, untimed;
    cudaEventCreate(&start), cudaEventCreate(&stop);
    cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
    float ms = -1;
    answer(cudaEventElapsedTime(&ms, start, stop));
    cudaEventRecord(start), cudaEventRecord(stop), cudaEventRecord(untimed);
    answer(cudaEventElapsedTime(&ms, start, stop));
    answer(ms >= 0);
    answer(cudaEventElapsedTime(&ms, start, untimed));
    // what the probe did not reach: documented behaviour
    cudaStream_t stream;
    answer(cudaStreamCreate(&stream));
    answer(cudaStreamQuery(stream));
    answer(cudaStreamDestroy(stream));
    answer(cudaSetDevice(3));
    const float four[] = {1, 2, 3, 4};
    answer(cudaMemcpyToSymbol(coefficients, four, sizeof four));
    float* four_back;
    cudaMalloc(&four_back, sizeof four);
    read_constants<<<1, 4>>>(four_back);
    float back[4] = {};
    cudaMemcpy(back, four_back, sizeof back, cudaMemcpyDeviceToHost);
    answer(memcmp(back, four, sizeof back));
    big_shared<<<1, 4, 100 * 1024>>>(four_back);
    answer(cudaGetLastError());
    answer(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    big_shared<<<1, 4, 100 * 1024>>>(four_back);
    answer(cudaGetLastError());
    answer(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 * 1024));
    int blocks, grid, block;
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, read_constants, 256, 0));
    answer(blocks);
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big_shared, 256, 100 * 1024));
    answer(blocks);
    answer(cudaOccupancyMaxPotentialBlockSize(&grid, &block, read_constants));
    answer(block);
    answer(grid);
    answer(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    answer(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    cudaMemcpy(out, answers.data(), answers.size() * sizeof(float), cudaMemcpyHostToDevice);
    free(host);
}
