//! Access paths from variables through fields, elements and `!` to a value of a wanted type, and targets to assign.
//!
//! In: the scope. Out: text. Invariant: an index is within bounds unless the place may fail.

use super::Ex;
use crate::r#gen::Gen;
use crate::scope::{Assign, Kind, Length, MIN_LEN, Var};
use crate::ty::Ty;

/// Greatest number of fields and elements on an access path.
const STEPS: u32 = 3;

/// A target of an assignment.
pub(crate) struct AssignTarget {
    /// Its text.
    pub(crate) text: String,
    /// The type of the stored value: `byte` if only the low 8 bits are kept.
    pub(crate) ty: Ty,
    /// The variable itself, if the target is one.
    pub(crate) var: Option<Var>,
}

impl Gen {
    /// A variable of type `ty`.
    pub(super) fn variable(&mut self, ty: &Ty) -> Option<Ex> {
        let fits: Vec<Var> = self.scope.find(|var| var.ty == *ty && is_whole(var)).into_iter().cloned().collect();
        let fits: Vec<&Var> = fits.iter().filter(|var| self.may_name(var)).collect();
        if fits.is_empty() {
            return None;
        }
        // Variables declared late are preferred: real code uses what is near.
        let at = self.rng.below(fits.len() as u64).max(self.rng.below(fits.len() as u64));
        let var = fits[at as usize].clone();
        self.note_use(&var);
        Some(Ex::atom(var.name).at_most(var.str_max))
    }

    /// An access path from a variable to a value of type `ty`.
    pub(crate) fn path(&mut self, ty: &Ty) -> Option<Ex> {
        let starts: Vec<Var> = self
            .scope
            .find(|var| self.types.reaches(&var.ty, ty, STEPS) && self.may_name(var))
            .into_iter()
            .cloned()
            .collect();
        if starts.is_empty() {
            return None;
        }
        for _ in 0..4 {
            let var = self.rng.pick(&starts).clone();
            if let Some(text) = self.walk(&var, ty) {
                self.note_use(&var);
                let str_max = if text == var.name { var.str_max } else { crate::scope::STR_MAX };
                return Some(Ex::atom(text).at_most(str_max));
            }
        }
        None
    }

    fn walk(&mut self, var: &Var, want: &Ty) -> Option<String> {
        let (mut text, mut ty) = (var.name.clone(), var.ty.clone());
        for steps in (0..=STEPS).rev() {
            if ty.read() == want && (text != var.name || is_whole(var)) {
                return Some(text);
            }
            if steps == 0 {
                return None;
            }
            self.spend(2);
            match ty {
                Ty::Array(elem) => {
                    if !self.types.reaches(&elem, want, steps - 1) {
                        return None;
                    }
                    let length = if text == var.name { var.length } else { Length::Usual };
                    let index = self.index(&text, length)?;
                    text = format!("{text}[{index}]");
                    ty = (*elem).clone();
                }
                Ty::Struct(id) => {
                    let fields: Vec<_> = self.types.structs[id]
                        .fields
                        .iter()
                        .filter(|(_, ty)| self.types.reaches(ty, want, steps - 1))
                        .cloned()
                        .collect();
                    if fields.is_empty() {
                        return None;
                    }
                    let (name, field) = self.rng.pick(&fields).clone();
                    text = format!("{text}.{name}");
                    ty = field;
                }
                Ty::Optional(inner) => {
                    if !self.unguarded() {
                        return None;
                    }
                    text.push('!');
                    ty = (*inner).clone();
                }
                Ty::Int | Ty::Float | Ty::Bool | Ty::Byte | Ty::Str | Ty::Fn(_) => return None,
            }
        }
        None
    }

    /// An access path to a value of any type for which `wanted` holds, and that type.
    pub(crate) fn any_path(&mut self, wanted: impl Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let mut found: Vec<Ty> = Vec::new();
        for var in self.scope.visible().filter(|var| self.may_name(var)) {
            let fields = match &var.ty {
                Ty::Struct(id) => self.types.structs[*id].fields.iter().map(|(_, ty)| ty.clone()).collect(),
                Ty::Array(elem) => vec![(**elem).clone()],
                _ => Vec::new(),
            };
            found.extend(fields.into_iter().chain([var.ty.clone()]).filter(|ty| wanted(ty)));
        }
        if found.is_empty() {
            return None;
        }
        let ty = self.rng.pick(&found).clone();
        Some((self.path(&ty)?.text, ty))
    }

