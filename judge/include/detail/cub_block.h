// cub: collectives of a warp and of a block. Sums are made in the order of CUB's warp reductions, so that floats
// round alike: halves of a warp first, then the warps one after another.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cub_block.h is internal: include <cub/cub.cuh>"
#endif

namespace emu {

// Of `count` values, at most 32: each step adds the upper half of what is left to the lower.
template <class T, class Operation> inline T reduce_warp(T* values, int count, Operation operation)
{
    for (int distance = 1; distance < count; distance *= 2)
        for (int i = 0; i + distance < count; i++) values[i] = operation(values[i], values[i + distance]);
    return values[0];
}

}  // namespace emu

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

#define EMU_LINE unsigned line = __builtin_LINE()
// A collective class may bring its own storage: then only its own calls share it.
#define EMU_COLLECTIVE(name)                                                                       \
    TempStorage& storage_;                                                                         \
    static TempStorage& own_storage()                                                              \
    {                                                                                              \
        __shared__ TempStorage storage;                                                            \
        return storage;                                                                            \
    }                                                                                              \
                                                                                                   \
public:                                                                                            \
    name() : storage_(own_storage()) {}                                                            \
    explicit name(TempStorage& storage) : storage_(storage) {}

// ---- a warp ---------------------------------------------------------------------------------------
template <class T, int threads = 32, int = 0> class WarpReduce {
    static_assert(threads >= 1 && threads <= 32, "a logical warp has 1 to 32 threads");

public:
    struct TempStorage {};
    WarpReduce() {}
    explicit WarpReduce(TempStorage&) {}

    // The first lane of each logical warp gets the result; valid: how many lanes bring a value.
    template <class Operation> T Reduce(T value, Operation operation, int valid = threads, EMU_LINE)
    {
        const int lane = emu_lane(), first = lane / threads * threads;
        const unsigned members = threads == 32 ? 0xFFFFFFFFu : ((1u << threads % 32) - 1) << first;
        struct Lane {
            T value;
            Operation operation;
            int valid;
            static void complete(void** lanes, unsigned arrived)
            {
                T values[32];
                int count = 0;
                Lane* head = static_cast<Lane*>(lanes[__builtin_ctz(arrived)]);
                for (unsigned left = arrived; left && count < head->valid; left &= left - 1)
                    values[count++] = static_cast<Lane*>(lanes[__builtin_ctz(left)])->value;
                if (count) head->value = emu::reduce_warp(values, count, head->operation);
            }
        } mine{value, operation, valid};
        emu_warp_collect(members, &Lane::complete, &mine, line);
        return lane == first ? mine.value : emu::undefined_result<T>();
    }
    T Sum(T value, EMU_LINE) { return Reduce(value, cub::Sum(), threads, line); }
    T Sum(T value, int valid, EMU_LINE) { return Reduce(value, cub::Sum(), valid, line); }
};

template <class T, int threads = 32, int = 0> class WarpScan {
public:
    struct TempStorage {};
    WarpScan() {}
    explicit WarpScan(TempStorage&) {}

    template <class Operation> void InclusiveScan(T value, T& out, Operation operation, EMU_LINE)
    {
        const int lane = emu_lane() % threads, first = emu_lane() - lane;
        const unsigned members = threads == 32 ? 0xFFFFFFFFu : ((1u << threads % 32) - 1) << first;
        T sum = value;
        for (int distance = 1; distance < threads; distance *= 2) {
            const T before = __shfl_up_sync(members, sum, unsigned(distance), threads, line);
            if (lane >= distance) sum = operation(before, sum);
        }
        out = sum;
    }
    template <class Operation> void ExclusiveScan(T value, T& out, T initial, Operation operation, EMU_LINE)
    {
        const int lane = emu_lane() % threads, first = emu_lane() - lane;
        const unsigned members = threads == 32 ? 0xFFFFFFFFu : ((1u << threads % 32) - 1) << first;
        T sum;
        InclusiveScan(value, sum, operation, line);
        const T before = __shfl_up_sync(members, sum, 1u, threads, line);
        out = lane == 0 ? initial : operation(initial, before);
    }
    void InclusiveSum(T value, T& out, EMU_LINE) { InclusiveScan(value, out, cub::Sum(), line); }
    void ExclusiveSum(T value, T& out, EMU_LINE) { ExclusiveScan(value, out, T(0), cub::Sum(), line); }
    void InclusiveSum(T value, T& out, T& aggregate, EMU_LINE)
    {
        InclusiveScan(value, out, cub::Sum(), line);
        aggregate = __shfl_sync(0xFFFFFFFFu, out, threads - 1, threads, line);
    }
};

