//! What was mistyped: the name that is there and comes nearest to it.

use std::collections::BTreeSet;
use std::path::Path;

use jinsi_trace::reader::Trace;

/// Class files of a directory that are looked at.
const MOST_FILES: usize = 20_000;

/// The names of a recorded run.
#[derive(Debug, Default)]
pub struct Names {
    /// Dotted names.
    classes: BTreeSet<String>,
    files: BTreeSet<String>,
    /// Class and method, dotted.
    methods: BTreeSet<String>,
    /// Class, dotted, source file, and a line of it that has code.
    lines: BTreeSet<(String, String, u16)>,
}

impl Names {
    /// Those of the recorded classes of a trace, and of the methods that they have and call.
    pub fn of(trace: &Trace) -> Self {
        let mut names = Self::default();
        for site in trace.sites() {
            if let Some(class) = trace.class(site.class) {
                let (name, file) = (dotted(&class.name), class.source_file.clone());
                let file = file.unwrap_or_default();
                names.methods.insert(format!("{name}.{}", site.method));
                names.files.insert(file.clone());
                names.classes.insert(name.clone());
                if site.line != 0 {
                    names.lines.insert((name, file, site.line));
                }
            }
            let target = &site.target;
            let called = format!("{}.{}", dotted(&target.owner), target.name);
            if !target.owner.is_empty() && target.desc.starts_with('(') {
                names.methods.insert(called);
            }
        }
        names
    }

    /// The class that comes nearest, as far out as it was typed.
    pub fn class(&self, typed: &str) -> Option<String> {
        nearest(typed, self.classes.iter().map(String::as_str))
    }

    /// The method, with its class.
    pub fn method(&self, typed: &str) -> Option<String> {
        nearest(typed, self.methods.iter().map(String::as_str))
    }

    /// The pattern over classes that comes nearest to one that matches none.
    pub fn pattern(&self, typed: &str) -> Option<String> {
        let Some(package) = typed.strip_suffix(".*") else {
            return self.class(typed);
        };
        let depth = package.split('.').count();
        let packages = self.classes.iter().filter_map(|class| {
            let (package, _) = class.rsplit_once('.')?;
            let end = package.match_indices('.').nth(depth - 1);
            Some(end.map_or(package, |(end, _)| &package[..end]))
        });
        nearest(package, packages).map(|package| format!("{package}.*"))
    }

    /// The line with code that comes nearest: in this class or file if it is there, else in the nearest of that name.
    pub fn line(&self, typed: &str, line: u16) -> Option<String> {
        let is_file = self.files.iter().any(|file| file == typed);
        let of = |class: &str, file: &str| match is_file {
            true => file == typed,
            false => ends_so(class, typed),
        };
        let there = self.lines.iter().filter(|(class, file, _)| of(class, file));
        let near = there.min_by_key(|(.., other)| other.abs_diff(line));
        if let Some((.., near)) = near {
            return Some(format!("{typed}:{near}"));
        }
        let files = nearest(typed, self.files.iter().map(String::as_str));
        let name = files.or_else(|| self.class(typed))?;
        Some(format!("{name}:{line}"))
    }
}

/// Is it this class, named with or without its package?
fn ends_so(class: &str, typed: &str) -> bool {
    let before = class.strip_suffix(typed);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// The candidate that comes nearest, by as many of its last parts as were typed. Nothing that is far off, and not what was typed.
pub fn nearest<'c>(typed: &str, candidates: impl Iterator<Item = &'c str>) -> Option<String> {
    let parts = typed.split('.').count();
    let tail = |name: &'c str| {
        let mut dots = name.rmatch_indices('.');
        dots.nth(parts - 1).map_or(name, |(at, _)| &name[at + 1..])
    };
    let most = (typed.chars().count() / 4).max(2);
    let tails: BTreeSet<&str> = candidates.map(tail).collect();
    let measured = tails
        .into_iter()
        .map(|name| (distance(typed, name), name))
        .filter(|(distance, name)| *distance <= most && *name != typed);
    measured.min().map(|(_, name)| name.to_owned())
}

