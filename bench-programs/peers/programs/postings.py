import sys
from collections import defaultdict

DOCUMENTS = 1000

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


def random_word():
    return f"w{rnd(1 + rnd(1 + rnd(400)))}"


class Index:
    def __init__(self, documents):
        self.places = defaultdict(list)
        self.tags = defaultdict(set)
        for document in range(documents):
            for at in range(20 + rnd(20)):
                self.places[random_word()].append((document, at))
            for _ in range(1 + rnd(2)):
                self.tags[f"tag{rnd(12)}"].add(document)

    def documents(self, word):
        found = []
        for document, _ in self.places.get(word, ()):
            if found and found[-1][0] == document:
                found[-1] = (document, found[-1][1] + 1)
            else:
                found.append((document, 1))
        return found

    def phrase(self, first, second):
        after = set(self.places.get(second, ()))
        return [p for p in self.places.get(first, ()) if (p[0], p[1] + 1) in after]

    def search(self):
        a, b, tag = random_word(), random_word(), f"tag{rnd(12)}"
        if rnd(4) == 0:
            total = 0
            for document, _ in self.phrase(a, b):
                total = (total * 7 + document) & 0xFFFF
            return total
        tagged = self.tags[tag]
        hits = [hit for hit in both(self.documents(a), self.documents(b)) if hit[0] in tagged]
        hits.sort(key=lambda hit: (-hit[1], hit[0]))
        total = len(hits)
        for document, count in hits[:10]:
            total = (total * 31 + document + count) & 0xFFFFF
        return total


def both(a, b):
    found = []
    i = k = 0
    while i < len(a) and k < len(b):
        (x, m), (y, n) = a[i], b[k]
        if x == y:
            found.append((x, m + n))
        if x <= y:
            i += 1
        if y <= x:
            k += 1
    return found


def bench(n):
    index = Index(DOCUMENTS)
    total = len(index.places)
    for _ in range(n * 100):
        total = (total * 31 + index.search()) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 120))
