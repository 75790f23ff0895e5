import sys

sys.setrecursionlimit(20000)

PROGRAM = """
    (define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
    (define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ()))))
    (define map (lambda (f xs) (if (empty xs) xs (cons (f (first xs)) (map f (rest xs))))))
    (define fold (lambda (f start xs) (if (empty xs) start (fold f (f start (first xs)) (rest xs)))))
    (define add (lambda (n) (lambda (x) (+ x n))))
    (define even (lambda (n) (if (= n 0) 1 (odd (- n 1)))))
    (define odd (lambda (n) (if (= n 0) 0 (even (- n 1)))))
    (define loop (lambda (i sum) (if (= i 0) sum (loop (- i 1) (% (+ (* sum 7) i) 10007)))))
    (+ (fib 14) (+ (fold + 0 (map (add 5) (range 1 60))) (+ (even 300) (loop 1000 1))))"""


class Lambda:
    def __init__(self, names, body, scope):
        self.names = names
        self.body = body
        self.scope = scope


class Scope:
    def __init__(self, names, outer):
        self.names = names
        self.outer = outer

    def look_up(self, name):
        s = self
        while s:
            value = s.names.get(name)
            if value is not None:
                return value
            s = s.outer
        raise NameError(f"{name} is not known")


class Reader:
    def __init__(self, words):
        self.words = words
        self.at = 0

    def read(self):
        word = self.words[self.at]
        self.at += 1
        if word == "(":
            values = []
            while self.words[self.at] != ")":
                values.append(self.read())
            self.at += 1
            return values
        return int(word) if word.isdigit() else word


def evaluate(e, scope):
    while True:
        if isinstance(e, str):
            return scope.look_up(e)
        if not isinstance(e, list):
            return e
        name = e[0]
        if isinstance(name, str):
            if name == "quote":
                return e[1]
            if name == "lambda":
                return Lambda(e[1], e[2], scope)
            if name == "define":
                scope.names[e[1]] = evaluate(e[2], scope)
                return 0
            if name == "if":
                e = e[2] if evaluate(e[1], scope) != 0 else e[3]
                continue
            if name == "cons":
                return [evaluate(e[1], scope)] + evaluate(e[2], scope)
            if name == "first":
                return evaluate(e[1], scope)[0]
            if name == "rest":
                return evaluate(e[1], scope)[1:]
            if name == "empty":
                return int(len(evaluate(e[1], scope)) == 0)
        values = [evaluate(part, scope) for part in e]
        f = values[0]
        if not isinstance(f, Lambda):
            return f(values[1], values[2])
        scope = Scope(dict(zip(f.names, values[1:])), f.scope)
        e = f.body


def bench(n):
    known = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "%": lambda a, b: a % b,
        "<": lambda a, b: int(a < b),
        "=": lambda a, b: int(a == b),
    }
    total = 0
    for i in range(n):
        reader = Reader(PROGRAM.replace("(", " ( ").replace(")", " ) ").split())
        scope = Scope({"seed": i}, Scope(known, None))
        last = 0
        while reader.at < len(reader.words):
            last = evaluate(reader.read(), scope)
        if isinstance(last, int):
            total = (total * 31 + last + len(scope.names)) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 150))
