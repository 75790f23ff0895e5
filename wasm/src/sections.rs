//! The sections of a module, as lowering wants them.
//!
//! In: the bytes of a valid module. Out: its parts, each with index spaces that begin with what is imported. Invariant: only
//! sections that the validator does not look into, names and debug information, may still be malformed.

use crate::types::{FuncType, ValType};
use hashbrown::HashMap;
use holloway_ir::linear::MOST_PAGES;
use holloway_ir::{MemoryDecl, TableDecl};
use wasmparser::{
    Data, Element, ElementItems, ElementKind, Export, FromReader, FunctionBody, GlobalType, MemoryType,
    NameSectionReader, Operator, Parser, Payload, SectionLimited, TableType, TypeRef,
};

/// The name that an import asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportName {
    /// The name of the module.
    pub module: String,
    /// The name in that module.
    pub name: String,
}

/// The parts of a module.
#[derive(Default)]
pub(crate) struct Sections<'a> {
    pub(crate) types: Vec<FuncType>,
    /// The index of each function's type.
    pub(crate) functions: Vec<u32>,
    /// The imports of functions, which are the first functions.
    pub(crate) imported_functions: Vec<ImportName>,
    pub(crate) tables: Vec<TableDecl>,
    pub(crate) imported_tables: Vec<ImportName>,
    pub(crate) memory: Option<MemoryDecl>,
    pub(crate) imported_memory: Option<ImportName>,
    pub(crate) globals: Vec<GlobalVariable>,
    pub(crate) imported_globals: Vec<ImportName>,
    /// The values of the globals that are not imported.
    pub(crate) initial: Vec<Constant>,
    pub(crate) exports: Vec<Export<'a>>,
    pub(crate) start: Option<u32>,
    pub(crate) elements: Vec<Segment<'a>>,
    pub(crate) data: Vec<Data<'a>>,
    pub(crate) bodies: Vec<FunctionBody<'a>>,
    /// The offset of the imports.
    pub(crate) imports: u64,
    /// The offset of the exports.
    pub(crate) exported: u64,
    /// The offset that addresses of debug information count from.
    pub(crate) code: u64,
    pub(crate) names: Option<NameSectionReader<'a>>,
    /// The custom sections of debug information.
    pub(crate) debug: HashMap<&'a str, &'a [u8]>,
}

/// The type of a global.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalVariable {
    /// The type of its value.
    pub ty: ValType,
    /// Returns whether the module may set it.
    pub is_mutable: bool,
}

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    /// An integer, or a binary32, or none, as a word.
    Word(i64),
    /// A float by its bits.
    Float(u64),
    /// The function of that index.
    Function(u32),
    /// The value of the global of that index.
    Global(u32),
}

/// A segment of elements.
pub(crate) struct Segment<'a> {
    pub(crate) kind: ElementKind<'a>,
    /// The references that it has.
    pub(crate) constants: Vec<Constant>,
    /// The offset of the segment.
    pub(crate) offset: u64,
}

/// Reads a module.
pub(crate) fn sections(bytes: &[u8]) -> Sections<'_> {
    let mut all = Sections::default();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.expect(VALID) {
            Payload::TypeSection(types) => {
                all.types = types.into_iter_err_on_gc_types().map(|ty| FuncType::of(&ty.expect(VALID))).collect();
            }
            Payload::ImportSection(imports) => {
                all.imports = imports.range().start;
                imports.into_imports().for_each(|import| all.import(&import.expect(VALID)));
            }
            Payload::FunctionSection(functions) => all.functions.extend(items(functions)),
            Payload::TableSection(tables) => {
                all.tables.extend(items(tables).map(|table| table_decl(&table.ty)));
            }
            Payload::MemorySection(memories) => {
                items(memories).for_each(|memory| all.memory = Some(memory_decl(&memory)));
            }
            Payload::GlobalSection(globals) => {
                for global in items(globals) {
                    all.globals.push(GlobalVariable::of(global.ty));
                    all.initial.push(Constant::of(&global.init_expr));
                }
            }
            Payload::ExportSection(exports) => {
                all.exported = exports.range().start;
                all.exports = items(exports).collect();
            }
            Payload::StartSection { func, .. } => all.start = Some(func),
            Payload::ElementSection(elements) => all.elements = items(elements).map(Segment::of).collect(),
            Payload::DataSection(data) => all.data = items(data).collect(),
            Payload::CodeSectionStart { unchecked_range, .. } => all.code = unchecked_range.start,
            Payload::CodeSectionEntry(body) => all.bodies.push(body),
            Payload::CustomSection(section) => match section.as_known() {
                wasmparser::KnownCustom::Name(names) => all.names = Some(names),
                _ if section.name().starts_with(".debug_") => {
                    all.debug.insert(section.name(), section.data());
                }
                _ => {}
            },
            _ => {}
        }
    }
    all
}

