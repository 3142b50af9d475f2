//! What the comment of a test says: the failure, which values are smaller than recorded, and how to run it. It is laid out as google-java-format does it.

use super::java::{Doc, Paragraph, WIDTH};
use super::promise::Promise;
use super::writer::Writer;
use super::{Form, Request};
use jinsi_oracle::Oracle;

/// What each line of the comment begins with.
const MARGIN: &str = "     * ";
/// Characters of a line of the failure's text.
const SHOWN: usize = 80;

/// The comment of the test method.
pub(super) fn comment(writer: &Writer) -> Doc {
    let (request, form) = (writer.request, writer.form);
    let mut lines = vec!["<pre>".to_owned()];
    lines.extend(failure(request));
    lines.push("</pre>".to_owned());
    let words = |sentences: Vec<String>| Paragraph::Words(format!("<p>{}", sentences.join(" ")));
    let mut paragraphs = vec![
        Paragraph::Words(Promise::of(writer).sentence(writer)),
        Paragraph::Lines(lines),
    ];
    let smaller = smaller(request);
    if !smaller.is_empty() {
        paragraphs.push(words(smaller));
    }
    paragraphs.push(words(how_to_run(writer, form)));
    Doc::Long(paragraphs)
}

/// The recorded failure, and where it was.
fn failure(request: &Request) -> Vec<String> {
    let p = request.predicate;
    let parts = [Some(p.class.as_str()), request.message];
    let parts: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter(|p| !p.is_empty())
        .collect();
    let line = if *request.oracle != Oracle::Exception {
        String::new()
    } else if p.at_line > 0 {
        format!(", line {}", p.at_line)
    } else {
        String::new()
    };
    let place = match p.at_class.as_str() {
        _ if matches!(request.oracle, Oracle::State(_)) => {
            vec!["    of an object, after these calls".to_owned()]
        }
        _ if *request.oracle != Oracle::Exception => {
            vec!["    in the last call of this test".to_owned()]
        }
        "" => vec!["    wherever the limit is reached".to_owned()],
        class => place(class, &p.at_method, &line),
    };
    let text = parts.join(": ");
    let lines = text.lines().flat_map(cut).chain(place);
    lines.map(|line| escaped(&line)).collect()
}

/// A line in parts that can be shown; cut at a blank, if there is one.
fn cut(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(end) = shown(rest) {
        let at = rest[..end].rfind(' ').filter(|&at| at > end / 2);
        let (part, behind) = rest.split_at(at.unwrap_or(end));
        parts.push(part.to_owned());
        rest = behind;
    }
    parts.push(rest.to_owned());
    parts
}

/// Where a text has to be cut so that what stands for its characters is no longer than [`SHOWN`].
fn shown(text: &str) -> Option<usize> {
    let mut columns = 0;
    text.char_indices().find_map(|(at, c)| {
        columns += escaped(c.encode_utf8(&mut [0; 4])).len();
        (columns > SHOWN && at > 0).then_some(at)
    })
}

/// The place of a failure; the method has a line of its own if there is not room for both.
fn place(class: &str, method: &str, line: &str) -> Vec<String> {
    let whole = format!("    in {class}.{method}{line}");
    let fits = |text: &str| MARGIN.len() + text.chars().count() <= WIDTH;
    let of_class = format!("    in {class}");
    match class.rsplit_once('.') {
        _ if fits(&whole) => vec![whole],
        Some((package, name)) if !fits(&of_class) => vec![
            format!("    in {package}"),
            format!("        .{name}"),
            format!("        .{method}{line}"),
        ],
        _ => vec![of_class, format!("        .{method}{line}")],
    }
}

/// The arguments that are smaller than they were recorded.
fn smaller(request: &Request) -> Vec<String> {
    let sentence = |s: &jinsi_level::Shrunk| {
        let call = request.kept.binary_search(&s.interaction);
        let (call, argument) = (call.map_or(0, |at| at + 1), s.argument + 1);
        escaped(&format!(
            "Smaller than recorded: argument {argument} of call {call}, {} instead of {}.",
            s.shrunk, s.recorded
        ))
    };
    request.level.shrunk.iter().map(sentence).collect()
}

fn how_to_run(writer: &Writer, form: Form) -> Vec<String> {
    let request = writer.request;
    let test = request.class_name;
    let framework = writer.framework.title();
    let with = |further: &str| {
        format!("Run it with {framework}{further}, for example {{@code mvn test -Dtest={test}}}.")
    };
    let mut sentences = match form {
        Form::Plain => {
            let real = "Everything that these calls use runs for real; the recording is not needed.".to_owned();
            let answered = !request.answers.is_empty();
            answered.then_some(real).into_iter().chain([with("")]).collect()
        }
        Form::Mockito => vec![
            "The stand-ins give the answers that this run needed, and no others.".to_owned(),
            with(" and Mockito"),
        ],
        Form::Replay if !writer.recorded => vec![
            format!("The classes on the class path run, and get the recorded answers out of {{@code {test}.jinsi}} beside this class."),
            "Where they ask what was not recorded, the test is aborted, with the question in the message.".to_owned(),
            with(" and jinsi's extension"),
        ],
        Form::Replay => vec![
            format!("The recorded classes run and get the recorded answers, both out of {{@code {test}.jinsi}} beside this class."),
            "That shows the failure in a debugger; a change of the source changes nothing here.".to_owned(),
            "To check a repair, record the repaired program, or use the test of a level that needs no such file.".to_owned(),
            with(" and jinsi's extension"),
        ],
    };
    if let Oracle::Predicate(wrong) = request.oracle {
        let class = &wrong.predicate.class;
        sentences.push(format!(
            "The predicate {{@code {class}}} has to be on its class path."
        ));
    }
    sentences
}

/// Text in a documentation comment. The compiler reads `\u` even there (JLS §3.3).
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' => out.push_str("&#92;"),
            '/' => out.push_str(if out.ends_with('*') { "&#47;" } else { "/" }),
            '{' => out.push_str("&#123;"),
            ' '..='~' => out.push(c),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_cannot_be_ended_or_escaped_from() {
        assert_eq!(
            escaped("*/ <b> \\u000a @x {@code}"),
            "*&#47; &lt;b&gt; &#92;u000a &#64;x &#123;&#64;code}"
        );
    }

    #[test]
    fn long_messages_are_cut_at_blanks() {
        let line = "word ".repeat(40);
        let parts = cut(&line);
        assert!(parts.iter().all(|part| part.chars().count() <= SHOWN));
        assert_eq!(parts.concat(), line);
        assert_eq!(cut(&"x".repeat(SHOWN + 1)).len(), 2);
        assert_eq!(cut(""), [""]);
    }
}
