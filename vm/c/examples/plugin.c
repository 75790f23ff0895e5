/* A host in C whose plug-in is a program: it prices items of a shop, with a table of the host. */

#include "holloway.h"

#include <stdio.h>
#include <string.h>

static const char *PLUGIN =
    "fn price(item: str, count: int) -> float {\n"
    "    let each = lookup(item)\n"
    "    let sum = float(count) * each\n"
    "    if count >= 10 { return sum * 0.9 }\n"
    "    return sum\n"
    "}\n"
    "fn careful(item: str) -> str {\n"
    "    try { lookup(item) } catch e { return e }\n"
    "    return \"known\"\n"
    "}\n"
    "fn total(prices: [float]) -> float { var s = 0.0\n for p in prices { s += p }\n return s }\n"
    "fn halves(of: [float]) -> [float] { for i in 0..len(of) { of[i] = of[i] / 2.0 }\n return of }\n"
    "fn forever() { loop { } }\n";

static hw_value str_value(const char *text) {
    hw_value value = {.kind = HW_STR};
    value.as.s.bytes = text;
    value.as.s.len = strlen(text);
    return value;
}

static hw_value int_value(int64_t i) {
    hw_value value = {.kind = HW_INT};
    value.as.i = i;
    return value;
}

/* `fn lookup(item: str) -> float` */
static bool lookup(void *data, const hw_value *args, size_t count, hw_value *result) {
    int *calls = data;
    *calls += 1;
    if (count == 1 && args[0].as.s.len == 5 && memcmp(args[0].as.s.bytes, "apple", 5) == 0) {
        result->kind = HW_FLOAT;
        result->as.f = 0.5;
        return true;
    }
    *result = str_value("no such item");
    return false;
}

int main(void) {
    hw_config config = {.tier = HW_AUTO, .heap_bytes = 16 << 20, .fuel = 1000000, .captures_output = true};
    hw_engine *engine = hw_new(&config);
    if (!engine) return 1;
    int calls = 0;
    if (!hw_declare(engine, "fn lookup(item: str) -> float", lookup, &calls)) {
        fprintf(stderr, "%s\n", hw_error(engine));
        return 1;
    }
    if (!hw_load(engine, "plugin.hw", PLUGIN, strlen(PLUGIN))) {
        fprintf(stderr, "%s\n", hw_error(engine));
        return 1;
    }

    hw_value result;
    hw_value args[2] = {str_value("apple"), int_value(12)};
    if (!hw_call(engine, "price", args, 2, &result)) return 1;
    printf("12 apples: %.2f\n", result.as.f);

    args[0] = str_value("pear");
    if (hw_call(engine, "price", args, 2, &result)) return 1;
    printf("%s\n", hw_error(engine));
    if (!hw_call(engine, "careful", args, 1, &result)) return 1;
    printf("caught: %.*s\n", (int)result.as.s.len, result.as.s.bytes);

    double prices[3] = {1.0, 2.5, 3.0};
    hw_value array = {.kind = HW_FLOATS};
    array.as.floats.items = prices;
    array.as.floats.len = 3;
    if (!hw_call(engine, "total", &array, 1, &result)) return 1;
    printf("total: %.2f\n", result.as.f);
    if (!hw_call(engine, "halves", &array, 1, &result)) return 1;
    printf("halves: %zu items, the first %.2f\n", result.as.floats.len, result.as.floats.items[0]);

    if (hw_call(engine, "forever", NULL, 0, NULL)) return 1;
    printf("%.11s\n", hw_error(engine) + strlen("error: "));
    if (hw_call(engine, "price", args, 1, &result)) return 1;
    printf("%s\n", hw_error(engine));
    if (hw_load(engine, "wrong.hw", "let x = y", 9)) return 1;
    printf("%s\n", hw_error(engine));
    if (hw_declare(engine, "fn 1(", lookup, &calls)) return 1;

    if (!hw_load(engine, "hello.hw", "print(\"hello\")", 14)) return 1;
    int status = 1;
    if (!hw_run(engine, &status) || !hw_take_output(engine, &result)) return 1;
    printf("%.*sstatus %d, %d calls of lookup\n", (int)result.as.s.len, result.as.s.bytes, status, calls);
    hw_free(engine);
    return 0;
}
