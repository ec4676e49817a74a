// Thrust on the CPU backend: vectors, pointers and the algorithms that submissions use. An algorithm on device
// memory runs as one kernel of one thread, by the C++ library; on host memory it runs where it is called.
//
// Which of the two: the policy says, or else the iterator (a device_ptr or a device_vector's), as in Thrust.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/thrust.h is internal: include <thrust/...>"
#endif
#include "cub_basics.h"
#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <vector>

namespace thrust {

// ---- policies -------------------------------------------------------------------------------------
struct device_policy {
    cudaStream_t stream = nullptr;
    device_policy on(cudaStream_t s) const { return {s}; }
};
struct host_policy {};
static constexpr device_policy device{};
static constexpr host_policy host{}, seq{};
namespace cuda {
static constexpr device_policy par{}, par_nosync{};
}

// ---- pointers and vectors ---------------------------------------------------------------------------
template <class T> struct device_reference;
template <class T> struct device_ptr {
    using value_type = std::remove_const_t<T>;
    using reference = T&;
    using pointer = T*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    T* at = nullptr;

    device_ptr() = default;
    explicit device_ptr(T* p) : at(p) {}
    template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>> device_ptr(const device_ptr<U>& p) : at(p.at) {}
    T* get() const { return at; }
    device_reference<T> operator*() const { return {at}; }
    template <class I> device_reference<T> operator[](I i) const { return {at + i}; }
    device_ptr operator+(std::ptrdiff_t n) const { return device_ptr(at + n); }
    device_ptr operator-(std::ptrdiff_t n) const { return device_ptr(at - n); }
    std::ptrdiff_t operator-(const device_ptr& other) const { return at - other.at; }
    device_ptr& operator+=(std::ptrdiff_t n) { at += n; return *this; }
    device_ptr& operator++() { ++at; return *this; }
    device_ptr operator++(int) { return device_ptr(at++); }
    device_ptr& operator--() { --at; return *this; }
    bool operator==(const device_ptr& other) const { return at == other.at; }
    bool operator!=(const device_ptr& other) const { return at != other.at; }
    bool operator<(const device_ptr& other) const { return at < other.at; }
};
// An element in device memory as the host sees it: reading and writing copies.
template <class T> struct device_reference {
    T* at;
    operator std::remove_const_t<T>() const
    {
        std::remove_const_t<T> value;
        if (emu_in_kernel()) return *at;
        cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost);
        return value;
    }
    const device_reference& operator=(const std::remove_const_t<T>& value) const
    {
        if (emu_in_kernel()) *const_cast<std::remove_const_t<T>*>(at) = value;
        else cudaMemcpy(const_cast<std::remove_const_t<T>*>(at), &value, sizeof value, cudaMemcpyHostToDevice);
        return *this;
    }
    const device_reference& operator=(const device_reference& other) const { return *this = std::remove_const_t<T>(other); }
    device_reference(T* p) : at(p) {}
    device_reference(const device_reference&) = default;
};
template <class T> inline device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <class T> inline device_ptr<T> device_pointer_cast(const device_ptr<T>& p) { return p; }
template <class T> inline T* raw_pointer_cast(T* p) { return p; }
template <class T> inline T* raw_pointer_cast(const device_ptr<T>& p) { return p.at; }
template <class T> inline device_ptr<T> device_malloc(size_t count)
{
    void* p = nullptr;
    cudaMalloc(&p, count * sizeof(T));
    return device_ptr<T>(static_cast<T*>(p));
}
template <class T> inline void device_free(device_ptr<T> p) { cudaFree((void*)p.at); }

template <class T> using host_vector = std::vector<T>;

