// cub: algorithms over the whole device. Each runs as one kernel of one thread, so that a bad address is told like
// any other kernel's; asked with null storage it says how many bytes it wants, as CUB does.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cub_device.h is internal: include <cub/cub.cuh>"
#endif

namespace emu {

// Run `work` as a kernel; false if the caller only asked how much storage it takes.
template <class Work>
inline cudaError_t device_wide(const char* name, void* storage, size_t& storage_bytes, cudaStream_t stream, Work work,
                               unsigned line)
{
    if (!storage) {
        storage_bytes = 256;
        return cudaSuccess;
    }
    if (storage_bytes < 256)
        return cudaError_t(emu_set_error(cudaErrorInvalidValue, 0, "cub: less storage than it asked for", line));
    launch_deduced(name, line, [work](auto...) { work(); }, config(dim3(1), dim3(1), 0, stream))();
    return cudaPeekAtLastError();
}

}  // namespace emu

namespace cub {

#define EMU_STORAGE void *storage, size_t &storage_bytes
#define EMU_STREAM cudaStream_t stream = nullptr, unsigned line = __builtin_LINE()
#define EMU_RUN(name, ...) return emu::device_wide("cub::" name, storage, storage_bytes, stream, [=] __VA_ARGS__, line)

struct DeviceReduce {
    template <class In, class Out, class Count, class Operation, class T>
    static cudaError_t Reduce(EMU_STORAGE, In in, Out out, Count count, Operation operation, T initial, EMU_STREAM)
    {
        EMU_RUN("DeviceReduce::Reduce", {
            auto sum = initial;
            for (Count i = 0; i < count; i++) sum = operation(sum, in[i]);
            *out = sum;
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t Sum(EMU_STORAGE, In in, Out out, Count count, EMU_STREAM)
    {
        return Reduce(storage, storage_bytes, in, out, count, cub::Sum(), emu::value_of<In>(), stream, line);
    }
    template <class In, class Out, class Count>
    static cudaError_t Max(EMU_STORAGE, In in, Out out, Count count, EMU_STREAM)
    {
        using T = emu::value_of<In>;
        return Reduce(storage, storage_bytes, in, out, count, cub::Max(), std::numeric_limits<T>::lowest(), stream, line);
    }
    template <class In, class Out, class Count>
    static cudaError_t Min(EMU_STORAGE, In in, Out out, Count count, EMU_STREAM)
    {
        using T = emu::value_of<In>;
        return Reduce(storage, storage_bytes, in, out, count, cub::Min(), std::numeric_limits<T>::max(), stream, line);
    }
    template <class In, class Out, class Count, class Operation, class T, class Change>
    static cudaError_t TransformReduce(EMU_STORAGE, In in, Out out, Count count, Operation operation, Change change,
                                       T initial, EMU_STREAM)
    {
        EMU_RUN("DeviceReduce::TransformReduce", {
            auto sum = initial;
            for (Count i = 0; i < count; i++) sum = operation(sum, change(in[i]));
            *out = sum;
        });
    }
    // Where the first of the largest lies, and it: of no values {1, lowest}, as CUB says.
    template <class In, class Out, class Count>
    static cudaError_t ArgMax(EMU_STORAGE, In in, Out out, Count count, EMU_STREAM)
    {
        EMU_RUN("DeviceReduce::ArgMax", {
            using T = emu::value_of<In>;
            KeyValuePair<int, T> best{1, std::numeric_limits<T>::lowest()};
            for (Count i = 0; i < count; i++)
                if (i == 0 || in[i] > best.value) best = {int(i), T(in[i])};
            *out = best;
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t ArgMin(EMU_STORAGE, In in, Out out, Count count, EMU_STREAM)
    {
        EMU_RUN("DeviceReduce::ArgMin", {
            using T = emu::value_of<In>;
            KeyValuePair<int, T> best{1, std::numeric_limits<T>::max()};
            for (Count i = 0; i < count; i++)
                if (i == 0 || in[i] < best.value) best = {int(i), T(in[i])};
            *out = best;
        });
    }
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begin, class End, class Operation, class T>
    static cudaError_t Reduce(EMU_STORAGE, In in, Out out, int segments, Begin begin, End end, Operation operation,
                              T initial, EMU_STREAM)
    {
        EMU_RUN("DeviceSegmentedReduce::Reduce", {
            for (int segment = 0; segment < segments; segment++) {
                auto sum = initial;
                for (auto i = begin[segment]; i < end[segment]; i++) sum = operation(sum, in[i]);
                out[segment] = sum;
            }
        });
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Sum(EMU_STORAGE, In in, Out out, int segments, Begin begin, End end, EMU_STREAM)
    {
        return Reduce(storage, storage_bytes, in, out, segments, begin, end, cub::Sum(), emu::value_of<In>(), stream, line);
    }
};

struct DeviceScan {
    template <class In, class Out, class Operation, class Count>
    static cudaError_t InclusiveScan(EMU_STORAGE, In in, Out out, Operation operation, Count count, EMU_STREAM)
    {
        EMU_RUN("DeviceScan::InclusiveScan", {
            if (count <= 0) return;
            emu::value_of<In> sum = in[0];
            out[0] = sum;
            for (Count i = 1; i < count; i++) out[i] = sum = operation(sum, in[i]);
        });
    }
    template <class In, class Out, class Operation, class T, class Count>
    static cudaError_t ExclusiveScan(EMU_STORAGE, In in, Out out, Operation operation, T initial, Count count, EMU_STREAM)
    {
        EMU_RUN("DeviceScan::ExclusiveScan", {
            T sum = initial;
            for (Count i = 0; i < count; i++) {
                const T next = operation(sum, in[i]);  // out may be in
                out[i] = sum;
                sum = next;
            }
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t InclusiveSum(EMU_STORAGE, In in, Out out, Count count, EMU_STREAM)
    {
        return InclusiveScan(storage, storage_bytes, in, out, cub::Sum(), count, stream, line);
    }
    template <class In, class Out, class Count>
    static cudaError_t ExclusiveSum(EMU_STORAGE, In in, Out out, Count count, EMU_STREAM)
    {
        return ExclusiveScan(storage, storage_bytes, in, out, cub::Sum(), emu::value_of<In>(), count, stream, line);
    }
};

struct DeviceSelect {
    template <class In, class Out, class Number, class Count, class Chosen>
    static cudaError_t If(EMU_STORAGE, In in, Out out, Number number, Count count, Chosen chosen, EMU_STREAM)
    {
        EMU_RUN("DeviceSelect::If", {
            int kept = 0;
            for (Count i = 0; i < count; i++)
                if (chosen(in[i])) out[kept++] = in[i];
            *number = kept;
        });
    }
    template <class In, class Flags, class Out, class Number, class Count>
    static cudaError_t Flagged(EMU_STORAGE, In in, Flags flags, Out out, Number number, Count count, EMU_STREAM)
    {
        EMU_RUN("DeviceSelect::Flagged", {
            int kept = 0;
            for (Count i = 0; i < count; i++)
                if (flags[i]) out[kept++] = in[i];
            *number = kept;
        });
    }
    template <class In, class Out, class Number, class Count>
    static cudaError_t Unique(EMU_STORAGE, In in, Out out, Number number, Count count, EMU_STREAM)
    {
        EMU_RUN("DeviceSelect::Unique", {
            int kept = 0;
            for (Count i = 0; i < count; i++)
                if (i == 0 || !(in[i] == in[i - 1])) out[kept++] = in[i];
            *number = kept;
        });
    }
};

struct DeviceHistogram {
    // `levels` borders make levels - 1 bins of one width over [lower, upper).
    template <class In, class Counter, class Level, class Count>
    static cudaError_t HistogramEven(EMU_STORAGE, In in, Counter* histogram, int levels, Level lower, Level upper,
                                     Count count, EMU_STREAM)
    {
        EMU_RUN("DeviceHistogram::HistogramEven", {
            for (int bin = 0; bin < levels - 1; bin++) histogram[bin] = 0;
            for (Count i = 0; i < count; i++) {
                const Level value = Level(in[i]);
                if (!(value >= lower && value < upper)) continue;
                int bin;
                if constexpr (std::is_floating_point_v<Level>)
                    bin = int((value - lower) * (Level(levels - 1) / (upper - lower)));
                else
                    bin = int((long long)(value - lower) * (levels - 1) / (long long)(upper - lower));
                histogram[bin < levels - 1 ? bin : levels - 2]++;
            }
        });
    }
};

#undef EMU_RUN
#undef EMU_STREAM
#undef EMU_STORAGE

}  // namespace cub
