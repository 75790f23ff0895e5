import sys
from collections import namedtuple

Query = namedtuple("Query", "parts source joined filter group most")

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


tables = {}


def fill_tables():
    tables["teams"] = [
        {"team": f"team{i}", "place": ["york", "bath", "ely"][i % 3], "floor": i // 4} for i in range(12)
    ]
    tables["staff"] = [
        {"id": i, "team": f"team{rnd(12)}", "age": 18 + rnd(50), "pay": 1000 + rnd(4000)} for i in range(1000)
    ]


def condition(words):
    if "or" in words:
        at = words.index("or")
        left, right = condition(words[:at]), condition(words[at + 1:])
        return lambda row: left(row) or right(row)
    if "and" in words:
        at = words.index("and")
        left, right = condition(words[:at]), condition(words[at + 1:])
        return lambda row: left(row) and right(row)
    column, op, word = words
    if not word.isdigit():
        return lambda row: row[column] == word
    n = int(word)
    if op == "<":
        return lambda row: row[column] < n
    if op == ">":
        return lambda row: row[column] > n
    return lambda row: row[column] == n


def parse(text):
    words = text.split()

    def after(word):
        return words[words.index(word) + 1] if word in words else None

    parts = []
    for part in words[1].split(","):
        if part == "count":
            parts.append(("count", ""))
        elif part.startswith("sum:"):
            parts.append(("sum", part[4:]))
        else:
            parts.append(("column", part))
    where = lambda row: True
    if "where" in words:
        end = len(words)
        for word in ("most", "group"):
            if word in words:
                end = words.index(word)
        where = condition(words[words.index("where") + 1:end])
    return Query(parts, after("from"), after("join"), where, after("group"), int(after("most") or 1000))


def join_teams(rows, others):
    by_team = {row["team"]: row for row in others}
    return [{**row, **by_team[row["team"]]} for row in rows]


def evaluated(part, rows):
    kind, name = part
    if kind == "column":
        return rows[0][name]
    if kind == "count":
        return len(rows)
    return sum(row[name] for row in rows)


def answer(query):
    rows = tables[query.source]
    if query.joined:
        rows = join_teams(rows, tables[query.joined])
    rows = list(filter(query.filter, rows))
    groups = {}
    for i, row in enumerate(rows):
        groups.setdefault(row[query.group] if query.group else i, []).append(row)
    out = [[evaluated(part, group) for part in query.parts] for group in groups.values()]
    out.sort(key=lambda row: " ".join([f"{v:08}" if isinstance(v, int) else v for v in row]))
    return out[:query.most]


def bench(n):
    fill_tables()
    total = 0
    for _ in range(n):
        for question in [
            f"select id,pay from staff where age > {30 + rnd(20)} and pay < 2500 most 20",
            f"select team,count,sum:pay from staff where age < {30 + rnd(30)} or team = team{rnd(12)} group team",
            f"select place,sum:pay,count from staff join teams where floor = {rnd(3)} group place",
        ]:
            for row in answer(parse(question)):
                for v in row:
                    x = v if isinstance(v, int) else len(v) * 256 + ord(v[-1])
                    total = (total * 31 + x) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 350))
