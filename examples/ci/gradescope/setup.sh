#!/bin/sh
# Gradescope runs this once, as root, when the autograder's image is built.
set -eu
root=${AUTOGRADER:-/autograder}
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv make g++ binutils bubblewrap
cd "$root/source/judge"
./setup.sh run
JUDGE_CACHE="$root/source/cache" .venv/bin/python -c 'from judge import prebuilt; prebuilt.make_all()'
