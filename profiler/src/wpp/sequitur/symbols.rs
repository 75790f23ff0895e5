//! The bodies of the rules while a grammar is inferred: circular lists of nodes in one arena.
//!
//! In: insertions, removals and splices of the inference. Out: neighbours, digrams, uses of rules.
//!
//! Invariants: the body of a rule is the list between its guard and the guard again. A node that was released keeps its index
//! until [`Arena::reuse_released`], so that a list of pending checks cannot meet another node under it.

/// Index of a node in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeIndex(u32);

/// Index of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleIndex(u32);

impl RuleIndex {
    /// The start rule `S`.
    pub(super) const START: RuleIndex = RuleIndex(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Contents of a node: a terminal, a use of a rule, the guard of a rule, or nothing. The upper half tells which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol(u64);

const RULE: u64 = 1 << 32;
const GUARD: u64 = 2 << 32;
const RELEASED: Symbol = Symbol(3 << 32);

impl Symbol {
    pub(super) fn terminal(value: u32) -> Symbol {
        Symbol(u64::from(value))
    }

    pub(super) fn rule(rule: RuleIndex) -> Symbol {
        Symbol(RULE | u64::from(rule.0))
    }

    fn guard(rule: RuleIndex) -> Symbol {
        Symbol(GUARD | u64::from(rule.0))
    }

    /// The value of a terminal.
    pub(super) fn as_terminal(self) -> u32 {
        self.0 as u32
    }

    /// The rule that is used.
    pub(super) fn as_rule(self) -> Option<RuleIndex> {
        (self.0 >> 32 == RULE >> 32).then_some(RuleIndex(self.0 as u32))
    }

    fn as_guard(self) -> Option<RuleIndex> {
        (self.0 >> 32 == GUARD >> 32).then_some(RuleIndex(self.0 as u32))
    }

    fn is_in_a_body(self) -> bool {
        self.0 < GUARD
    }

    /// A number for hashing.
    pub(super) fn bits(self) -> u64 {
        self.0
    }
}

#[derive(Clone, Copy, Debug)]
struct SymbolNode {
    symbol: Symbol,
    previous: NodeIndex,
    next: NodeIndex,
}

#[derive(Clone, Copy, Debug)]
struct RuleUses {
    guard: NodeIndex,
    count: u32,
    /// Exclusive or of the indices of the nodes that use the rule: if there is one, its index.
    places: u32,
}

/// All nodes and rules.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    nodes: Vec<SymbolNode>,
    rules: Vec<RuleUses>,
    free_nodes: Vec<NodeIndex>,
    free_rules: Vec<RuleIndex>,
    released_nodes: Vec<NodeIndex>,
    released_rules: Vec<RuleIndex>,
}

impl Arena {
    /// An arena with an empty start rule.
    pub(super) fn new() -> Arena {
        let mut arena = Arena {
            nodes: Vec::new(),
            rules: Vec::new(),
            free_nodes: Vec::new(),
            free_rules: Vec::new(),
            released_nodes: Vec::new(),
            released_rules: Vec::new(),
        };
        arena.new_rule();
        arena
    }

    pub(super) fn rule_count(&self) -> usize {
        self.rules.len()
    }

    pub(super) fn guard(&self, rule: RuleIndex) -> NodeIndex {
        self.rules[rule.index()].guard
    }

    pub(super) fn symbol(&self, node: NodeIndex) -> Symbol {
        self.nodes[node.0 as usize].symbol
    }

    pub(super) fn next(&self, node: NodeIndex) -> NodeIndex {
        self.nodes[node.0 as usize].next
    }

    pub(super) fn previous(&self, node: NodeIndex) -> NodeIndex {
        self.nodes[node.0 as usize].previous
    }

    /// Returns whether a digram begins at `node`: both it and the next one are in a body.
    pub(super) fn is_digram(&self, node: NodeIndex) -> bool {
        self.symbol(node).is_in_a_body() && self.symbol(self.next(node)).is_in_a_body()
    }

