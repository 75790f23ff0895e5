text = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness"
def wrap(text, width):
    lines, line = [], []
    for w in text.split():
        if len(" ".join(line + [w])) > width:
            lines.append(line)
            line = []
        line.append(w)
    return lines + [line]
def justify(words, width):
    if len(words) == 1: return words[0]
    gaps, spare = len(words) - 1, width - sum(map(len, words))
    return "".join(w + " " * (spare // gaps + (i < spare % gaps) if i < gaps else 0) for i, w in enumerate(words))
lines = wrap(text, 28)
for l in lines[:-1]: print("|" + justify(l, 28) + "|")
print("|" + " ".join(lines[-1]).ljust(28) + "|")
