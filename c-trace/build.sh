#!/bin/sh
# Builds a C program that traces itself: build.sh NAME FILE.c... [OPTION...]
# In: C files, and options for the compiler. Out: NAME.ll, which `holloway lab import` reads, and the program NAME.
# CLANG and LLVM_LINK name the tools if they are not `clang` and `llvm-link`.
set -eu
here=$(dirname "$0")
name=$1
shift
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
options= count=0
for argument; do
    case $argument in
    *.c) ;;
    *) options="$options $argument" ;;
    esac
done
for argument; do
    case $argument in
    *.c)
        count=$((count + 1))
        "${CLANG:-clang}" -g -O1 $options -fsanitize-coverage=trace-pc-guard,no-prune \
            -finstrument-functions-after-inlining -S -emit-llvm "$argument" -o "$parts/$count.ll"
        ;;
    esac
done
"${LLVM_LINK:-llvm-link}" -S "$parts"/*.ll -o "$parts/linked"
# Functions that touched no memory before they were traced would still be moved and merged as if they did not.
sed -E '/^attributes #/ s/ (readnone|readonly|writeonly|argmemonly|inaccessiblememonly|inaccessiblemem_or_argmemonly|memory\([^)]*\))//g' \
    "$parts/linked" >"$name.ll"
"${CLANG:-clang}" -c -O1 "$name.ll" -o "$parts/program.o"
"${CLANG:-clang}" -O2 -DHOLLOWAY_MODULE="$(cksum <"$name.ll" | cut -d ' ' -f 1)" \
    "$parts/program.o" "$here/holloway_trace.c" -o "$name" -pthread -lm
