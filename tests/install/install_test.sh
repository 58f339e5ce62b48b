#!/bin/sh
# install_test.sh BUILD WORK: installs BUILD below WORK, moves the result, builds and runs a C99 program with pkg-config and C and C++ programs
# with find_package, each against the shared and the static library. Each solves an LCP.
set -eu

build=$(CDPATH='' cd -- "$1" && pwd)
mkdir -p "$2"
work=$(CDPATH='' cd -- "$2" && pwd)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
expected="converged z = 0.333333 0.333333"

fail() {
  echo "install_test: $*" >&2
  exit 1
}

# expect WHAT OUTPUT
expect() {
  [ "$2" = "$expected" ] || fail "$1 printed '$2', not '$expected'"
  echo "$1: $2"
}

rm -rf "$work/first" "$work/moved" "$work/consumer" "$work/c_only" "$work/folders"
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved"
prefix=$work/moved
if grep -rIl "$work/first" "$prefix"; then fail "the files above hold the prefix"; fi

config=$(find "$prefix" -name nonsmoothConfig.cmake)
[ -n "$config" ] || fail "no nonsmoothConfig.cmake"
libdir=$(dirname "$(dirname "$(dirname "$config")")")
for file in "$prefix/bin/nonsmooth" "$prefix/include/nonsmooth/nonsmooth.h" "$prefix/include/nonsmooth/nonsmooth.hpp" \
  "$libdir/libnonsmooth.so" "$libdir/libnonsmooth.a" "$libdir/pkgconfig/nonsmooth.pc"; do
  [ -e "$file" ] || fail "$file is not installed"
done
[ -n "$(find "$prefix" -name LICENSE)" ] || fail "the licence is not installed"
# Where the Python module is built, its types lie beside it, and where PEP 561 has them.
module=$(find "$prefix" -name 'nonsmooth.*.so')
for stub in nonsmooth.pyi nonsmooth-stubs/__init__.pyi; do
  [ -z "$module" ] || [ -s "$(dirname "$module")/$stub" ] || fail "$stub is not installed"
done
# Before 1.0 a minor version may change the interface: programs of another one must not load it.
version=$("$prefix/bin/nonsmooth" --version | sed -E 's/nonsmooth (0\.[0-9]+|[1-9][0-9]*).*/\1/')
for library in nonsmooth nonsmooth_kernel; do
  readelf -d "$libdir/lib$library.so" | grep -qF "[lib$library.so.$version]" || fail "the SONAME of lib$library does not name version $version"
done

"$prefix/bin/nonsmooth" methods >"$work/methods.txt" || fail "the installed command does not run"
for program in bench compare; do
  "$prefix/bin/nonsmooth" $program --help >"$work/help.txt" || fail "the installed nonsmooth $program does not run"
done

"$prefix/bin/nonsmooth" simulate "$prefix/share/nonsmooth/models/bouncing_ball.xml" >"$work/simulate.txt" ||
  fail "the installed command does not run a shipped model"

PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # flags are words
cc -std=c99 -pedantic -Wall -Werror $(pkg-config --cflags nonsmooth) "$here/consumer/consumer.c" -o "$work/c_shared" \
  $(pkg-config --libs nonsmooth)
expect "C, pkg-config, shared" "$(LD_LIBRARY_PATH=$libdir "$work/c_shared")"

# The static library: -l:NAME keeps the linker from taking the shared one beside it.
# shellcheck disable=SC2046
cc -std=c99 $(pkg-config --cflags nonsmooth) "$here/consumer/consumer.c" -o "$work/c_static" \
  $(pkg-config --static --libs nonsmooth | sed 's/-lnonsmooth/-l:libnonsmooth.a/')
expect "C, pkg-config, static" "$("$work/c_static")"

# A project without C++: the static library brings what it needs of C++ itself.
cmake -S "$here/consumer/c_only" -B "$work/c_only" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/c_only.log" ||
  { cat "$work/c_only.log"; fail "find_package(nonsmooth) failed in a project in C"; }