    /// The digram at `node`.
    pub(super) fn digram(&self, node: NodeIndex) -> (Symbol, Symbol) {
        (self.symbol(node), self.symbol(self.next(node)))
    }

    /// The rule, other than `S`, whose whole body is the digram at `node`.
    pub(super) fn rule_with_body(&self, node: NodeIndex) -> Option<RuleIndex> {
        let before = self.symbol(self.previous(node)).as_guard()?;
        let after = self.symbol(self.next(self.next(node))).as_guard()?;
        (before == after && before != RuleIndex::START).then_some(before)
    }

    /// The nodes of a rule's body in order.
    pub(super) fn body(&self, rule: RuleIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let guard = self.guard(rule);
        std::iter::successors(Some(self.next(guard)), |&node| Some(self.next(node)))
            .take_while(move |&node| node != guard)
    }

    /// Adds a rule without a body.
    pub(super) fn new_rule(&mut self) -> RuleIndex {
        let rule = self.free_rules.pop().unwrap_or(RuleIndex(self.rules.len() as u32));
        let guard = self.new_node(Symbol::guard(rule));
        self.link(guard, guard);
        let uses = RuleUses { guard, count: 0, places: 0 };
        match self.rules.get_mut(rule.index()) {
            Some(free) => *free = uses,
            None => self.rules.push(uses),
        }
        rule
    }

    /// Inserts a symbol between two nodes, which become its neighbours, and counts the use of a rule.
    pub(super) fn insert_between(&mut self, before: NodeIndex, symbol: Symbol, after: NodeIndex) -> NodeIndex {
        let node = self.new_node(symbol);
        self.link(before, node);
        self.link(node, after);
        if let Some(rule) = symbol.as_rule() {
            let uses = &mut self.rules[rule.index()];
            uses.count += 1;
            uses.places ^= node.0;
        }
        node
    }

    /// Releases a node, whose neighbours the caller links. Returns the rule of which it was the last use but one.
    pub(super) fn release(&mut self, node: NodeIndex) -> Option<RuleIndex> {
        let symbol = self.symbol(node);
        self.nodes[node.0 as usize].symbol = RELEASED;
        self.released_nodes.push(node);
        let rule = symbol.as_rule()?;
        let uses = &mut self.rules[rule.index()];
        uses.count -= 1;
        uses.places ^= node.0;
        (uses.count == 1).then_some(rule)
    }

    /// The place where a rule is used, if it is one.
    pub(super) fn only_use(&self, rule: RuleIndex) -> Option<NodeIndex> {
        let uses = self.rules[rule.index()];
        (uses.count == 1).then_some(NodeIndex(uses.places))
    }

    /// Replaces `place`, the only use of `rule`, by the rule's body. Returns the last node of the body.
    pub(super) fn splice_body(&mut self, place: NodeIndex, rule: RuleIndex) -> NodeIndex {
        let guard = self.guard(rule);
        let (first, last) = (self.next(guard), self.previous(guard));
        let (before, after) = (self.previous(place), self.next(place));
        self.release(place);
        self.release(guard);
        self.released_rules.push(rule);
        self.link(before, first);
        self.link(last, after);
        last
    }

    /// Lets released nodes and rules be used again.
    pub(super) fn reuse_released(&mut self) {
        self.free_nodes.append(&mut self.released_nodes);
        self.free_rules.append(&mut self.released_rules);
    }

    fn new_node(&mut self, symbol: Symbol) -> NodeIndex {
        let fresh = || u32::try_from(self.nodes.len()).expect("a grammar has less than 2^32 symbols");
        let node = self.free_nodes.pop().unwrap_or_else(|| NodeIndex(fresh()));
        let contents = SymbolNode { symbol, previous: node, next: node };
        match self.nodes.get_mut(node.0 as usize) {
            Some(free) => *free = contents,
            None => self.nodes.push(contents),
        }
        node
    }

    fn link(&mut self, before: NodeIndex, after: NodeIndex) {
        self.nodes[before.0 as usize].next = after;
        self.nodes[after.0 as usize].previous = before;
    }
}
