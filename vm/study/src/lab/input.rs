//! Input of the lab as JSON.
//!
//! In: text, and the scheme if it is chosen elsewhere. Out: a [`LabInput`], or [`InputError`]. Invariant: procedures, blocks and successors
//! keep the order of the text, which is numbering order.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use holloway_profiler::lab::{Call, CutSites, Lab, LabScheme, Procedure};
use holloway_profiler::number::interprocedural::{AtCut, Base};
use holloway_profiler::scheme::{SCHEMES, Setting};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::lab::SchemeChoice;
use crate::report::text::nearest;

/// An input.
#[derive(Debug)]
pub struct LabInput {
    /// The graphs, the traces in names, and the scheme.
    pub lab: Lab,
    /// The file that has a further trace, from the folder of the input.
    pub trace_file: Option<PathBuf>,
    /// The source of each procedure.
    pub sources: Vec<ProcedureSource>,
}

/// The source of a procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcedureSource {
    /// Its file.
    pub file: Option<String>,
    /// The first and the last line of its blocks.
    pub lines: BTreeMap<String, [u32; 2]>,
}

/// Reasons for which a text is no input.
#[derive(Debug)]
pub enum InputError {
    /// It is no JSON, or not of the form of the lab's input.
    Json(serde_json::Error),
    /// The scheme or one of its options is wrong.
    Scheme(String),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Json(error) => write!(f, "the input is not as docs/lab.md says: {error}"),
            InputError::Scheme(message) => f.write_str(message),
        }
    }
}

#[derive(Deserialize)]
struct LabText {
    scheme: Option<String>,
    k: Option<u64>,
    loops: Option<BTreeMap<String, u32>>,
    nests: Option<String>,
    base: Option<String>,
    cut: Option<Vec<String>>,
    bits: Option<u32>,
    at_cut: Option<String>,
    procedures: InOrder<ProcedureText>,
    main: String,
    #[serde(default)]
    traces: Vec<Vec<String>>,
    trace_file: Option<PathBuf>,
}

#[derive(Deserialize)]
struct ProcedureText {
    entry: String,
    exit: String,
    successors: InOrder<Vec<String>>,
    #[serde(default)]
    calls: InOrder<CallText>,
    file: Option<String>,
    #[serde(default)]
    lines: BTreeMap<String, [u32; 2]>,
}

#[derive(Deserialize)]
struct CallText {
    callee: String,
    return_site: String,
}

/// The members of an object, in the order of the text.
struct InOrder<V>(Vec<(String, V)>);

