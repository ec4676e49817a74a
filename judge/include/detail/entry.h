// How the judge hands arguments to `solve`: each converts only to types in which it arrives unchanged,
// so that a wrong signature does not compile. Included before a submission; not for submissions.
#pragma once
#include <type_traits>

namespace emu {

// A pointer to Element. Integers of one size may stand for each other; only inputs may be const.
template <class Element, bool is_input> struct array_argument {
    void *address;

    template <class T>
    static constexpr bool fits =
        std::is_same<T, Element>::value ||
        (std::is_integral<T>::value && std::is_integral<Element>::value &&
         !std::is_same<T, bool>::value && sizeof(T) == sizeof(Element));

    template <class T, class = std::enable_if_t<fits<std::remove_cv_t<T>> &&
                                                (is_input || !std::is_const<T>::value)>>
    operator T *() const {
        return static_cast<T *>(address);
    }
};

// A number. An integer may arrive in a wider one or another sign (`size_t N`), never in a fraction.
template <class Value> struct scalar_argument {
    Value value;

    template <class T>
    static constexpr bool fits =
        std::is_same<T, Value>::value ||
        (std::is_integral<T>::value && std::is_integral<Value>::value &&
         !std::is_same<T, bool>::value && sizeof(T) >= sizeof(Value));

    template <class T, class = std::enable_if_t<fits<T>>> operator T() const {
        return static_cast<T>(value);
    }
};

// Stands where inline PTX stood: an error only where the compiler finds that it would run.
__attribute__((error("unsupported: inline PTX"))) void unsupported_inline_ptx();

} // namespace emu