template <class T> class device_vector {
    static_assert(std::is_trivially_copyable_v<T>, "unsupported: a device_vector of such elements: the CPU backend does not have it; use BACKEND=gpu");
    T* data_ = nullptr;
    size_t size_ = 0;

    void take(const T* from, size_t count)
    {
        T* fresh = nullptr;
        if (count) cudaMalloc((void**)&fresh, count * sizeof(T));
        if (count && from) cudaMemcpy(fresh, from, count * sizeof(T), cudaMemcpyDefault);
        if (data_) cudaFree(data_);
        data_ = fresh;
        size_ = count;
    }

public:
    using value_type = T;
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<const T>;

    device_vector() = default;
    explicit device_vector(size_t count, T value = T())
    {
        std::vector<T> same(count, value);
        take(same.data(), count);
    }
    device_vector(const device_vector& other) { take(other.data_, other.size_); }
    device_vector(device_vector&& other) noexcept { std::swap(data_, other.data_), std::swap(size_, other.size_); }
    device_vector(const std::vector<T>& other) { take(other.data(), other.size()); }
    device_vector(std::initializer_list<T> all) { take(all.begin(), all.size()); }
    template <class U> device_vector(const device_ptr<U>& first, const device_ptr<U>& last) { take(first.at, size_t(last - first)); }
    template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
    device_vector(Iterator first, Iterator last)
    {
        std::vector<T> all(first, last);
        take(all.data(), all.size());
    }
    ~device_vector() { if (data_) cudaFree(data_); }
    device_vector& operator=(const device_vector& other) { if (this != &other) take(other.data_, other.size_); return *this; }
    device_vector& operator=(device_vector&& other) noexcept { std::swap(data_, other.data_), std::swap(size_, other.size_); return *this; }
    device_vector& operator=(const std::vector<T>& other) { take(other.data(), other.size()); return *this; }
    operator std::vector<T>() const
    {
        std::vector<T> all(size_);
        if (size_) cudaMemcpy(all.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return all;
    }

    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    device_ptr<T> data() { return device_ptr<T>(data_); }
    device_ptr<const T> data() const { return device_ptr<const T>(data_); }
    iterator begin() { return iterator(data_); }
    iterator end() { return iterator(data_ + size_); }
    const_iterator begin() const { return const_iterator(data_); }
    const_iterator end() const { return const_iterator(data_ + size_); }
    device_reference<T> operator[](size_t i) { return {data_ + i}; }
    device_reference<const T> operator[](size_t i) const { return {data_ + i}; }
    device_reference<T> front() { return {data_}; }
    device_reference<T> back() { return {data_ + size_ - 1}; }
    void resize(size_t count, T value = T())
    {
        std::vector<T> all = *this;
        all.resize(count, value);
        take(all.data(), count);
    }
    void push_back(const T& value) { resize(size_ + 1, value); }
    void clear() { take(nullptr, 0); }
};

// ---- iterators that compute, functors, pairs -------------------------------------------------------------
template <class T> using counting_iterator = cub::CountingInputIterator<T>;
template <class T> using constant_iterator = cub::ConstantInputIterator<T>;
template <class Operation, class Iterator>
using transform_iterator = cub::TransformInputIterator<
    std::decay_t<decltype(std::declval<Operation>()(std::declval<emu::value_of<Iterator>>()))>, Operation, Iterator>;
template <class T> inline auto make_counting_iterator(T first) { return cub::CountingInputIterator<T>(first); }
template <class T> inline auto make_constant_iterator(T value) { return cub::ConstantInputIterator<T>(value); }
template <class Iterator, class Operation> inline auto make_transform_iterator(Iterator from, Operation operation)
{
    using T = std::decay_t<decltype(operation(emu::value_of<Iterator>(*from)))>;
    return cub::TransformInputIterator<T, Operation, Iterator>(from, operation);
}

template <class A, class B> using pair = std::pair<A, B>;
using std::make_pair;
template <class... T> using tuple = std::tuple<T...>;
using std::get;
using std::make_tuple;
using std::tie;

#define EMU_FUNCTOR(name, result)                                                                  \
    template <class T = void> struct name { auto operator()(const T& a, const T& b) const { return result; } }; \
    template <> struct name<void> { template <class A, class B> auto operator()(const A& a, const B& b) const { return result; } };
EMU_FUNCTOR(plus, a + b)
EMU_FUNCTOR(minus, a - b)
EMU_FUNCTOR(multiplies, a * b)
EMU_FUNCTOR(divides, a / b)
EMU_FUNCTOR(modulus, a % b)
EMU_FUNCTOR(maximum, a < b ? b : a)
EMU_FUNCTOR(minimum, b < a ? b : a)
EMU_FUNCTOR(less, a < b)
EMU_FUNCTOR(less_equal, a <= b)
EMU_FUNCTOR(greater, a > b)
EMU_FUNCTOR(greater_equal, a >= b)
EMU_FUNCTOR(equal_to, a == b)
EMU_FUNCTOR(not_equal_to, a != b)
EMU_FUNCTOR(logical_and, a && b)
EMU_FUNCTOR(logical_or, a || b)
EMU_FUNCTOR(bit_and, a & b)
EMU_FUNCTOR(bit_or, a | b)
EMU_FUNCTOR(bit_xor, a ^ b)
#undef EMU_FUNCTOR
template <class T = void> struct negate { template <class A> auto operator()(const A& a) const { return -a; } };
template <class T = void> struct identity { template <class A> A operator()(const A& a) const { return a; } };
template <class T = void> struct square { template <class A> auto operator()(const A& a) const { return a * a; } };
template <class T = void> struct logical_not { template <class A> bool operator()(const A& a) const { return !a; } };

}  // namespace thrust

namespace emu {

// In a kernel a device_ptr is its pointer.
template <class Iterator> inline Iterator plain(Iterator i) { return i; }
template <class T> inline T* plain(thrust::device_ptr<T> i) { return i.at; }
template <class T> struct is_policy : std::false_type {};
template <> struct is_policy<thrust::device_policy> : std::true_type {};
template <> struct is_policy<thrust::host_policy> : std::true_type {};
template <class T> struct is_device_iterator : std::false_type {};
template <class T> struct is_device_iterator<thrust::device_ptr<T>> : std::true_type {};
template <class T, class Operation, class Iterator, class Offset>
struct is_device_iterator<cub::TransformInputIterator<T, Operation, Iterator, Offset>> : is_device_iterator<Iterator> {};

}  // namespace emu

#include "thrust_zip.h"

namespace emu {

// Back from the plain iterator that an algorithm returned.
template <class Iterator, class Plain> inline Iterator as(Iterator first, Plain result)
{
    return first + (result - plain(first));
}

// Run `work` as a kernel, wait for it, and give its result.
template <class Result, class Work> inline Result as_kernel(Work work, cudaStream_t stream, unsigned line)
{
    Result result{};
    Result* to = &result;
    if (emu_in_kernel()) return work();
    launch_deduced("thrust", line, [work, to](auto...) { *to = work(); }, config(dim3(1), dim3(1), 0, stream))();
    cudaStreamSynchronize(stream);
    return result;
}

// Call algorithm(plain iterators...) where the data is.
template <class Policy, class Work> inline auto where(const Policy& policy, Work work, unsigned line)
{
    using Result = decltype(work());
    if constexpr (std::is_same_v<Policy, thrust::device_policy>) return as_kernel<Result>(work, policy.stream, line);
    else return work();
}
template <class... Iterators> inline auto policy_of(const Iterators&...)
{
    return std::conditional_t<(is_device_iterator<Iterators>::value || ...), thrust::device_policy, thrust::host_policy>{};
}

}  // namespace emu

#include "thrust_algorithms.h"
