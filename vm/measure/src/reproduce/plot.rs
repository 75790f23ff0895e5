//! Tables as figures: bars for each program, drawn as SVG.
//!
//! In: a [`ResultTable`]. Out: a picture for each kind of number in it, with its name. Invariant: a bar is there for each number of the table, and none for one that
//! is absent; where numbers differ by more than a thousand times, the axis is logarithmic.

use super::result_table::{Look, ResultTable};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::fmt::Display;
use std::ops::Range;

/// Height of a picture, and width of a bar and of what is around the bars.
const HEIGHT: u32 = 480;
const BAR: u32 = 9;
const AROUND: u32 = 260;
/// Greatest ratio of two numbers on an axis that is not logarithmic.
const LINEAR: f64 = 1000.0;

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plot {
    /// The name of its file, without the ending.
    pub name: String,
    /// The picture.
    pub svg: String,
}

/// The pictures of a table. The error is what cannot be drawn.
pub fn plots(table: &ResultTable) -> Result<Vec<Plot>, String> {
    let mut looks: Vec<Look> = Vec::new();
    table.columns.iter().for_each(|(_, look)| {
        if !looks.contains(look) {
            looks.push(*look)
        }
    });
    let mut plots = Vec::new();
    for look in &looks {
        let figure = Figure::of(table, *look);
        if figure.bars.is_empty() {
            continue;
        }
        let name = if looks.len() == 1 { table.key.to_owned() } else { format!("{}-{}", table.key, name_of(*look)) };
        let mut svg = String::new();
        figure.draw(&mut svg).map_err(|error| format!("{name}: {error}"))?;
        plots.push(Plot { name, svg });
    }
    Ok(plots)
}

fn name_of(look: Look) -> &'static str {
    match look {
        Look::Ratio => "ratio",
        Look::Count => "count",
        Look::Decimal => "decimal",
        Look::Percent => "percent",
        Look::Bytes => "bytes",
        Look::Seconds => "seconds",
    }
}

/// An axis with room for numbers from one that is not above 0 to another one.
fn linear(lowest: f64, most: f64) -> Range<f64> {
    let most = most.max(0.0);
    let room = if most > lowest { (most - lowest) * 0.05 } else { 1.0 };
    let below = if lowest < 0.0 { room } else { 0.0 };
    lowest - below..most + room
}

/// The numbers of one kind in a table.
struct Figure<'a> {
    table: &'a ResultTable,
    look: Look,
    /// Columns of that kind.
    columns: Vec<usize>,
    /// Row, place among the columns, and number.
    bars: Vec<(usize, usize, f64)>,
}

