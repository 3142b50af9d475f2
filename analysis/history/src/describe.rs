//! Events and values of a trace as text for people.

use jinsi_trace::model::{Content, Event, EventKind, MarkDef, Payload, Phase, Prim, Site, Value};
use jinsi_trace::order::Stamp;
use jinsi_trace::reader::Trace;

/// Strings and contents are cut after so many characters or elements.
const CUT: usize = 60;

/// Writes events of one trace.
pub struct Describer<'a> {
    trace: &'a Trace,
}

impl<'a> Describer<'a> {
    /// For events of `trace`.
    pub fn new(trace: &'a Trace) -> Self {
        Self { trace }
    }

    /// Where a site is: `pkg.Class.method(File.java:12)`.
    pub fn location(&self, site: &Site) -> String {
        let class = self.trace.class(site.class);
        let name = class.map_or_else(|| "?".into(), |c| dotted(&c.name));
        let file = class
            .and_then(|c| c.source_file.as_deref())
            .unwrap_or("Unknown Source");
        match site.line {
            0 => format!("{name}.{}({file})", site.method),
            line => format!("{name}.{}({file}:{line})", site.method),
        }
    }

    /// One event: what was called or accessed, with which values.
    pub fn event(&self, event: &Event) -> String {
        let site = self.trace.site_of(event);
        match &event.payload {
            Payload::Define { id, class, length } => {
                let name = self
                    .trace
                    .class(*class)
                    .map_or_else(|| "?".into(), |c| dotted(&c.name));
                match length {
                    Some(n) => format!("#{id} = {name} of length {n}"),
                    None => format!("#{id} = {name}"),
                }
            }
            Payload::Content { id, content } => format!("#{id} holds {}", self.content(content)),
            Payload::Operands(values) => match site {
                None if event.kind == EventKind::Order => order(event),
                None if event.kind == EventKind::Mark => self.mark(values),
                Some(site) => self.operands(event.kind, site, values),
                None => self.list(values),
            },
        }
    }

    fn mark(&self, values: &[Value]) -> String {
        let word = match values {
            [Value::Prim(word)] => Phase::of_word(word.to_word()),
            _ => None,
        };
        let Some((test, phase)) = word else {
            return self.list(values);
        };
        let name = self
            .trace
            .mark(test)
            .map_or_else(|| format!("test {test}"), MarkDef::full_name);
        let what = match phase {
            Phase::Begin => "begins",
            Phase::End => "has ended",
            Phase::Failed => "has failed",
        };
        format!("{name} {what}")
    }

    fn operands(&self, kind: EventKind, site: &Site, values: &[Value]) -> String {
        let owner = dotted(&site.target.owner);
        let name = &site.target.name;
        match (kind, values) {
            (EventKind::Enter | EventKind::Call, values) => {
                format!("{owner}.{name}({})", self.list(values))
            }
            (EventKind::Path, [path, at @ Value::Prim(_), ..]) => format!(
                "{owner}.{name} by path {}, thrown at {}",
                self.value(path),
                self.value(at)
            ),
            (EventKind::Path, [path, ..]) => {
                format!("{owner}.{name} by path {}", self.value(path))
            }
            (EventKind::Exit | EventKind::CallExit, []) => format!("{owner}.{name} returns"),
            (EventKind::Exit | EventKind::CallExit, [v]) => {
                format!("{owner}.{name} returns {}", self.value(v))
            }
            (EventKind::GetField, [object, v]) => {
                format!("{}.{name} gives {}", self.value(object), self.value(v))
            }
            (EventKind::PutField, [object, v]) => {
                format!("{}.{name} = {}", self.value(object), self.value(v))
            }
            (EventKind::Given, [v]) if name.is_empty() => format!("gives {}", self.value(v)),
            (EventKind::GetStatic | EventKind::Given, [v]) => {
                format!("{owner}.{name} gives {}", self.value(v))
            }
            (EventKind::PutStatic, [v]) => format!("{owner}.{name} = {}", self.value(v)),
            (EventKind::ArrayLoad, [array, i, v]) => {
                format!(
                    "{}[{}] gives {}",
                    self.value(array),
                    self.value(i),
                    self.value(v)
                )
            }
            (EventKind::ArrayStore, [array, i, v]) => {
                format!(
                    "{}[{}] = {}",
                    self.value(array),
                    self.value(i),
                    self.value(v)
                )
            }
            (_, values) => format!("{owner}.{name} {}", self.list(values)),
        }
    }

    fn content(&self, content: &Content) -> String {
        match content {
            Content::Text(text) => quoted(&text.to_string()),
            Content::Fields(fields) => {
                let all = fields.iter().map(|(field, value)| {
                    let class = self.trace.class(field.class);
                    let class = class.map_or_else(|| "?".into(), |c| dotted(&c.name));
                    format!("{class}.{} = {}", field.name, self.value(value))
                });
                format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
            }
            Content::TooLarge { len } => format!("{len} elements, too many to be recorded"),
            Content::Entries(values) => {
                let pairs = values.chunks(2).take(CUT / 4).map(|p| {
                    p.iter()
                        .map(|v| self.value(v))
                        .collect::<Vec<_>>()
                        .join("=")
                });
                format!(
                    "{{{}{}}}",
                    pairs.collect::<Vec<_>>().join(", "),
                    more(values.len() / 2, CUT / 4)
                )
            }
            Content::Array(values) | Content::Elements(values) => {
                let shown: Vec<_> = values.iter().take(CUT / 4).map(|v| self.value(v)).collect();
                format!("[{}{}]", shown.join(", "), more(values.len(), CUT / 4))
            }
        }
    }

    fn list(&self, values: &[Value]) -> String {
        values
            .iter()
            .map(|v| self.value(v))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// One value: literals as in Java, objects by identity.
    pub fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".into(),
            Value::Prim(p) | Value::Boxed(p) => prim(*p),
            Value::Str(s) => quoted(&s.to_string()),
            Value::Class(no) => self.trace.class(*no).map_or_else(
                || "?.class".into(),
                |c| format!("{}.class", dotted(&c.name)),
            ),
            Value::Object(id) => format!("#{id}"),
        }
    }
}

fn order(event: &Event) -> String {
    Stamp::of(event).map_or_else(String::new, |stamp| {
        let what = if stamp.is_acquire() {
            "acquire"
        } else {
            "release"
        };
        format!("{what} {}", stamp.value())
    })
}

fn more(len: usize, shown: usize) -> String {
    if len > shown {
        format!(", … {} more", len - shown)
    } else {
        String::new()
    }
}

fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

fn prim(value: Prim) -> String {
    match value {
        Prim::Boolean(v) => v.to_string(),
        Prim::Byte(v) => v.to_string(),
        Prim::Short(v) => v.to_string(),
        Prim::Int(v) => v.to_string(),
        Prim::Long(v) => format!("{v}L"),
        Prim::Float(v) => format!("{v}f"),
        Prim::Double(v) => format!("{v:?}"),
        Prim::Char(v) => char::from_u32(u32::from(v))
            .map_or_else(|| format!("'\\u{v:04x}'"), |c| format!("{c:?}")),
    }
}

fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(CUT).collect();
    if cut.len() < text.len() {
        format!("{cut:?}…")
    } else {
        format!("{cut:?}")
    }
}
