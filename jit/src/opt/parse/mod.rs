//! Reads the text that [`super::print`] writes, for tests and for tools that keep functions in files.
//!
//! In: text. Out: a function, not verified; errors name the line and what was expected there. What is left out of the text has
//! its default: a block comes from `block0`, and an instruction without `@` has a site of its own in `f0`.
//! Invariant: values and blocks keep their numbers. Constants, which have none in the text, are numbered behind all others.

mod op;

use super::inlined::Inlined;
use super::ssa::{Block, BlockData, Def, Func, InstData, Op, Origin, Seen, Target, Term, Value, ValueData};
use crate::body::site::Site;
use crate::settings::parse::MOST;
use cranelift_entity::EntityRef;
use hashbrown::HashSet;
use holloway_lang::ir::parse::{operand, scalar, span};
use holloway_lang::ir::scan::{ParseError, Parsed, Scanner, fail, refuse};
use holloway_lang::ir::{self, FailKind, Operand, Scalar};

/// Parses a function.
pub fn function(text: &str) -> Result<Func, ParseError> {
    let mut parser = Parser {
        s: Scanner::new(text),
        func: Func::new(None),
        values: numbered(text),
        known: HashSet::new(),
        blocks: HashSet::new(),
    };
    parser.function()?;
    Ok(parser.func)
}

/// One more than the greatest number of a value in a text.
fn numbered(text: &str) -> usize {
    let number = |rest: &str| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest[..digits].parse::<usize>().ok().filter(|number| *number < MOST)
    };
    text.split('%').skip(1).filter_map(number).max().map_or(0, |most| most + 1)
}

struct Parser<'a> {
    s: Scanner<'a>,
    func: Func,
    /// Constants are numbered from here on.
    values: usize,
    /// Values with a definition.
    known: HashSet<Value>,
    /// Blocks that stand in the text.
    blocks: HashSet<Block>,
}

