//! Printing: all arguments first, then one write for each value and for each stretch of fixed text.

use super::Lowering;
use crate::ir::{Builtin, Inst, Operand, StrRef, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Expr, ExprKind};

/// The next piece of output.
enum Piece {
    Text(Vec<u8>),
    Value(TypeRef, Operand),
}

impl Lowering<'_> {
    pub(super) fn print(&mut self, span: Span, args: &[Expr]) {
        self.write_all(span, args, b" ", b"\n");
    }

    pub(super) fn write(&mut self, span: Span, args: &[Expr]) {
        self.write_all(span, args, b"", b"");
    }

    pub(super) fn show(&mut self, span: Span, value: &Expr) {
        let operand = self.expr(value);
        self.push(span, Inst::Builtin { dst: None, builtin: Builtin::Show(value.ty), args: vec![operand] });
    }

    fn write_all(&mut self, span: Span, args: &[Expr], between: &[u8], after: &[u8]) {
        let operands = self.operands(args);
        let mut pieces = Vec::new();
        for (at, (arg, operand)) in args.iter().zip(operands).enumerate() {
            if at > 0 {
                add_text(&mut pieces, between);
            }
            match arg.kind {
                ExprKind::Str(id) => {
                    let text = self.module.strings[id].clone();
                    add_text(&mut pieces, &text);
                }
                _ => pieces.push(Piece::Value(arg.ty, operand)),
            }
        }
        add_text(&mut pieces, after);
        for piece in pieces {
            self.write_piece(span, piece);
        }
    }

    fn write_piece(&mut self, span: Span, piece: Piece) {
        let (ty, operand) = match piece {
            Piece::Text(text) => (self.module.intern_type(Type::Str), Operand::Str(self.string(text))),
            Piece::Value(ty, operand) => (ty, operand),
        };
        self.push(span, Inst::Builtin { dst: None, builtin: Builtin::Write(ty), args: vec![operand] });
    }

    fn string(&mut self, text: Vec<u8>) -> StrRef {
        self.module.intern_string(text)
    }
}

/// Adds fixed text, to the text before it if there is some.
fn add_text(pieces: &mut Vec<Piece>, text: &[u8]) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.extend_from_slice(text),
        _ => pieces.push(Piece::Text(text.to_vec())),
    }
}
