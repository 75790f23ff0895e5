//! Help texts about the built-ins and keywords of the language.
//!
//! In: nothing. Out: tables of name, forms and meaning. Invariant: every built-in that the checker knows is here, in
//! alphabetical order.

/// A name, its forms, its meaning.
type Row = (&'static str, &'static str, &'static str);

/// The built-ins.
pub(super) const BUILTINS: [Row; 43] = [
    ("abs", "abs(x: int) -> int\nabs(x: float) -> float", "the magnitude; of the smallest int, that int"),
    ("acos", "acos(x: float) -> float", "the arc cosine, in radians"),
    ("args", "args() -> [str]", "the program's arguments; none in the REPL"),
    ("asin", "asin(x: float) -> float", "the arc sine, in radians"),
    ("assert", "assert(c: bool)\nassert(c: bool, message: str)", "fails unless the condition holds"),
    ("atan", "atan(x: float) -> float", "the arc tangent, in radians"),
    ("atan2", "atan2(y: float, x: float) -> float", "the angle of the point (x, y), in radians"),
    ("bool", "bool(b: bool) -> bool", "the same; compare an int, as in n != 0, to get a bool"),
    ("bytes", "bytes(s: str) -> [byte]", "the bytes of a string, in a new array"),
    ("ceil", "ceil(x: float) -> float", "the next whole number upward"),
    ("chr", "chr(n: int) -> str", "the character with that Unicode number, as UTF-8"),
    ("clock", "clock() -> float", "seconds that passed since some fixed moment"),
    ("clz", "clz(n: int) -> int", "zero bits before the highest one bit"),
    (
        "copy",
        "copy(dst: [T], dst_start: int, src: [T], src_start: int, n: int)",
        "copies n elements; the ranges may overlap, and a str may be copied into a [byte]",
    ),
    ("cos", "cos(x: float) -> float", "the cosine of an angle in radians"),
    ("ctz", "ctz(n: int) -> int", "zero bits after the lowest one bit"),
    ("exit", "exit(status: int)", "ends the program, and the REPL, with that status"),
    ("exp", "exp(x: float) -> float", "e to that power"),
    ("fill", "fill(a: [T], v: T)", "sets every element"),
    ("float", "float(n: int) -> float", "the nearest float"),
    ("floor", "floor(x: float) -> float", "the next whole number downward"),
    ("input", "input() -> str?", "a line of input without its end, or none when there is no more"),
    (
        "int",
        "int(x: float) -> int\nint(b: bool) -> int",
        "the whole part, at most the largest int; 0 of nan; 0 or 1 of a bool",
    ),
    ("len", "len(s: str) -> int\nlen(a: [T]) -> int", "how many bytes or elements there are"),
    ("log", "log(x: float) -> float", "the natural logarithm"),
    (
        "max",
        "max(a: int, b: int) -> int\nmax(a: float, b: float) -> float",
        "the greater; of a nan and another, the other",
    ),
    (
        "min",
        "min(a: int, b: int) -> int\nmin(a: float, b: float) -> float",
        "the lesser; of a nan and another, the other",
    ),
    ("parse_float", "parse_float(s: str, default: float) -> float", "the float that a text says, or the default"),
    ("parse_int", "parse_int(s: str, default: int) -> int", "the int that a text says, or the default"),
    ("popcount", "popcount(n: int) -> int", "how many bits are one"),
    ("pow", "pow(x: float, y: float) -> float", "x to the power of y"),
    ("print", "print(a, b, ...)", "writes values with a blank between them, and a newline"),
    ("random", "random() -> float", "a number from 0 up to but not 1; the same ones each run"),
    ("random_seed", "random_seed(n: int)", "chooses which numbers random() will give"),
    ("round", "round(x: float) -> float", "the nearest whole number; halves go away from zero"),
    ("sin", "sin(x: float) -> float", "the sine of an angle in radians"),
    ("sort", "sort(a: [T])", "sorts an array of int, float, byte or str in place"),
    ("sqrt", "sqrt(x: float) -> float", "the square root"),
    ("str", "str(x) -> str", "an int, float or bool as text"),
    ("tan", "tan(x: float) -> float", "the tangent of an angle in radians"),
    ("text", "text(b: [byte], from: int, to: int) -> str", "the bytes from..to as a string"),
    ("trunc", "trunc(x: float) -> float", "the whole part"),
    ("write", "write(a, b, ...)", "writes values with nothing between or after them"),
];

/// The keywords, and the type that is no conversion.
pub(super) const KEYWORDS: [Row; 24] = [
    ("break", "break\nbreak label", "leaves the innermost loop, or the one with that label"),
    ("byte", "[byte]", "what arrays and fields may store: reads as int 0..255, keeps the low 8 bits"),
    ("catch", "try { } catch e { }", "runs when something in the try fails; e is the message, a str"),
    ("const", "const N = 1_000", "a constant of int, float, bool or str"),
    ("continue", "continue\ncontinue label", "goes on with the next round of a loop"),
    ("else", "if c { } else if d { } else { }", "what happens otherwise"),
    ("fail", "fail \"message\"", "raises a failure, which try catches"),
    ("false", "false", "the bool that does not hold"),
    ("fn", "fn gcd(a: int, b: int) -> int { ... }\nlet f: fn(int, int) -> int = gcd", "a function; the type of one"),
    (
        "for",
        "for i in a..b { }\nfor i in a..=b step s { }\nfor x in array { }",
        "a round for each number, element or byte",
    ),
    ("if", "if c { } else { }\nif let n = e { }", "also an expression: the last expression of each block is its value"),
    ("import", "import \"file.hw\"", "brings in what a file defines; the path is relative to the importing file"),
    ("in", "for x in xs { }", "between the name and what it goes through"),
    ("let", "let x = e\nlet x: int = e", "a name for a value that stays"),
    ("loop", "loop { }", "repeats until break or return"),
    (
        "match",
        "match e { 0 => a, 1 | 2 => b, 3..=9 => c, _ => d }",
        "chooses by an int, bool or str; also an expression",
    ),
    ("none", "none", "the T? that is nothing"),
    ("return", "return\nreturn e", "leaves a function, with its result"),
    ("step", "for i in 10..0 step -2 { }", "how far a for goes each round"),
    (
        "struct",
        "struct Point { x: float, y: float }\nPoint(x: 1.0, y: 2.0)",
        "a record with fields; values are references",
    ),
    ("true", "true", "the bool that holds"),
    ("try", "try { } catch e { }", "catches what fails inside, also in the functions it calls"),
    ("var", "var x = e\nvar x: int = e", "a name for a value that may change"),
    ("while", "while c { }\nwhile let n = e { }", "repeats as long as a condition holds"),
];
