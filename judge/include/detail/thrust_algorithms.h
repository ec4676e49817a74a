// thrust: the algorithms, each with a policy before its arguments or without.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/thrust_algorithms.h is internal: include <thrust/...>"
#endif

namespace emu {
namespace thrust_algorithms {

// What an algorithm does once its iterators are plain: the C++ library has most of them.
template <class I, class T, class Operation> inline T reduce(I first, I last, T value, Operation operation)
{
    for (; first != last; ++first) value = operation(value, *first);
    return value;
}
template <class I, class O, class T, class Operation> inline O exclusive_scan(I first, I last, O out, T value, Operation operation)
{
    for (; first != last; ++first, ++out) {
        const T next = operation(value, *first);  // out may be first
        *out = value;
        value = next;
    }
    return out;
}
template <class I, class O, class Operation> inline O inclusive_scan(I first, I last, O out, Operation operation)
{
    if (first == last) return out;
    value_of<I> value = *first;
    *out = value;
    for (++out, ++first; first != last; ++first, ++out) *out = value = operation(value, *first);
    return out;
}
template <class K, class V, class Less> inline int sort_by_key(K first, K last, V values, Less less)
{
    const size_t count = size_t(last - first);
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return less(first[a], first[b]); });
    std::vector<value_of<K>> keys(count);
    std::vector<value_of<V>> sorted(count);
    for (size_t i = 0; i < count; i++) keys[i] = first[order[i]], sorted[i] = values[order[i]];
    for (size_t i = 0; i < count; i++) first[i] = keys[i], values[i] = sorted[i];
    return 0;
}
template <class K, class V, class KO, class VO, class Same, class Operation>
inline std::pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out, Same same, Operation operation)
{
    while (first != last) {
        const value_of<K> key = *first;
        value_of<V> sum = *values;
        for (++first, ++values; first != last && same(key, value_of<K>(*first)); ++first, ++values) sum = operation(sum, *values);
        *keys_out = key;
        *values_out = sum;
        ++keys_out, ++values_out;
    }
    return {keys_out, values_out};
}

}  // namespace thrust_algorithms
}  // namespace emu

