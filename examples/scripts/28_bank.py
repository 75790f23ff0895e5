class Account:
    def __init__(self, owner, balance=0):
        self.owner, self.balance, self.log = owner, balance, []
    def deposit(self, n):
        if n <= 0: raise ValueError("a deposit is positive")
        self.balance += n
        self.log.append(("in", n))
    def withdraw(self, n):
        if n > self.balance: raise ValueError(f"{self.owner} has only {self.balance}")
        self.balance -= n
        self.log.append(("out", n))
accounts = {name: Account(name) for name in ["ann", "bob"]}
def transfer(a, b, n):
    try:
        accounts[a].withdraw(n)
        accounts[b].deposit(n)
    except ValueError as e: print("refused:", e)
accounts["ann"].deposit(100)
transfer("ann", "bob", 30)
transfer("bob", "ann", 50)
transfer("ann", "bob", 70)
for a in accounts.values(): print(f"{a.owner:<5}{a.balance:>5}", " ".join(f"{k}:{n}" for k, n in a.log))
