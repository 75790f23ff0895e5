#!/usr/bin/env bash
# Builds C programs as WebAssembly modules: bzip2, zlib, zstd, SQLite, Lua and QuickJS, each with a workload of its own kind,
# and the C peers of the benchmark programs.
#
#   bench-programs/wasm/build.sh FOLDER
#
# `holloway bench --wasm FOLDER` and `holloway reproduce --wasm FOLDER` run them; FOLDER/expected.json has their sizes and outputs.
# It needs clang 14, lld, wasi-libc and libclang-rt-14-dev-wasm32 (Debian's packages), and cargo, which brings the sources.
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: $0 FOLDER: where the modules go" >&2
    exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
# The sources stay, since reports show lines of them.
work=$out/sources
rm -rf "$work"
mkdir "$work"

clang=${CLANG:-clang-14}
if ! command -v "$clang" > /dev/null; then
    echo "$0: no $clang here: apt install clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32" >&2
    exit 69
fi

cp "$here/sources.toml" "$work/Cargo.toml"
: > "$work/nothing.rs"
(cd "$work" && cargo vendor --quiet --versioned-dirs vendor > vendor.toml)
vendor=$work/vendor

# The script of a driver as a C string.
built_in() {
    {
        echo 'static const char work[] ='
        sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' "$here/drivers/work.$1"
        echo ';'
    } > "$work/work_$1.h"
}
built_in lua
built_in js

# The linker gets no -O: with one, clang has wasm-opt rewrite the module, which loses its names and misplaces its lines.
compile() {
    local name=$1 objects=$work/objects/$1 flags=() sources=() source
    shift
    while [ $# -gt 0 ]; do
        case $1 in
            -include) flags+=("$1" "$2") && shift ;;
            -*) flags+=("$1") ;;
            *) sources+=("$1") ;;
        esac
        shift
    done
    mkdir -p "$objects"
    for source in "${sources[@]}"; do
        "$clang" --target=wasm32-wasi -O2 -g -w "-I$here/drivers" "-I$work" "${flags[@]}" -c "$source" \
            -o "$objects/$(basename "$(dirname "$source")")-$(basename "$source").o"
    done
    "$clang" --target=wasm32-wasi -g "$objects"/*.o -lm -o "$out/$name.wasm"
    echo "$name: $(stat -c %s "$out/$name.wasm") bytes"
}

bzip2=$(echo "$vendor"/bzip2-sys-*/bzip2-*)
compile bzip2 -DBZ_NO_STDIO "-I$bzip2" "$here/drivers/bzip2.c" \
    "$bzip2"/{blocksort,bzlib,compress,crctable,decompress,huffman,randtable}.c

zlib=$(echo "$vendor"/libz-sys-*/src/zlib)
compile zlib "-I$zlib" "$here/drivers/zlib.c" "$zlib"/{adler32,compress,crc32,deflate,inffast,inflate,inftrees,trees,uncompr,zutil}.c

zstd=$(echo "$vendor"/zstd-sys-*/zstd/lib)
compile zstd -DZSTD_DISABLE_ASM "-I$zstd" "$here/drivers/zstd.c" "$zstd"/{common,compress,decompress}/*.c

sqlite=$(echo "$vendor"/libsqlite3-sys-*/sqlite3)
compile sqlite -DSQLITE_THREADSAFE=0 -DSQLITE_OS_OTHER=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_WAL -DSQLITE_TEMP_STORE=3 \
    "-I$sqlite" "$here/drivers/sqlite.c" "$sqlite"/{sqlite3,wasm32-wasi-vfs}.c

# Without long jumps, which wasi-libc has not: the script raises no errors. Without chance, too.
lua=$(echo "$vendor"/lua-src-*/lua-5.4.*)
cat > "$work/no_jumps.h" <<'HERE'
#define LUAI_THROW(L, c) abort()
#define LUAI_TRY(L, c, a) { a }
#define luai_jmpbuf int
#define l_randomizePivot() 0u
#define luai_makeseed(L) 1u
HERE
mkdir -p "$work/empty"
echo '' > "$work/empty/setjmp.h"
printf 'typedef int sig_atomic_t;\n' > "$work/empty/signal.h"
compile lua -include "$work/no_jumps.h" "-I$work/empty" "-I$lua" "$here/drivers/lua.c" \
    "$lua"/{lapi,lauxlib,lbaselib,lcode,lctype,ldebug,ldo,ldump,lfunc,lgc,llex,lmathlib,lmem,lobject,lopcodes,lparser,lstate,lstring,lstrlib,ltable,ltablib,ltm,lundump,lvm,lzio}.c

quickjs=$(echo "$vendor"/rquickjs-sys-*/quickjs)
compile quickjs -D_GNU_SOURCE -DNDEBUG "-I$quickjs" "$here/drivers/quickjs.c" "$quickjs"/{quickjs,cutils,libregexp,libunicode,libbf}.c

# Sizes and outputs: both files are one object, whose braces stand on lines of their own.
{
    sed '$d' "$here/expected.json"
    echo ','
    sed '1d' "$here/../expected.json"
} > "$out/expected.json"

for source in "$here"/../peers/programs/*.c; do
    # Their main, which they leave out for modules without one.
    compile "$(basename "$source" .c)" -U__wasm__ "$source"
done
