from math import pi
from dataclasses import dataclass
@dataclass
class Circle: r: float
@dataclass
class Rect: w: float; h: float
@dataclass
class Group: parts: list
def area(s):
    match s:
        case Circle(r): return pi * r * r
        case Rect(w, h): return w * h
        case Group(parts): return sum(map(area, parts))
def depth(s): return 1 + max(map(depth, s.parts), default=0) if isinstance(s, Group) else 0
g = Group([Circle(1.0), Rect(2.0, 3.0), Group([Circle(0.5), Group([])])])
print(f"{area(g):.3f} {depth(g)}")