impl<V> Default for InOrder<V> {
    fn default() -> Self {
        InOrder(Vec::new())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for InOrder<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Members<V> {
            type Value = InOrder<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder<V>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(InOrder(members))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// Reads an input; `chosen` replaces its scheme and the options of that.
pub fn read(text: &[u8], chosen: Option<&SchemeChoice>) -> Result<LabInput, InputError> {
    let mut text: LabText = serde_json::from_slice(text).map_err(InputError::Json)?;
    if let Some(SchemeChoice { name, k, base, bits }) = chosen {
        (text.scheme, text.k) = (Some(name.clone()), *k);
        (text.loops, text.nests) = (None, None);
        (text.base, text.cut, text.bits, text.at_cut) = (base.map(|base| name_of(base).to_owned()), None, *bits, None);
    }
    let scheme = scheme(&text).map_err(InputError::Scheme)?;
    let (mut procedures, mut sources) = (Vec::new(), Vec::new());
    for (name, mut body) in text.procedures.0 {
        sources.push(ProcedureSource { file: body.file.take(), lines: std::mem::take(&mut body.lines) });
        procedures.push((name, procedure(body)));
    }
    let lab = Lab { scheme, procedures, main: text.main, traces: text.traces };
    Ok(LabInput { lab, trace_file: text.trace_file, sources })
}

fn procedure(text: ProcedureText) -> Procedure {
    let call = |(block, call): (String, CallText)| (block, Call { callee: call.callee, return_site: call.return_site });
    Procedure {
        entry: text.entry,
        exit: text.exit,
        successors: text.successors.0,
        calls: text.calls.0.into_iter().map(call).collect(),
    }
}

fn scheme(text: &LabText) -> Result<LabScheme, String> {
    let no_scheme = || "the input has no `scheme`; write one there, or choose one with --scheme".to_owned();
    let name = text.scheme.as_deref().ok_or_else(no_scheme)?;
    let scheme = LabScheme::named(name).ok_or_else(|| unknown(name))?;
    let hybrid = matches!(&scheme, LabScheme::Interprocedural { cut: CutSites::Coldest { .. }, .. });
    let given = [("base", text.base.is_some()), ("cut", text.cut.is_some()), ("bits", text.bits.is_some())];
    if let Some((option, _)) = given.iter().find(|(_, given)| *given && !hybrid) {
        return Err(format!("`{option}` goes with the scheme `ip-hybrid`, not with `{}`", scheme.name()));
    }
    if text.loops.is_some() && !matches!(scheme, LabScheme::Registered(_)) {
        return Err(format!("`loops` goes with the scheme `k-iter`, not with `{}`", scheme.name()));
    }
    let is_iterated = matches!(&scheme, LabScheme::Registered(scheme) if scheme.row().takes.contains(&Setting::Loops));
    if text.nests.is_some() && !is_iterated {
        return Err(format!("`nests` goes with the scheme `k-iter`, not with `{}`", scheme.name()));
    }
    if text.at_cut.is_some() && !matches!(scheme, LabScheme::Interprocedural { .. }) {
        return Err(format!("`at_cut` goes with interprocedural schemes, not with `{}`", scheme.name()));
    }
    match scheme {
        LabScheme::Registered(scheme) | LabScheme::Mixed(scheme, _) | LabScheme::Unrolled(scheme, _) => {
            let scheme = text.k.map_or(Ok(scheme), |k| scheme.with_k(k)).map_err(|error| error.to_string())?;
            let is_unrolled = are_unrolled(text)?;
            match &text.loops {
                None if is_unrolled => Ok(LabScheme::Unrolled(scheme, Vec::new())),
                None => Ok(LabScheme::Registered(scheme)),
                Some(_) if !scheme.row().takes.contains(&Setting::Loops) => {
                    Err(format!("`loops` goes with the scheme `k-iter`, not with `{}`", scheme.name()))
                }
                Some(loops) if loops.values().any(|k| *k == 0) => {
                    Err("`loops` gives each loop a k of 1 or more".into())
                }
                Some(loops) => {
                    let loops = loops.iter().map(|(name, k)| (name.clone(), *k)).collect();
                    Ok(if is_unrolled { LabScheme::Unrolled(scheme, loops) } else { LabScheme::Mixed(scheme, loops) })
                }
            }
        }
        LabScheme::CallingContexts => Ok(LabScheme::CallingContexts),
        LabScheme::Context => Ok(LabScheme::Context),
        LabScheme::Interprocedural { .. } if hybrid => {
            Ok(LabScheme::Interprocedural { base: base(text)?, cut: cut(text)?, at_cut: at_cut(text)? })
        }
        LabScheme::Interprocedural { base, cut, .. } => {
            Ok(LabScheme::Interprocedural { base, cut, at_cut: at_cut(text)? })
        }
    }
}

fn are_unrolled(text: &LabText) -> Result<bool, String> {
    match text.nests.as_deref() {
        None | Some("collapsed") => Ok(false),
        Some("unrolled") => Ok(true),
        Some(other) => Err(format!("`nests` is \"collapsed\" or \"unrolled\", not \"{other}\"")),
    }
}

const CONTEXT: &str = "ip-context";
const PIECEWISE: &str = "ip-piecewise";

fn name_of(base: Base) -> &'static str {
    match base {
        Base::Context => CONTEXT,
        Base::Piecewise => PIECEWISE,
    }
}

fn base(text: &LabText) -> Result<Base, String> {
    match text.base.as_deref() {
        None | Some(CONTEXT) => Ok(Base::Context),
        Some(PIECEWISE) => Ok(Base::Piecewise),
        Some(other) => Err(format!("`base` is \"ip-context\" or \"ip-piecewise\", not \"{other}\"")),
    }
}

fn at_cut(text: &LabText) -> Result<AtCut, String> {
    match text.at_cut.as_deref() {
        None | Some("aside") => Ok(AtCut::Aside),
        Some("split") => Ok(AtCut::Split),
        Some(other) => Err(format!("`at_cut` is \"aside\" or \"split\", not \"{other}\"")),
    }
}

fn cut(text: &LabText) -> Result<CutSites, String> {
    match (&text.cut, text.bits) {
        (Some(_), Some(_)) => {
            Err("`cut` lists call sites, and `bits` lets the coldest be chosen; write one of them".into())
        }
        (Some(blocks), None) => Ok(CutSites::Listed(blocks.clone())),
        (None, None) => Ok(CutSites::FIT_A_WORD),
        (None, Some(bits)) if bits <= u128::BITS => Ok(CutSites::Coldest { bits }),
        (None, Some(_)) => Err("`bits` is at most 128".into()),
    }
}

fn unknown(name: &str) -> String {
    let names = || SCHEMES.iter().map(|row| row.name);
    let hint = nearest(name, names()).map(|near| format!("did you mean `{near}`?"));
    let list = || format!("there are {}", names().collect::<Vec<_>>().join(", "));
    format!("there is no scheme `{name}`; {}", hint.unwrap_or_else(list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_profiler::scheme::Scheme;

    const GRAPH: &str = r#""procedures": {"z": {"entry": "b", "exit": "a", "successors": {"b": ["a"], "a": []}},
        "f": {"entry": "c", "exit": "c", "successors": {}}}, "main": "z""#;

    fn error(options: &str) -> String {
        read(format!("{{{options}, {GRAPH}}}").as_bytes(), None).expect_err("it is wrong").to_string()
    }

    fn scheme_of(options: &str) -> LabScheme {
        read(format!("{{{options}, {GRAPH}}}").as_bytes(), None).expect("it is right").lab.scheme
    }

    #[test]
    fn order_is_kept() {
        let lab = read(format!(r#"{{"scheme": "bl", {GRAPH}, "traces": [["z:b"]]}}"#).as_bytes(), None);
        let lab = lab.expect("an input").lab;
        let names: Vec<&str> = lab.procedures.iter().map(|(name, _)| name.as_str()).collect();
        let blocks: Vec<&str> = lab.procedures[0].1.successors.iter().map(|(block, _)| block.as_str()).collect();
        assert_eq!((names, blocks, lab.traces.len()), (vec!["z", "f"], vec!["b", "a"], 1));
    }

    #[test]
    fn options_of_hybrid_paths() {
        let hybrid = |base, cut| LabScheme::Interprocedural { base, cut, at_cut: AtCut::Aside };
        assert_eq!(scheme_of(r#""scheme": "ip-hybrid""#), hybrid(Base::Context, CutSites::FIT_A_WORD));
        let listed = scheme_of(r#""scheme": "ip-hybrid", "base": "ip-piecewise", "cut": ["z:b"]"#);
        assert_eq!(listed, hybrid(Base::Piecewise, CutSites::Listed(vec!["z:b".into()])));
        let coldest = scheme_of(r#""scheme": "ip-hybrid", "bits": 8"#);
        assert_eq!(coldest, hybrid(Base::Context, CutSites::Coldest { bits: 8 }));
    }

    #[test]
    fn errors_say_what_to_write() {
        assert_eq!(error(r#""scheme": "ip-contxt""#), "there is no scheme `ip-contxt`; did you mean `ip-context`?");
        assert!(error(r#""scheme": "nothing-like-it""#).contains("context, ip-context, ip-piecewise, ip-hybrid"));
        let misplaced = error(r#""scheme": "ip-context", "cut": []"#);
        assert_eq!(misplaced, "`cut` goes with the scheme `ip-hybrid`, not with `ip-context`");
        assert!(error(r#""scheme": "ip-hybrid", "cut": [], "bits": 9"#).ends_with("write one of them"));
        assert_eq!(error(r#""scheme": "ip-hybrid", "bits": 129"#), "`bits` is at most 128");
        assert!(error(r#""scheme": "ip-hybrid", "base": "bl""#).starts_with("`base` is"));
        assert!(error(r#""scheme": "ip-context", "at_cut": "ends""#).starts_with("`at_cut` is"));
        assert!(error(r#""scheme": "context", "at_cut": "split""#).starts_with("`at_cut` goes with"));
        assert!(error(r#""scheme": "k-iter", "k": 0"#).starts_with("--k is the number of"));
        let mixed = LabScheme::Mixed(Scheme::named("k-iter").expect("a row"), vec![("z:b".to_owned(), 3)]);
        assert_eq!(scheme_of(r#""scheme": "k-iter", "loops": {"z:b": 3}"#), mixed);
        assert!(error(r#""scheme": "k-bl", "loops": {"z:b": 3}"#).starts_with("`loops` goes with"));
        assert!(error(r#""scheme": "context", "loops": {"z:b": 3}"#).starts_with("`loops` goes with"));
        assert!(error(r#""scheme": "k-iter", "loops": {"z:b": 0}"#).contains("1 or more"));
        let unrolled = LabScheme::Unrolled(Scheme::named("k-iter").expect("a row"), Vec::new());
        assert_eq!(scheme_of(r#""scheme": "k-iter", "nests": "unrolled""#), unrolled);
        assert!(error(r#""scheme": "bl", "nests": "unrolled""#).starts_with("`nests` goes with"));
        assert!(error(r#""scheme": "context", "nests": "collapsed""#).starts_with("`nests` goes with"));
        assert!(error(r#""scheme": "k-iter", "nests": "rolled""#).starts_with("`nests` is"));
        assert!(error(r#""k": 1"#).starts_with("the input has no `scheme`"));
        assert!(error(r#""k": -1"#).contains("the input is not as docs/lab.md says"));
    }
}
