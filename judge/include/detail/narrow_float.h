// Rounding to 16-bit floating point, shared by half and bfloat16: once, to nearest even or in a
// given direction, whatever the source.
//
// A value that is first rounded to float and then to 16 bits can be rounded wrongly: the float may
// land exactly half-way between two results although the value did not. The cure used here is
// to move such a float one step towards the value before the second rounding.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/narrow_float.h is internal: include <cuda_fp16.h> or <cuda_bf16.h>"
#endif

namespace emu {

enum class toward { nearest, zero, down, up };

// Round a double to a sign, `exponent_bits` and `fraction_bits`, by integer arithmetic alone.
// Every NaN becomes 0x7FFF, the device's.
template <int exponent_bits, int fraction_bits>
inline uint16_t round_bits(double value, toward direction)
{
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr int lowest_exponent = 1 - bias;
    constexpr uint64_t infinity = ((1ull << exponent_bits) - 1) << fraction_bits;

    const uint64_t bits = bit_cast<uint64_t>(value);
    const bool negative = bits >> 63;
    const uint64_t sign = uint64_t(negative) << 15;
    const int biased = int(bits >> 52 & 0x7FF);
    uint64_t significand = bits & 0xFFFFFFFFFFFFFull;

    if (biased == 0x7FF) {
        return significand == 0 ? uint16_t(sign | infinity) : uint16_t(0x7FFF);
    }
    if (biased == 0 && significand == 0) return uint16_t(sign);
    if (biased != 0) significand |= 1ull << 52;
    const int exponent = biased != 0 ? biased - 1023 : -1022;

    uint64_t result;
    if (exponent > bias) {
        result = infinity;  // beyond every finite value
    } else {
        // A subnormal result has fewer bits; it keeps bits of weight 2^(lowest_exponent - fraction_bits).
        const bool subnormal = exponent < lowest_exponent;
        int dropped = 52 - fraction_bits + (subnormal ? lowest_exponent - exponent : 0);
        if (dropped > 60) dropped = 60;  // all of it: nothing is kept, less than half remains
        const uint64_t kept = significand >> dropped;
        const uint64_t rest = significand & ((1ull << dropped) - 1);
        const uint64_t half_way = 1ull << (dropped - 1);
        bool away = false;
        switch (direction) {
        case toward::nearest: away = rest > half_way || (rest == half_way && (kept & 1)); break;
        case toward::zero: break;
        case toward::down: away = rest != 0 && negative; break;
        case toward::up: away = rest != 0 && !negative; break;
        }
        // The carry of the addition moves into the exponent, as it should.
        result = (subnormal ? 0 : uint64_t(exponent - lowest_exponent) << fraction_bits) + kept + away;
    }
    if (result >= infinity) {
        const bool to_infinity = direction == toward::nearest ||
                                 direction == (negative ? toward::down : toward::up);
        result = to_infinity ? infinity : infinity - 1;
    }
    return uint16_t(sign | result);
}

// The float nearest to sum + error (|error| at most half an ulp of sum), except that it never falls
// on a bit pattern ending in `tie_mask` zeros unless sum + error is that very value.
inline float avoiding_false_tie(double sum, double error, uint32_t tie_mask)
{
    const float nearest = float(sum);
    uint32_t bits = bit_cast<uint32_t>(nearest);
    if (__builtin_expect((bits & tie_mask) == 0, 0)) {
        const double rest = (sum - double(nearest)) + error;  // exact in sign
        const bool positive = !(bits >> 31);
        if (rest > 0) bits += positive ? 1u : -1u;
        if (rest < 0) bits += positive ? -1u : 1u;
    }
    return bit_cast<float>(bits);
}

// a + b before the last rounding: the rounding error of the double sum (Knuth's two-sum) decides ties.
inline float sum_avoiding_false_tie(double a, double b, uint32_t tie_mask)
{
    const double sum = a + b;
    if (__builtin_expect((bit_cast<uint32_t>(float(sum)) & tie_mask) != 0, 1)) return float(sum);
    const double b_part = sum - a;
    const double error = (a - (sum - b_part)) + (b - b_part);
    return avoiding_false_tie(sum, error, tie_mask);
}

// A 64-bit integer as a double whose last bit says whether anything was cut off: one later
// rounding, in any direction, gives what rounding the integer itself would give.
inline double sticky_double(unsigned long long magnitude, bool negative)
{
    double value = double(magnitude);
    if (magnitude >> 53) value = double(magnitude >> 11 | ((magnitude & 0x7FF) != 0)) * 2048.0;
    return negative ? -value : value;
}
template <class Integer>
inline double exact_or_sticky(Integer value)
{
    if (sizeof(Integer) <= 4) return double(value);
    const bool negative = value < 0;
    return sticky_double(negative ? 0ull - (unsigned long long)value : (unsigned long long)value, negative);
}

}  // namespace emu
