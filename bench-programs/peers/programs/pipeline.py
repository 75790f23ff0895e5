import sys
from collections import namedtuple
from functools import reduce

SALES = 5000
Sale = namedtuple("Sale", "region product amount cents")

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


def compose(f, g):
    return lambda x: g(f(x))


def group_by(xs, key):
    groups = {}
    for x in xs:
        groups.setdefault(key(x), []).append(x)
    return groups


def rule(kind, by):
    if kind == 0:
        return lambda cents: cents + by
    if kind == 1:
        return lambda cents: cents - cents * by // 100
    if kind == 2:
        return lambda cents: max(cents, by * 10)
    return lambda cents: cents - by if cents % by == 0 else cents


def chain(rules):
    return reduce(compose, rules, lambda cents: cents)


def bench(n):
    products = ["lamp", "rope", "oil", "candle", "map", "compass"]
    sales = [Sale(rnd(8), products[rnd(6)], 1 + rnd(20), 50 + rnd(5000)) for _ in range(SALES)]
    total = 0

    def report(x):
        nonlocal total
        total = (total * 31 + x) & 0xFFFFFFFF

    for _ in range(n):
        least, region = rnd(1000), rnd(8)
        large = [s for s in sales if s.amount * s.cents > least * 10 and s.region != region]
        report(sum(s.amount * s.cents for s in large))
        report(sum(1 for s in large if s.product == "oil"))

        price = chain([rule(kind, 2 + rnd(30)) for kind in range(4)])
        report(max((price(s.cents) for s in large), default=0))
        for product, group in group_by(large, lambda s: s.product).items():
            seen = 0

            def is_costly(s):
                nonlocal seen
                seen += s.amount
                return s.cents > 4000

            costly = list(filter(is_costly, group))
            report(len(product) + seen + len(costly))
        groups = group_by(large, lambda s: (s.region, s.product))
        amounts = [(key, sum(s.amount for s in group)) for key, group in groups.items()]
        if amounts:
            (place, product), amount = max(amounts, key=lambda g: g[1])
            report(place * 100 + len(product) + amount)
        sevenths = [s for i, s in enumerate(large) if i % 7 == 0]
        report(sum(s.cents for s, _ in zip(sevenths, products)))
        report(int(any(s.cents == least for s in large)) + int(all(s.cents >= 50 for s in large)))
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 600))
