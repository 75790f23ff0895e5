//! Definition, references and highlights of a name.
//!
//! In: a position. Out: locations, in the order of documents and places. Invariant: references are those of all programs
//! in which the definition is: of open documents, and of the files in the editor's folders.

use std::path::Path;

use holloway_lang::ast::{Item, TopLevel};
use holloway_lang::parse::parse;
use holloway_lang::session::Loader as _;
use holloway_lang::source::Span;
use lsp_types::{
    DocumentHighlight, DocumentHighlightParams, GotoDefinitionParams, Location, Position, Range, ReferenceParams,
};

use super::convert::Places;
use super::documents::uri_of;
use super::loader::OpenFirst;
use super::programs::{Place, Programs};
use super::state::State;

/// The place at which a name is defined, or the file that an import names.
pub(crate) fn definition(state: &mut State, params: GotoDefinitionParams) -> Option<Location> {
    let at = params.text_document_position_params;
    let place = state.programs.place(&at.text_document.uri, at.position)?;
    if let Some((_, symbol)) = place.program.index.at(place.file, place.offset) {
        return Places::new(&state.programs.documents, place.program.sources()).location(symbol.span);
    }
    imported(&state.programs, &place)
}

/// The file that the import at a place names.
fn imported(programs: &Programs, place: &Place) -> Option<Location> {
    let sources = place.program.sources();
    let (program, _) = parse(sources, place.file);
    let import = program.body.iter().find_map(|part| match part {
        TopLevel::Item(Item::Import(import)) => {
            let span = import.path_span;
            (span.start <= place.offset && place.offset <= span.end).then_some(import)
        }
        TopLevel::Item(_) | TopLevel::Stmt(_) => None,
    })?;
    let importer = &sources.file(place.file).name;
    let key = OpenFirst(&programs.documents).resolve(Some(importer), &import.path).ok()?.key;
    let uri =
        programs.documents.of_file(&key).map(|document| document.uri.clone()).or_else(|| uri_of(Path::new(&key)))?;
    let start = Position::new(0, 0);
    Some(Location { uri, range: Range::new(start, start) })
}

/// All uses of a name.
pub(crate) fn references(state: &mut State, params: ReferenceParams) -> Option<Vec<Location>> {
    let at = params.text_document_position;
    let place = state.programs.place(&at.text_document.uri, at.position)?;
    let definition = place.program.index.at(place.file, place.offset)?.1.span;
    let mut found = Vec::new();
    for named in everywhere(&mut state.programs, &place, definition) {
        if named.is_definition && !params.context.include_declaration {
            continue;
        }
        found.push(named.location);
    }
    found.sort_by(|one: &Location, other| {
        (one.uri.as_str(), one.range.start).cmp(&(other.uri.as_str(), other.range.start))
    });
    found.dedup();
    Some(found)
}

/// A place at which a name stands.
pub(crate) struct Named {
    pub(crate) location: Location,
    pub(crate) is_definition: bool,
}

/// The places at which a definition of a program is named, in all programs.
pub(crate) fn everywhere(programs: &mut Programs, place: &Place, definition: Span) -> Vec<Named> {
    let key = place.program.sources().file(definition.file).name.clone();
    let mut found = Vec::new();
    let mut all = programs.using(&key);
    all.push(std::rc::Rc::clone(&place.program));
    for program in all {
        let Some((file, _)) = program.sources().files().find(|(_, file)| file.name == key) else { continue };
        let definition = Span { file, ..definition };
        let mut places = Places::new(&programs.documents, program.sources());
        let spans = [(definition, true)].into_iter().chain(program.index.uses_of(definition).map(|span| (span, false)));
        let named = |(span, is_definition)| Some(Named { location: places.location(span)?, is_definition });
        found.extend(spans.filter_map(named));
    }
    found
}

/// The uses of a name in its document.
pub(crate) fn highlights(state: &mut State, params: DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let at = params.text_document_position_params;
    let place = state.programs.place(&at.text_document.uri, at.position)?;
    let definition = place.program.index.at(place.file, place.offset)?.1.span;
    let mut places = Places::new(&state.programs.documents, place.program.sources());
    let spans = [definition].into_iter().chain(place.program.index.uses_of(definition));
    let here = spans.filter(|span| span.file == place.file);
    Some(here.map(|span| DocumentHighlight { range: places.range(span), kind: None }).collect())
}
