class Deck:
    def __init__(self, cards): self.cards = cards
    def score(self): return sum(c * i for i, c in enumerate(reversed(self.cards), 1))
def combat(a, b):
    while a.cards and b.cards:
        x, y = a.cards.pop(0), b.cards.pop(0)
        if x > y: a.cards += [x, y]
        else: b.cards += [y, x]
    return a if a.cards else b
winner = combat(Deck([9, 2, 6, 3, 1]), Deck([5, 8, 4, 7, 10]))
print(winner.cards, winner.score())
