#!/bin/sh
# Make .venv ready: what judging needs (`setup.sh run`), and what `make check` needs (`setup.sh dev`).
#
# Quick when nothing is to do.  A stamp in .venv holds the pyproject.toml it was made from and is
# written last, so a set-up that was interrupted is begun again; a lock keeps two from mixing.
set -eu
cd "$(dirname "$0")"
want=${1:-run}
python=${PYTHON:-python3}
log=build/setup.log

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

gpu=no
if [ -e /dev/nvidia0 ] || [ -e /dev/dxg ] || command -v nvidia-smi >/dev/null 2>&1; then gpu=yes; fi

stamp() { cat pyproject.toml; printf '# gpu visible: %s\n' "$gpu"; }
ready() { [ -x .venv/bin/python ] && stamp | cmp -s - ".venv/.$1"; }
sign() { stamp >".venv/.$1.$$" && mv ".venv/.$1.$$" ".venv/.$1"; }
pip() { .venv/bin/python -m pip install --disable-pip-version-check --retries 2 "$@" >>"$log" 2>&1; }
complain() {
    why=$(grep -a '^ *ERROR: ' "$log" | tail -n 1 | sed 's,^ *ERROR: ,,' | tr -cd '[:print:]' | cut -c 1-200)
    die "pip failed: ${why:-no reason given}; is there a network? the whole log is $log"
}

if [ "$want" = again ]; then
    rm -f .venv/.run .venv/.dev
    want=run
fi
if ready "$want"; then exit 0; fi

command -v "$python" >/dev/null 2>&1 ||
    die "$python is not installed; python 3.10 or newer is needed (apt-get install python3 python3-venv)"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    die "$("$python" --version 2>&1) is too old, 3.10 or newer is needed; name another: make PYTHON=python3.12 ..."
"$python" -c 'import venv, ensurepip' 2>/dev/null ||
    die "$python has no venv module; install it (apt-get install python3-venv)"

mkdir -p build
exec 9>build/setup.lock
# The lock belongs to descriptor 9, so it lasts until this script and what it started have ended.
"$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
if ready "$want"; then exit 0; fi

begun=$(date +%s)
if ! ready run; then
    say "making .venv with what the judge needs (once; log in $log) ..."
    : >"$log"
    # Without its stamp it is half made: begin again.
    if [ ! -e .venv/.run ] || [ ! -x .venv/bin/python ]; then
        "$python" -m venv --clear .venv >>"$log" 2>&1 || die "cannot make .venv; see $log"
    fi
    pip -e . || complain
    # What makes the first judgement as quick as the next ones: bytecode, and the CPU backend's
    # runtime.  Where they cannot be made now, the judge makes them later, or says why not.
    .venv/bin/python -m compileall -q judge >>"$log" 2>&1 || true
    .venv/bin/python -c 'from judge import prebuilt; prebuilt.make_all()' >>"$log" 2>&1 || true
    if [ "$gpu" = yes ]; then
        say "a GPU is visible: installing pycuda (a minute) ..."
        pip -e '.[gpu]' ||
            say "pycuda does not install (see $log): the CPU backend serves; try again: make setup"
    fi
    sign run
fi
if [ "$want" = dev ]; then
    say "installing pytest, ruff and mypy (once; log in $log) ..."
    pip -e '.[dev]' || complain
    sign dev
fi
say "ready after $(($(date +%s) - begun)) s"
