import sys

LINES = 1000

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


def vocabulary(n):
    syllables = "ka lo mi ren tas vel dor an qui est bra".split()
    words = []
    for _ in range(n):
        word = ""
        for _ in range(1 + rnd(3)):
            word += syllables[rnd(len(syllables))]
        words.append(word[:1].upper() + word[1:] if rnd(8) == 0 else word)
    return words


def prose(words):
    ends = ["", "", "", "", ",", ".", "!", ";"]
    lines = []
    for _ in range(LINES):
        line = []
        for _ in range(6 + rnd(8)):
            line.append(words[rnd(1 + rnd(len(words)))] + ends[rnd(8)])
        lines.append(" ".join(line))
    return "\n".join(lines)


def normal(word):
    end = len(word)
    while end > 0 and not ("a" <= word[end - 1] <= "z" or "A" <= word[end - 1] <= "Z"):
        end -= 1
    return word[:end].lower()


def ranking(counts):
    return sorted(counts.items(), key=lambda p: (-p[1], p[0]))


def bench(n):
    text = prose(vocabulary(600))
    total = 0
    for _ in range(n):
        counts = {}
        neighbours = {}
        for line in text.split("\n"):
            last = ""
            for part in line.split():
                word = normal(part)
                counts[word] = counts.get(word, 0) + 1
                if last != "":
                    neighbours[last, word] = neighbours.get((last, word), 0) + 1
                last = word
        for word, count in ranking(counts)[:50]:
            total = (total * 31 + ord(word[0]) * 1000 + len(word) * 100 + count) & 0xFFFFFFFF
        for (a, b), count in ranking(neighbours)[:50]:
            total = (total * 31 + ord(a[0]) * 1000 + len(b) * 100 + count) & 0xFFFFFFFF
        total = (total + len(counts) * 7 + len(neighbours)) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 80))
