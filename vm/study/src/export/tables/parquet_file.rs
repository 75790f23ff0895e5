//! A table as a Parquet file.
//!
//! In: a [`Table`]. Out: a file with one group of rows. Invariant: a cell that is empty is null, in columns of text as in
//! those of numbers.

use super::contents::{CellType, Table};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

type Rows<'f> = SerializedRowGroupWriter<'f, File>;

/// Writes a table.
pub(super) fn write(table: &Table, file: &Path) -> io::Result<()> {
    write_to(table, File::create(file)?).map_err(io::Error::other)
}

fn write_to(table: &Table, file: File) -> Result<()> {
    let schema = Arc::new(parse_message_type(&schema(table))?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut out = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    let mut rows = out.next_row_group()?;
    for (at, column) in table.columns.iter().enumerate() {
        let cells = || table.rows.iter().map(|row| row[at].as_str());
        match column.of {
            CellType::Text => {
                write_column::<ByteArrayType>(&mut rows, cells(), |text| {
                    (!text.is_empty()).then(|| ByteArray::from(text))
                })?;
            }
            CellType::Integer => write_column::<Int64Type>(&mut rows, cells(), |text| text.parse().ok())?,
            CellType::Real => write_column::<DoubleType>(&mut rows, cells(), |text| text.parse().ok())?,
        }
    }
    rows.close()?;
    out.close()?;
    Ok(())
}

/// The schema as Parquet writes it down.
fn schema(table: &Table) -> String {
    let columns = table.columns.iter().map(|column| match column.of {
        CellType::Text => format!("OPTIONAL BINARY {} (UTF8);", column.name),
        CellType::Integer => format!("OPTIONAL INT64 {};", column.name),
        CellType::Real => format!("OPTIONAL DOUBLE {};", column.name),
    });
    format!("message {} {{ {} }}", table.name, columns.collect::<Vec<_>>().join(" "))
}

fn write_column<'c, T: DataType>(
    rows: &mut Rows<'_>,
    cells: impl Iterator<Item = &'c str>,
    value: impl Fn(&str) -> Option<T::T>,
) -> Result<()> {
    let values: Vec<Option<T::T>> = cells.map(value).collect();
    let is_known: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let known: Vec<T::T> = values.into_iter().flatten().collect();
    let mut column = rows.next_column()?.expect("the schema has a column for each");
    column.typed::<T>().write_batch(&known, Some(&is_known), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::super::contents::Column;
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn cells_come_back_with_their_types_and_what_is_unknown_as_null() {
        let columns = [("name", CellType::Text), ("count", CellType::Integer), ("time_us", CellType::Real)];
        let rows = [["f", "3", "1.5"], ["g, \"h\"", "", "2"], ["", "-4", ""]];
        let table = Table {
            name: "functions",
            columns: columns.map(|(name, of)| Column { name, of }).to_vec(),
            rows: rows.map(|row| row.map(str::to_owned).to_vec()).to_vec(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("functions.parquet");
        write(&table, &path).unwrap();
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let read: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        let expected = [
            "{name: \"f\", count: 3, time_us: 1.5}",
            "{name: \"g, \"h\"\", count: null, time_us: 2.0}",
            "{name: null, count: -4, time_us: null}",
        ];
        assert_eq!(read, expected);
    }
}
