LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
def winner(b):
    for x, y, z in LINES:
        if b[x] != " " and b[x] == b[y] == b[z]: return b[x]
    return None
seen = {}
def best(b, player):
    if (b, player) in seen: return seen[b, player]
    w = winner(b)
    if w or " " not in b: result = (0 if not w else 1 if w == "X" else -1, -1)
    else:
        scores = []
        for i in range(9):
            if b[i] == " ": scores.append((best(b[:i] + player + b[i + 1:], "O" if player == "X" else "X")[0], -i))
        s, i = max(scores) if player == "X" else min(scores)
        result = (s, -i)
    seen[b, player] = result
    return result
print(best(" " * 9, "X"), best("X   O    ", "X"), best("XX OO    ", "O"), len(seen))
