/* Runs a Lua program with its arguments: an interpreter around the library, for docs/lab.md. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

int main(int argc, char **argv) {
    lua_State *state = luaL_newstate();
    if (argc < 2 || state == NULL) return 2;
    luaL_openlibs(state);
    lua_newtable(state);
    for (int i = 1; i < argc; i++) {
        lua_pushstring(state, argv[i]);
        lua_rawseti(state, -2, i - 1);
    }
    lua_setglobal(state, "arg");
    int failed = luaL_dofile(state, argv[1]);
    if (failed) fprintf(stderr, "%s\n", lua_tostring(state, -1));
    lua_close(state);
    return failed;
}
