#!/bin/sh
# Compiles the engines of requirements.txt for this machine, from their source
# packages; never one that pip has kept, which may be compiled in another way.
#
# usage: install.sh FOLDER     makes FOLDER/venv
set -eu

list=$(cd "$(dirname "$0")" && pwd)/requirements.txt
forked=$(grep '^ik-' "$list")
export CMAKE_ARGS="${CMAKE_ARGS:--DGGML_NATIVE=ON -DLLAVA_BUILD=OFF}"
export PIP_DISABLE_PIP_VERSION_CHECK=1

"${PYTHON:-python3}" -m venv "$1/venv"
cd "$1"
grep -v '^ik-' "$list" > others.txt
venv/bin/pip install --no-cache-dir --no-binary llama-cpp-python -r others.txt

# The package lacks a file that its build calls, to write which version this is.
rm -rf ik_llama_cpp_python-*
venv/bin/pip download --no-deps --no-binary ik-llama-cpp-python "$forked"
tar xzf ik_llama_cpp_python-*.tar.gz
common=$(echo ik_llama_cpp_python-*/vendor/ik_llama.cpp/common)
writer=$common/cmake/build-info-gen-cpp.cmake
if [ ! -e "$writer" ]; then
    mkdir -p "$common/cmake"
    echo 'set(BUILD_NUMBER 0)' > "$writer"
    echo 'set(HERE "${CMAKE_CURRENT_LIST_DIR}/..")' >> "$writer"
    echo 'configure_file("${HERE}/build-info.cpp.in" "${HERE}/build-info.cpp")' \
        >> "$writer"
fi
venv/bin/pip install --no-cache-dir -c others.txt ./ik_llama_cpp_python-*/
rm -rf ik_llama_cpp_python-* others.txt
