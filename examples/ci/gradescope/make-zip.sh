#!/bin/sh
# make-zip.sh PROBLEM [FILE.zip]: the autograder that Gradescope takes, with this judge in it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../../.." && pwd)
problem=${1:?name a problem, as in: make-zip.sh gemm_fp16 autograder.zip}
zip=${2:-autograder.zip}
[ -f "$repo/problems/$problem/problem.yaml" ] || { echo "make-zip: $problem: no such problem" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/judge"
(cd "$repo" && git archive --format=tar HEAD -- judge problems setup.sh pyproject.toml README.md Makefile LICENSE) |
    tar -x -C "$work/judge"
cp "$here/setup.sh" "$here/run_autograder" "$work/"
chmod +x "$work/setup.sh" "$work/run_autograder"
printf '%s\n' "$problem" >"$work/problem"
# Python makes the zip: it is there, and `zip` may not be.
python3 - "$work" "$zip" <<'PYTHON'
import os, sys, zipfile

work, target = sys.argv[1:]
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
    for folder, _, names in os.walk(work):
        for name in sorted(names):
            path = os.path.join(folder, name)
            archive.write(path, os.path.relpath(path, work))
PYTHON
echo "$zip: upload it under Configure Autograder"
