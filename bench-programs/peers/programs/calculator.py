import sys
from collections import namedtuple

MODULUS = 1000003
Token = namedtuple("Token", "kind value")
Constant = namedtuple("Constant", "n")
Variable = namedtuple("Variable", "name")
Negated = namedtuple("Negated", "inner")
Binary = namedtuple("Binary", "op left right")

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


def formula(depth):
    if depth == 0 or rnd(8) == 0:
        return ["x", "y", "zeta"][rnd(3)] if rnd(2) == 0 else str(rnd(rnd(3) * 50 + 2))
    a = formula(depth - 1)
    b = formula(depth - 1)
    k = rnd(7)
    if k <= 1:
        return f"{a} + {b}"
    if k == 2:
        return f"{a} - {b}"
    if k == 3:
        return f"({a}) * ({b})"
    if k == 4:
        return f"{a} * {b}"
    if k == 5:
        return f"({a}) / ({b})"
    return f"-({a} + {b})"


def is_digit(c):
    return "0" <= c <= "9"


def is_letter(c):
    return "a" <= c <= "z"


def tokens(text):
    found = []
    at = 0
    while at < len(text):
        start = at
        c = text[at]
        at += 1
        if is_digit(c):
            while at < len(text) and is_digit(text[at]):
                at += 1
            found.append(Token("number", int(text[start:at])))
        elif is_letter(c):
            while at < len(text) and is_letter(text[at]):
                at += 1
            found.append(Token("name", text[start:at]))
        elif c != " ":
            found.append(Token("sign", c))
    found.append(Token("end", ""))
    return found


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.at = 0

    def sign(self, signs):
        token = self.tokens[self.at]
        if token.kind == "sign" and token.value in signs:
            self.at += 1
            return token.value
        return None

    def sum(self):
        left = self.product()
        while op := self.sign("+-"):
            left = Binary(op, left, self.product())
        return left

    def product(self):
        left = self.factor()
        while op := self.sign("*/"):
            left = Binary(op, left, self.factor())
        return left

    def factor(self):
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "number":
            return Constant(token.value)
        if token.kind == "name":
            return Variable(token.value)
        if token.kind == "sign" and token.value == "-":
            return Negated(self.factor())
        if token.kind == "sign" and token.value == "(":
            inner = self.sum()
            if not self.sign(")"):
                raise ValueError("expected )")
            return inner
        raise ValueError(f"unexpected {token}")


def applied(op, a, b):
    if op == "+":
        return (a + b) % MODULUS
    if op == "-":
        return (a - b) % MODULUS
    if op == "*":
        return a * b % MODULUS
    return 0 if b == 0 else a // b


def equals(e, n):
    return isinstance(e, Constant) and e.n == n


def simple(e):
    if isinstance(e, Negated):
        inner = simple(e.inner)
        if isinstance(inner, Constant):
            return Constant(-inner.n % MODULUS)
        if isinstance(inner, Negated):
            return inner.inner
        return Negated(inner)
    if isinstance(e, Binary):
        op, left, right = e.op, simple(e.left), simple(e.right)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(applied(op, left.n, right.n))
        if op == "+" and equals(left, 0):
            return right
        if op in "+-" and equals(right, 0):
            return left
        if op == "*" and equals(left, 1):
            return right
        if op in "*/" and equals(right, 1):
            return left
        if op == "*" and (equals(left, 0) or equals(right, 0)):
            return Constant(0)
        return Binary(op, left, right)
    return e


def value(e, variables):
    if isinstance(e, Constant):
        return e.n
    if isinstance(e, Variable):
        return variables[e.name]
    if isinstance(e, Negated):
        return -value(e.inner, variables) % MODULUS
    return applied(e.op, value(e.left, variables), value(e.right, variables))


def bench(n):
    total = 0
    for i in range(n * 100):
        text = formula(5)
        e = simple(Parser(tokens(text)).sum())
        variables = {"x": i % 1000, "y": 7, "zeta": rnd(1000)}
        for k in range(5):
            total = (total * 31 + value(e, variables)) & 0xFFFFFFFF
            variables["y"] += k
        total = (total + len(text)) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
