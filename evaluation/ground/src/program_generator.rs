//! Java programs of all kinds of control and data flow, made by chance: they end, and most of their lines are run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Classes of a program beside `made.Main`.
const CLASSES: u64 = 8;

/// A generator of numbers that are the same in every run.
#[derive(Debug)]
struct Chance(u64);

impl Chance {
    /// The numbers of a seed.
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Methods of a class; each calls only those before it.
const METHODS: u64 = 6;

/// Writes the program of a seed into a directory: its sources. `made.Main` runs all of its classes, and dies of an exception.
///
/// # Errors
/// A file cannot be written.
pub fn write(directory: &Path, seed: u64) -> std::io::Result<Vec<PathBuf>> {
    let mut main = String::from("package made;\n\nfinal class Main {\n");
    main.push_str("    public static void main(String[] args) {\n        int sum = 0;\n");
    let mut sources = Vec::new();
    for number in 0..CLASSES {
        let name = format!("G{number}");
        let path = directory.join(format!("{name}.java"));
        std::fs::write(&path, class(&name, seed * CLASSES + number + 1))?;
        sources.push(path);
        main.push_str(&format!("        sum += {name}.run({number});\n"));
    }
    main.push_str("        throw new IllegalStateException(\"sum \" + sum);\n    }\n}\n");
    let path = directory.join("Main.java");
    std::fs::write(&path, main)?;
    sources.push(path);
    Ok(sources)
}

/// A class `name` of package `made` with a method `static int run(int)`.
fn class(name: &str, seed: u64) -> String {
    let mut writer = Writer {
        chance: Chance::new(seed),
        text: String::new(),
        indent: 1,
        callable: 0,
        loops: 0,
        names: 0,
    };
    writer.head(name);
    for method in 0..METHODS {
        writer.callable = method;
        writer.line("");
        writer.line(&format!("int m{method}(int a, int b) {{"));
        writer.indent += 1;
        writer.line("if (fuel-- <= 0) {");
        writer.line("    return a;");
        writer.line("}");
        match method.checked_sub(1) {
            Some(before) => writer.line(&format!("int c = m{before}(b, a);")),
            None => writer.line("int c = b;"),
        }
        writer.block(2);
        let result = writer.expression(2);
        writer.line(&format!("return {result};"));
        writer.indent -= 1;
        writer.line("}");
    }
    writer.tail(name);
    writer.text
}

struct Writer {
    chance: Chance,
    text: String,
    indent: usize,
    /// How many methods may be called.
    callable: u64,
    /// Loops around.
    loops: u64,
    names: u64,
}

impl Writer {
    /// What every class begins with.
    fn head(&mut self, name: &str) {
        let _ = write!(
            self.text,
            "package made;

final class {name} {{
    static int s0;
    static int s1 = 3;
    static int[] arr = new int[8];
    static int[] copy = new int[8];
    static int fuel = 400;
    int f;
    long wide = 5;
    java.util.List<Integer> list = new java.util.ArrayList<>();
    StringBuilder text = new StringBuilder();

    static final class Oops extends RuntimeException {{
        final int code;

        Oops(int code) {{
            super(\"code \" + code);
            this.code = code;
        }}
    }}

    {name}(int start) {{
        f = start;
    }}
"
        );
    }

    /// What every class ends with.
    fn tail(&mut self, name: &str) {
        let _ = write!(
            self.text,
            "
    static int run(int seed) {{
        {name} it = new {name}(seed);
        int result = 0;
        for (int i = 0; i < 3; i++) {{
            try {{
                result += it.m{last}(seed, i);
            }} catch (RuntimeException e) {{
                result -= e instanceof Oops ? ((Oops) e).code : 1;
            }}
        }}
        result += it.text.length();
        return result;
    }}
}}
",
            last = METHODS - 1
        );
    }

    fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(&"    ".repeat(self.indent));
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.chance.below(from.len() as u64) as usize]
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.chance.below(3) {
            self.statement(depth);
        }
    }

    fn nested(&mut self, head: &str, depth: u32) {
        self.line(head);
        self.indent += 1;
        self.block(depth - 1);
        self.indent -= 1;
    }

