import sys
from collections import namedtuple

WIDTH = 46
Line = namedtuple("Line", "name count cents")

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


WORDS = "goods were sent by the river boat and must be paid within thirty days of this letter".split()


def order():
    names = ["lamp oil", "rope", "tallow candles", "map of the holloway", "tin box", "walking stick"]
    return [Line(names[rnd(6)], 1 + rnd(12), 5 + rnd(9000)) for _ in range(2 + rnd(6))]


def wrapped(text, width):
    lines = []
    line = ""
    for word in text.split():
        if line != "" and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line += word if line == "" else " " + word
    lines.append(line)
    return lines


def money(cents):
    whole = cents // 100
    text = f".{cents % 100:02}"
    while whole >= 1000:
        text = f",{whole % 1000:03}{text}"
        whole //= 1000
    return str(whole) + text


def invoice(number):
    out = f"Invoice {number:06}".upper() + "\n" + "=" * WIDTH + "\n"
    total = 0
    for i, line in enumerate(order()):
        price = line.count * line.cents
        out += f"{i + 1:>2} {line.name:<19.16}{line.count:>4} x{money(line.cents):>8}{money(price):>11}\n"
        total += price
    out += "-" * WIDTH + "\n"
    out += f"{'total':<30}{money(total):>16}\n"
    out += f"{'of that tax':<30}{total * 19 // 119 / 100:>16.2f}\n"
    note = ""
    for _ in range(10 + rnd(20)):
        note += WORDS[rnd(len(WORDS))] + " "
    for line in wrapped(note, WIDTH - 4):
        out += f"| {line:^42} |\n"
    return out


def bench(n):
    total = 0
    pages = []
    for i in range(n * 100):
        pages.append(invoice(i))
        if len(pages) == 20:
            text = "\n".join(pages)
            total = (total * 31 + len(text)) & 0xFFFFFFFF
            for k in range(0, len(text), 5):
                total = (total * 31 + ord(text[k])) & 0xFFFFFFFF
            pages.clear()
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
