//! Help texts about the built-ins and keywords of the language, for people at a prompt or in an editor.
//!
//! In: nothing. Out: tables of name, forms and meaning. Invariant: every built-in that the checker knows is here, in
//! alphabetical order.

/// A name, its forms, its meaning.
pub type Row = (&'static str, &'static str, &'static str);

/// A name that the language gives a meaning.
pub fn find(name: &str) -> Option<&'static Row> {
    BUILTINS.iter().chain(&KEYWORDS).find(|(known, ..)| *known == name)
}

/// The names of all of them.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().chain(&KEYWORDS).map(|(known, ..)| *known)
}

/// The built-ins.
pub const BUILTINS: [Row; 105] = [
    ("abs", "abs(x: int) -> int\nabs(x: float) -> float", "the magnitude; of the smallest int, that int"),
    ("acos", "acos(x: float) -> float", "the arc cosine, in radians"),
    ("add", "add(s: set[T], x: T) -> bool", "adds an element; false if it was there"),
    ("all", "all(xs, f: fn(T) -> bool) -> bool", "whether f holds for each part of an array or a list"),
    ("any", "any(xs, f: fn(T) -> bool) -> bool", "whether f holds for some part of an array or a list"),
    ("append_file", "append_file(path: str, s: str)", "writes at the end of a file"),
    ("args", "args() -> [str]", "the program's arguments; none in the REPL"),
    ("asin", "asin(x: float) -> float", "the arc sine, in radians"),
    ("assert", "assert(c: bool)\nassert(c: bool, message: str)", "fails unless the condition holds"),
    ("atan", "atan(x: float) -> float", "the arc tangent, in radians"),
    ("atan2", "atan2(y: float, x: float) -> float", "the angle of the point (x, y), in radians"),
    ("bool", "bool(b: bool) -> bool", "the same; compare an int, as in n != 0, to get a bool"),
    ("bytes", "bytes(s: str) -> [byte]", "the bytes of a string, in a new array"),
    ("ceil", "ceil(x: float) -> float", "the next whole number upward"),
    ("chars", "chars(s: str) -> list[str]", "the characters, each a string"),
    ("chr", "chr(n: int) -> str", "the character with that Unicode number, as UTF-8"),
    ("clear", "clear(l: list[T])\nclear(d: dict[K, V])\nclear(s: set[T])", "removes everything"),
    ("clock", "clock() -> float", "seconds that passed since some fixed moment"),
    ("clz", "clz(n: int) -> int", "zero bits before the highest one bit"),
    (
        "contains",
        "contains(l: list[T], x: T) -> bool\ncontains(d: dict[K, V], k: K) -> bool\ncontains(s: set[T], x: T) -> bool\ncontains(s: str, part: str) -> bool",
        "whether it is there",
    ),
    (
        "copy",
        "copy(dst: [T], dst_start: int, src: [T], src_start: int, n: int)",
        "copies n elements; the ranges may overlap, and a str may be copied into a [byte]",
    ),
    ("cos", "cos(x: float) -> float", "the cosine of an angle in radians"),
    ("count", "count(xs, f: fn(T) -> bool) -> int", "how many parts of an array or a list f holds for"),
    ("ctz", "ctz(n: int) -> int", "zero bits after the lowest one bit"),
    ("dict", "dict(k: v, ...) -> dict[K, V]", "a table in the order of insertion"),
    ("difference", "difference(a: set[T], b: set[T]) -> set[T]", "what is in the first set alone"),
    ("ends_with", "ends_with(s: str, part: str) -> bool", "whether a string ends so"),
    ("enumerate", "enumerate(xs) -> list[(int, T)]", "the parts of an array or a list with their indices"),
    ("env", "env(name: str) -> str?", "a variable of the environment"),
    ("eprint", "eprint(a, b, ...)", "as print, to standard error"),
    ("equal", "equal(a: T, b: T) -> bool", "compares any two values by all their parts"),
    ("exit", "exit(status: int)", "ends the program, and the REPL, with that status"),
    ("exp", "exp(x: float) -> float", "e to that power"),
    ("extend", "extend(l: list[T], xs)", "adds the parts of a list or an array at the end"),
    ("file_exists", "file_exists(path: str) -> bool", "whether a file is there"),
    ("fill", "fill(a: [T], v: T)", "sets every element"),
    ("filter", "filter(xs, f: fn(T) -> bool) -> list[T]", "the parts of an array or a list for which f holds"),
    ("find", "find(s: str, part: str) -> int?", "the first index of a part of a string"),
    ("first", "first(xs) -> T?", "the first part of an array or a list"),
    ("float", "float(n: int) -> float", "the nearest float"),
    ("floor", "floor(x: float) -> float", "the next whole number downward"),
    (
        "fold",
        "fold(xs, start: A, f: fn(A, T) -> A) -> A",
        "the parts of an array or a list put together, from the first on",
    ),
    ("get", "get(d: dict[K, V], k: K) -> V?\nget(d: dict[K, V], k: K, default: V) -> V", "the value of a key"),
    ("index_of", "index_of(l: list[T], x: T) -> int?", "the first index of an element"),
    ("input", "input() -> str?", "a line of input without its end, or none when there is no more"),
    ("insert", "insert(l: list[T], i: int, x: T)", "adds an element before an index"),
    (
        "int",
        "int(x: float) -> int\nint(b: bool) -> int",
        "the whole part, at most the largest int; 0 of nan; 0 or 1 of a bool",
    ),
    ("intersection", "intersection(a: set[T], b: set[T]) -> set[T]", "what is in both sets"),
    ("items", "items(d: dict[K, V]) -> list[(K, V)]", "keys and values, in the order of insertion"),
    ("join", "join(parts, between: str) -> str", "strings of a list or an array put together"),
    ("keys", "keys(d: dict[K, V]) -> list[K]", "the keys, in the order of insertion"),
    ("last", "last(xs) -> T?", "the last part of an array or a list"),
    (
        "len",
        "len(s: str) -> int\nlen(xs) -> int",
        "how many bytes of a string, or parts of an array, list, dict or set there are",
    ),
    ("lines", "lines(s: str) -> list[str]", "the lines without their ends"),
    ("list", "list(a, b, ...) -> list[T]", "a sequence that grows"),
    ("log", "log(x: float) -> float", "the natural logarithm"),
    ("lower", "lower(s: str) -> str", "small letters"),
    ("map", "map(xs, f: fn(T) -> R) -> list[R]", "what f gives for each part of an array or a list"),
    (
        "max",
        "max(a: int, b: int) -> int\nmax(a: float, b: float) -> float",
        "the greater; of a nan and another, the other",
    ),
    ("max_by", "max_by(xs, f: fn(T) -> K) -> T?", "the part with the greatest key, the first of equals"),
    (
        "min",
        "min(a: int, b: int) -> int\nmin(a: float, b: float) -> float",
        "the lesser; of a nan and another, the other",
    ),
    ("min_by", "min_by(xs, f: fn(T) -> K) -> T?", "the part with the least key, the first of equals"),
    ("ord", "ord(s: str) -> int", "the Unicode number of the first character"),
    (
        "parse_float",
        "parse_float(s: str) -> float?\nparse_float(s: str, default: float) -> float",
        "the float that a text says, or none or the default",
    ),
    (
        "parse_int",
        "parse_int(s: str) -> int?\nparse_int(s: str, default: int) -> int",
        "the int that a text says, or none or the default",
    ),
    ("pop", "pop(l: list[T]) -> T?", "takes the last element away"),
    ("popcount", "popcount(n: int) -> int", "how many bits are one"),
    ("pow", "pow(x: float, y: float) -> float", "x to the power of y"),
    ("print", "print(a, b, ...)", "writes values with a blank between them, and a newline"),
    ("push", "push(l: list[T], x: T)", "adds an element at the end"),
    ("random", "random() -> float", "a number from 0 up to but not 1; the same ones each run"),
    ("random_seed", "random_seed(n: int)", "chooses which numbers random() will give"),
    ("read_all", "read_all() -> str", "the rest of standard input"),
    ("read_file", "read_file(path: str) -> str", "all of a file"),
    (
        "remove",
        "remove(l: list[T], i: int) -> T\nremove(d: dict[K, V], k: K) -> bool\nremove(s: set[T], x: T) -> bool",
        "takes an element or entry away",
    ),
    ("repeat", "repeat(s: str, n: int) -> str", "a string so many times"),
    ("replace", "replace(s: str, a: str, b: str) -> str", "with each a replaced by b"),
    ("reverse", "reverse(l: list[T])", "turns a list around, in place"),
    ("round", "round(x: float) -> float", "the nearest whole number; halves go away from zero"),
    ("set", "set(a, b, ...) -> set[T]", "elements that are there once, in the order of insertion"),
    ("sin", "sin(x: float) -> float", "the sine of an angle in radians"),
    ("sort", "sort(xs)", "sorts a list, or an array of int, float, byte or str, in place"),
    ("sort_by", "sort_by(l, f: fn(T) -> K)", "sorts a list or an array in place by a key; equal keys keep their order"),
    (
        "split",
        "split(s: str) -> list[str]\nsplit(s: str, sep: str) -> list[str]",
        "the parts between blanks, or between separators",
    ),
    ("sqrt", "sqrt(x: float) -> float", "the square root"),
    ("starts_with", "starts_with(s: str, part: str) -> bool", "whether a string begins so"),
    ("str", "str(x) -> str", "an int, float or bool as text"),
    ("sum", "sum(xs) -> T", "ints or floats of an array or a list added up"),
    ("tan", "tan(x: float) -> float", "the tangent of an angle in radians"),
    ("text", "text(b: [byte], from: int, to: int) -> str", "the bytes from..to as a string"),
    ("time", "time() -> float", "seconds since 1970"),
    ("to_array", "to_array(l: list[T]) -> [T]", "the elements in a new array"),
    ("to_dict", "to_dict(l: list[(K, V)]) -> dict[K, V]", "a dict of pairs"),
    (
        "to_list",
        "to_list(xs) -> list[T]",
        "a new list of the parts of an array, list or set, or of the bytes of a string",
    ),
    ("to_set", "to_set(xs) -> set[T]", "the elements of an array or a list"),
    ("trim", "trim(s: str) -> str", "without blanks at both ends"),
    ("trim_end", "trim_end(s: str) -> str", "without blanks at the end"),
    ("trim_start", "trim_start(s: str) -> str", "without blanks at the beginning"),
    ("trunc", "trunc(x: float) -> float", "the whole part"),
    ("union", "union(a: set[T], b: set[T]) -> set[T]", "what is in one of the sets"),
    ("upper", "upper(s: str) -> str", "capital letters"),
    ("values", "values(d: dict[K, V]) -> list[V]", "the values, in the order of insertion"),
    ("write", "write(a, b, ...)", "writes values with nothing between or after them"),
    ("write_file", "write_file(path: str, s: str)", "writes a file anew"),
    ("zip", "zip(xs, ys) -> list[(T, U)]", "pairs of the parts of two arrays or lists, to the end of the shorter"),
];

