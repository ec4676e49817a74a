// cub: operators, iterators, and what its collectives have in common.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cub_basics.h is internal: include <cub/cub.cuh>"
#endif
#include <iterator>
#include <limits>
#include <utility>

namespace cub {

struct Sum {
    template <class A, class B> auto operator()(const A& a, const B& b) const { return a + b; }
};
struct Max {
    template <class T> T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
struct Equality {
    template <class A, class B> bool operator()(const A& a, const B& b) const { return a == b; }
};

template <class Key_, class Value_> struct KeyValuePair {
    using Key = Key_;
    using Value = Value_;
    Key key;
    Value value;
};
struct ArgMax {
    template <class Pair> Pair operator()(const Pair& a, const Pair& b) const
    {
        return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class Pair> Pair operator()(const Pair& a, const Pair& b) const
    {
        return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};

// The larger half of a pair of buffers that a sort goes to and fro between.
template <class T> struct DoubleBuffer {
    T* d_buffers[2];
    int selector = 0;

    DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
    T* Current() { return d_buffers[selector]; }
    T* Alternate() { return d_buffers[selector ^ 1]; }
};

// Values that are computed when they are read: at(i) gives the i-th. Self: the iterator's own type.
template <class Self, class At> struct ComputedIterator {
    using value_type = std::decay_t<decltype(std::declval<At>()(std::ptrdiff_t(0)))>;
    using reference = value_type;
    using pointer = value_type*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    At at;
    std::ptrdiff_t position;

    explicit ComputedIterator(At at_) : at(at_), position(0) {}
    Self& self() { return static_cast<Self&>(*this); }
    Self moved(std::ptrdiff_t n) const
    {
        Self result = static_cast<const Self&>(*this);
        result.position += n;
        return result;
    }
    value_type operator*() const { return at(position); }
    template <class I> value_type operator[](I i) const { return at(position + std::ptrdiff_t(i)); }
    Self operator+(std::ptrdiff_t n) const { return moved(n); }
    Self operator-(std::ptrdiff_t n) const { return moved(-n); }
    std::ptrdiff_t operator-(const Self& other) const { return distance_from(other); }
    Self& operator+=(std::ptrdiff_t n) { position += n; return self(); }
    Self& operator++() { ++position; return self(); }
    Self operator++(int) { Self old = self(); ++position; return old; }
    Self& operator--() { --position; return self(); }
    bool operator==(const Self& other) const { return distance_from(other) == 0; }
    bool operator!=(const Self& other) const { return distance_from(other) != 0; }
    bool operator<(const Self& other) const { return distance_from(other) < 0; }

private:
    std::ptrdiff_t distance_from(const Self& other) const { return at.first() + position - other.at.first() - other.position; }
};

template <class T> struct CountingAt {
    T start;
    T operator()(std::ptrdiff_t i) const { return T(start + T(i)); }
    std::ptrdiff_t first() const { return std::ptrdiff_t(start); }
};
template <class T, class Offset = std::ptrdiff_t>
struct CountingInputIterator : ComputedIterator<CountingInputIterator<T, Offset>, CountingAt<T>> {
    CountingInputIterator(T start = T()) : ComputedIterator<CountingInputIterator, CountingAt<T>>({start}) {}
};
template <class T> struct ConstantAt {
    T value;
    T operator()(std::ptrdiff_t) const { return value; }
    std::ptrdiff_t first() const { return 0; }
};
template <class T, class Offset = std::ptrdiff_t>
struct ConstantInputIterator : ComputedIterator<ConstantInputIterator<T, Offset>, ConstantAt<T>> {
    ConstantInputIterator(T value, Offset start = 0) : ComputedIterator<ConstantInputIterator, ConstantAt<T>>(ConstantAt<T>{value})
    {
        this->position = start;
    }
};
template <class T, class Operation, class Iterator> struct TransformedAt {
    Iterator from;
    Operation operation;
    T operator()(std::ptrdiff_t i) const { return operation(typename std::iterator_traits<Iterator>::value_type(from[i])); }
    std::ptrdiff_t first() const
    {
        if constexpr (std::is_pointer_v<Iterator>) return from - Iterator(nullptr);
        else return from - Iterator();
    }
};
template <class T, class Operation, class Iterator, class Offset = std::ptrdiff_t>
struct TransformInputIterator : ComputedIterator<TransformInputIterator<T, Operation, Iterator, Offset>, TransformedAt<T, Operation, Iterator>> {
    TransformInputIterator(Iterator from, Operation operation)
        : ComputedIterator<TransformInputIterator, TransformedAt<T, Operation, Iterator>>({from, operation}) {}
};

}  // namespace cub

namespace emu {

template <class Iterator> using value_of = typename std::iterator_traits<Iterator>::value_type;

// What a thread gets for whom a result is not defined: the least useful bits.
template <class T> inline T undefined_result()
{
    alignas(T) unsigned char nothing[sizeof(T)];
    emu_fill_undefined(nothing, sizeof nothing);
    T value;
    __builtin_memcpy(static_cast<void*>(&value), nothing, sizeof value);
    return value;
}

// T's of shared memory without constructors: a __shared__ variable may have none.
template <class T, int count> struct shared_array {
    alignas(16) unsigned char bytes[sizeof(T) * (count > 0 ? count : 1)];
    T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

inline int rank_in_block()
{
    return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// The numeric order of a key's bits, ascending: what a radix sort compares.
template <class Key> inline auto radix_of(Key key)
{
    using Bits = std::conditional_t<sizeof(Key) == 1, uint8_t,
                 std::conditional_t<sizeof(Key) == 2, uint16_t,
                 std::conditional_t<sizeof(Key) == 4, uint32_t, uint64_t>>>;
    static_assert(sizeof(Key) == sizeof(Bits), "unsupported: a radix sort of such keys: the CPU backend does not have it; use BACKEND=gpu");
    Bits bits = bit_cast<Bits>(key);
    constexpr Bits top = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
    if constexpr (std::is_integral_v<Key> && std::is_unsigned_v<Key>) return bits;
    else if constexpr (std::is_integral_v<Key>) return Bits(bits ^ top);
    else {
        if (bits == top) bits = 0;  // -0.0 and 0.0 are one key
        return Bits(bits & top ? ~bits : bits | top);
    }
}

}  // namespace emu
