//! Definition, references and highlights of a name.
//!
//! In: a position. Out: locations, in the order of documents and places. Invariant: references are those of all programs
//! in which the definition is: of open documents, and of the files in the editor's folders.

use std::path::Path;
use std::rc::Rc;

use holloway_lang::ast::{Item, TopLevel};
use holloway_lang::parse::parse;
use holloway_lang::session::{Analysis, Loader as _};
use holloway_lang::source::Span;
use lsp_types::{
    DocumentHighlight, DocumentHighlightParams, GotoDefinitionParams, Location, Position, Range, ReferenceParams,
};

use super::convert::Places;
use super::documents::{Documents, uri_of};
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
    let everywhere = Everywhere::of(&mut state.programs, &place, definition);
    let named = everywhere.locations(&state.programs.documents).into_iter();
    let wanted = named.filter(|named| !named.is_definition || params.context.include_declaration);
    let mut found: Vec<Location> = wanted.map(|named| named.location).collect();
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

/// A definition, in all programs that have it.
pub(crate) struct Everywhere {
    pub(crate) programs: Vec<Rc<Analysis>>,
    /// The key of its file, and the span of its name there.
    key: String,
    definition: Span,
}

impl Everywhere {
    /// That of a definition of the program at a place.
    pub(crate) fn of(programs: &mut Programs, place: &Place, definition: Span) -> Everywhere {
        let key = place.program.sources().file(definition.file).name.clone();
        let mut programs = programs.using(&key);
        // It may be in a file that no program imports any more.
        if !programs.iter().any(|program| Rc::ptr_eq(program, &place.program)) {
            programs.push(Rc::clone(&place.program));
        }
        Everywhere { programs, key, definition }
    }

    /// The spans of its name in one of the programs; true of the definition itself.
    pub(crate) fn spans<'p>(&self, program: &'p Analysis) -> impl Iterator<Item = (Span, bool)> + use<'p> {
        let file = program.sources().files().find(|(_, file)| file.name == self.key).map(|(file, _)| file);
        let definition = file.map(|file| Span { file, ..self.definition });
        let uses = definition.into_iter().flat_map(|definition| program.index.uses_of(definition));
        definition.into_iter().map(|definition| (definition, true)).chain(uses.map(|span| (span, false)))
    }

    /// The same of all programs, as places of the protocol.
    pub(crate) fn locations(&self, documents: &Documents) -> Vec<Named> {
        let mut found = Vec::new();
        for program in &self.programs {
            let mut places = Places::new(documents, program.sources());
            let named = |(span, is_definition)| Some(Named { location: places.location(span)?, is_definition });
            found.extend(self.spans(program).filter_map(named));
        }
        found
    }
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
