/* Runs work.js, which is built in, with QuickJS's interpreter. */
#include "quickjs.h"
#include "work_js.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static JSValue print(JSContext *context, JSValueConst self, int count, JSValueConst *values) {
    for (int at = 0; at < count; at++) {
        const char *text = JS_ToCString(context, values[at]);
        printf("%s%s", at ? " " : "", text);
        JS_FreeCString(context, text);
    }
    printf("\n");
    return JS_UNDEFINED;
}

int main(int argc, char **argv) {
    JSRuntime *runtime = JS_NewRuntime();
    JSContext *context = JS_NewContext(runtime);
    JSValue global = JS_GetGlobalObject(context);
    JS_SetMaxStackSize(runtime, 0);
    JS_SetPropertyStr(context, global, "print", JS_NewCFunction(context, print, "print", 1));
    JS_SetPropertyStr(context, global, "size", JS_NewInt32(context, argc > 1 ? atoi(argv[1]) : 10));
    JSValue result = JS_Eval(context, work, sizeof work - 1, "work.js", JS_EVAL_TYPE_GLOBAL);
    if (JS_IsException(result)) {
        JSValue exception = JS_GetException(context);
        printf("%s\n", JS_ToCString(context, exception));
        return 1;
    }
    return 0;
}