/// The class file below these entries of a class path whose name comes nearest to that of a class.
pub fn class_on(paths: &[&Path], class: &str) -> Option<String> {
    let mut names = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => gather(path, "", &mut names),
            false => {
                let inside = jinsi_jdk::jar::names(path).into_iter().flatten();
                names.extend(inside.take(MOST_FILES));
            }
        }
    }
    let classes = names.iter().filter_map(|name| name.strip_suffix(".class"));
    let classes: Vec<String> = classes.map(dotted).collect();
    // With its package, whatever was typed: `java` needs it whole.
    let simple = class.rsplit('.').next().unwrap_or_default();
    let whole = classes
        .iter()
        .find(|known| known.rsplit('.').next() == Some(simple) && known.as_str() != class);
    let most = (class.chars().count() / 4).max(2);
    let near = classes.iter().map(|known| (distance(class, known), known));
    let near = near.filter(|(distance, _)| *distance <= most).min();
    near.map(|(_, known)| known).or(whole).cloned()
}

/// Class files below a directory, by their paths in it.
fn gather(directory: &Path, inside: &str, names: &mut Vec<String>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    for entry in entries.flatten() {
        if names.len() >= MOST_FILES {
            return;
        }
        let name = entry.file_name();
        let name = format!("{inside}{}", name.to_string_lossy());
        // Links are not followed: they may lead in a circle.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => gather(&entry.path(), &format!("{name}/"), names),
            Ok(_) if name.ends_with(".class") => names.push(name),
            _ => {}
        }
    }
}

fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

/// How many letters have to be put in, left out or changed (Levenshtein 1966); capitals are as good as small ones.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (no, letter) in one.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = no + 1;
        for (at, &theirs) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != theirs);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn letters_are_counted() {
        for (one, other, count) in [
            ("", "", 0),
            ("abc", "", 3),
            ("", "abc", 3),
            ("take", "tke", 1),
            ("kitten", "sitting", 3),
            ("Doctor", "doctor", 0),
        ] {
            assert_eq!(distance(one, other), count, "{one} {other}");
        }
    }

    #[test]
    fn names_are_compared_as_far_out_as_they_were_typed() {
        let known = ["shop.Cart.total", "shop.Cart.add", "other.Till.total"];
        let of = |typed: &str| nearest(typed, known.into_iter());
        assert_eq!(of("Cart.totl").as_deref(), Some("Cart.total"));
        assert_eq!(of("shop.Crat.add").as_deref(), Some("shop.Cart.add"));
        assert_eq!(of("Cart.somethingElse"), None);
        assert_eq!(of("Cart.add"), None, "it is there");
    }

    #[test]
    fn patterns_and_lines() {
        let class = |name: &str| (name.to_owned(), "Cart.java".to_owned(), 20);
        let names = Names {
            classes: ["shop.cart.Cart".to_owned()].into(),
            files: ["Cart.java".to_owned()].into(),
            methods: BTreeSet::new(),
            lines: [class("shop.cart.Cart")].into(),
        };
        assert_eq!(names.pattern("shp.*").as_deref(), Some("shop.*"));
        assert_eq!(names.pattern("shop.crt.*").as_deref(), Some("shop.cart.*"));
        assert_eq!(names.line("Cart.java", 99).as_deref(), Some("Cart.java:20"));
        assert_eq!(names.line("Crt.java", 20).as_deref(), Some("Cart.java:20"));
        assert_eq!(names.line("Cart", 1).as_deref(), Some("Cart:20"));
        assert_eq!(names.line("Nobody", 1), None);
    }

    #[test]
    fn classes_on_a_class_path() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("shop/till")).unwrap();
        fs::write(root.join("shop/Main.class"), "").unwrap();
        fs::write(root.join("shop/till/Till.class"), "").unwrap();
        let of = |class: &str| class_on(&[root], class);
        assert_eq!(of("shop.Mian").as_deref(), Some("shop.Main"));
        assert_eq!(of("Till").as_deref(), Some("shop.till.Till"));
        assert_eq!(of("com.acme.other.Thing"), None);
    }
}
