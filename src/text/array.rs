use super::columns::Columns;
use crate::tensor::{DType, HostArray, Scalar};

/// How arrays are written; the defaults are NumPy's.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayOptions {
    /// Digits behind the point at most.
    pub precision: usize,
    /// Arrays of more elements are summarised.
    pub threshold: usize,
    /// Elements shown at each end of a summarised axis.
    pub edge_items: usize,
    /// Columns.
    pub line_width: usize,
    /// Small numbers as 0 rather than with an exponent.
    pub suppress: bool,
    /// The dtype that a float literal makes: `array_repr` leaves it (and its complex twin) unsaid.
    pub default_float: DType,
}

impl Default for ArrayOptions {
    fn default() -> Self {
        ArrayOptions {
            precision: 8,
            threshold: 1000,
            edge_items: 3,
            line_width: 75,
            suppress: false,
            default_float: DType::F32,
        }
    }
}

/// What one text may show, whatever the options say: beyond it fewer edge items are shown.
const MOST_SHOWN: usize = 1 << 22;

/// What `numpy.array2string` writes, 0-d arrays too (`2.5`, `3.`). `separator` stands between elements; `prefix` is the
/// text that precedes on the first line (later lines are indented by its length). Reads no element that is not shown.
pub fn array_text(a: &HostArray, opts: &ArrayOptions, separator: &str, prefix: &str) -> String {
    write_array(a, opts, separator, prefix.chars().count(), opts.line_width)
}

/// `array([1, 2])`, `array([1.5], dtype=f16)`: how an array stands within a list.
pub fn array_repr(a: &HostArray, opts: &ArrayOptions) -> String {
    const HEAD: &str = "array(";
    let body = write_array(a, opts, ", ", HEAD.len(), opts.line_width.saturating_sub(1));
    let (shape, size, dtype) = (&a.view.layout.shape, a.view.layout.size(), a.view.dtype);
    let mut extras = Vec::new();
    if (size == 0 && shape.as_slice() != [0]) || size > opts.threshold {
        extras.push(format!("shape={}", shape_text(shape)));
    }
    let complex = if opts.default_float == DType::F64 { DType::C128 } else { DType::C64 };
    let implied = [DType::Bool, DType::I64, opts.default_float, complex].contains(&dtype);
    if !implied || size == 0 {
        extras.push(format!("dtype={dtype}"));
    }
    if extras.is_empty() {
        return format!("{HEAD}{body})");
    }
    let (text, extras) = (format!("{HEAD}{body},"), extras.join(", ") + ")");
    let last_line = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
    let fits = last_line + extras.len() < opts.line_width;
    let spacer = if fits { " ".to_owned() } else { format!("\n{}", " ".repeat(HEAD.len())) };
    format!("{text}{spacer}{extras}")
}

/// A tuple as Python writes it: `()`, `(3,)`, `(2, 3)`.
fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn write_array(a: &HostArray, opts: &ArrayOptions, separator: &str, indent: usize, width: usize) -> String {
    let size = a.view.layout.size();
    if size == 0 {
        return "[]".into();
    }
    let Some(axes) = shown_axes(&a.view.layout.shape, size > opts.threshold, opts.edge_items) else {
        return "[...]".into();
    };
    let mut shown = Vec::new();
    collect(a, &axes, 0, &mut shown);
    let columns = Columns::new(&shown, a.view.dtype, axes.len(), opts);
    let mut writer = Writer { axes: &axes, columns, values: shown.into_iter(), separator, out: String::new() };
    writer.axis(0, 1 + indent, width);
    writer.out
}

/// Which positions of an axis are shown.
struct Axis {
    extent: usize,
    /// So many at each end; None shows all.
    edge: Option<usize>,
}

impl Axis {
    fn head(&self) -> usize {
        self.edge.unwrap_or(0)
    }

    fn tail(&self) -> usize {
        self.edge.unwrap_or(self.extent)
    }

    fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.head()).chain(self.extent - self.tail()..self.extent)
    }
}

/// None where even one item at each end is too much to show.
fn shown_axes(shape: &[usize], summarise: bool, edge: usize) -> Option<Vec<Axis>> {
    let axes = |edge: Option<usize>| {
        let axis = |&extent: &usize| Axis { extent, edge: edge.filter(|&e| extent > e.saturating_mul(2)) };
        shape.iter().map(axis).collect::<Vec<_>>()
    };
    let fits = |axes: &Vec<Axis>| {
        let shown = axes.iter().try_fold(1usize, |n, a| n.checked_mul(a.head().saturating_add(a.tail())));
        shown.is_some_and(|n| n <= MOST_SHOWN)
    };
    let first = axes(summarise.then_some(edge.max(1)));
    if fits(&first) {
        return Some(first);
    }
    [edge, 3, 2, 1].into_iter().filter(|&e| (1..=edge.max(3)).contains(&e)).map(|e| axes(Some(e))).find(fits)
}

/// The shown elements in row-major order. `linear` counts the elements of the array before this part.
fn collect(a: &HostArray, axes: &[Axis], linear: usize, out: &mut Vec<Scalar>) {
    let Some((first, rest)) = axes.split_first() else {
        out.push(a.get(linear));
        return;
    };
    for i in first.positions() {
        collect(a, rest, linear * first.extent + i, out);
    }
}

/// Brackets, separators and line breaks around the words. All widths are in characters; all text is ASCII.
struct Writer<'a> {
    axes: &'a [Axis],
    columns: Columns,
    values: std::vec::IntoIter<Scalar>,
    separator: &'a str,
    out: String,
}