/// The keywords, and the type that is no conversion.
pub const KEYWORDS: [Row; 26] = [
    ("as", "import \"file.hw\" as name", "keeps the names of a file apart: name.f(x)"),
    ("break", "break\nbreak label", "leaves the innermost loop, or the one with that label"),
    ("byte", "[byte]", "what arrays and fields may store: reads as int 0..255, keeps the low 8 bits"),
    ("catch", "try { } catch e { }", "runs when something in the try fails; e is the message, a str"),
    ("const", "const N = 1_000", "a constant of int, float, bool or str"),
    ("continue", "continue\ncontinue label", "goes on with the next round of a loop"),
    ("else", "if c { } else if d { } else { }", "what happens otherwise"),
    ("enum", "enum Shape { Point, Circle(float) }\nShape.Circle(1.0)", "a value that is one of several variants"),
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
        "match e { 0 => a, 1 | 2 => b, 3..=9 => c, Variant(x) if x > 0 => d, _ => f }",
        "chooses by an int, bool, str, tuple, enum or optional; also an expression",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::source::FileId;
    use crate::token::lex;

    #[test]
    fn everything_that_is_built_in_is_explained() {
        let explained: Vec<&str> = BUILTINS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(explained, Session::builtins());
        assert!(KEYWORDS.is_sorted_by_key(|(name, ..)| *name));
    }

    #[test]
    fn keywords_are_words_of_the_language() {
        for (word, ..) in KEYWORDS {
            let tokens = lex(FileId::from_u32(0), word).tokens;
            assert!(tokens[0].kind.is_keyword() || ["as", "byte", "enum", "step"].contains(&word), "{word}");
        }
    }
}