impl Parser<'_> {
    fn function(&mut self) -> Parsed<()> {
        for _ in 0..self.values {
            self.func.values.push(ValueData { scalar: Scalar::Int, def: Def::Const(Operand::Int(0)) });
        }
        self.s.word("ssa")?;
        if self.s.eat("->") {
            self.func.result = Some(scalar(&mut self.s)?);
        }
        self.s.expect("{")?;
        self.declarations()?;
        if !self.s.peek_id("b") {
            return fail(&self.s, "expected a block");
        }
        self.func.entry = self.s.clone().id("b")?;
        while !self.s.eat("}") {
            self.block()?;
        }
        if !self.s.at_end() {
            return fail(&self.s, "expected the end of the text");
        }
        let Func { entry, blocks, values, .. } = &self.func;
        self.func.params = blocks[*entry].params.iter().map(|param| values[*param].scalar).collect();
        self.check()
    }

    /// Refuses values, blocks and sites that are used and not defined.
    fn check(&self) -> Parsed<()> {
        let Func { blocks, insts, values, sites, .. } = &self.func;
        let known = |value: &Value| value.index() >= self.values || self.known.contains(value);
        for (block, data) in blocks.iter().filter(|(block, _)| self.blocks.contains(block)) {
            let targets = data.term.targets();
            let args = targets.clone().flat_map(|to| &to.args);
            let operands = data.insts.iter().flat_map(|inst| &insts[*inst].args);
            if let Some(value) = args.chain(operands).copied().chain(data.term.operand()).find(|value| !known(value)) {
                return fail(&self.s, &format!("{value} is not defined"));
            }
            // A handler that nothing leads to is not printed.
            let handler = data.handler.filter(|_| self.func.can_fail(block));
            let mut to = targets.clone().map(|to| to.block).chain(handler);
            if let Some(block) = to.find(|block| !self.blocks.contains(block)) {
                return fail(&self.s, &format!("{block} is not defined"));
            }
            let used = data.insts.iter().map(|inst| insts[*inst].site).chain([data.term_site, self.func.entry_site]);
            if let Some(site) = used.into_iter().find(|site| *site as usize >= sites.len()) {
                return fail(&self.s, &format!("site {site} is not defined"));
            }
        }
        debug_assert!(values.len() >= self.values, "values only get more");
        Ok(())
    }

    fn declarations(&mut self) -> Parsed<()> {
        while !self.s.peek_id("b") {
            match self.s.any_word()? {
                "osr_entry" => self.func.osr_entry = true,
                "polls" => self.func.has_polls = true,
                "osr_points" => self.func.has_osr_points = true,
                "inlined" => {
                    let calls = self.s.number()? as u32;
                    self.s.word("guarded")?;
                    self.func.inlined = Inlined { calls, guarded: self.s.number()? as u32, size: 0 };
                }
                "slot" => {
                    self.next(self.func.slots.len())?;
                    self.s.expect(":")?;
                    self.func.slots.push(scalar(&mut self.s)?);
                }
                "pending" => {
                    let slot = self.s.number()? as u32;
                    let call = self.in_site()?;
                    self.func.pending.push((call, slot));
                }
                "site" => self.site_declaration()?,
                "entry" => {
                    self.s.expect("@")?;
                    self.func.entry_site = self.s.number()? as u32;
                }
                _ => return refuse(&self.s, "expected a declaration"),
            }
        }
        Ok(())
    }

    /// A number that must be that one.
    fn next(&mut self, number: usize) -> Parsed<()> {
        if self.s.number()? == number { Ok(()) } else { refuse(&self.s, &format!("expected {number}")) }
    }

    fn site_declaration(&mut self) -> Parsed<()> {
        self.next(self.func.sites.len())?;
        self.s.expect("=")?;
        let (func, block, span) = (self.s.id("f")?, self.s.id("block")?, span(&mut self.s)?);
        let inlined_at = self.in_site()?;
        self.func.sites.push(Site { func, block, span, inlined_at, expanded: None.into() });
        Ok(())
    }

    /// The call that something was inlined at, if it was.
    fn in_site(&mut self) -> Parsed<Option<u32>> {
        if !self.s.eat_word("in") {
            return Ok(None);
        }
        self.s.expect("@")?;
        Ok(Some(self.s.number()? as u32))
    }

    /// The site of an instruction of a block.
    fn site(&mut self, origin: ir::Block) -> Parsed<u32> {
        if self.s.eat("@") {
            return Ok(self.s.number()? as u32);
        }
        let span = span(&mut Scanner::new(""))?;
        let func = ir::FuncRef::from_u32(0);
        self.func.sites.push(Site { func, block: origin, span, inlined_at: None, expanded: None.into() });
        Ok(self.func.sites.len() as u32 - 1)
    }

    /// The id of a block, with room for it.
    fn block_id(&mut self) -> Parsed<Block> {
        let block: Block = self.s.id("b")?;
        if block.index() >= MOST {
            return refuse(&self.s, "the number is too great");
        }
        while self.func.blocks.len() <= block.index() {
            self.func.new_block(Origin::own(ir::Block::from_u32(0)), None, 0);
        }
        Ok(block)
    }

    fn block(&mut self) -> Parsed<()> {
        let block = self.block_id()?;
        if !self.blocks.insert(block) {
            return refuse(&self.s, "the block is there already");
        }
        let params = self.params(block)?;
        let origin = if self.s.eat_word("from") { self.s.id("block")? } else { ir::Block::from_u32(0) };
        let inlined = self.s.eat_word("inlined");
        let handler = if self.s.eat_word("catch") { Some(self.block_id()?) } else { None };
        let cold = self.s.eat_word("cold");
        let rare = self.s.eat_word("rare");
        if self.s.eat_word("mostly_then") {
            self.func.mostly_then.insert(block);
        }
        let weight = if self.s.eat_word("weight") { Some(self.float()?) } else { None };
        let rounds = if self.s.eat_word("rounds") { Some(self.float()?) } else { None };
        self.s.expect(":")?;
        let mut insts = Vec::new();
        let (term, term_site) = loop {
            if let Some(term) = self.term()? {
                let either_way = self.s.eat_word("either_way");
                let site = self.site(origin)?;
                if either_way {
                    self.func.either_way.insert(site);
                }
                break (term, site);
            }
            insts.push(self.inst(origin)?);
        };
        let seen = Seen { weight, rare, rounds };
        self.func.blocks[block] = BlockData {
            params,
            insts,
            term,
            term_site,
            origin: Origin { block: origin, inlined },
            handler,
            cold,
            seen,
        };
        Ok(())
    }

    fn params(&mut self, block: Block) -> Parsed<Vec<Value>> {
        let mut params = Vec::new();
        self.s.expect("(")?;
        while !self.s.eat(")") {
            if !params.is_empty() {
                self.s.expect(",")?;
            }
            let at = params.len() as u32;
            params.push(self.definition(|_| Def::Param(block, at))?);
        }
        Ok(params)
    }

    fn float(&mut self) -> Parsed<f64> {
        match self.s.number_operand()? {
            Operand::Float(bits) => Ok(f64::from_bits(bits)),
            _ => refuse(&self.s, "expected a float"),
        }
    }

    /// A value and its type, where it is defined.
    fn definition(&mut self, def: impl Fn(&mut Func) -> Def) -> Parsed<Value> {
        let value = self.numbered_value()?;
        if !self.known.insert(value) {
            return refuse(&self.s, "the value is defined already");
        }
        self.s.expect(":")?;
        let scalar = scalar(&mut self.s)?;
        let def = def(&mut self.func);
        self.func.values[value] = ValueData { scalar, def };
        Ok(value)
    }

    fn numbered_value(&mut self) -> Parsed<Value> {
        self.s.expect("%")?;
        match self.s.number()? {
            number if number < self.values => Ok(Value::new(number)),
            _ => refuse(&self.s, "the number is too great"),
        }
    }

    fn value(&mut self) -> Parsed<Value> {
        if self.s.peek("%") {
            return self.numbered_value();
        }
        match operand(&mut self.s)? {
            Operand::Local(_) => refuse(&self.s, "expected a value `%N` or a constant"),
            constant => Ok(self.func.constant(constant)),
        }
    }

    /// Values in parentheses.
    fn values(&mut self) -> Parsed<Vec<Value>> {
        let mut values = Vec::new();
        self.s.expect("(")?;
        while !self.s.eat(")") {
            if !values.is_empty() {
                self.s.expect(",")?;
            }
            values.push(self.value()?);
        }
        Ok(values)
    }

    fn inst(&mut self, origin: ir::Block) -> Parsed<super::ssa::Inst> {
        let inst = self.func.insts.next_key();
        let result = match self.s.peek("%") {
            true => {
                let value = self.definition(|_| Def::Inst(inst))?;
                self.s.expect("=")?;
                Some(value)
            }
            false => None,
        };
        let op = self.op()?;
        let args = self.args(op)?;
        let is_redundant = matches!(op, Op::Load(_)) && self.s.eat_word("redundant");
        let site = self.site(origin)?;
        if is_redundant {
            self.func.redundant.insert(site);
        }
        Ok(self.func.insts.push(InstData { op, args: args.into(), result, site }))
    }

    fn target(&mut self) -> Parsed<Target> {
        Ok(Target { block: self.block_id()?, args: self.values()?.into() })
    }

    /// A terminator, if one comes next.
    fn term(&mut self) -> Parsed<Option<Term>> {
        let Some(word) = self.s.peek_word() else {
            return if self.s.peek("%") { Ok(None) } else { fail(&self.s, "expected an instruction") };
        };
        if !["jump", "branch", "switch", "return", "fail", "exit"].contains(&word) {
            return Ok(None);
        }
        self.s.word(word)?;
        Ok(Some(match word {
            "jump" => Term::Jump(self.target()?),
            "branch" => {
                let cond = self.value()?;
                self.s.expect(",")?;
                let then = self.target()?;
                self.s.expect(",")?;
                Term::Branch { cond, then, otherwise: self.target()? }
            }
            "switch" => self.switch()?,
            "return" => {
                let ends = self.s.peek("@") || self.s.peek("}") || self.s.peek_id("b");
                let bare = ends || self.s.peek_word() == Some("either_way");
                Term::Return(if bare { None } else { Some(self.value()?) })
            }
            "fail" => match FailKind::from_name(self.s.any_word()?) {
                Some(kind) => Term::Fail(kind, self.value()?),
                None => return refuse(&self.s, "expected user, assert or step_is_zero"),
            },
            _ => Term::Exit(self.value()?),
        }))
    }

    fn switch(&mut self) -> Parsed<Term> {
        let value = self.value()?;
        let mut cases = Vec::new();
        self.s.expect("[")?;
        while !self.s.eat("]") {
            if !cases.is_empty() {
                self.s.expect(",")?;
            }
            let case = self.s.integer()?;
            self.s.expect(":")?;
            cases.push((case, self.target()?));
        }
        self.s.expect(",")?;
        Ok(Term::Switch { value, cases, default: self.target()? })
    }
}
