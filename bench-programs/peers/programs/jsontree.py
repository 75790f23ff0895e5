import sys

ORDERS = 200

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


def document():
    names = ["lamp", "rope", 'blue \\"jay\\"', "oil", "a\\\\b", "candle", "map", "tin\\nbox"]
    orders = []
    for i in range(ORDERS):
        items = []
        for _ in range(1 + rnd(4)):
            items.append(f'{{"name": "{names[rnd(8)]}", "price": {rnd(5000)}, "count": {1 + rnd(9)}}}')
        paid = ["true", "false", "null"][rnd(3)]
        orders.append(f'{{"id": {i}, "paid": {paid}, "items": [{", ".join(items)}], "tags": []}}')
    return '{ "orders": [\n  ' + ",\n  ".join(orders) + "\n] }\n"


class Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def peek(self):
        while self.text[self.at] == " " or self.text[self.at] == "\n":
            self.at += 1
        return self.text[self.at]

    def eat(self, c):
        if self.peek() != c:
            return False
        self.at += 1
        return True

    def read_text(self):
        self.at += 1
        start = self.at
        text = ""
        while self.text[self.at] != '"':
            if self.text[self.at] == "\\":
                text += self.text[start:self.at]
                c = self.text[self.at + 1]
                text += "\n" if c == "n" else '"' if c == '"' else "\\"
                self.at += 2
                start = self.at
            else:
                self.at += 1
        self.at += 1
        return text + self.text[start:self.at - 1]

    def read(self):
        c = self.peek()
        if c == "{":
            self.at += 1
            members = {}
            while not self.eat("}"):
                self.eat(",")
                self.peek()
                key = self.read_text()
                if not self.eat(":"):
                    raise ValueError("a colon is missing")
                members[key] = self.read()
            return members
        if c == "[":
            self.at += 1
            parts = []
            while not self.eat("]"):
                self.eat(",")
                parts.append(self.read())
            return parts
        if c == '"':
            return self.read_text()
        start = self.at
        while self.text[self.at] not in ",]} \n":
            self.at += 1
        word = self.text[start:self.at]
        if word == "null":
            return None
        if word == "true":
            return True
        if word == "false":
            return False
        return int(word)


def raised(json):
    if isinstance(json, list):
        return [raised(part) for part in json]
    if isinstance(json, dict):
        out = {}
        for key, value in json.items():
            out[key] = value + value // 10 if key == "price" and type(value) is int else raised(value)
        return out
    return json


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def written(json):
    if json is None:
        return "null"
    if isinstance(json, bool):
        return "true" if json else "false"
    if isinstance(json, int):
        return str(json)
    if isinstance(json, str):
        return quoted(json)
    if isinstance(json, list):
        return "[" + ",".join([written(part) for part in json]) + "]"
    return "{" + ",".join([quoted(key) + ":" + written(json[key]) for key in sorted(json)]) + "}"


def bench(n):
    text = document()
    total = 0
    for k in range(n):
        out = written(raised(Reader(text).read()))
        total = (total * 31 + len(out)) & 0xFFFFFFFF
        for _ in range(100):
            total = (total * 31 + ord(out[rnd(len(out))])) & 0xFFFFFFFF
        if k % 8 == 0:
            text = out + "\n"
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 150))
