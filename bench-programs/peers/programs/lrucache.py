import sys

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


class Entry:
    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.older = None
        self.newer = None


class Page:
    def __init__(self, title, size):
        self.title = title
        self.size = size
        self.views = 0


class Cache:
    def __init__(self, room):
        self.room = room
        self.entries = {}
        self.oldest = None
        self.newest = None
        self.hits = 0
        self.misses = 0

    def unlink(self, entry):
        if entry.older:
            entry.older.newer = entry.newer
        else:
            self.oldest = entry.newer
        if entry.newer:
            entry.newer.older = entry.older
        else:
            self.newest = entry.older

    def append(self, entry):
        entry.older = self.newest
        entry.newer = None
        if self.newest:
            self.newest.newer = entry
        else:
            self.oldest = entry
        self.newest = entry

    def fetch(self, key, load):
        entry = self.entries.get(key)
        if entry is not None:
            self.hits += 1
            self.unlink(entry)
            self.append(entry)
            return entry.value
        self.misses += 1
        if len(self.entries) == self.room:
            oldest = self.oldest
            self.unlink(oldest)
            del self.entries[oldest.key]
        entry = Entry(key, load(key))
        self.entries[key] = entry
        self.append(entry)
        return entry.value

    def forget(self, key):
        entry = self.entries.pop(key, None)
        if entry is None:
            return False
        self.unlink(entry)
        return True


def bench(n):
    keys = [f"/pages/{['guide', 'news', 'map'][i % 3]}/{i}" for i in range(4000)]
    cache = Cache(500)
    loaded = forgotten = 0

    def load(key):
        nonlocal loaded
        loaded += len(key)
        return Page(key[7:], len(key) * 100 + ord(key[-1]))

    total = 0
    for _ in range(n * 1000):
        key = keys[rnd(4000) if rnd(3) == 0 else rnd(1 + rnd(600))]
        if rnd(50) == 0:
            forgotten += int(cache.forget(key))
        else:
            page = cache.fetch(key, load)
            page.views += 1
            total = (total * 31 + page.size + page.views) & 0xFFFFFFFF
    return (total + cache.hits * 3 + cache.misses + loaded + forgotten * 7) & 0xFFFFFFFF


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 3000))
