from collections import Counter
def rank(hand):
    cards = hand.split()
    values = sorted(("..23456789TJQKA".index(c[0]) for c in cards), reverse=True)
    counts = sorted(Counter(values).values(), reverse=True)
    flush = len({c[1] for c in cards}) == 1
    straight = len(counts) == 5 and values[0] - values[4] == 4
    if flush and straight: return "straight flush"
    if counts[0] == 4: return "four of a kind"
    if counts == [3, 2]: return "full house"
    if flush: return "flush"
    if straight: return "straight"
    if counts[0] == 3: return "three of a kind"
    if counts[:2] == [2, 2]: return "two pairs"
    return "pair" if counts[0] == 2 else "high card"
for hand in ["2H 3H 4H 5H 6H", "9C 9D 9H 9S 2D", "KC KD KH 2S 2D", "2C 3D 4H 5S 6D", "AS AC KD KH 3C", "2S 9S KS 4S 7S", "2S 9D KS 4S 7S"]:
    print(hand, "->", rank(hand))
