// The address of the memory operand of one vector move; see misaligned.h. Only what compilers emit for
// aligned accesses is known: movaps/movapd/movdqa/movntps and SSE arithmetic with a memory operand, and
// their VEX and EVEX forms (Intel SDM vol. 2, chapter 2). Anything else: "not known".
#include "misaligned.h"
#include <signal.h>

namespace emu {

#if defined(__x86_64__)

bool misaligned_access(const siginfo_t *info, const ucontext_t *u, uint64_t *address, bool *write) {
    if (info->si_code != SI_KERNEL) return false; // a page fault has an address of its own
    const greg_t *r = u->uc_mcontext.gregs;
    static const int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                  REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    auto *p = reinterpret_cast<const uint8_t *>(r[REG_RIP]);
    bool x_high = false, b_high = false, fs = false;
    int scale8 = 1; // EVEX scales an 8-bit displacement by the vector length
    while (*p == 0x66 || *p == 0xf2 || *p == 0xf3 || *p == 0x64) fs |= *p++ == 0x64;
    uint8_t opcode;
    if (*p == 0xc5) { // VEX, two bytes
        opcode = p[2];
        p += 3;
    } else if (*p == 0xc4) { // VEX, three bytes
        x_high = !(p[1] & 0x40);
        b_high = !(p[1] & 0x20);
        opcode = p[3];
        p += 4;
    } else if (*p == 0x62) { // EVEX
        x_high = !(p[1] & 0x40);
        b_high = !(p[1] & 0x20);
        scale8 = 16 << (p[3] >> 5 & 3);
        opcode = p[4];
        p += 5;
    } else {
        if ((*p & 0xf0) == 0x40) { // REX
            x_high = *p & 2;
            b_high = *p & 1;
            p++;
        }
        if (p[0] != 0x0f) return false;
        opcode = p[1];
        p += 2;
    }
    uint8_t modrm = *p++;
    int mod = modrm >> 6, rm = modrm & 7;
    if (mod == 3) return false;
    uint64_t a = 0;
    bool rip_relative = false;
    if (rm == 4) { // a scale-index-base byte follows
        uint8_t sib = *p++;
        int index = (sib >> 3 & 7) | (x_high ? 8 : 0), base = (sib & 7) | (b_high ? 8 : 0);
        if (index != 4) a += static_cast<uint64_t>(r[order[index]]) << (sib >> 6);
        if ((sib & 7) == 5 && mod == 0) mod = 4; // no base, 32-bit displacement
        else a += static_cast<uint64_t>(r[order[base]]);
    } else if (rm == 5 && mod == 0) {
        rip_relative = true;
    } else {
        a += static_cast<uint64_t>(r[order[rm | (b_high ? 8 : 0)]]);
    }
    if (mod == 1) {
        a += static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(*p)) * scale8);
    } else if (mod == 2 || mod == 4 || rip_relative) {
        int32_t displacement;
        __builtin_memcpy(&displacement, p, 4);
        a += static_cast<uint64_t>(static_cast<int64_t>(displacement));
        if (rip_relative) return false; // a constant of the compiler's own is always aligned
    }
    if (fs || a >> 47) return false; // thread-local, or no address at all: a wild pointer
    if (a % 16 == 0 && (scale8 == 1 ? a % 32 == 0 : a % 64 == 0)) return false;
    *address = a;
    *write = opcode == 0x29 || opcode == 0x7f || opcode == 0x2b || opcode == 0xe7;
    return true;
}

#else

bool misaligned_access(const siginfo_t *, const ucontext_t *, uint64_t *, bool *) {
    return false; // AArch64 allows unaligned vector accesses to ordinary memory
}

#endif

} // namespace emu
