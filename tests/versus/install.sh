#!/bin/sh
# Compiles the engines of requirements.txt for this machine, from their source
# packages.
#
# usage: install.sh FOLDER     makes FOLDER/venv
set -eu

here=$(cd "$(dirname "$0")" && pwd)
list=$here/requirements.txt
pip="$1/venv/bin/pip"
export CMAKE_ARGS="-DGGML_NATIVE=ON -DLLAVA_BUILD=OFF"

"${PYTHON:-python3}" -m venv "$1/venv"
grep -v '^ik-' "$list" > "$1/others.txt"
"$pip" install --disable-pip-version-check --no-binary llama-cpp-python \
    -r "$1/others.txt"

# The package lacks a file that its build calls, to write which version this is.
cd "$1"
rm -rf ik_llama_cpp_python-*
venv/bin/pip download --disable-pip-version-check --no-deps \
    --no-binary :all: "$(grep '^ik-' "$list")"
tar xzf ik_llama_cpp_python-*.tar.gz
cd ik_llama_cpp_python-*/
common=vendor/ik_llama.cpp/common
mkdir -p $common/cmake
[ -e $common/cmake/build-info-gen-cpp.cmake ] ||
    echo "configure_file($PWD/$common/build-info.cpp.in \
$PWD/$common/build-info.cpp)" > $common/cmake/build-info-gen-cpp.cmake
../venv/bin/pip install --disable-pip-version-check .
cd ..
rm -rf ik_llama_cpp_python-*
