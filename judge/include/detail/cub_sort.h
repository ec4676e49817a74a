// cub: radix sorts of a block and of the device, and merge sorts by comparison. All are stable.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cub_sort.h is internal: include <cub/cub.cuh>"
#endif
#include <algorithm>
#include <numeric>
#include <vector>

namespace emu {

// The order of `count` keys by their bits first to end - 1, and with it whatever belongs to them.
template <class Keys> inline std::vector<uint32_t> radix_order(Keys keys, size_t count, bool descending, int first, int end)
{
    using Bits = decltype(radix_of(std::decay_t<decltype(keys[0])>(keys[0])));
    const int width = std::min(end, int(8 * sizeof(Bits))) - first;
    const Bits mask = width >= int(8 * sizeof(Bits)) ? Bits(~Bits(0)) : Bits((Bits(1) << width) - 1);
    std::vector<Bits> bits(count);
    for (size_t i = 0; i < count; i++) bits[i] = Bits(Bits(radix_of(keys[i]) >> first) & mask);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return descending ? bits[b] < bits[a] : bits[a] < bits[b];
    });
    return order;
}
template <class From, class To> inline void in_order(const std::vector<uint32_t>& order, From from, To to)
{
    std::vector<value_of<From>> sorted(order.size());
    for (size_t i = 0; i < order.size(); i++) sorted[i] = from[order[i]];
    for (size_t i = 0; i < order.size(); i++) to[i] = sorted[i];
}

}  // namespace emu

namespace cub {

// Items are blocked: thread 0 holds the first ones, before and after.
template <class Key, int x, int items, class Value = void, int... further> class BlockRadixSort {
    static constexpr bool has_values = !std::is_void_v<Value>;
    using Stored = std::conditional_t<has_values, Value, char>;

public:
    struct TempStorage {
        emu::shared_array<Key, x * items> keys;
        emu::shared_array<Stored, x * items> values;
    };

private:
    EMU_COLLECTIVE(BlockRadixSort)

    void Sort(Key (&keys)[items], int first = 0, int end = 8 * sizeof(Key), EMU_LINE) { sort(keys, nullptr, false, first, end, line); }
    void SortDescending(Key (&keys)[items], int first = 0, int end = 8 * sizeof(Key), EMU_LINE) { sort(keys, nullptr, true, first, end, line); }
    template <class V> void Sort(Key (&keys)[items], V (&values)[items], int first = 0, int end = 8 * sizeof(Key), EMU_LINE)
    {
        sort(keys, values, false, first, end, line);
    }
    template <class V> void SortDescending(Key (&keys)[items], V (&values)[items], int first = 0, int end = 8 * sizeof(Key), EMU_LINE)
    {
        sort(keys, values, true, first, end, line);
    }

private:
    void sort(Key* keys, Stored* values, bool descending, int first, int end, unsigned line)
    {
        const int rank = emu::rank_in_block();
        for (int i = 0; i < items; i++) {
            storage_.keys[rank * items + i] = keys[i];
            if (values) storage_.values[rank * items + i] = values[i];
        }
        emu_barrier(line);
        if (rank == 0) {
            const auto order = emu::radix_order(&storage_.keys[0], x * items, descending, first, end);
            emu::in_order(order, &storage_.keys[0], &storage_.keys[0]);
            if (values) emu::in_order(order, &storage_.values[0], &storage_.values[0]);
        }
        emu_barrier(line);
        for (int i = 0; i < items; i++) {
            keys[i] = storage_.keys[rank * items + i];
            if (values) values[i] = storage_.values[rank * items + i];
        }
    }
};

#define EMU_STORAGE void *storage, size_t &storage_bytes
#define EMU_BITS int first = 0, int end = 8 * sizeof(Key), cudaStream_t stream = nullptr, EMU_LINE

struct DeviceRadixSort {
    template <class Key, class Count>
    static cudaError_t SortKeys(EMU_STORAGE, const Key* in, Key* out, Count count, EMU_BITS)
    {
        return keys("cub::DeviceRadixSort::SortKeys", storage, storage_bytes, in, out, count, false, first, end, stream, line);
    }
    template <class Key, class Count>
    static cudaError_t SortKeysDescending(EMU_STORAGE, const Key* in, Key* out, Count count, EMU_BITS)
    {
        return keys("cub::DeviceRadixSort::SortKeysDescending", storage, storage_bytes, in, out, count, true, first, end, stream, line);
    }
    template <class Key, class Count>
    static cudaError_t SortKeys(EMU_STORAGE, DoubleBuffer<Key>& both, Count count, EMU_BITS)
    {
        const cudaError_t error = SortKeys(storage, storage_bytes, both.Current(), both.Alternate(), count, first, end, stream, line);
        if (storage) both.selector ^= 1;
        return error;
    }
    template <class Key, class Value, class Count>
    static cudaError_t SortPairs(EMU_STORAGE, const Key* in, Key* out, const Value* values, Value* values_out, Count count, EMU_BITS)
    {
        return pairs("cub::DeviceRadixSort::SortPairs", storage, storage_bytes, in, out, values, values_out, count, false, first, end, stream, line);
    }
    template <class Key, class Value, class Count>
    static cudaError_t SortPairsDescending(EMU_STORAGE, const Key* in, Key* out, const Value* values, Value* values_out, Count count, EMU_BITS)
    {
        return pairs("cub::DeviceRadixSort::SortPairsDescending", storage, storage_bytes, in, out, values, values_out, count, true, first, end, stream, line);
    }

private:
    template <class Key, class Count>
    static cudaError_t keys(const char* name, EMU_STORAGE, const Key* in, Key* out, Count count, bool descending, int first,
                            int end, cudaStream_t stream, unsigned line)
    {
        return emu::device_wide(name, storage, storage_bytes, stream, [=] {
            emu::in_order(emu::radix_order(in, size_t(count), descending, first, end), in, out);
        }, line);
    }
    template <class Key, class Value, class Count>
    static cudaError_t pairs(const char* name, EMU_STORAGE, const Key* in, Key* out, const Value* values, Value* values_out,
                             Count count, bool descending, int first, int end, cudaStream_t stream, unsigned line)
    {
        return emu::device_wide(name, storage, storage_bytes, stream, [=] {
            const auto order = emu::radix_order(in, size_t(count), descending, first, end);
            emu::in_order(order, in, out);
            emu::in_order(order, values, values_out);
        }, line);
    }
};

struct DeviceMergeSort {
    template <class Key, class Count, class Less>
    static cudaError_t SortKeys(EMU_STORAGE, Key* keys, Count count, Less less, cudaStream_t stream = nullptr, EMU_LINE)
    {
        return emu::device_wide("cub::DeviceMergeSort::SortKeys", storage, storage_bytes, stream,
                                [=] { std::stable_sort(keys, keys + count, less); }, line);
    }
};

#undef EMU_BITS
#undef EMU_STORAGE
#undef EMU_LINE
#undef EMU_COLLECTIVE

}  // namespace cub