impl<'a> Figure<'a> {
    fn of(table: &'a ResultTable, look: Look) -> Figure<'a> {
        let columns: Vec<usize> = (0..table.columns.len()).filter(|at| table.columns[*at].1 == look).collect();
        let number = |row: usize, at: usize| table.rows[row].values.get(columns[at]).copied().flatten();
        let places = (0..table.rows.len()).flat_map(|row| (0..columns.len()).map(move |at| (row, at)));
        let bars = places.filter_map(|(row, at)| Some((row, at, number(row, at).filter(|number| number.is_finite())?)));
        let bars = bars.collect();
        Figure { table, look, columns, bars }
    }

    fn draw(&self, svg: &mut String) -> Result<(), String> {
        let numbers = || self.bars.iter().map(|(.., number)| *number);
        let most = numbers().fold(f64::MIN, f64::max);
        let least = numbers().filter(|number| *number > 0.0).fold(f64::MAX, f64::min);
        let lowest = numbers().fold(0.0, f64::min);
        match lowest < 0.0 || most <= LINEAR * least {
            true => {
                let axis = linear(lowest, most);
                let bottom = axis.start;
                self.draw_on(svg, axis, (0.0, bottom))
            }
            false => self.draw_on(svg, (least / 2.0..most * 2.0).log_scale(), (least / 2.0, least / 2.0)),
        }
    }

    /// Draws bars that stand on the floor, or hang from it.
    fn draw_on<A>(&self, svg: &mut String, axis: A, (floor, bottom): (f64, f64)) -> Result<(), String>
    where
        A: AsRangedCoord<Value = f64>,
        A::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let text = |error: &dyn Display| error.to_string();
        let slots = self.columns.len() + 1;
        let width = AROUND + BAR * (slots * self.table.rows.len()) as u32;
        let root = SVGBackend::with_string(svg, (width.max(480), HEIGHT)).into_drawing_area();
        root.fill(&WHITE).map_err(|error| text(&error))?;
        let end = (slots * self.table.rows.len()) as f64;
        let title = format!("{} ({})", self.table.title, self.table.source);
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 15))
            .margin(8)
            .x_label_area_size(110)
            .y_label_area_size(70)
            .build_cartesian_2d(0.0..end, axis)
            .map_err(|error| text(&error))?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_label_formatter(&|number: &f64| self.look.show(*number))
            .draw()
            .map_err(|error| text(&error))?;
        // The names of rows stand below the middles of their bars, which are no round numbers.
        let style = TextStyle::from(("sans-serif", 11).into_font().transform(FontTransform::Rotate90));
        for (row, named) in self.table.rows.iter().enumerate() {
            let (x, y) = chart.backend_coord(&((row as f64 + 0.5) * slots as f64, bottom));
            root.draw(&Text::new(named.name.clone(), (x + 4, y + 6), style.clone())).map_err(|error| text(&error))?;
        }
        for (at, column) in self.columns.iter().enumerate() {
            let color = Palette99::pick(at).to_rgba();
            let own = self.bars.iter().filter(|(_, place, _)| *place == at);
            let bars = own.map(|(row, _, number)| {
                let left = (row * slots + at) as f64 + 0.5;
                Rectangle::new([(left, floor.min(*number)), (left + 0.9, floor.max(*number))], color.filled())
            });
            chart
                .draw_series(bars)
                .map_err(|error| text(&error))?
                .label(self.table.columns[*column].0.clone())
                .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 8, y + 4)], color.filled()));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()
            .map_err(|error| text(&error))?;
        root.present().map_err(|error| text(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::super::result_table::Row;
    use super::*;

    fn row(name: &str, values: [Option<f64>; 3]) -> Row {
        Row { name: name.to_owned(), values: values.into(), ..Row::default() }
    }

    #[test]
    fn each_number_has_its_bar_in_the_picture_of_its_kind() {
        let table = ResultTable {
            key: "figure-9",
            source: "[DD13] figure 9",
            title: "Time < cost & more".to_owned(),
            columns: vec![
                ("k = 2".to_owned(), Look::Ratio),
                ("k = 4".to_owned(), Look::Ratio),
                ("paths".to_owned(), Look::Count),
            ],
            rows: vec![row("fft", [Some(1.5), Some(2.5), Some(10.0)]), row("lzw", [Some(3.0), None, Some(1e7)])],
            ..ResultTable::default()
        };
        let plots = plots(&table).expect("it can be drawn");
        let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
        assert_eq!(names, ["figure-9-ratio", "figure-9-count"]);
        // The picture's ground and that of its legend are rectangles, too, and each column has one in the legend.
        for (plot, bars) in plots.iter().zip([3 + 2, 2 + 1]) {
            assert!(plot.svg.starts_with("<svg ") && plot.svg.trim_end().ends_with("</svg>"), "{}", plot.svg);
            assert!(plot.svg.contains("Time &lt; cost &amp; more") && plot.svg.contains("fft"), "{}", plot.svg);
            let found = plot.svg.matches("<rect ").count();
            assert!((bars..=bars + 3).contains(&found), "{found} rectangles in {}", plot.svg);
        }
        let empty = ResultTable { key: "none", ..ResultTable::default() };
        assert_eq!(super::plots(&empty), Ok(Vec::new()));
    }

    /// Left, top, width and height of the rectangles of one colour.
    fn rectangles(svg: &str, column: usize) -> Vec<[i32; 4]> {
        let RGBAColor(red, green, blue, _) = Palette99::pick(column).to_rgba();
        let color = format!("fill=\"#{red:02X}{green:02X}{blue:02X}\"");
        let own =
            svg.split("<rect ").skip(1).filter_map(|text| text.split("/>").next()).filter(|text| text.contains(&color));
        own.map(|text| {
            ["x", "y", "width", "height"].map(|name| {
                let value = text.split(&format!("{name}=\"")).nth(1).and_then(|text| text.split('"').next());
                value.expect("it has all four").parse().expect("a number")
            })
        })
        .collect()
    }

    /// The picture of a table of two columns.
    fn picture(rows: Vec<Row>) -> String {
        let columns = vec![("a".to_owned(), Look::Percent), ("b".to_owned(), Look::Percent)];
        let table = ResultTable { key: "table", columns, rows, ..ResultTable::default() };
        plots(&table).expect("it can be drawn").remove(0).svg
    }

    #[test]
    fn bars_are_as_high_as_their_numbers_say_and_side_by_side() {
        let svg = picture(vec![row("one", [Some(10.0), Some(20.0), None]), row("other", [Some(40.0), None, None])]);
        let ([first, third, legend], [second, other_legend]) = (&rectangles(&svg, 0)[..], &rectangles(&svg, 1)[..])
        else {
            panic!("{svg}")
        };
        assert_eq!((&legend[2..], &other_legend[2..]), (&[8, 8][..], &[8, 8][..]), "{svg}");
        let bottom = |bar: &[i32; 4]| bar[1] + bar[3];
        assert!(bottom(first) == bottom(second) && bottom(second) == bottom(third), "{svg}");
        assert!((first[3] * 2 - second[3]).abs() <= 2 && (second[3] * 2 - third[3]).abs() <= 2, "{svg}");
        assert!(first[0] + first[2] <= second[0] && second[0] + second[2] <= third[0], "{svg}");
    }

    #[test]
    fn bars_below_zero_hang_from_the_line_of_zero() {
        let svg = picture(vec![row("one", [Some(10.0), Some(-20.0), None])]);
        let (above, below) = (rectangles(&svg, 0)[0], rectangles(&svg, 1)[0]);
        assert_eq!(above[1] + above[3], below[1], "{svg}");
        assert!((above[3] * 2 - below[3]).abs() <= 2, "{svg}");
        let all_below = picture(vec![row("one", [Some(-10.0), Some(-20.0), None])]);
        let (less, more) = (rectangles(&all_below, 0)[0], rectangles(&all_below, 1)[0]);
        assert!(less[1] == more[1] && (less[3] * 2 - more[3]).abs() <= 2, "{all_below}");
    }
}
