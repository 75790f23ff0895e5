import sys
from collections import namedtuple

Plain = namedtuple("Plain", "text")
Slot = namedtuple("Slot", "path filters")
Each = namedtuple("Each", "name path body")
When = namedtuple("When", "path yes no")

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


SOURCE = """<h1>{shop.name|upper}</h1>
{when shop.open}<p>Open today.</p>{else}<p>Closed, sorry.</p>{end}
<ul>
{each item in items}  <li>{item.name|trim|upper}: {item.price|money}{when item.left} ({item.left} left){end}
{each tag in item.tags}    <i>{tag}</i>{end}</li>
{end}</ul>
<p>{note|escape}</p>
"""


def cut(text):
    parts = []
    for piece in text.split("{"):
        close = piece.find("}")
        if close >= 0:
            parts.append("{" + piece[:close])
            if close + 1 < len(piece):
                parts.append(piece[close + 1:])
        elif piece != "":
            parts.append(piece)
    return parts


class Parser:
    def __init__(self, parts):
        self.parts = parts
        self.at = 0

    def nodes(self):
        found = []
        while self.at < len(self.parts):
            part = self.parts[self.at]
            self.at += 1
            if not part.startswith("{"):
                found.append(Plain(part))
                continue
            words = part[1:].split()
            if words[0] in ("end", "else"):
                return found
            if words[0] == "each":
                found.append(Each(words[1], words[3].split("."), self.nodes()))
            elif words[0] == "when":
                yes = self.nodes()
                no = self.nodes() if self.parts[self.at - 1] == "{else" else []
                found.append(When(words[1].split("."), yes, no))
            else:
                filters = words[0].split("|")
                found.append(Slot(filters[0].split("."), filters[1:]))
        return found


def look_up(path, scope):
    value = scope
    for name in path:
        value = value[name]
    return value


def fill(nodes, scope, filters, out):
    for node in nodes:
        if isinstance(node, Plain):
            out.append(node.text)
        elif isinstance(node, Slot):
            text = str(look_up(node.path, scope))
            for name in node.filters:
                text = filters[name](text)
            out.append(text)
        elif isinstance(node, When):
            fill(node.yes if look_up(node.path, scope) else node.no, scope, filters, out)
        else:
            for value in look_up(node.path, scope):
                scope[node.name] = value
                fill(node.body, scope, filters, out)
            scope.pop(node.name, None)


def page():
    names = ["oil lamp ", " rope", " candle", "map & compass", "<tin> box "]
    items = []
    for _ in range(5 + rnd(10)):
        tags = [["new", "old", "rare"][rnd(3)] for _ in range(rnd(3))]
        price = rnd(100000)
        items.append({"name": names[rnd(5)], "price": price, "left": rnd(4), "tags": tags})
    return {"shop": {"name": "The Worn Lane", "open": rnd(2)}, "items": items, "note": 'Oil & rope < 5 "miles"'}


def bench(n):
    filters = {
        "upper": lambda text: text.upper(),
        "trim": lambda text: text.strip(),
        "money": lambda text: f"${int(text) // 100}.{int(text) % 100:02}",
        "escape": lambda text: text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;"),
    }
    template = []
    total = 0
    for i in range(n):
        if i % 100 == 0:
            template = Parser(cut(SOURCE)).nodes()
        out = []
        fill(template, page(), filters, out)
        text = "".join(out)
        total = (total * 31 + len(text)) & 0xFFFFFFFF
        for k in range(0, len(text), 16):
            total = (total * 31 + ord(text[k])) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 15000))
