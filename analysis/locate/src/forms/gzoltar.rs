//! Spectra as GZoltar has them: `matrix.txt`, a row a test; `spectra.csv`, a line an element; `tests.csv`, a line a test; and rankings.

use std::fs;
use std::io;
use std::path::Path;

use jinsi_classfile::descriptor::MethodType;

use crate::spectra::{Aspect, Element, Formula, Spectra, Test};

/// Names of the files.
const MATRIX: &str = "matrix.txt";
const SPECTRA: &str = "spectra.csv";
const TESTS: &str = "tests.csv";

/// Why files are no spectra.
#[derive(Debug, thiserror::Error)]
pub enum GzoltarError {
    /// A file cannot be read.
    #[error("cannot read {file}: {source}")]
    Read {
        /// Its name.
        file: &'static str,
        /// Why.
        source: io::Error,
    },
    /// A line is not as it should be.
    #[error("{file}, line {line}: {what}")]
    Form {
        /// Its name.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// The files of spectra: name and text. Only lines are elements there.
pub fn files(spectra: &Spectra) -> Vec<(String, String)> {
    let spectra = spectra.lines_only();
    let mut matrix = String::new();
    for test in &spectra.tests {
        let mut row = vec!["0"; spectra.elements.len()];
        for element in &test.covered {
            row[*element as usize] = "1";
        }
        row.push(if test.failed { "-" } else { "+" });
        matrix.push_str(&row.join(" "));
        matrix.push('\n');
    }
    let mut elements = String::from("name\n");
    for element in &spectra.elements {
        elements.push_str(&name(element));
        elements.push('\n');
    }
    let mut tests = String::from("name,outcome,runtime,stacktrace\n");
    for test in &spectra.tests {
        let outcome = if test.failed { "FAIL" } else { "PASS" };
        tests.push_str(&format!("{},{outcome},0,\n", test_name(&test.name)));
    }
    let mut files = vec![
        (MATRIX.to_owned(), matrix),
        (SPECTRA.to_owned(), elements),
        (TESTS.to_owned(), tests),
    ];
    for formula in Formula::ALL {
        let file = format!("{}.ranking.csv", formula.name());
        files.push((file, ranking(&spectra, formula)));
    }
    files
}

fn ranking(spectra: &Spectra, formula: Formula) -> String {
    let suspicion = spectra.suspicion(formula);
    let mut order: Vec<usize> = (0..suspicion.len()).collect();
    order.sort_by(|a, b| suspicion[*b].total_cmp(&suspicion[*a]).then(a.cmp(b)));
    let mut text = String::from("name;suspiciousness_value\n");
    for at in order {
        text.push_str(&format!(
            "{};{}\n",
            name(&spectra.elements[at]),
            suspicion[at]
        ));
    }
    text
}

/// `package$Class$Inner#method(types):line`.
fn name(element: &Element) -> String {
    let class = match element.class.rsplit_once('.') {
        Some((package, class)) => format!("{package}${class}"),
        None => format!("${}", element.class),
    };
    format!("{class}#{}:{}", with_types(&element.method), element.line)
}

/// The class of a test and its method, with `#` between them.
fn test_name(name: &str) -> String {
    let method = name.find(['(', '[']).unwrap_or(name.len());
    let name = match name[..method].rfind('.') {
        Some(dot) => format!("{}#{}", &name[..dot], &name[dot + 1..]),
        None => name.to_owned(),
    };
    match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name,
    }
}

/// A method's name, and of its descriptor the types of the parameters as in Java.
fn with_types(method: &str) -> String {
    let (name, desc) = method.split_at(method.find('(').unwrap_or(method.len()));
    match MethodType::parse(desc) {
        Ok(parsed) => {
            let types: Vec<String> = parsed.params.iter().map(|of| in_java(of.desc())).collect();
            format!("{name}({})", types.join(","))
        }
        Err(_) => method.to_owned(),
    }
}

fn in_java(desc: &str) -> String {
    let element = desc.trim_start_matches('[');
    let name = match element {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        class => class.trim_start_matches('L').trim_end_matches(';'),
    };
    let arrays = "[]".repeat(desc.len() - element.len());
    format!("{}{arrays}", name.replace('/', "."))
}

/// Reads the spectra in a directory of GZoltar's.
///
/// # Errors
/// A file cannot be read, or is not of that form.
pub fn read(directory: &Path) -> Result<Spectra, GzoltarError> {
    let read = |file: &'static str| {
        let text = fs::read_to_string(directory.join(file));
        text.map_err(|source| GzoltarError::Read { file, source })
    };
    parse(&read(MATRIX)?, &read(SPECTRA)?, &read(TESTS)?)
}

