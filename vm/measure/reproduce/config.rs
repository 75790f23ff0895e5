//! The choice of what `reproduce` measures.
//!
//! In: names of tables. Out: [`TableName`]s for a [`ReproduceConfig`], or the name that no table has.

use std::fmt;

use crate::measure::bench::RunsConfig;
use crate::report::text::nearest;

/// Options of `reproduce`.
#[derive(Clone, PartialEq, Debug)]
pub struct ReproduceConfig {
    /// The tables; not empty.
    pub tables: Vec<TableName>,
    /// The runs of programs that they are made from.
    pub runs: RunsConfig,
}

/// A group of figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableName {
    /// `[DD13]`: figures 8 to 14 and table 1.
    Delia,
    /// `[NGF03]`: section 3.6, figures 4 and 6, tables 1 and 2, and the case of RNAfold (figure 7).
    Tfp,
    /// Cost of each scheme.
    Cost,
    /// `[ZG01]`: tables 1 to 6 and figure 8.
    Twpp,
}

impl TableName {
    /// All tables.
    pub const ALL: [TableName; 4] = [TableName::Delia, TableName::Tfp, TableName::Cost, TableName::Twpp];

    /// The table's command-line name.
    pub fn name(self) -> &'static str {
        match self {
            TableName::Delia => "delia",
            TableName::Tfp => "tfp",
            TableName::Cost => "cost",
            TableName::Twpp => "twpp",
        }
    }
}

/// Error: no table has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTable(String);

impl fmt::Display for UnknownTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no table '{}'; ", self.0)?;
        let names = TableName::ALL.map(TableName::name);
        if let Some(name) = nearest(&self.0, names) {
            write!(f, "did you mean '{name}'? ")?;
        }
        write!(f, "there are: {}", names.join(", "))
    }
}

/// The tables of the given names, each once; all tables if there are no names.
pub fn select(names: &[String]) -> Result<Vec<TableName>, UnknownTable> {
    let known = |name: &String| TableName::ALL.iter().any(|table| table.name() == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        return Err(UnknownTable(name.clone()));
    }
    let wanted = |table: &TableName| names.is_empty() || names.iter().any(|name| name == table.name());
    Ok(TableName::ALL.into_iter().filter(wanted).collect())
}
