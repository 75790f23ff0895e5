def rpn(text):
    stack = []
    for t in text.split():
        if t in "+-*/":
            if len(stack) < 2: raise ValueError(f"{t} needs two numbers")
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if t == "+" else a - b if t == "-" else a * b if t == "*" else a / b)
        else: stack.append(float(t))
    return stack[-1]
for text in ["3 4 +", "5 1 2 + 4 * + 3 -", "2 *", "1 2 3"]:
    try: print(f"{text:<20} = {rpn(text):8.2f}")
    except ValueError as e: print(f"{text:<20} : {e}")