/// The reason for which reading cannot fail.
pub(crate) const VALID: &str = "the module passed the validator";

pub(crate) fn items<'a, T: FromReader<'a>>(section: SectionLimited<'a, T>) -> impl Iterator<Item = T> {
    section.into_iter().map(|item| item.expect(VALID))
}

impl Sections<'_> {
    fn import(&mut self, import: &wasmparser::Import<'_>) {
        let name = ImportName { module: import.module.to_owned(), name: import.name.to_owned() };
        match import.ty {
            TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                self.functions.push(ty);
                self.imported_functions.push(name);
            }
            TypeRef::Table(ty) => {
                self.tables.push(table_decl(&ty));
                self.imported_tables.push(name);
            }
            TypeRef::Memory(ty) => {
                self.memory = Some(memory_decl(&ty));
                self.imported_memory = Some(name);
            }
            TypeRef::Global(ty) => {
                self.globals.push(GlobalVariable::of(ty));
                self.imported_globals.push(name);
            }
            TypeRef::Tag(_) => unreachable!("the validator takes no exceptions"),
        }
    }
}

fn table_decl(ty: &TableType) -> TableDecl {
    let narrow = |count: u64| u32::try_from(count).expect("a table of 32 bits");
    TableDecl { least: narrow(ty.initial), most: ty.maximum.map_or(u32::MAX, narrow) }
}

fn memory_decl(ty: &MemoryType) -> MemoryDecl {
    MemoryDecl { least: ty.initial, most: ty.maximum.unwrap_or(MOST_PAGES) }
}

impl GlobalVariable {
    fn of(ty: GlobalType) -> GlobalVariable {
        GlobalVariable { ty: ValType::of(ty.content_type), is_mutable: ty.mutable }
    }
}

impl<'a> Segment<'a> {
    fn of(element: Element<'a>) -> Segment<'a> {
        let constants = match element.items {
            ElementItems::Functions(functions) => items(functions).map(Constant::Function).collect(),
            ElementItems::Expressions(_, expressions) => items(expressions).map(|expr| Constant::of(&expr)).collect(),
        };
        Segment { kind: element.kind, constants, offset: element.range.start }
    }
}

impl Constant {
    /// The value of an expression, which is one operator without the proposals that are not taken.
    pub(crate) fn of(expr: &wasmparser::ConstExpr<'_>) -> Constant {
        match expr.get_operators_reader().read().expect(VALID) {
            Operator::I32Const { value } => Constant::Word(i64::from(value as u32)),
            Operator::I64Const { value } => Constant::Word(value),
            Operator::F32Const { value } => Constant::Word(i64::from(value.bits())),
            Operator::F64Const { value } => Constant::Float(value.bits()),
            Operator::RefNull { .. } => Constant::Word(0),
            Operator::RefFunc { function_index } => Constant::Function(function_index),
            Operator::GlobalGet { global_index } => Constant::Global(global_index),
            other => unreachable!("the validator takes no {other:?} here"),
        }
    }
}
