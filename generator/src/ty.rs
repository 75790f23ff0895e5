//! Types, and the structs and signatures that a program declares.
//!
//! In: random choices. Out: [`Types`], read by every producer of a value. Invariants: a struct holds others
//! without `?` only if they were declared before it, so that a value of every type can be written down; signatures
//! have no function types; `byte` stands only in arrays and fields.

use std::rc::Rc;

use crate::rng::Rng;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Int,
    Float,
    Bool,
    Byte,
    Str,
    Array(Rc<Ty>),
    Struct(usize),
    Optional(Rc<Ty>),
    Fn(usize),
}

/// A struct.
pub(crate) struct Struct {
    /// Its name.
    pub(crate) name: String,
    /// Names and types of its fields.
    pub(crate) fields: Vec<(String, Ty)>,
}

/// The type of a function value.
pub(crate) struct Signature {
    /// The types of its parameters.
    pub(crate) params: Vec<Ty>,
    /// The type of its result.
    pub(crate) result: Option<Ty>,
}

/// The types that a program declares.
pub(crate) struct Types {
    /// Its structs.
    pub(crate) structs: Vec<Struct>,
    /// The function types it uses.
    pub(crate) signatures: Vec<Signature>,
    /// Types to choose from, a frequent one several times.
    pool: Vec<Ty>,
}

const STRUCT_NAMES: &[&str] =
    &["Point", "Node", "Cell", "Pair", "Entry", "Shape", "Token", "Body", "Rule", "Queue", "Frame", "Leaf"];
const FIELD_NAMES: &[&str] =
    &["x", "y", "next", "left", "right", "key", "value", "count", "name", "kind", "data", "op", "tag", "size", "mass"];
const SCALARS: &[Ty] = &[Ty::Int, Ty::Int, Ty::Int, Ty::Float, Ty::Bool, Ty::Str];

impl Ty {
    /// `[self]`
    pub(crate) fn array(self) -> Self {
        Self::Array(Rc::new(self))
    }

    /// `self?`
    pub(crate) fn optional(self) -> Self {
        Self::Optional(Rc::new(self))
    }

    /// The type that reading such an element or field gives.
    pub(crate) fn read(&self) -> &Self {
        match self {
            Self::Byte => &Self::Int,
            Self::Int | Self::Float | Self::Bool | Self::Str => self,
            Self::Array(_) | Self::Struct(_) | Self::Optional(_) | Self::Fn(_) => self,
        }
    }

    /// Returns true if a literal of the type says its type: `let` needs no annotation.
    pub(crate) fn is_evident(&self) -> bool {
        match self {
            Self::Int | Self::Float | Self::Bool | Self::Str | Self::Struct(_) | Self::Fn(_) => true,
            Self::Byte | Self::Optional(_) => false,
            Self::Array(elem) => elem.is_evident(),
        }
    }

    /// The largest length of an array with such elements that stays in a variable.
    pub(crate) fn max_len(&self) -> i64 {
        match self {
            Self::Int | Self::Float | Self::Bool => 32,
            Self::Byte => 64,
            Self::Str | Self::Fn(_) => 8,
            Self::Array(_) | Self::Struct(_) | Self::Optional(_) => 6,
        }
    }
}

impl Types {
    /// Chooses the structs, signatures and the mix of types of a program.
    pub(crate) fn choose(rng: &mut Rng) -> Self {
        let mut types = Self { structs: Vec::new(), signatures: Vec::new(), pool: Vec::new() };
        let mut names = STRUCT_NAMES.to_vec();
        rng.shuffle(&mut names);
        let structs = rng.range(1, 3) as usize;
        for (id, name) in names.iter().take(structs).enumerate() {
            let fields = Self::fields(rng, id);
            types.structs.push(Struct { name: (*name).to_owned(), fields });
        }
        for _ in 0..rng.range(1, 3) {
            let signature = Self::signature(rng, structs);
            types.signatures.push(signature);
        }
        types.add_function_fields(rng);
        types.fill_pool(rng);
        types
    }

    fn fields(rng: &mut Rng, id: usize) -> Vec<(String, Ty)> {
        let mut names = FIELD_NAMES.to_vec();
        rng.shuffle(&mut names);
        let mut fields: Vec<(String, Ty)> = Vec::new();
        for name in names.iter().take(rng.range(2, 4) as usize) {
            let ty = match rng.below(14) {
                0..=5 => rng.pick(SCALARS).clone(),
                6 => Ty::Byte,
                7 => Ty::Int.array(),
                8 => rng.pick(&[Ty::Byte, Ty::Float, Ty::Bool]).clone().array(),
                9 if id > 0 => Ty::Struct(rng.below(id as u64) as usize),
                10 => Ty::Str.optional(),
                _ => Ty::Struct(rng.below(id as u64 + 1) as usize).optional(),
            };
            fields.push(((*name).to_owned(), ty));
        }
        if id == 0 {
            fields.push(("link".to_owned(), Ty::Struct(0).optional()));
        }
        fields
    }

