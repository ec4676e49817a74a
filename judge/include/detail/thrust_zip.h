// thrust::zip_iterator: several ranges as one of tuples.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/thrust_zip.h is internal: include <thrust/...>"
#endif

namespace thrust {

// What an element of a zip is: a tuple of references, by which the ranges are read and written.
template <class... Reference> struct zip_reference : std::tuple<Reference...> {
    using base = std::tuple<Reference...>;
    using base::base;
    zip_reference(const zip_reference&) = default;
    zip_reference& operator=(const zip_reference& other)
    {
        base::operator=(other);
        return *this;
    }
    template <class... Value> zip_reference& operator=(const std::tuple<Value...>& values)
    {
        base::operator=(values);
        return *this;
    }
    friend void swap(zip_reference a, zip_reference b)
    {
        std::tuple<std::decay_t<Reference>...> old = a;
        a = b;
        b = old;
    }
};

template <class Tuple> struct zip_iterator;
template <class... Iterator> struct zip_iterator<std::tuple<Iterator...>> {
    using value_type = std::tuple<emu::value_of<Iterator>...>;
    using reference = zip_reference<decltype(*std::declval<const Iterator&>())...>;
    using pointer = value_type*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    std::tuple<Iterator...> at;

    zip_iterator() = default;
    zip_iterator(std::tuple<Iterator...> iterators) : at(iterators) {}
    zip_iterator(Iterator... iterators) : at(iterators...) {}
    const std::tuple<Iterator...>& get_iterator_tuple() const { return at; }

    reference operator*() const
    {
        return std::apply([](const auto&... each) { return reference(*each...); }, at);
    }
    template <class I> reference operator[](I n) const { return *(*this + std::ptrdiff_t(n)); }
    zip_iterator operator+(std::ptrdiff_t n) const
    {
        return std::apply([n](const auto&... each) { return zip_iterator(std::make_tuple(each + n...)); }, at);
    }
    zip_iterator operator-(std::ptrdiff_t n) const { return *this + -n; }
    friend zip_iterator operator+(std::ptrdiff_t n, const zip_iterator& i) { return i + n; }
    std::ptrdiff_t operator-(const zip_iterator& other) const { return std::get<0>(at) - std::get<0>(other.at); }
    zip_iterator& operator+=(std::ptrdiff_t n) { return *this = *this + n; }
    zip_iterator& operator-=(std::ptrdiff_t n) { return *this = *this + -n; }
    zip_iterator& operator++() { return *this += 1; }
    zip_iterator operator++(int)
    {
        zip_iterator old = *this;
        ++*this;
        return old;
    }
    zip_iterator& operator--() { return *this += -1; }
    zip_iterator operator--(int)
    {
        zip_iterator old = *this;
        --*this;
        return old;
    }
    bool operator==(const zip_iterator& other) const { return *this - other == 0; }
    bool operator!=(const zip_iterator& other) const { return *this - other != 0; }
    bool operator<(const zip_iterator& other) const { return *this - other < 0; }
    bool operator>(const zip_iterator& other) const { return *this - other > 0; }
    bool operator<=(const zip_iterator& other) const { return *this - other <= 0; }
    bool operator>=(const zip_iterator& other) const { return *this - other >= 0; }
};
template <class... Iterator> inline zip_iterator<std::tuple<Iterator...>> make_zip_iterator(std::tuple<Iterator...> iterators)
{
    return {iterators};
}
template <class... Iterator> inline zip_iterator<std::tuple<Iterator...>> make_zip_iterator(Iterator... iterators)
{
    return {std::make_tuple(iterators...)};
}

// function(a, b, ...) as a function of a tuple.
template <class Function> struct zip_function {
    Function function;
    template <class Tuple> auto operator()(Tuple&& values) const { return std::apply(function, std::forward<Tuple>(values)); }
};
template <class Function> inline zip_function<std::decay_t<Function>> make_zip_function(Function function) { return {function}; }

}  // namespace thrust

template <class... Reference>
struct std::tuple_size<thrust::zip_reference<Reference...>> : std::tuple_size<std::tuple<Reference...>> {};
template <size_t index, class... Reference>
struct std::tuple_element<index, thrust::zip_reference<Reference...>> : std::tuple_element<index, std::tuple<Reference...>> {};

namespace emu {

template <class... Iterator>
struct is_device_iterator<thrust::zip_iterator<std::tuple<Iterator...>>> : std::disjunction<is_device_iterator<Iterator>...> {};
template <class... Iterator> inline auto plain(const thrust::zip_iterator<std::tuple<Iterator...>>& i)
{
    return std::apply([](const auto&... each) { return thrust::make_zip_iterator(plain(each)...); }, i.at);
}

}  // namespace emu