    fn statement(&mut self, depth: u32) {
        if depth > 0 && self.chance.below(3) > 0 {
            return self.compound(depth);
        }
        let value = self.expression(2);
        let simple = match self.chance.below(12) {
            0..=2 => format!("{} = {value};", self.pick(&["a", "b", "c", "c"])),
            3 => format!("{} = {value};", self.pick(&["s0", "s1", "f"])),
            4 => format!("{} += {value};", self.pick(&["c", "s0", "f", "wide"])),
            5 => format!("arr[({value}) & 7] = {};", self.expression(1)),
            6 => format!("arr[({value}) & 7] += {};", self.expression(1)),
            7 => format!("list.add({value});"),
            8 => format!("text.append({value}).append('x');"),
            9 => "System.arraycopy(arr, 1, copy, 2, 4);".into(),
            10 => "java.util.Arrays.sort(arr);".into(),
            _ => format!("wide = wide * 3 + ({value});"),
        };
        self.line(&simple);
    }

    fn compound(&mut self, depth: u32) {
        let condition = self.condition();
        match self.chance.below(9) {
            0 | 1 => {
                self.nested(&format!("if ({condition}) {{"), depth);
                self.line("}");
            }
            2 => {
                self.nested(&format!("if ({condition}) {{"), depth);
                self.nested("} else {", depth);
                self.line("}");
            }
            3 if self.loops < 2 => {
                let name = self.fresh();
                self.loops += 1;
                self.nested(
                    &format!("for (int {name} = 0; {name} < 3; {name}++) {{"),
                    depth,
                );
                self.line(&format!("    c += {name};"));
                self.line("}");
                self.loops -= 1;
            }
            4 if self.loops < 2 => {
                let name = self.fresh();
                self.line(&format!("int {name} = 4;"));
                self.loops += 1;
                self.line("do {");
                let escape = self.pick(&["break", "continue"]);
                self.line(&format!("    if (--{name} > 0 && {condition}) {{"));
                self.line(&format!("        {escape};"));
                self.line("    }");
                self.nested("    c--;", depth);
                self.line(&format!("}} while ({name} > 0);"));
                self.loops -= 1;
            }
            5 => {
                let value = self.expression(1);
                self.line(&format!("switch ({value} & 3) {{"));
                for (key, leave) in [("case 0:", true), ("case 1:", false), ("default:", true)] {
                    self.nested(&format!("    {key}"), depth);
                    if leave {
                        self.line("        break;");
                    }
                }
                self.line("}");
            }
            6 | 7 => self.trying(depth),
            _ => {
                let value = self.expression(1);
                self.line(&format!("if ({condition} && b > 2) {{"));
                self.line(&format!("    throw new Oops({value});"));
                self.line("}");
            }
        }
    }

    fn trying(&mut self, depth: u32) {
        let (divisor, name) = (self.expression(1), self.fresh());
        self.line("try {");
        self.line(&format!("    c = 100 / (({divisor}) % 3);"));
        self.nested("    c++;", depth);
        match self.chance.below(3) {
            0 => self.nested(&format!("}} catch (ArithmeticException {name}) {{"), depth),
            1 => {
                self.line(&format!("}} catch (Oops {name}) {{"));
                self.line(&format!("    c = {name}.code;"));
                self.nested(&format!("}} catch (RuntimeException {name}) {{"), depth);
            }
            _ => {
                self.nested(&format!("}} catch (RuntimeException {name}) {{"), depth);
                self.nested("} finally {", 1);
            }
        }
        self.line("}");
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.expression(1), self.expression(1));
        let how = self.pick(&["<", ">=", "==", "!="]);
        format!("{left} {how} {right}")
    }

    fn expression(&mut self, depth: u32) -> String {
        let leaf = depth == 0 || self.chance.below(3) == 0;
        let kind = self.chance.below(if leaf { 7 } else { 16 });
        let callable = self.callable;
        let mut part = || self.expression_below(depth);
        match kind {
            0..=2 => self.pick(&["a", "b", "c"]).into(),
            3 => self.pick(&["s0", "s1", "f", "this.f"]).into(),
            4 | 5 => self.chance.below(9).to_string(),
            6 => "(int) wide".into(),
            7 | 8 => format!("({} + {})", part(), part()),
            9 => format!("({} * {})", part(), part()),
            10 => format!("({} - {})", part(), part()),
            11 => format!("arr[({}) & 7]", part()),
            12 => format!("copy[({}) & 7]", part()),
            13 => "(list.isEmpty() ? c : list.get(list.size() - 1))".into(),
            14 if callable > 0 => {
                let (first, second) = (part(), part());
                let method = self.chance.below(callable);
                format!("m{method}({first}, {second})")
            }
            _ => {
                let (given, name) = (part(), self.fresh());
                let operator = "((java.util.function.IntUnaryOperator)";
                format!("{operator} {name} -> {name} + f).applyAsInt({given})")
            }
        }
    }

    fn expression_below(&mut self, depth: u32) -> String {
        self.expression(depth.saturating_sub(1))
    }
}
