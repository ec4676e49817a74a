// Ballots, matches and __reduce_*_sync with full and partial masks.
#include "detail/device_model.h"
__global__ void vote(float* out) {
    int l = threadIdx.x;
    unsigned all = 0xffffffffu;
    bool good = __ballot_sync(all, l & 1) == 0xaaaaaaaau;
    good &= __any_sync(all, l == 31) && !__any_sync(all, l == 32) && __all_sync(all, l < 32) && !__all_sync(all, l);
    good &= __match_any_sync(all, l / 8) == 0xffu << (l / 8 * 8);
    int same;
    good &= __match_all_sync(all, 7.0, &same) == all && same;
    good &= __match_all_sync(all, l, &same) == 0 && !same;
    good &= __reduce_add_sync(all, l) == 496 && __reduce_min_sync(all, l - 5) == -5 && __reduce_max_sync(all, unsigned(l)) == 31;
    good &= __reduce_or_sync(all, 1u << l) == all && __reduce_and_sync(all, ~(1u << l)) == 0 && __reduce_xor_sync(all, 1u << l) == all;
    unsigned half = l < 16 ? 0xffffu : 0xffff0000u; // the halves meet apart, in one warp
    good &= __reduce_add_sync(half, l) == (l < 16 ? 120 : 376);
    out[l] = good;
}
extern "C" void judge_entry(void* const* a) { vote<<<1, 32>>>(*(float**)a[0]); }
