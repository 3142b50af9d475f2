//! Functions that give a table: what an [`jinsi_inspect::Inspector`] answers about one trace, to be joined with the others.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::catalog::{MemTable, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use datafusion::scalar::ScalarValue;
use jinsi_answers::named;
use jinsi_inspect::{BadPath, Holds, How, Moment, Outcome, Path, Seen};
use jinsi_slice::criterion::Criterion;
use jinsi_trace::model::{EventId, MemberRef};

use crate::cell::Cell;
use crate::error::QueryError;
use crate::provider::external;
use crate::rows::Builder;
use crate::run::Run;
use crate::schema::Type;
use crate::values::{content, dotted, seen, text};

/// Calls of a tree, and steps back to an origin, that are given at most.
const MOST: usize = 10_000;
/// Elements of an array that are given.
const ELEMENTS: u32 = 1000;

type FunctionRows = std::result::Result<Vec<Vec<Cell<'static>>>, QueryError>;

/// A function.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is called.
    pub usage: &'static str,
    /// What it gives.
    pub says: &'static str,
    columns: &'static [(&'static str, Type)],
    tell: fn(&Run, &[String]) -> FunctionRows,
}

/// All of them.
pub const ALL: &[Function] = &[
    Function {
        name: "call_chain",
        usage: "call_chain('MOMENT')",
        says: "the open calls at a moment, innermost first, with the lines that they are in",
        columns: &[
            ("depth", Type::Int),
            ("event", Type::Text),
            ("class", Type::Text),
            ("method", Type::Text),
            ("file", Type::Text),
            ("line", Type::Int),
            ("receiver", Type::Text),
        ],
        tell: call_chain,
    },
    Function {
        name: "call_tree",
        usage: "call_tree('EVENT')",
        says: "all calls within one, callers first",
        columns: &[
            ("depth", Type::Int),
            ("event", Type::Text),
            ("class", Type::Text),
            ("method", Type::Text),
            ("line", Type::Int),
            ("arguments", Type::Text),
            ("ending", Type::Text),
            ("result", Type::Text),
        ],
        tell: call_tree,
    },
    Function {
        name: "object_state",
        usage: "object_state(OBJECT, 'MOMENT')",
        says: "what an object held at a moment: fields, elements, or the content of a container; or why that is not known",
        columns: &[
            ("name", Type::Text),
            ("value", Type::Text),
            ("value_object", Type::Int),
            ("unknown", Type::Text),
        ],
        tell: object_state,
    },
    Function {
        name: "history",
        usage: "history('WHAT')",
        says: "all that '#42.size', '#17[3]', '#42' or 'com.foo.Bar.count' ever held",
        columns: &[
            ("event", Type::Text),
            ("variable", Type::Text),
            ("value", Type::Text),
            ("value_object", Type::Int),
            ("unknown", Type::Text),
            ("code", Type::Text),
            ("line", Type::Int),
        ],
        tell: history,
    },
    Function {
        name: "origin",
        usage: "origin('MOMENT', 'EXPRESSION')",
        says: "where the value of an expression came from, step by step back",
        columns: &[
            ("step", Type::Int),
            ("event", Type::Text),
            ("code", Type::Text),
            ("line", Type::Int),
            ("how", Type::Text),
        ],
        tell: origin,
    },
    Function {
        name: "slice",
        usage: "slice() or slice('CLASS:LINE[:VAR]')",
        says: "the source lines that made the run fail, or computed what a line used",
        columns: &[
            ("class", Type::Text),
            ("file", Type::Text),
            ("line", Type::Int),
            ("instructions", Type::Int),
            ("distance", Type::Int),
        ],
        tell: slice,
    },
];

/// A function over a trace; `None`: over many, of which it is not known which is meant.
pub(crate) struct OverRun {
    pub(crate) function: Function,
    pub(crate) run: Option<Arc<Run>>,
}

impl fmt::Debug for OverRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name)
    }
}

impl TableFunctionImpl for OverRun {
    fn call_with_args(
        &self,
        arguments: TableFunctionArgs<'_, '_>,
    ) -> Result<Arc<dyn TableProvider>> {
        let texts = arguments.exprs().iter().map(argument);
        let texts: Vec<String> = texts.collect::<Option<_>>().ok_or_else(|| self.usage())?;
        let Some(run) = &self.run else {
            let name = self.function.name;
            let why = format!("{name}() is about one trace: jinsi query FILE");
            return Err(external(QueryError::Usage(why)));
        };
        let rows = (self.function.tell)(run, &texts).map_err(external)?;
        let batch = batch(self.function.columns, &rows)?;
        Ok(Arc::new(MemTable::try_new(
            batch.schema(),
            vec![vec![batch]],
        )?))
    }
}

