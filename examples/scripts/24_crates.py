stacks = [list("ZN"), list("MCD"), list("P")]
moves = "move 1 from 2 to 1\nmove 3 from 1 to 3\nmove 2 from 2 to 1\nmove 1 from 1 to 2"
for line in moves.splitlines():
    _, n, _, a, _, b = line.split()
    for _ in range(int(n)): stacks[int(b) - 1].append(stacks[int(a) - 1].pop())
print("".join(s[-1] for s in stacks))