// ---- a block --------------------------------------------------------------------------------------
template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int = 0>
class BlockReduce {
    static constexpr int threads = x * y * z;

public:
    struct TempStorage {
        emu::shared_array<T, threads> values;
    };

private:
    EMU_COLLECTIVE(BlockReduce)

    // Thread 0 gets the result; valid: how many threads, from the first, bring a value.
    template <class Operation> T Reduce(T value, Operation operation, int valid = threads, EMU_LINE)
    {
        const int rank = emu::rank_in_block();
        storage_.values[rank] = value;
        emu_barrier(line);
        if (rank != 0) return emu::undefined_result<T>();
        T sum = value;
        for (int first = 0; first < valid; first += 32) {
            T warp[32];
            const int count = valid - first < 32 ? valid - first : 32;
            for (int i = 0; i < count; i++) warp[i] = storage_.values[first + i];
            const T of_warp = emu::reduce_warp(warp, count, operation);
            sum = first == 0 ? of_warp : operation(sum, of_warp);
        }
        return sum;
    }
    template <int items, class Operation> T Reduce(T (&values)[items], Operation operation, EMU_LINE)
    {
        T sum = values[0];
        for (int i = 1; i < items; i++) sum = operation(sum, values[i]);
        return Reduce(sum, operation, threads, line);
    }
    T Sum(T value, EMU_LINE) { return Reduce(value, cub::Sum(), threads, line); }
    T Sum(T value, int valid, EMU_LINE) { return Reduce(value, cub::Sum(), valid, line); }
    template <int items> T Sum(T (&values)[items], EMU_LINE) { return Reduce(values, cub::Sum(), line); }
};

template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0>
class BlockScan {
    static constexpr int threads = x * y * z;

public:
    struct TempStorage {
        emu::shared_array<T, threads + 1> values;
    };

private:
    EMU_COLLECTIVE(BlockScan)

    template <class Operation> void InclusiveScan(T value, T& out, Operation operation, EMU_LINE)
    {
        T all;
        InclusiveScan(value, out, operation, all, line);
    }
    template <class Operation> void InclusiveScan(T value, T& out, Operation operation, T& aggregate, EMU_LINE)
    {
        const int rank = scan(value, operation, line);
        out = storage_.values[rank];
        aggregate = storage_.values[threads - 1];
    }
    template <class Operation> void ExclusiveScan(T value, T& out, T initial, Operation operation, EMU_LINE)
    {
        T all;
        ExclusiveScan(value, out, initial, operation, all, line);
    }
    // The aggregate is that of the values, without the initial one.
    template <class Operation>
    void ExclusiveScan(T value, T& out, T initial, Operation operation, T& aggregate, EMU_LINE)
    {
        const int rank = scan(value, operation, line);
        out = rank == 0 ? initial : operation(initial, storage_.values[rank - 1]);
        aggregate = storage_.values[threads - 1];
    }
    void InclusiveSum(T value, T& out, EMU_LINE) { InclusiveScan(value, out, cub::Sum(), line); }
    void InclusiveSum(T value, T& out, T& aggregate, EMU_LINE) { InclusiveScan(value, out, cub::Sum(), aggregate, line); }
    void ExclusiveSum(T value, T& out, EMU_LINE) { ExclusiveScan(value, out, T(0), cub::Sum(), line); }
    void ExclusiveSum(T value, T& out, T& aggregate, EMU_LINE)
    {
        ExclusiveScan(value, out, T(0), cub::Sum(), aggregate, line);
    }