impl Writer<'_> {
    /// Writes the part below `axis`. `indent` is where lines after the first one start, `width` where they end.
    fn axis(&mut self, axis: usize, indent: usize, width: usize) {
        let axes = self.axes;
        let Some(this) = axes.get(axis) else {
            let word = self.word();
            self.out.push_str(&word);
            return;
        };
        self.out.push('[');
        if axis + 1 == axes.len() {
            self.row(this, indent, width);
        } else {
            let breaks = "\n".repeat(axes.len() - axis - 1);
            let next = format!("{}{breaks}{}", self.separator.trim_end(), " ".repeat(indent));
            for i in 0..this.head() + this.tail() {
                if i > 0 {
                    self.out.push_str(&next);
                }
                if this.edge == Some(i) {
                    self.out.push_str("...");
                    self.out.push_str(&next);
                }
                self.axis(axis + 1, indent + 1, width.saturating_sub(1));
            }
        }
        self.out.push(']');
    }

    fn word(&mut self) -> String {
        self.values.next().map(|v| self.columns.write(v)).unwrap_or_default()
    }

    /// The innermost axis: words wrap where they would not fit before the separator or bracket that follows.
    fn row(&mut self, axis: &Axis, indent: usize, width: usize) {
        let width = width.saturating_sub(self.separator.trim_end().len().max(1));
        // The column where the next word would start, counted as if the row began at the indent.
        let mut column = indent;
        for i in 0..axis.head() + axis.tail() {
            if axis.edge == Some(i) {
                column = self.place("...".into(), column, indent, width);
                self.out.push_str(self.separator);
                column += self.separator.len();
            }
            let word = self.word();
            column = self.place(word, column, indent, width);
            if i + 1 < axis.head() + axis.tail() {
                self.out.push_str(self.separator);
                column += self.separator.len();
            }
        }
    }

    /// Writes one word, on a new line where it does not fit; gives the column behind it.
    fn place(&mut self, text: String, column: usize, indent: usize, width: usize) -> usize {
        if column + text.len() <= width || column <= indent {
            self.out.push_str(&text);
            return column + text.len();
        }
        self.out.truncate(self.out.trim_end().len());
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(&text);
        indent + text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::{Buffer, Layout, View};
    use std::sync::Arc;

    fn array(values: &[f64], dtype: DType, layout: Layout) -> HostArray {
        let mut bytes = Vec::new();
        values.iter().for_each(|&v| Scalar::Float(v).write(dtype, &mut bytes));
        let buffer = Arc::new(Buffer::from_bytes(&bytes).unwrap());
        HostArray { buffer, view: View { layout, dtype, conj: false } }
    }

    fn flat(values: &[f64], dtype: DType) -> HostArray {
        array(values, dtype, Layout::contiguous(&[values.len()]).unwrap())
    }

    fn text(a: &HostArray) -> String {
        array_text(a, &ArrayOptions::default(), " ", "")
    }

    #[test]
    fn views_are_read_through_their_layout() {
        let layout = Layout { shape: [2, 3].into_iter().collect(), strides: [1, 2].into_iter().collect(), offset: 0 };
        let a = array(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], DType::I64, layout);
        assert_eq!(text(&a), "[[0 2 4]\n [1 3 5]]");
        assert_eq!(array_repr(&a, &ArrayOptions::default()), "array([[0, 2, 4],\n       [1, 3, 5]])");
    }

    #[test]
    fn short_floats_show_shortest_digits() {
        assert_eq!(text(&flat(&[0.1, 1.0, 3.0e-3], DType::BF16)), "[0.1   1.    0.003]");
        assert_eq!(text(&flat(&[448.0, 0.5, -1.0], DType::F8E4M3)), "[450.    0.5  -1. ]");
        assert_eq!(text(&flat(&[f64::NAN, 1.75], DType::F8E5M2)), "[nan 1.8]");
        assert_eq!(array_repr(&flat(&[0.5], DType::BF16), &ArrayOptions::default()), "array([0.5], dtype=bf16)");
    }

    #[test]
    fn zero_dimensions_show_one_element() {
        let scalar = |v: f64, dtype| text(&array(&[v], dtype, Layout::scalar()));
        assert_eq!(scalar(1e-20, DType::F32), "1.e-20");
        assert_eq!(scalar(2.5, DType::F32), "2.5");
        assert_eq!(scalar(1.0, DType::Bool), "True");
        assert_eq!(scalar(7.0, DType::U8), "7");
    }

    #[test]
    fn huge_arrays_read_only_what_they_show() {
        let broadcast = |shape: &[usize]| {
            let strides = shape.iter().map(|_| 0).collect();
            array(&[1.0], DType::F32, Layout { shape: shape.iter().copied().collect(), strides, offset: 0 })
        };
        assert_eq!(text(&broadcast(&[1 << 40])), "[1. 1. 1. ... 1. 1. 1.]");
        assert_eq!(text(&broadcast(&[2; 60])), "[...]");
        let deep = text(&broadcast(&[7; 12]));
        assert!(deep.len() < 64 << 20 && deep.starts_with("[[[[[[[[[[[[1. ... 1.]"));
        let opts = ArrayOptions { threshold: usize::MAX, ..Default::default() };
        assert_eq!(array_text(&broadcast(&[1 << 40]), &opts, " ", ""), "[1. 1. 1. ... 1. 1. 1.]");
    }

    #[test]
    fn separators_and_prefixes_shape_lines() {
        let a = flat(&(0..12).map(f64::from).collect::<Vec<_>>(), DType::I64);
        let opts = ArrayOptions { line_width: 20, ..Default::default() };
        assert_eq!(array_text(&a, &opts, ",", "x = "), "[ 0, 1, 2, 3, 4,\n      5, 6, 7, 8, 9,\n     10,11]");
    }
}
