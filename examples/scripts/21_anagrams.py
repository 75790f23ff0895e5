words = "listen silent enlist google elgoog abc cab bca tinsel inlets xyz".split()
groups = {}
for w in words: groups.setdefault("".join(sorted(w)), []).append(w)
for k, g in sorted(groups.items(), key=lambda e: (-len(e[1]), e[0])):
    if len(g) > 1: print(f"{k}: {', '.join(g)}")
