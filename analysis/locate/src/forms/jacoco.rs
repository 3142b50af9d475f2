//! What was covered, in the form of JaCoCo's XML report.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::covered::MethodCoverage;

/// Missed and covered ones.
type Count = [usize; 2];

/// What is counted of a method, a class or all.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    instructions: Count,
    branches: Count,
    lines: Count,
    methods: Count,
    classes: Count,
}

/// Of a line: instructions and branches.
type Lines = BTreeMap<u16, [Count; 2]>;

/// The report. `name` is what it is called.
pub fn document(methods: &[MethodCoverage], name: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n");
    out.push_str("<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n");
    // Writing to a String cannot fail.
    let _ = write!(out, "<report name=\"{}\">", escaped(name));
    let mut packages: BTreeMap<&str, Vec<&MethodCoverage>> = BTreeMap::new();
    for method in methods {
        let package = method
            .class
            .rsplit_once('/')
            .map_or("", |(package, _)| package);
        packages.entry(package).or_default().push(method);
    }
    let mut all = Counts::default();
    for (package, methods) in packages {
        let _ = write!(out, "<package name=\"{}\">", escaped(package));
        let counts = classes(&methods, &mut out);
        counters(&counts, &mut out);
        out.push_str("</package>");
        all.add(&counts);
    }
    counters(&all, &mut out);
    out.push_str("</report>\n");
    out
}

/// The classes of a package, and its source files.
fn classes(methods: &[&MethodCoverage], out: &mut String) -> Counts {
    let mut all = Counts::default();
    let mut files: BTreeMap<&str, (Lines, Counts)> = BTreeMap::new();
    for class in methods.chunk_by(|a, b| a.class == b.class) {
        let file = class[0].file.as_deref();
        let _ = write!(out, "<class name=\"{}\"", escaped(&class[0].class));
        if let Some(file) = file {
            let _ = write!(out, " sourcefilename=\"{}\"", escaped(file));
        }
        out.push('>');
        let mut counts = Counts::default();
        let mut lines = Lines::new();
        for method in class {
            let own = of_method(method);
            merge(&mut lines, &own);
            let of_method = Counts::of(&own, method.has_run());
            let (name, desc) = (escaped(&method.name), escaped(&method.desc));
            let line = method.line();
            let _ = write!(
                out,
                "<method name=\"{name}\" desc=\"{desc}\" line=\"{line}\">"
            );
            counters(&of_method, out);
            out.push_str("</method>");
            counts.add(&of_method);
        }
        counts.lines = covered(lines.values().map(|line| line[0][1] > 0));
        counts.classes = covered(std::iter::once(counts.methods[1] > 0));
        counters(&counts, out);
        out.push_str("</class>");
        all.add(&counts);
        if let Some(file) = file {
            let (of_file, in_file) = files.entry(file).or_default();
            merge(of_file, &lines);
            in_file.add(&counts);
        }
    }
    for (file, (lines, mut counts)) in files {
        let _ = write!(out, "<sourcefile name=\"{}\">", escaped(file));
        for (line, [[mi, ci], [mb, cb]]) in &lines {
            let _ = write!(
                out,
                "<line nr=\"{line}\" mi=\"{mi}\" ci=\"{ci}\" mb=\"{mb}\" cb=\"{cb}\"/>"
            );
        }
        counts.lines = covered(lines.values().map(|line| line[0][1] > 0));
        counters(&counts, out);
        out.push_str("</sourcefile>");
    }
    all
}

fn of_method(method: &MethodCoverage) -> Lines {
    let mut lines = Lines::new();
    for (line, ran) in method.instructions.iter().filter(|(line, _)| *line != 0) {
        lines.entry(*line).or_default()[0][usize::from(*ran)] += 1;
    }
    for branch in method.branches.values().filter(|branch| branch.line != 0) {
        let of_line = &mut lines.entry(branch.line).or_default()[1];
        of_line[0] += branch.ways.saturating_sub(branch.gone.len());
        of_line[1] += branch.gone.len();
    }
    lines
}

fn merge(into: &mut Lines, lines: &Lines) {
    for (line, counts) in lines {
        let known = into.entry(*line).or_default();
        for (known, count) in known.iter_mut().flatten().zip(counts.iter().flatten()) {
            *known += count;
        }
    }
}

fn covered(all: impl Iterator<Item = bool>) -> Count {
    all.fold([0, 0], |mut count, covered| {
        count[usize::from(covered)] += 1;
        count
    })
}

impl Counts {
    /// Of a method with these lines.
    fn of(lines: &Lines, ran: bool) -> Self {
        let sum = |which: usize| {
            lines.values().fold([0, 0], |sum, line| {
                [sum[0] + line[which][0], sum[1] + line[which][1]]
            })
        };
        Self {
            instructions: sum(0),
            branches: sum(1),
            lines: covered(lines.values().map(|line| line[0][1] > 0)),
            methods: covered(std::iter::once(ran)),
            classes: [0, 0],
        }
    }

    fn all(&mut self) -> [(&'static str, &mut Count); 5] {
        [
            ("INSTRUCTION", &mut self.instructions),
            ("BRANCH", &mut self.branches),
            ("LINE", &mut self.lines),
            ("METHOD", &mut self.methods),
            ("CLASS", &mut self.classes),
        ]
    }

    fn add(&mut self, other: &Self) {
        let mut other = *other;
        for ((_, count), (_, more)) in self.all().into_iter().zip(other.all()) {
            count[0] += more[0];
            count[1] += more[1];
        }
    }
}

fn counters(counts: &Counts, out: &mut String) {
    let mut counts = *counts;
    for (kind, [missed, covered]) in counts.all() {
        if *missed + *covered > 0 {
            let _ = write!(
                out,
                "<counter type=\"{kind}\" missed=\"{missed}\" covered=\"{covered}\"/>"
            );
        }
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::covered::Branch;

    #[test]
    fn the_report_counts_lines_and_branches() {
        let branch = Branch {
            line: 3,
            ways: 2,
            gone: [4].into(),
        };
        let method = |name: &str, instructions: &[(u16, bool)]| MethodCoverage {
            class: "a/b/C".into(),
            name: name.into(),
            desc: "()V".into(),
            file: Some("C.java".into()),
            instructions: instructions.to_vec(),
            ..MethodCoverage::default()
        };
        let mut first = method("<init>", &[(3, true), (3, true), (4, false)]);
        first.branches.insert(1, branch);
        let text = document(&[first, method("m", &[(7, false)])], "x & y");
        assert!(text.contains("<report name=\"x &amp; y\"><package name=\"a/b\">"));
        assert!(text.contains("<class name=\"a/b/C\" sourcefilename=\"C.java\">"));
        assert!(text.contains("<method name=\"&lt;init&gt;\" desc=\"()V\" line=\"3\">"));
        assert!(text.contains("<line nr=\"3\" mi=\"0\" ci=\"2\" mb=\"1\" cb=\"1\"/>"));
        assert!(text.contains("<line nr=\"7\" mi=\"1\" ci=\"0\" mb=\"0\" cb=\"0\"/>"));
        let of_all = "<counter type=\"METHOD\" missed=\"1\" covered=\"1\"/>\
                      <counter type=\"CLASS\" missed=\"0\" covered=\"1\"/></report>";
        assert!(text.ends_with(&format!("{of_all}\n")), "{text}");
    }
}
