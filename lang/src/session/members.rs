//! The names that may follow a dot or stand in a call, by the definition before them.
//!
//! In: a name, or an import's name and a name of that file. Out: names. Invariant: a path that means nothing has none.

use super::{Definition, Session};
use crate::ast;
use crate::check::blueprint::TemplateItem;
use crate::check::environment::{Def, DefKind};
use crate::ir::FuncRef;

impl Session {
    /// The names that may follow `path` and a dot: variants of an enum, definitions of an imported file.
    pub fn members(&self, path: &[&str]) -> Vec<String> {
        match self.meaning(path) {
            Some(DefKind::Template(id)) => match &self.env.templates[id].item {
                TemplateItem::Enum(item) => item.variants.iter().map(|variant| variant.name.text.to_string()).collect(),
                TemplateItem::Fn(..) | TemplateItem::Struct(_) => Vec::new(),
            },
            Some(DefKind::Module(file)) => {
                let own = self.env.names_of(file).iter().filter(|(_, def)| def.span.file == file);
                own.map(|(name, _)| name.to_string()).collect()
            }
            Some(DefKind::Fn(_) | DefKind::Struct(_) | DefKind::Const(_) | DefKind::Global(_)) | None => Vec::new(),
        }
    }

    /// The fields that a value of the struct `path` is made with.
    pub fn fields(&self, path: &[&str]) -> Vec<String> {
        let item = match self.meaning(path) {
            Some(DefKind::Struct(record)) => self.env.struct_item(record),
            Some(DefKind::Template(id)) => match &self.env.templates[id].item {
                TemplateItem::Struct(item) => Some(item),
                TemplateItem::Fn(..) | TemplateItem::Enum(_) => None,
            },
            Some(DefKind::Fn(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_)) | None => None,
        };
        let name = |field: &ast::FieldDecl| field.name.text.to_string();
        item.into_iter().flat_map(|item| &item.fields).map(name).collect()
    }

    /// The definition that `path` means.
    pub fn definition_of(&self, path: &[&str]) -> Option<Definition> {
        let name = path.last()?;
        self.found(path).map(|def| self.env.definition(name, def, &self.sources))
    }

    /// The function that `path` means.
    pub fn function_of(&self, path: &[&str]) -> Option<FuncRef> {
        match self.found(path)?.kind {
            DefKind::Fn(func) => Some(func),
            DefKind::Struct(_) | DefKind::Template(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => {
                None
            }
        }
    }

    fn meaning(&self, path: &[&str]) -> Option<DefKind> {
        self.found(path).map(|def| def.kind)
    }

    fn found(&self, path: &[&str]) -> Option<Def> {
        match path {
            [name] => self.env.names.get(*name).copied(),
            [module, name] => match self.env.names.get(*module)?.kind {
                DefKind::Module(file) => self.env.member_of(file, name),
                DefKind::Fn(_) | DefKind::Struct(_) | DefKind::Template(_) | DefKind::Const(_) | DefKind::Global(_) => {
                    None
                }
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Input, Loader, Resolved, SessionKind};
    use super::*;

    struct OneFile;

    impl Loader for OneFile {
        fn resolve(&mut self, _: Option<&str>, path: &str) -> Result<Resolved, String> {
            Ok(Resolved { key: path.to_owned(), name: path.to_owned() })
        }

        fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
            Ok(b"struct Point { x: int, y: int }\nenum Side { Left, Right }\nfn area() { }".to_vec())
        }
    }

    #[test]
    fn members_and_fields_are_those_of_the_definition() {
        let mut session = Session::new(SessionKind::Repl);
        let text = "import \"geo.hw\" as geo\nenum E { A(int), B }\nstruct Pair[T] { a: T, b: T }\nlet n = 1";
        session.add(Input { name: "a", key: None, bytes: text.as_bytes() }, &mut OneFile).expect("it is right");
        let members = |path: &[&str]| {
            let mut members = session.members(path);
            members.sort_unstable();
            members.join(" ")
        };
        assert_eq!(members(&["E"]), "A B");
        assert_eq!(members(&["geo"]), "Point Side area");
        assert_eq!(members(&["geo", "Side"]), "Left Right");
        assert_eq!([members(&["n"]), members(&["Pair"]), members(&["geo", "n"]), members(&[])], [""; 4]);
        assert_eq!(session.fields(&["Pair"]), ["a", "b"]);
        assert_eq!(session.fields(&["geo", "Point"]), ["x", "y"]);
        assert!(session.fields(&["E"]).is_empty());
        let head = |path: &[&str]| session.definition_of(path).map(|found| found.head);
        assert_eq!([head(&["geo", "area"]), head(&["n"])], [Some("fn area()".into()), Some("let n: int".into())]);
        assert_eq!([head(&["geo", "n"]), head(&["n", "area"]), head(&[])], [None, None, None]);
        assert!(session.function_of(&["geo", "area"]).is_some() && session.function_of(&["n"]).is_none());
    }
}
