from collections import Counter
def factors(n):
    out, p = [], 2
    while p * p <= n:
        while n % p == 0:
            out.append(p)
            n //= p
        p += 1
    return out + [n] if n > 1 else out
for n in [60, 97, 1001, 65536, 600851475143]:
    print(n, "=", " * ".join(f"{p}^{k}" if k > 1 else str(p) for p, k in Counter(factors(n)).items()))
