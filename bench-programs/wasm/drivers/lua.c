/* Runs a script with Lua's interpreter: the file given, or work.lua, which is built in. */
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "work_lua.h"
#include <stdio.h>

int main(int argc, char **argv) {
    lua_State *lua = luaL_newstate();
    luaL_requiref(lua, "_G", luaopen_base, 1);
    luaL_requiref(lua, "table", luaopen_table, 1);
    luaL_requiref(lua, "string", luaopen_string, 1);
    luaL_requiref(lua, "math", luaopen_math, 1);
    lua_settop(lua, 0);
    lua_pushinteger(lua, argc > 1 ? atoi(argv[1]) : 10);
    lua_setglobal(lua, "size");
    if (luaL_loadbuffer(lua, work, sizeof work - 1, "work.lua") || lua_pcall(lua, 0, 0, 0)) {
        printf("%s\n", lua_tostring(lua, -1));
        return 1;
    }
    return 0;
}
