"""Inline PTX does on the CPU backend what it does on a GPU."""

from __future__ import annotations

import re
from pathlib import Path

import cuda_programs
import pytest

from judge import asm, ptx, ptxtable, ptxvalues
from judge.tokens import tokenize


def translated(source: str) -> str:
    """The C++ of what stands between the parentheses of an asm statement."""
    return asm.translate(tokenize(source))


def test_instructions_do_what_the_cuda_functions_do(tmp_path: Path) -> None:
    """Every claim of ptx.cu holds: registers, arithmetic, memory, copies, shuffles, matrices."""
    cuda_programs.hold_claims("ptx", tmp_path)


def test_every_instruction_of_the_table_has_a_claim() -> None:
    """What the table holds is held against a CUDA function, but what ends a kernel."""
    text = (cuda_programs.SOURCES / "ptx.cu").read_text()

    assert [op for op in ptxtable.HANDLERS if not re.search(rf'(["\s;]|\\[nt]){op}\.', text)] == [
        "trap"
    ]


def test_a_type_says_how_a_register_is_read() -> None:
    """The words of an instruction that change nothing are known; any other is refused."""
    assert ptxvalues.type_of(ptx.Instruction("add", ("rn", "ftz", "f16x2"), ())) == "__half2"
    with pytest.raises(ptx.Unsupported, match=r"add\.sat\.s32"):
        ptxvalues.type_of(ptx.Instruction("add", ("sat", "s32"), ()))


def test_operands_are_read_once_and_written_through() -> None:
    """Inputs are copies, outputs are the user's own variables, whatever expressions they are."""
    text = translated('"add.s32 %0, %1, %2;" : "=r"(x[i++]) : "r"(f(a, b)), "r"(-1)')

    assert text == (
        "do { auto&& emu_0 = (x[i++]); const auto emu_1 = (f(a, b)); const auto emu_2 = (-1); "
        "::emu::ptx::put<int32_t>(emu_0, int32_t(::emu::ptx::get<int32_t>(emu_1) + "
        "::emu::ptx::get<int32_t>(emu_2))); } while (0)"
    )


def test_a_macro_s_parameter_may_be_pasted_into_the_text() -> None:
    """`"cp.async.wait_group " #n ";"` is how people write a number that a macro is given."""
    text = translated('"cp.async.wait_group " #n ";"')

    assert text == "do { ::emu::wait_for_copies(::emu::ptx::get<uint32_t>((n))); } while (0)"


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ('"wgmma.fence.sync.aligned;"', "wgmma.fence.sync.aligned"),
        ('"cp.async.bulk.commit_group;"', "cp.async.bulk.commit_group"),
        ('"bra L1;"', "bra of L1"),
        ('"L1: add.u32 %0, %0, 1;" : "+r"(x)', "L1: add.u32 %0, %0, 1"),
        ('"bar.sync 1, 128;"', "bar.sync of another barrier than 0, or of a part of the block"),
        ('"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0}, {%0}, {%0}, {%0};" : "+r"(x)',
         "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"),
        ('"mov.u32 %0, %cluster_ctarank;" : "=r"(x)', "mov.u32 of %cluster_ctarank"),
        ('"add.u32 %0, %1;" : "=r"(x) : "r"(y)', "add.u32"),
        ('"mov.u32 %[to], 1;" : [to] "=r"(x)', "with named operands"),
        ("TEXT", "with TEXT as its text"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_named(source: str, named: str) -> None:
    """An instruction without a translation is refused by its name: never done by halves."""
    with pytest.raises(ptx.Unsupported) as caught:
        translated(source)
    assert str(caught.value) == named
