//! Renaming a name everywhere.
//!
//! In: a name and a new one. Out: the edits, or the reason why the new name does not do. Invariant: after the edits every
//! name means what it meant before: the programs are analysed with the edits made, and compared.

use std::collections::BTreeMap;
use std::rc::Rc;

use holloway_lang::index::Symbol;
use holloway_lang::session::Analysis;
use holloway_lang::source::{FileId, Span};
use holloway_lang::token::{is_name, is_word};
use lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit};

use super::convert::{Edits, Places};
use super::documents::Documents;
use super::navigation::Everywhere;
use super::programs::{Place, analyse};
use super::state::State;

/// The name that would be renamed.
pub(crate) fn prepare(state: &mut State, params: &TextDocumentPositionParams) -> Result<PrepareRenameResponse, String> {
    let place = state.programs.place(&params.text_document.uri, params.position);
    let place = place.ok_or("the document is not open")?;
    let (span, symbol) = named(&place)?;
    let mut places = Places::new(&state.programs.documents, place.program.sources());
    Ok(PrepareRenameResponse::RangeWithPlaceholder { range: places.range(span), placeholder: symbol.name.clone() })
}

fn named(place: &Place) -> Result<(Span, &Symbol), String> {
    let found = place.program.index.at(place.file, place.offset);
    found.ok_or_else(|| "there is no name of the program here; built-ins and labels cannot be renamed".to_owned())
}

/// The edits that rename a name.
pub(crate) fn rename(state: &mut State, params: &RenameParams) -> Result<WorkspaceEdit, String> {
    let (at, new) = (&params.text_document_position, params.new_name.as_str());
    check_word(new)?;
    let place = state.programs.place(&at.text_document.uri, at.position).ok_or("the document is not open")?;
    let symbol = named(&place)?.1.clone();
    if symbol.name == new {
        return Ok(Edits::default().finish());
    }
    if symbol.name == "main" {
        return Err("`main` is what runs; another function of that name would not".to_owned());
    }
    let everywhere = Everywhere::of(&mut state.programs, &place, symbol.span);
    check_open_names(&everywhere.programs, &symbol)?;
    check_meanings(&state.programs.documents, &everywhere, new)?;
    let mut edits = Edits::default();
    for named in everywhere.locations(&state.programs.documents) {
        edits.add(named.location, new);
    }
    Ok(edits.finish())
}

/// Refuses what is no name.
fn check_word(new: &str) -> Result<(), String> {
    match new {
        "_" => Err("`_` binds nothing".to_owned()),
        _ if is_name(new) => Ok(()),
        _ if is_word(new) => Err(format!("`{new}` is a keyword")),
        _ => Err(format!("`{new}` is no name: a name has letters, digits and `_`, and begins with no digit")),
    }
}

/// Refuses to rename a field or variant while a name like it stands in a function that was not checked: nothing tells
/// whose it is.
fn check_open_names(programs: &[Rc<Analysis>], symbol: &Symbol) -> Result<(), String> {
    use holloway_lang::index::SymbolKind::{Field, Variant};
    if !matches!(symbol.kind, Field | Variant) {
        return Ok(());
    }
    for program in programs {
        let sources = program.sources();
        if let Some(open) = program.index.open().iter().find(|span| sources.snippet(**span) == symbol.name) {
            let place = sources.place(*open);
            return Err(format!(
                "it is not known what `{}` at {place} means: what it is part of is never called, or has errors",
                symbol.name
            ));
        }
    }
    Ok(())
}

/// A name by its file and the start that it has before the edits.
type Spot = (String, u32);

/// Refuses a new name with which any name of a program would mean something else, or with which an error would come.
fn check_meanings(documents: &Documents, everywhere: &Everywhere, new: &str) -> Result<(), String> {
    let programs = &everywhere.programs;
    let mut spots: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for program in programs {
        for (span, _) in everywhere.spans(program) {
            spots.entry(program.sources().file(span.file).name.clone()).or_default().push(span);
        }
    }
    let mut changed = Documents::default();
    documents.all().for_each(|document| _ = changed.open(&document.uri, &document.text, document.version));
    for (key, spans) in &mut spots {
        spans.sort_unstable_by_key(|span| (span.start, span.end));
        spans.dedup_by_key(|span| span.start);
        let Some(text) = text_of(programs, key) else { continue };
        let mut text = text.to_owned();
        for span in spans.iter().rev() {
            text.replace_range(span.start as usize..span.end as usize, new);
        }
        changed.set_file(key, &text);
    }
    for program in programs {
        let Some(root) = program.root else { continue };
        let key = &program.sources().file(root).name;
        let Some(text) = changed
            .of_file(key)
            .map(|document| document.text.clone())
            .or_else(|| text_of(programs, key).map(str::to_owned))
        else {
            continue;
        };
        let Some(after) = analyse(&changed, key, text.as_bytes(), None) else { continue };
        compare(program, &after, &spots, new)?;
    }
    Ok(())
}

fn text_of<'p>(programs: &'p [Rc<Analysis>], key: &str) -> Option<&'p str> {
    programs
        .iter()
        .find_map(|program| program.sources().files().find(|(_, file)| file.name == key).map(|(_, file)| &*file.text))
}

/// Compares the meanings of all names before and after the edits.
fn compare(before: &Analysis, after: &Analysis, spots: &BTreeMap<String, Vec<Span>>, new: &str) -> Result<(), String> {
    let errors = |program: &Analysis| program.diagnostics.iter().filter(|found| found.is_error()).count();
    if errors(after) > errors(before) {
        let error = after.diagnostics.iter().find(|found| found.is_error()).expect("there is one more");
        let place = after.sources().place(error.span);
        return Err(format!("`{new}` does not fit: {} ({place})", error.message()));
    }
    let spot = |program: &Analysis, span: Span| {
        let name = program.sources().file(span.file).name.clone();
        (name, span.start)
    };
    let moved = |span: Span| -> Spot {
        let name = before.sources().file(span.file).name.clone();
        let edited = spots.get(&name).map_or(&[][..], Vec::as_slice);
        // All are of one name.
        let longer = edited.first().map_or(0, |edited| new.len() as i64 - i64::from(edited.end - edited.start));
        let before = edited.partition_point(|edited| edited.start < span.start) as i64;
        (name, (i64::from(span.start) + longer * before) as u32)
    };
    let meant: BTreeMap<Spot, Spot> = before.index.uses().iter().map(|&(used, of)| (moved(used), moved(of))).collect();
    let means: BTreeMap<Spot, Spot> =
        after.index.uses().iter().map(|&(used, of)| (spot(after, used), spot(after, of))).collect();
    let differs = meant.iter().find(|(used, of)| means.get(*used) != Some(*of)).map(|(used, _)| used);
    let differs = differs.or_else(|| means.keys().find(|used| !meant.contains_key(*used)));
    match differs {
        None => Ok(()),
        Some((name, start)) => {
            let file = after.sources().files().find(|(_, file)| file.name == *name).map(|(file, _)| file);
            let place = file.map_or_else(String::new, |file| after.sources().place(at(file, *start)));
            Err(format!("there is another `{new}`: the name at {place} would mean something else"))
        }
    }
}

fn at(file: FileId, start: u32) -> Span {
    Span::new(file, start, start)
}