    /// An index into the array whose text is `array`.
    pub(crate) fn index(&mut self, array: &str, length: Length) -> Option<String> {
        let safe = match length {
            Length::Usual => MIN_LEN,
            Length::Short => return None,
            Length::Exactly(len) => len,
        };
        if self.unguarded() {
            return Some(match self.rng.below(3) {
                0 => format!("len({array})"),
                1 => self.rng.range(-1, safe).to_string(),
                _ => self.small_int().text,
            });
        }
        self.spend(2);
        let counters: Vec<String> = self
            .scope
            .find(|var| var.range.is_some_and(|(low, high)| low >= 0 && high < safe))
            .iter()
            .map(|var| var.name.clone())
            .collect();
        if !counters.is_empty() && self.rng.chance(70) {
            return Some(self.rng.pick(&counters).clone());
        }
        let power = 1_i64 << safe.ilog2();
        Some(match self.rng.below(4) {
            0 => self.rng.range(0, safe - 1).to_string(),
            1 if self.builtin("abs") => {
                let ex = self.small_int();
                let rest = self.binary(&ex, "%", &Ex::atom(format!("len({array})")), super::Level::Product);
                format!("abs({})", rest.text)
            }
            _ => {
                let ex = self.small_int();
                self.binary(&ex, "&", &Ex::atom((power - 1).to_string()), super::Level::BitAnd).text
            }
        })
    }

    /// An assignment target of a type for which `wanted` holds.
    pub(crate) fn place(&mut self, wanted: impl Fn(&Ty) -> bool) -> Option<AssignTarget> {
        for _ in 0..4 {
            let vars: Vec<Var> = self.scope.find(|var| self.may_name(var)).into_iter().cloned().collect();
            if vars.is_empty() {
                return None;
            }
            let var = self.rng.pick(&vars).clone();
            if let Some(place) = self.place_from(&var, &wanted) {
                self.note_use(&var);
                return Some(place);
            }
        }
        None
    }

    fn place_from(&mut self, var: &Var, wanted: impl Fn(&Ty) -> bool) -> Option<AssignTarget> {
        if var.assign == Assign::Free && wanted(&var.ty) && self.rng.chance(60) {
            return Some(AssignTarget { text: var.name.clone(), ty: var.ty.clone(), var: Some(var.clone()) });
        }
        let (mut text, mut ty) = (var.name.clone(), var.ty.clone());
        for _ in 0..STEPS {
            match ty {
                Ty::Array(elem) => {
                    let length = if text == var.name { var.length } else { Length::Usual };
                    let index = self.index(&text, length)?;
                    text = format!("{text}[{index}]");
                    ty = (*elem).clone();
                }
                Ty::Struct(id) => {
                    let (name, field) = self.rng.pick(&self.types.structs[id].fields).clone();
                    text = format!("{text}.{name}");
                    ty = field;
                }
                Ty::Optional(inner) => {
                    if !self.unguarded() {
                        return None;
                    }
                    text.push('!');
                    ty = (*inner).clone();
                    continue;
                }
                Ty::Int | Ty::Float | Ty::Bool | Ty::Byte | Ty::Str | Ty::Fn(_) => return None,
            }
            self.spend(2);
            if wanted(&ty) && self.rng.chance(70) {
                return Some(AssignTarget { text, ty, var: None });
            }
        }
        None
    }

    /// Returns true if the variable may be named here at all.
    pub(crate) fn may_name(&self, var: &Var) -> bool {
        var.kind != Kind::Global || self.cx.allowed.globals
    }
}

/// Returns true if the variable's value as a whole may be used like any of its type.
fn is_whole(var: &Var) -> bool {
    match var.length {
        Length::Usual => true,
        Length::Short => false,
        Length::Exactly(len) => len <= 32 && !matches!(var.ty, Ty::Array(ref elem) if elem.max_len() < len),
    }
}