cmake --build "$work/c_only" >>"$work/c_only.log" || { cat "$work/c_only.log"; fail "the C consumer does not build"; }
expect "C, find_package, shared" "$("$work/c_only/c_shared")"
expect "C, find_package, static" "$("$work/c_only/c_static")"

cmake -S "$here/consumer" -B "$work/consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" >"$work/consumer.log" ||
  { cat "$work/consumer.log"; fail "find_package(nonsmooth) failed"; }
cmake --build "$work/consumer" >>"$work/consumer.log" || { cat "$work/consumer.log"; fail "the C++ consumer does not build"; }
expect "C++, find_package, shared" "$("$work/consumer/shared")"
expect "C++, find_package, static" "$("$work/consumer/static")"
expected="rests at 0"
expect "C++, find_package, kernel" "$("$work/consumer/kernel")"
# shellcheck disable=SC2046
c++ -std=c++20 $(pkg-config --cflags nonsmooth_kernel) "$here/consumer/kernel.cpp" -o "$work/kernel_pc" \
  $(pkg-config --libs nonsmooth_kernel) -Wl,-rpath-link,"$libdir"
expect "C++, pkg-config, kernel" "$(LD_LIBRARY_PATH=$libdir "$work/kernel_pc")"
for case in "c++17 kernel/kernel.hpp C++20" "c++14 nonsmooth.hpp C++17"; do
  # shellcheck disable=SC2086  # a list of words
  set -- $case
  # shellcheck disable=SC2046
  echo "#include <nonsmooth/$2>" | c++ -x c++ -std="$1" -fsyntax-only $(pkg-config --cflags nonsmooth_kernel) - 2>"$work/old.txt" &&
    fail "$2 compiles as $1"
  grep -q "#error.*needs $3" "$work/old.txt" || fail "$2 as $1 does not say that it needs $3"
done
[ "$(echo '#include <nonsmooth/kernel/kernel.hpp>' | c++ -x c++ -std=c++17 -fsyntax-only -I"$prefix/include" - 2>&1 | grep -c error:)" -eq 1 ] ||
  fail "more than one error of the kernel as C++17"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES CXX)
find_package(nonsmooth REQUIRED COMPONENTS numeric)
END
cmake -S "$work" -B "$work/wrong" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/wrong.log" 2>&1 && fail "a component that is none is found"
grep -q "no component is named numeric" "$work/wrong.log" || fail "no reason why a component is not found"

# expect_folders WHAT FLAGS RPATH OPTION...: configures with these folders, and looks at what would be installed.
expect_folders() {
  expected=$2
  what=$1 rpath=$3
  shift 3
  cmake -S "$here/../.." -B "$work/folders" -G Ninja -DNONSMOOTH_BUILD_TESTS=OFF "$@" >"$work/folders.log" 2>&1 ||
    { cat "$work/folders.log"; fail "$what: cannot be configured"; }
  PKG_CONFIG_PATH=$work/folders/numerics
  expect "$what, pkg-config" "$(pkg-config --cflags --libs nonsmooth | sed 's/ *$//')"
  [ "$(head -n 3 "$work/folders/kernel/nonsmooth_kernel.pc")" = "$(head -n 3 "$work/folders/numerics/nonsmooth.pc")" ] ||
    fail "$what: other folders of the kernel"
  for part in numerics kernel; do
    grep -qF "NEW_RPATH \"$rpath\"" "$work/folders/$part/cmake_install.cmake" || fail "$what: no rpath $rpath in $part"
  done
}

# Folders as Nix and Debian give them; relative ones are found from where the file lies, absolute ones are.
at=$work/folders/numerics/../../..
expect_folders "absolute libraries" "-I/opt/a\\ prefix/include -L/opt/libraries -lnonsmooth" /opt/libraries \
  "-DCMAKE_INSTALL_PREFIX=/opt/a prefix" -DCMAKE_INSTALL_LIBDIR=/opt/libraries
expect_folders "absolute headers" "-I/opt/headers -L$at/lib/triplet -lnonsmooth" "\\\$ORIGIN/../lib/triplet" \
  -DCMAKE_INSTALL_LIBDIR=lib/triplet -DCMAKE_INSTALL_INCLUDEDIR=/opt/headers
echo "install_test: all passed"