fn parse(matrix: &str, spectra: &str, tests: &str) -> Result<Spectra, GzoltarError> {
    let form = |file, line, what| GzoltarError::Form { file, line, what };
    let mut all = Spectra::default();
    for (at, line) in spectra.lines().enumerate().skip(1) {
        let element = element(line);
        let element = element.ok_or(form(
            SPECTRA,
            at + 1,
            "no element 'package$Class#method:line'",
        ))?;
        all.elements.push(element);
    }
    let mut names = tests
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with([' ', '\t']));
    for (at, row) in matrix.lines().enumerate() {
        let mut cells: Vec<&str> = row.split_ascii_whitespace().collect();
        let failed = match cells.pop() {
            Some("+") => false,
            Some("-") => true,
            _ => return Err(form(MATRIX, at + 1, "a row ends with + or -")),
        };
        if cells.len() != all.elements.len() {
            return Err(form(MATRIX, at + 1, "it has another number of elements"));
        }
        let covered = (0..).zip(&cells).filter(|(_, cell)| **cell == "1");
        let name = names.next().and_then(|line| line.split(',').next());
        all.tests.push(Test {
            name: name.map_or_else(|| format!("test {}", at + 1), |name| name.replace('#', ".")),
            failed,
            covered: covered.map(|(no, _)| no).collect(),
        });
    }
    Ok(all)
}

fn element(line: &str) -> Option<Element> {
    let (rest, number) = line.trim_end().rsplit_once(':')?;
    let (class, method) = rest.split_once('#')?;
    let class = match class.split_once('$') {
        Some(("", class)) => class.to_owned(),
        Some((package, class)) => format!("{package}.{class}"),
        None => class.to_owned(),
    };
    Some(Element {
        class: class.into(),
        method: method.into(),
        file: None,
        line: number.parse().ok()?,
        aspect: Aspect::Line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spectra() -> Spectra {
        let element = |line, aspect| Element {
            class: "a.b.C$D".into(),
            method: "m(I[[JLx/Y;)V".into(),
            file: None,
            line,
            aspect,
        };
        let test = |name: &str, failed, covered: &[u32]| Test {
            name: name.into(),
            failed,
            covered: covered.to_vec(),
        };
        Spectra {
            elements: vec![
                element(3, Aspect::Line),
                element(3, Aspect::Way(1, 2)),
                element(5, Aspect::Line),
            ],
            tests: vec![
                test("a.CTest.one", false, &[0, 1]),
                test("a.CTest.two(1.5)[2]", true, &[1, 2]),
            ],
        }
    }

    #[test]
    fn files_are_as_gzoltar_writes_them() {
        let files = files(&spectra());
        let text = |name: &str| {
            let found = files.iter().find(|(file, _)| file == name);
            found.unwrap().1.as_str()
        };
        assert_eq!(text("matrix.txt"), "1 0 +\n0 1 -\n");
        let elements = "name\na.b$C$D#m(int,long[][],x.Y):3\na.b$C$D#m(int,long[][],x.Y):5\n";
        assert_eq!(text("spectra.csv"), elements);
        let tests =
            "name,outcome,runtime,stacktrace\na.CTest#one,PASS,0,\na.CTest#two(1.5)[2],FAIL,0,\n";
        assert_eq!(text("tests.csv"), tests);
        let ranking = text("ochiai.ranking.csv");
        let second = ranking.lines().nth(1).unwrap();
        assert_eq!(second, "a.b$C$D#m(int,long[][],x.Y):5;1");
    }

    #[test]
    fn what_was_written_is_read() {
        let directory = std::env::temp_dir();
        let files = files(&spectra());
        let text = |at: usize| files[at].1.as_str();
        let read = parse(text(0), text(1), text(2)).unwrap();
        let lines = spectra().lines_only();
        assert_eq!(read.counts(), lines.counts());
        assert_eq!(&*read.elements[1].class, "a.b.C$D");
        assert_eq!(read.tests[0].name, "a.CTest.one");
        for (matrix, spectra) in [
            ("1 x", "name\na$B#c:1"),
            ("1 1 +", "name\na$B#c:1"),
            ("", "name\nx"),
        ] {
            assert!(parse(matrix, spectra, "name").is_err());
        }
        assert!(super::read(&directory.join("nothing-here")).is_err());
    }
}
