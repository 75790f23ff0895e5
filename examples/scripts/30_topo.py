needs = {"app": ["ui", "db"], "ui": ["log"], "db": ["log", "io"], "io": [], "log": ["io"]}
order, state = [], {}
def visit(name):
    if state.get(name) == "open": raise ValueError(f"a circle at {name}")
    if name in state: return
    state[name] = "open"
    for n in needs[name]: visit(n)
    state[name] = "done"
    order.append(name)
for name in needs: visit(name)
print(" ".join(order))
needs["io"].append("app")
state.clear()
try: visit("app")
except ValueError as e: print(e)
