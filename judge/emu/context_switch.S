// The part of context.h that C++ cannot say.
    .text

#if defined(__x86_64__)
    .globl emu_context_start
    .hidden emu_context_start
    .type emu_context_start, @function
emu_context_start:
    popq %rdi
    popq %rax
    call *%rax // the stack is 16-byte aligned here, as the ABI demands (SSE spills fault otherwise)
    ud2
    .size emu_context_start, . - emu_context_start

#elif defined(__aarch64__) // run under QEMU only, not on a processor
    .globl emu_context_switch
    .hidden emu_context_switch
    .type emu_context_switch, %function
emu_context_switch:
    stp x29, x30, [sp, #-160]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    ret
    .size emu_context_switch, . - emu_context_switch

    .globl emu_context_start
    .hidden emu_context_start
    .type emu_context_start, %function
emu_context_start:
    mov x0, x19
    mov x29, #0
    blr x20
    brk #0
    .size emu_context_start, . - emu_context_start
#endif

    .section .note.GNU-stack, "", %progbits