    fn signature(rng: &mut Rng, structs: usize) -> Signature {
        let params = (0..rng.range(0, 3))
            .map(|_| match rng.below(10) {
                0..=7 => rng.pick(SCALARS).clone(),
                8 => Ty::Int.array(),
                _ => Ty::Struct(rng.below(structs as u64) as usize),
            })
            .collect();
        let result = match rng.below(10) {
            0 => None,
            1 => Some(Ty::Struct(rng.below(structs as u64) as usize)),
            2 => Some(Ty::Str.optional()),
            _ => Some(rng.pick(SCALARS).clone()),
        };
        Signature { params, result }
    }

    fn add_function_fields(&mut self, rng: &mut Rng) {
        for id in 0..self.structs.len() {
            if rng.chance(25) {
                let op = Ty::Fn(rng.below(self.signatures.len() as u64) as usize);
                let ty = if rng.chance(35) { op.optional() } else { op };
                self.structs[id].fields.push(("run".to_owned(), ty));
            }
        }
    }

    fn fill_pool(&mut self, rng: &mut Rng) {
        let scalars = [(9, Ty::Int), (4, Ty::Float), (3, Ty::Bool), (4, Ty::Str), (3, Ty::Int.array())];
        for (times, ty) in scalars {
            self.pool.extend(std::iter::repeat_n(ty, times));
        }
        let record = Ty::Struct(rng.below(self.structs.len() as u64) as usize);
        let op = Ty::Fn(rng.below(self.signatures.len() as u64) as usize);
        let mut rest = vec![
            Ty::Float.array(),
            Ty::Byte.array(),
            Ty::Bool.array(),
            Ty::Str.array(),
            Ty::Int.array().array(),
            Ty::Float.array().array(),
            Ty::Byte.array().array(),
            record.clone().array(),
            record.clone().optional(),
            record.clone().optional(),
            record.clone().optional().array(),
            Ty::Str.optional(),
            Ty::Int.array().optional(),
            Ty::Str.optional().array(),
            op.clone(),
            op.clone().array(),
            op.clone().optional(),
            op.optional().array(),
        ];
        rng.shuffle(&mut rest);
        rest.truncate(9);
        self.pool.extend(rest);
        self.pool.extend([record.clone(), record]);
        self.pool.extend((0..self.structs.len()).map(Ty::Struct));
        self.pool.extend((0..self.signatures.len()).map(Ty::Fn));
    }

    /// A type for a variable, parameter or result.
    pub(crate) fn any(&self, rng: &mut Rng) -> Ty {
        rng.pick(&self.pool).clone()
    }

    /// The type as it is written.
    pub(crate) fn text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "int".to_owned(),
            Ty::Float => "float".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Byte => "byte".to_owned(),
            Ty::Str => "str".to_owned(),
            Ty::Array(elem) => format!("[{}]", self.text(elem)),
            Ty::Struct(id) => self.structs[*id].name.clone(),
            Ty::Optional(inner) if matches!(**inner, Ty::Fn(_)) => format!("({})?", self.text(inner)),
            Ty::Optional(inner) => format!("{}?", self.text(inner)),
            Ty::Fn(id) => {
                let signature = &self.signatures[*id];
                let params: Vec<_> = signature.params.iter().map(|ty| self.text(ty)).collect();
                let result = signature.result.as_ref().map(|ty| format!(" -> {}", self.text(ty)));
                format!("fn({}){}", params.join(", "), result.unwrap_or_default())
            }
        }
    }

    /// Returns true if a value of type `want` can be read from one of type `from` in at most `steps` fields and
    /// elements.
    pub(crate) fn reaches(&self, from: &Ty, want: &Ty, steps: u32) -> bool {
        if from.read() == want {
            return true;
        }
        if steps == 0 {
            return false;
        }
        match from {
            Ty::Int | Ty::Float | Ty::Bool | Ty::Byte | Ty::Str | Ty::Fn(_) => false,
            Ty::Array(inner) | Ty::Optional(inner) => self.reaches(inner, want, steps - 1),
            Ty::Struct(id) => self.structs[*id].fields.iter().any(|(_, ty)| self.reaches(ty, want, steps - 1)),
        }
    }

    /// Approximate bound on the operations that printing such a value takes; nesting past `depth` prints as `...`.
    pub(crate) fn print_cost(&self, ty: &Ty, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        match ty {
            Ty::Int | Ty::Float | Ty::Bool | Ty::Byte | Ty::Fn(_) => 1,
            Ty::Str => 2,
            Ty::Array(elem) => elem.max_len() as u64 * self.print_cost(elem, depth - 1),
            Ty::Optional(inner) => self.print_cost(inner, depth),
            Ty::Struct(id) => self.structs[*id].fields.iter().map(|(_, ty)| self.print_cost(ty, depth - 1)).sum(),
        }
    }
}
