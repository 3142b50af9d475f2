//! Writes the Java classes with the probes that there are in many forms, and with the numbers that they share with rewritten classes.
//!
//! Straight-line code for each form is much faster than a loop over the values would be, above all as long as it is interpreted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Form, MOST_HELD, MOST_WORDS, RUN, Whole, numbers, sequences, value_probe};

/// Simple name of the class, which is in `java.lang`.
pub const CLASS: &str = "JinsiEvent";
/// Simple name of the class beside it that has the numbers.
const NUMBERS: &str = "JinsiNumbers";

/// Writes the classes below `directory`, where a compiler looks for them; other files there stay. Gives the files.
///
/// # Errors
/// The directory, or a file in it, cannot be written.
pub fn write(directory: &Path) -> io::Result<[PathBuf; 2]> {
    let package = directory.join("java/lang");
    fs::create_dir_all(&package)?;
    let files = [CLASS, NUMBERS].map(|class| package.join(format!("{class}.java")));
    fs::write(&files[0], methods())?;
    fs::write(&files[1], constants())?;
    Ok(files)
}

/// The source of the class with the probes.
fn methods() -> String {
    let mut methods: Vec<String> = sequences()
        .flat_map(|values| [event(&values), entry(&values), gated(&values)])
        .collect();
    methods.extend((1..=MOST_WORDS).map(run));
    methods.push(pick(MOST_WORDS + MOST_HELD));
    format!("{HEAD}\n{}}}\n", methods.join("\n"))
}

/// The source of the class with the numbers.
fn constants() -> String {
    let constant =
        |&(name, value): &(&str, i32)| format!("    static final int {name} = {value};\n");
    let constants: String = numbers::ALL.iter().map(constant).collect();
    format!(
        "package java.lang;

/** Numbers that the agent uses, too. This file is generated, by the crate {{@code jinsi-probes}}, which says what they mean. */
final class {NUMBERS} {{
{constants}
    private {NUMBERS}() {{}}
}}
"
    )
}

const HEAD: &str = r"package java.lang;

import static java.lang.JinsiBuffer.WORD;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Probes with a form for each sequence of values, primitives as {@code long}. This file is generated, by the crate {@code jinsi-probes}.
 *
 * <p>Up to four values are a whole event: {@code event} writes it, {@code gatedEvent} writes it if {@code what} is not 0, and
 * {@code entryEvent} writes that a method begins which the environment called. {@code what} is the site, the kind, and what runs afterwards, in one number, because every
 * byte of code counts. The common way is {@link JinsiFast}'s; where that does not do, the event is written as any other.
 *
 * <p>{@code runEvent} writes a run, whose values are words (see {@link JinsiGather}).
 *
 * <p>What writes is not inlined into the program: a call costs less than what the compiler takes longer, as long as code with probes is
 * still interpreted.
 */
public class JinsiEvent extends JinsiEdge {
    private static final Unsafe U = Unsafe.getUnsafe();

    JinsiEvent() {}
";

/// Writes the event.
fn event(values: &[Form]) -> String {
    let first = match values.first() {
        Some(Form::Reference) => "v0",
        _ => "null",
    };
    let stores = each(values, |no, form| {
        let store = match form {
            Form::Word => "word",
            Form::Reference => "reference",
        };
        format!(" && (at = JinsiFast.{store}(at, v{no})) != 0")
    });
    let slowly = each(values, |no, form| {
        let add = value_probe(form.letter()).name;
        format!("        JinsiProbe.{add}(v{no});\n")
    });
    let (name, parameters) = (Whole::Event.name(), parameters(values));
    format!(
        "    @DontInline
    public static void {name}({parameters}int what) {{
        try {{
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {{
                return;
            }}
            long at = JinsiFast.begin(buffer, what);
            if (at != 0{stores}) {{
                JinsiFast.end(buffer, at, {first}, what);
                return;
            }}
            if (JinsiFast.isNone(what)) {{
                return;
            }}
        }} catch (Throwable e) {{
            JinsiStop.passOn(e);
            return;
        }}
        JinsiProbe.begin();
{slowly}        JinsiFast.endSlowly({first}, what);
    }}
"
    )
}

/// Takes the references for arguments, and writes the event.
fn entry(values: &[Form]) -> String {
    let argument = each(values, |no, form| match form {
        Form::Word => String::new(),
        Form::Reference => format!("        JinsiProbe.argument(v{no});\n"),
    });
    let (name, parameters) = (Whole::Entry.name(), parameters(values));
    let (event, names) = (Whole::Event.name(), names(values.len()));
    format!(
        "    @DontInline
    public static void {name}({parameters}int what) {{
{argument}        {CLASS}.{event}({names}what);
    }}
"
    )
}

/// Writes the event, if there is one.
fn gated(values: &[Form]) -> String {
    let (name, parameters) = (Whole::Gated.name(), parameters(values));
    let (event, names) = (Whole::Event.name(), names(values.len()));
    format!(
        "    public static void {name}({parameters}int what) {{
        if (what != 0) {{
            {CLASS}.{event}({names}what);
        }}
    }}
"
    )
}

/// Writes a run.
fn run(words: usize) -> String {
    let store = |no: usize| {
        let offset = match no {
            0 => String::new(),
            1 => " + WORD".to_owned(),
            _ => format!(" + {no} * WORD"),
        };
        format!("                U.putLong(at{offset}, v{no});\n")
    };
    let stores: String = (0..words).map(store).collect();
    let slowly: String = (0..words)
        .map(|no| format!("        JinsiProbe.addLong(v{no});\n"))
        .collect();
    let parameters = parameters(&vec![Form::Word; words]);
    format!(
        "    @DontInline
    public static void {RUN}({parameters}int site) {{
        try {{
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {{
                return;
            }}
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {{
{stores}                JinsiGather.ended(buffer, at - WORD, site, {words});
                return;
            }}
        }} catch (Throwable e) {{
            JinsiStop.passOn(e);
            return;
        }}
        JinsiProbe.begin();
{slowly}        JinsiProbe.end(site, JinsiRaw.KIND_RUN);
    }}
"
    )
}

/// The word at a place among so many.
fn pick(words: usize) -> String {
    let parameters = parameters(&vec![Form::Word; words]);
    let parameters = parameters.trim_end_matches(", ");
    let cases: String = (0..words)
        .map(|no| format!("            case {no}:\n                return v{no};\n"))
        .collect();
    format!(
        "    /** The word at {{@code place}}; none is 0. */
    static long pick(int place, {parameters}) {{
        switch (place) {{
{cases}            default:
                return 0;
        }}
    }}
"
    )
}

/// The values, each as a parameter with a comma behind it.
fn parameters(values: &[Form]) -> String {
    each(values, |no, form| match form {
        Form::Word => format!("long v{no}, "),
        Form::Reference => format!("Object v{no}, "),
    })
}

/// The names of so many values, each with a comma behind it.
fn names(values: usize) -> String {
    (0..values).map(|no| format!("v{no}, ")).collect()
}

fn each(values: &[Form], text: impl Fn(usize, Form) -> String) -> String {
    let texts = values.iter().enumerate().map(|(no, &form)| text(no, form));
    texts.collect()
}