    // Several items a thread, blocked: thread 0 has the first ones.
    template <int items, class Operation>
    void InclusiveScan(T (&values)[items], T (&out)[items], Operation operation, T& aggregate, EMU_LINE)
    {
        T sums[items];
        sums[0] = values[0];
        for (int i = 1; i < items; i++) sums[i] = operation(sums[i - 1], values[i]);
        const int rank = scan(sums[items - 1], operation, line);
        for (int i = 0; i < items; i++) out[i] = rank == 0 ? sums[i] : operation(storage_.values[rank - 1], sums[i]);
        aggregate = storage_.values[threads - 1];
    }
    template <int items, class Operation>
    void InclusiveScan(T (&values)[items], T (&out)[items], Operation operation, EMU_LINE)
    {
        T all;
        InclusiveScan(values, out, operation, all, line);
    }
    template <int items, class Operation>
    void ExclusiveScan(T (&values)[items], T (&out)[items], T initial, Operation operation, T& aggregate, EMU_LINE)
    {
        T whole = values[0];
        for (int i = 1; i < items; i++) whole = operation(whole, values[i]);
        const int rank = scan(whole, operation, line);
        T sum = rank == 0 ? initial : operation(initial, storage_.values[rank - 1]);
        for (int i = 0; i < items; i++) {
            const T value = values[i];  // out may be values
            out[i] = sum;
            sum = operation(sum, value);
        }
        aggregate = storage_.values[threads - 1];
    }
    template <int items, class Operation>
    void ExclusiveScan(T (&values)[items], T (&out)[items], T initial, Operation operation, EMU_LINE)
    {
        T all;
        ExclusiveScan(values, out, initial, operation, all, line);
    }
    template <int items> void InclusiveSum(T (&values)[items], T (&out)[items], EMU_LINE)
    {
        InclusiveScan(values, out, cub::Sum(), line);
    }
    template <int items> void InclusiveSum(T (&values)[items], T (&out)[items], T& aggregate, EMU_LINE)
    {
        InclusiveScan(values, out, cub::Sum(), aggregate, line);
    }
    template <int items> void ExclusiveSum(T (&values)[items], T (&out)[items], EMU_LINE)
    {
        ExclusiveScan(values, out, T(0), cub::Sum(), line);
    }
    template <int items> void ExclusiveSum(T (&values)[items], T (&out)[items], T& aggregate, EMU_LINE)
    {
        ExclusiveScan(values, out, T(0), cub::Sum(), aggregate, line);
    }

private:
    // Leaves the inclusive scan of all threads in the storage; returns the thread's rank.
    template <class Operation> int scan(T value, Operation operation, unsigned line)
    {
        const int rank = emu::rank_in_block();
        storage_.values[rank] = value;
        emu_barrier(line);
        if (rank == 0)
            for (int i = 1; i < threads; i++) storage_.values[i] = operation(storage_.values[i - 1], storage_.values[i]);
        emu_barrier(line);
        return rank;
    }
};

template <class T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1, int = 0>
class BlockLoad {
    static constexpr int threads = x * y * z;
    static int place(int i)
    {
        const int rank = emu::rank_in_block();
        return algorithm == BLOCK_LOAD_STRIPED ? rank + i * threads : rank * items + i;
    }

public:
    struct TempStorage {};
    BlockLoad() {}
    explicit BlockLoad(TempStorage&) {}

    template <class Iterator> void Load(Iterator from, T (&to)[items])
    {
        for (int i = 0; i < items; i++) to[i] = from[place(i)];
    }
    template <class Iterator> void Load(Iterator from, T (&to)[items], int valid)
    {
        for (int i = 0; i < items; i++)
            if (place(i) < valid) to[i] = from[place(i)];
    }
    template <class Iterator, class Default> void Load(Iterator from, T (&to)[items], int valid, Default otherwise)
    {
        for (int i = 0; i < items; i++) to[i] = place(i) < valid ? T(from[place(i)]) : T(otherwise);
    }
};

template <class T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1, int = 0>
class BlockStore {
    static constexpr int threads = x * y * z;
    static int place(int i)
    {
        const int rank = emu::rank_in_block();
        return algorithm == BLOCK_STORE_STRIPED ? rank + i * threads : rank * items + i;
    }

public:
    struct TempStorage {};
    BlockStore() {}
    explicit BlockStore(TempStorage&) {}

    template <class Iterator> void Store(Iterator to, T (&from)[items])
    {
        for (int i = 0; i < items; i++) to[place(i)] = from[i];
    }
    template <class Iterator> void Store(Iterator to, T (&from)[items], int valid)
    {
        for (int i = 0; i < items; i++)
            if (place(i) < valid) to[place(i)] = from[i];
    }
};

}  // namespace cub
