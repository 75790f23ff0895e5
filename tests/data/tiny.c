#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int twice(int x) { return x > 3 ? 2 * x : x + 1; }
static int minus(int x) { return -x; }
static int apply(int (*f)(int), int x) { return f(x) + 1; }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int main(int argc, char **argv) {
    int list[3] = {5, 2, 4}, sum = argc;
    qsort(list, 3, sizeof list[0], compare);
    for (int i = 0; i < 3; i++) {
        switch (list[i]) {
        case 2: sum += apply(twice, list[i]); break;
        case 4: sum += apply(minus, list[i]); break;
        default: sum += twice(list[i]);
        }
    }
    if (odd(3)) sum++;
    exit(sum - 9);
}