namespace thrust {

#define EMU_WITHOUT_POLICY class = std::enable_if_t<!emu::is_policy<std::decay_t<First>>::value>
#define EMU_WITH_POLICY class = std::enable_if_t<emu::is_policy<std::decay_t<Policy>>::value>
// name(policy, first, ...) and name(first, ...), by body(first, rest...) on plain iterators; `back` says what the
// result of the body is for the caller.
#define EMU_ALGORITHM(name, back, ...)                                                             \
    template <class Policy, class First, class... Rest, EMU_WITH_POLICY>                           \
    inline auto name(const Policy& policy, First first, Rest... rest)                              \
    {                                                                                              \
        const auto body = __VA_ARGS__;                                                             \
        const auto given = emu::where(policy, [=] { return body(emu::plain(first), emu::plain(rest)...); }, __builtin_LINE()); \
        return back;                                                                               \
    }                                                                                              \
    template <class First, class... Rest, EMU_WITHOUT_POLICY>                                      \
    inline auto name(First first, Rest... rest)                                                    \
    {                                                                                              \
        return thrust::name(emu::policy_of(first, rest...), first, rest...);                       \
    }
#define EMU_NOTHING (void)given

// In place, or nothing to return.
EMU_ALGORITHM(sort, EMU_NOTHING, [](auto f, auto l, auto... less) { std::stable_sort(f, l, less...); return 0; })
EMU_ALGORITHM(stable_sort, EMU_NOTHING, [](auto f, auto l, auto... less) { std::stable_sort(f, l, less...); return 0; })
EMU_ALGORITHM(reverse, EMU_NOTHING, [](auto f, auto l) { std::reverse(f, l); return 0; })
EMU_ALGORITHM(fill, EMU_NOTHING, [](auto f, auto l, auto value) { std::fill(f, l, value); return 0; })
EMU_ALGORITHM(generate, EMU_NOTHING, [](auto f, auto l, auto make) { std::generate(f, l, make); return 0; })
EMU_ALGORITHM(replace, EMU_NOTHING, [](auto f, auto l, auto old, auto value) { std::replace(f, l, old, value); return 0; })
EMU_ALGORITHM(replace_if, EMU_NOTHING, [](auto f, auto l, auto which, auto value) { std::replace_if(f, l, which, value); return 0; })
EMU_ALGORITHM(sequence, EMU_NOTHING, [](auto f, auto l, auto... how) {
    using T = emu::value_of<decltype(f)>;
    const T given[] = {T(how)..., T(0)};
    T value = sizeof...(how) ? given[0] : T(0);
    const T step = sizeof...(how) > 1 ? given[1] : T(1);
    for (; f != l; ++f, value = T(value + step)) *f = value;
    return 0;
})
EMU_ALGORITHM(sort_by_key, EMU_NOTHING, [](auto f, auto l, auto values, auto... less) {
    if constexpr (sizeof...(less) == 0) return emu::thrust_algorithms::sort_by_key(f, l, values, std::less<>());
    else return emu::thrust_algorithms::sort_by_key(f, l, values, less...);
})
EMU_ALGORITHM(stable_sort_by_key, EMU_NOTHING, [](auto f, auto l, auto values, auto... less) {
    if constexpr (sizeof...(less) == 0) return emu::thrust_algorithms::sort_by_key(f, l, values, std::less<>());
    else return emu::thrust_algorithms::sort_by_key(f, l, values, less...);
})

// A number or a value.
EMU_ALGORITHM(count, std::ptrdiff_t(given), [](auto f, auto l, auto value) { return std::count(f, l, value); })
EMU_ALGORITHM(count_if, std::ptrdiff_t(given), [](auto f, auto l, auto which) { return std::count_if(f, l, which); })
EMU_ALGORITHM(all_of, bool(given), [](auto f, auto l, auto which) { return std::all_of(f, l, which); })
EMU_ALGORITHM(any_of, bool(given), [](auto f, auto l, auto which) { return std::any_of(f, l, which); })
EMU_ALGORITHM(none_of, bool(given), [](auto f, auto l, auto which) { return std::none_of(f, l, which); })
EMU_ALGORITHM(is_sorted, bool(given), [](auto f, auto l, auto... less) { return std::is_sorted(f, l, less...); })
EMU_ALGORITHM(equal, bool(given), [](auto f, auto l, auto other, auto... same) { return std::equal(f, l, other, same...); })
EMU_ALGORITHM(reduce, given, [](auto f, auto l, auto... how) {
    using T = emu::value_of<decltype(f)>;
    if constexpr (sizeof...(how) == 0) return emu::thrust_algorithms::reduce(f, l, T(), std::plus<>());
    else if constexpr (sizeof...(how) == 1) return emu::thrust_algorithms::reduce(f, l, how..., std::plus<>());
    else return emu::thrust_algorithms::reduce(f, l, how...);
})
EMU_ALGORITHM(transform_reduce, given, [](auto f, auto l, auto change, auto value, auto operation) {
    for (; f != l; ++f) value = operation(value, change(*f));
    return value;
})
EMU_ALGORITHM(inner_product, given, [](auto f, auto l, auto other, auto value, auto... how) {
    return std::inner_product(f, l, other, value, how...);
})

// A place in the first range.
EMU_ALGORITHM(max_element, emu::as(first, given), [](auto f, auto l, auto... less) { return std::max_element(f, l, less...); })
EMU_ALGORITHM(min_element, emu::as(first, given), [](auto f, auto l, auto... less) { return std::min_element(f, l, less...); })
EMU_ALGORITHM(find, emu::as(first, given), [](auto f, auto l, auto value) { return std::find(f, l, value); })
EMU_ALGORITHM(find_if, emu::as(first, given), [](auto f, auto l, auto which) { return std::find_if(f, l, which); })
EMU_ALGORITHM(lower_bound, emu::as(first, given), [](auto f, auto l, auto value, auto... less) { return std::lower_bound(f, l, value, less...); })
EMU_ALGORITHM(upper_bound, emu::as(first, given), [](auto f, auto l, auto value, auto... less) { return std::upper_bound(f, l, value, less...); })
EMU_ALGORITHM(unique, emu::as(first, given), [](auto f, auto l, auto... same) { return std::unique(f, l, same...); })
EMU_ALGORITHM(remove, emu::as(first, given), [](auto f, auto l, auto value) { return std::remove(f, l, value); })
EMU_ALGORITHM(remove_if, emu::as(first, given), [](auto f, auto l, auto which) { return std::remove_if(f, l, which); })
EMU_ALGORITHM(partition, emu::as(first, given), [](auto f, auto l, auto which) { return std::stable_partition(f, l, which); })
EMU_ALGORITHM(for_each, emu::as(first, given), [](auto f, auto l, auto act) { std::for_each(f, l, act); return l; })
EMU_ALGORITHM(for_each_n, emu::as(first, given), [](auto f, auto n, auto act) {
    for (decltype(n) i = 0; i < n; i++) act(f[i]);
    return f + n;
})
EMU_ALGORITHM(fill_n, emu::as(first, given), [](auto f, auto n, auto value) { return std::fill_n(f, n, value); })

// The end of what was written: the output follows the input.
#define EMU_TO(name, ...)                                                                          \
    template <class Policy, class First, class Out, class... Rest, EMU_WITH_POLICY>                \
    inline Out name(const Policy& policy, First first, First last, Out out, Rest... rest)          \
    {                                                                                              \
        const auto body = __VA_ARGS__;                                                             \
        const auto end = emu::where(policy, [=] {                                                  \
            return body(emu::plain(first), emu::plain(last), emu::plain(out), emu::plain(rest)...); }, __builtin_LINE()); \
        return emu::as(out, end);                                                                  \
    }                                                                                              \
    template <class First, class Out, class... Rest, EMU_WITHOUT_POLICY>                           \
    inline Out name(First first, First last, Out out, Rest... rest)                                \
    {                                                                                              \
        return thrust::name(emu::policy_of(first, out, rest...), first, last, out, rest...);       \
    }
EMU_TO(inclusive_scan, [](auto f, auto l, auto out, auto... operation) {
    if constexpr (sizeof...(operation) == 0) return emu::thrust_algorithms::inclusive_scan(f, l, out, std::plus<>());
    else return emu::thrust_algorithms::inclusive_scan(f, l, out, operation...);
})
EMU_TO(exclusive_scan, [](auto f, auto l, auto out, auto... how) {
    using T = emu::value_of<decltype(f)>;
    if constexpr (sizeof...(how) == 0) return emu::thrust_algorithms::exclusive_scan(f, l, out, T(), std::plus<>());
    else if constexpr (sizeof...(how) == 1) return emu::thrust_algorithms::exclusive_scan(f, l, out, how..., std::plus<>());
    else return emu::thrust_algorithms::exclusive_scan(f, l, out, how...);
})
EMU_TO(copy_if, [](auto f, auto l, auto out, auto which) { return std::copy_if(f, l, out, which); })
EMU_TO(unique_copy, [](auto f, auto l, auto out, auto... same) { return std::unique_copy(f, l, out, same...); })
EMU_TO(reverse_copy, [](auto f, auto l, auto out) { return std::reverse_copy(f, l, out); })
EMU_TO(adjacent_difference, [](auto f, auto l, auto out, auto... how) { return std::adjacent_difference(f, l, out, how...); })
EMU_TO(gather, [](auto f, auto l, auto from, auto out) {
    for (; f != l; ++f, ++out) *out = from[*f];
    return from;
})
#undef EMU_TO

// transform of one range or of two: the output comes before the operation.
template <class Policy, class In, class Out, class Operation, EMU_WITH_POLICY>
inline Out transform(const Policy& policy, In first, In last, Out out, Operation operation)
{
    const auto end = emu::where(policy, [=] { return std::transform(emu::plain(first), emu::plain(last), emu::plain(out), operation); }, __builtin_LINE());
    return emu::as(out, end);
}
template <class Policy, class In, class Other, class Out, class Operation, EMU_WITH_POLICY>
inline Out transform(const Policy& policy, In first, In last, Other other, Out out, Operation operation)
{
    const auto end = emu::where(policy, [=] {
        return std::transform(emu::plain(first), emu::plain(last), emu::plain(other), emu::plain(out), operation);
    }, __builtin_LINE());
    return emu::as(out, end);
}
template <class First, class Out, class Operation, EMU_WITHOUT_POLICY>
inline Out transform(First first, First last, Out out, Operation operation)
{
    return thrust::transform(emu::policy_of(first, out), first, last, out, operation);
}
template <class First, class Other, class Out, class Operation, EMU_WITHOUT_POLICY>
inline Out transform(First first, First last, Other other, Out out, Operation operation)
{
    return thrust::transform(emu::policy_of(first, other, out), first, last, other, out, operation);
}

template <class Policy, class K, class V, class KO, class VO, EMU_WITH_POLICY>
inline pair<KO, VO> reduce_by_key(const Policy& policy, K first, K last, V values, KO keys_out, VO values_out)
{
    const auto ends = emu::where(policy, [=] {
        return emu::thrust_algorithms::reduce_by_key(emu::plain(first), emu::plain(last), emu::plain(values),
                                                     emu::plain(keys_out), emu::plain(values_out), std::equal_to<>(), std::plus<>());
    }, __builtin_LINE());
    return {emu::as(keys_out, ends.first), emu::as(values_out, ends.second)};
}
template <class First, class V, class KO, class VO, EMU_WITHOUT_POLICY>
inline pair<KO, VO> reduce_by_key(First first, First last, V values, KO keys_out, VO values_out)
{
    return thrust::reduce_by_key(emu::policy_of(first, values, keys_out), first, last, values, keys_out, values_out);
}

// copy goes between host and device whatever the policy.
template <class In, class Out> inline Out copy_elements(In first, In last, Out out)
{
    using From = std::remove_reference_t<decltype(*emu::plain(first))>;
    using To = std::remove_reference_t<decltype(*emu::plain(out))>;
    const auto count = last - first;
    if constexpr (std::is_pointer_v<decltype(emu::plain(first))> && std::is_pointer_v<decltype(emu::plain(out))> &&
                  std::is_same_v<std::remove_const_t<From>, To>) {
        if (!emu_in_kernel()) {
            if (count > 0) cudaMemcpy(emu::plain(out), emu::plain(first), size_t(count) * sizeof(To), cudaMemcpyDefault);
            return out + count;
        }
    }
    std::vector<emu::value_of<In>> values;
    for (; first != last; ++first) values.push_back(emu::value_of<In>(*first));
    Out to = out;
    for (const auto& value : values) *to = value, ++to;
    return to;
}
template <class Policy, class In, class Out, EMU_WITH_POLICY> inline Out copy(const Policy&, In first, In last, Out out)
{
    return copy_elements(first, last, out);
}
template <class First, class Out, EMU_WITHOUT_POLICY> inline Out copy(First first, First last, Out out)
{
    return copy_elements(first, last, out);
}
template <class First, class Count, class Out, EMU_WITHOUT_POLICY> inline Out copy_n(First first, Count n, Out out)
{
    return copy_elements(first, first + n, out);
}

#undef EMU_NOTHING
#undef EMU_ALGORITHM
#undef EMU_WITH_POLICY
#undef EMU_WITHOUT_POLICY

}  // namespace thrust
