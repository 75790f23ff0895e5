import sys

sys.setrecursionlimit(20000)

CELLS = 1000000
NIL, IF, QUOTE, DEFINE, PLUS, MINUS, LESS, EQUAL, CONS, CAR, CDR = range(0, -22, -2)
names = ["", "if", "quote", "define", "+", "-", "<", "=", "cons", "car", "cdr"]
scope = [NIL] * 32
head = [NIL] * CELLS
tail = [NIL] * CELLS
used = 1
at = 0


def cons(a, b):
    global used
    head[used] = a
    tail[used] = b
    used += 1
    return (used - 1) * 2


def read_list(src):
    global at
    while src[at] == " ":
        at += 1
    if src[at] == ")":
        at += 1
        return NIL
    first = read(src)
    return cons(first, read_list(src))


def read(src):
    global at
    while src[at] == " ":
        at += 1
    if src[at] == "(":
        at += 1
        return read_list(src)
    start = at
    while src[at] != " " and src[at] != ")":
        at += 1
    word = src[start:at]
    if "0" <= word[0] <= "9":
        return int(word) * 2 + 1
    if word in names:
        return -2 * names.index(word)
    names.append(word)
    return -2 * (len(names) - 1)


def lookup(symbol, env):
    s = env
    while s != NIL:
        pair = head[s >> 1]
        if head[pair >> 1] == symbol:
            return tail[pair >> 1]
        s = tail[s >> 1]
    return scope[-symbol >> 1]


def second(cell):
    return head[tail[cell >> 1] >> 1]


def evaluate(e, env):
    while True:
        if e & 1 == 1 or e == NIL:
            return e
        if e < 0:
            return lookup(e, env)
        f = head[e >> 1]
        args = tail[e >> 1]
        if f == IF:
            rest = tail[args >> 1]
            e = head[rest >> 1] if evaluate(head[args >> 1], env) != NIL else second(rest)
        elif f == QUOTE:
            return head[args >> 1]
        elif f == DEFINE:
            scope[-head[args >> 1] >> 1] = tail[args >> 1]
            return NIL
        elif f == CAR:
            return head[evaluate(head[args >> 1], env) >> 1]
        elif f == CDR:
            return tail[evaluate(head[args >> 1], env) >> 1]
        elif f == PLUS or f == MINUS or f == LESS or f == EQUAL or f == CONS:
            a = evaluate(head[args >> 1], env)
            b = evaluate(second(args), env)
            if f == PLUS:
                return a + b - 1
            if f == MINUS:
                return a - b + 1
            if f == LESS:
                return int(a < b)
            if f == EQUAL:
                return int(a == b)
            return cons(a, b)
        else:
            function = scope[-f >> 1]
            params = head[function >> 1]
            arg = args
            inner = NIL
            while params != NIL:
                value = evaluate(head[arg >> 1], env)
                inner = cons(cons(head[params >> 1], value), inner)
                params = tail[params >> 1]
                arg = tail[arg >> 1]
            e = second(function)
            env = inner


def parse(src):
    global at
    at = 0
    return read(src)


def bench(n):
    global used
    for definition in [
        "(define fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))) )",
        "(define count (n sum) (if (= n 0) sum (count (- n 1) (+ sum n))) )",
        "(define range (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ())) )",
        "(define evens (l) (if (= l (quote ())) 0 (if (< (car l) 10) (evens (cdr l)) (+ (car l) (evens (cdr l))))) )",
    ]:
        evaluate(parse(definition), NIL)
    total = 0
    for source in ["(fib 16) ", "(count 5000 0) ", "(evens (range 1 1500)) "]:
        e = parse(source)
        base = used
        for r in range(n):
            value = evaluate(e, NIL) >> 1
            total = (total * 7 + value + used) & 0xFFFFFFFF
            used = base
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