impl OverRun {
    fn usage(&self) -> datafusion::error::DataFusionError {
        external(QueryError::Usage(format!("usage: {}", self.function.usage)))
    }
}

fn argument(expr: &Expr) -> Option<String> {
    let Expr::Literal(value, ..) = expr else {
        return None;
    };
    match value {
        ScalarValue::Int64(Some(number)) => Some(number.to_string()),
        ScalarValue::Utf8(Some(text)) | ScalarValue::Utf8View(Some(text)) => Some(text.clone()),
        _ => None,
    }
}

pub(crate) fn batch(columns: &[(&str, Type)], rows: &[Vec<Cell<'static>>]) -> Result<RecordBatch> {
    let fields = columns
        .iter()
        .map(|(name, of)| Field::new(*name, of.arrow(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let array = |(at, (_, of)): (usize, &(&str, Type))| -> ArrayRef {
        let mut builder = Builder::new(*of);
        for row in rows {
            builder.push(row.get(at).unwrap_or(&Cell::Null));
        }
        builder.finish()
    };
    let arrays = columns.iter().enumerate().map(array).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
}

fn usage(function: &str) -> QueryError {
    let known = ALL.iter().find(|known| known.name == function);
    let usage = known.map_or(function, |known| known.usage);
    QueryError::Usage(format!("usage: {usage}"))
}

fn moment(text: &str) -> std::result::Result<Moment, QueryError> {
    text.parse()
        .map_err(|e| QueryError::Usage(format!("{e}: a moment is THREAD:EVENT")))
}

fn call_chain(run: &Run, arguments: &[String]) -> FunctionRows {
    let [at] = arguments else {
        return Err(usage("call_chain"));
    };
    let inspector = run.inspector()?;
    let state = inspector.state(moment(at)?)?;
    let frames = (0u64..).zip(&state.frames).map(|(depth, frame)| {
        vec![
            depth.into(),
            frame.activation.to_string().into(),
            dotted(&frame.method.owner).into(),
            frame.method.name.to_string().into(),
            frame.file.clone().into(),
            frame.line.into(),
            frame
                .this
                .as_ref()
                .map_or(Cell::Null, |this| seen(&run.trace, this).0),
        ]
    });
    Ok(frames.collect())
}

fn call_tree(run: &Run, arguments: &[String]) -> FunctionRows {
    let [event] = arguments else {
        return Err(usage("call_tree"));
    };
    let root: EventId = event
        .parse()
        .map_err(|e| QueryError::Usage(format!("{e}")))?;
    let inspector = run.inspector()?;
    let tree = inspector.call_tree(root, MOST)?;
    let texts = |values: &[Seen]| {
        let texts = values.iter().map(|value| known(run, value));
        texts.collect::<Vec<_>>().join(", ")
    };
    let rows = tree.iter().map(|(depth, call)| {
        let (ending, result) = match &call.outcome {
            Outcome::Returned(value) => ("returned", value.as_ref().map(|v| known(run, v))),
            Outcome::Threw(id) => ("threw", (*id != 0).then(|| format!("#{id}"))),
            Outcome::Open => ("open", None),
        };
        vec![
            Cell::from(*depth as u64),
            call.activation.map(|name| name.to_string()).into(),
            dotted(&call.method.owner).into(),
            call.method.name.to_string().into(),
            call.line.into(),
            texts(&call.arguments).into(),
            ending.into(),
            result.into(),
        ]
    });
    Ok(rows.collect())
}

/// A value, or a question mark.
fn known(run: &Run, value: &Seen) -> String {
    match seen(&run.trace, value).0 {
        Cell::Text(text) => text.into_owned(),
        _ => "?".to_owned(),
    }
}

fn unknown(value: &Seen) -> Cell<'static> {
    match value {
        Seen::Unknown(why) => why.to_string().into(),
        _ => Cell::Null,
    }
}

fn object_state(run: &Run, arguments: &[String]) -> FunctionRows {
    let [object, at] = arguments else {
        return Err(usage("object_state"));
    };
    let id = object.strip_prefix('#').unwrap_or(object).parse();
    let id = id.map_err(|_| usage("object_state"))?;
    let inspector = run.inspector()?;
    let state = inspector.object(id, moment(at)?, 0..ELEMENTS)?;
    let row = |name: String, value: &Seen| {
        let (text, object) = seen(&run.trace, value);
        vec![name.into(), text, object, unknown(value)]
    };
    Ok(match &state.holds {
        Holds::Fields(fields, _) => {
            let rows = fields
                .iter()
                .map(|(field, value)| row(field.name.to_string(), value));
            rows.collect()
        }
        Holds::Elements(elements, _) => {
            let rows = elements
                .iter()
                .map(|(at, value)| row(format!("[{at}]"), value));
            rows.collect()
        }
        Holds::Content(held, since) => vec![vec![
            format!("since {since}").into(),
            content(&run.trace, held).into(),
        ]],
        Holds::Opaque => Vec::new(),
    })
}

fn history(run: &Run, arguments: &[String]) -> FunctionRows {
    let [what] = arguments else {
        return Err(usage("history"));
    };
    let inspector = run.inspector()?;
    let variables = named(&inspector, what).map_err(|e| QueryError::Usage(e.to_string()))?;
    let mut rows = Vec::new();
    for (name, variable) in variables {
        for entry in inspector.history(&variable)? {
            let (value, object) = seen(&run.trace, &entry.value);
            rows.push(vec![
                entry.after.to_string().into(),
                name.clone().into(),
                value,
                object,
                unknown(&entry.value),
                entry.by.as_ref().map(|by| code(&by.method)).into(),
                entry.by.as_ref().map(|by| by.line).into(),
            ]);
        }
    }
    Ok(rows)
}

fn code(method: &MemberRef) -> String {
    format!("{}.{}", dotted(&method.owner), method.name)
}

fn origin(run: &Run, arguments: &[String]) -> FunctionRows {
    let [at, expression] = arguments else {
        return Err(usage("origin"));
    };
    let path: Path = expression
        .parse()
        .map_err(|bad: BadPath| QueryError::Usage(bad.to_string()))?;
    let inspector = run.inspector()?;
    let mut origin = inspector.origin(moment(at)?, 0, &path)?;
    let mut rows = Vec::new();
    for step in 0..MOST as u64 {
        let (how, detail) = match &origin.how {
            How::Constant => ("constant", None),
            How::Computed(name) => ("computed by", Some((*name).to_owned())),
            How::Made => ("made", None),
            How::Read(Some(variable), _) => ("read from", Some(variable.to_string())),
            How::Read(None, _) => ("read", None),
            How::Called(target) => ("given by", Some(code(target))),
            How::Handed => ("handed in", None),
            How::Initial => ("initial", None),
        };
        let inputs = origin.inputs.iter().map(|input| match &input.value {
            Seen::Known(value) => text(&run.trace, value),
            other => known(run, other),
        });
        let inputs: Vec<String> = inputs.collect();
        let of = if inputs.is_empty() {
            String::new()
        } else {
            format!(" of {}", inputs.join(", "))
        };
        let how = detail.map_or_else(|| how.to_owned(), |detail| format!("{how} {detail}"));
        rows.push(vec![
            step.into(),
            origin.at.to_string().into(),
            origin.method.as_ref().map(code).into(),
            origin.line.into(),
            format!("{how}{of}").into(),
        ]);
        let next = match (&origin.further, origin.inputs.as_slice()) {
            (Some(further), _) => Some(*further),
            (None, [only]) if matches!(origin.how, How::Computed(_)) => Some(only.made),
            _ => None,
        };
        match next.filter(|next| *next != origin.at) {
            Some(next) => origin = inspector.origin_of(next)?,
            None => break,
        }
    }
    Ok(rows)
}

fn slice(run: &Run, arguments: &[String]) -> FunctionRows {
    let criterion = match arguments {
        [] => None,
        [place] => {
            let parsed: std::result::Result<Criterion, _> = place.parse();
            Some(parsed.map_err(|e| QueryError::Usage(e.to_string()))?)
        }
        _ => return Err(usage("slice")),
    };
    let slice = jinsi_slice::slice(&run.trace, criterion, jinsi_slice::Kind::Dynamic);
    let slice = slice.map_err(|e| QueryError::Engine(e.to_string()))?;
    let rows = slice.lines.iter().map(|line| {
        vec![
            line.class.clone().into(),
            line.file.clone().into(),
            line.line.into(),
            Cell::from(line.instructions as u64),
            line.distance.into(),
        ]
    });
    Ok(rows.collect())
}
