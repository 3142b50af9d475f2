//! What an assistant can ask: each tool is a question of the command line, with its arguments by name.

use std::ffi::OsString;

use serde_json::{Map, Value, json};

use crate::error::McpError;

/// How an argument stands on the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    /// In its place, behind the trace.
    Place,
    /// Behind an option, joined to it.
    Option(&'static str),
    /// An option that is there or not.
    Flag(&'static str),
    /// An option each, or in their place if there is none.
    Each(Option<&'static str>),
    /// Lines on standard input.
    Lines,
}

/// An argument.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) how: How,
    pub(crate) is_required: bool,
    pub(crate) about: &'static str,
}

impl Parameter {
    const fn new(name: &'static str, how: How, about: &'static str) -> Self {
        Self {
            name,
            how,
            is_required: false,
            about,
        }
    }

    const fn required(name: &'static str, how: How, about: &'static str) -> Self {
        Self {
            name,
            how,
            is_required: true,
            about,
        }
    }
}

/// A question.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The command.
    pub(crate) command: &'static str,
    /// What the command is always given.
    pub(crate) always: &'static [&'static str],
    pub(crate) about: &'static str,
    pub(crate) parameters: &'static [Parameter],
}

/// The argument that says to every tool which trace it is about.
const TRACE: &str = "trace";
/// The argument by which the next part of a long answer is asked for.
pub(crate) const PART: &str = "part";

const REPLAYED: Parameter = Parameter::new(
    "replayed",
    How::Flag("--replayed"),
    "replay even a recording that has instructions (detail=instructions), so that all values are known; one without them is replayed anyway",
);
const MOMENT: Parameter = Parameter::required(
    "moment",
    How::Place,
    "THREAD:EVENT, THREAD:EVENT+STEPS, or 'failure'",
);

/// All questions.
pub(crate) const TOOLS: [Tool; 11] = [
    Tool {
        name: "failure",
        command: "info",
        always: &[],
        about: "What the recording is of: the failures with their stacks, threads, classes, how much was recorded, what is missing. Ask this first.",
        parameters: &[],
    },
    Tool {
        name: "tree",
        command: "tree",
        always: &[],
        about: "Who called whom, with what, and what came of it, from the beginning of each thread or within one call.",
        parameters: &[
            Parameter::new(
                "call",
                How::Place,
                "the call whose callees are shown, by the event it began with: THREAD:EVENT",
            ),
            Parameter::new("depth", How::Option("--depth"), "how many levels of calls"),
            Parameter::new("limit", How::Option("--limit"), "how many calls at most"),
            REPLAYED,
        ],
    },
    Tool {
        name: "at",
        command: "at",
        always: &[],
        about: "The stack with all variables at a moment; with it expressions, an object, or what the innermost call had changed by then. 'step' goes a line on or back first.",
        parameters: &[
            MOMENT,
            Parameter::new(
                "step",
                How::Option("--step"),
                "into, over, out, back-into, back-over or back-out",
            ),
            Parameter::new(
                "show",
                How::Each(Some("--show")),
                "expressions: x, this.next.size, a[i], com.foo.Bar.count",
            ),
            Parameter::new(
                "object",
                How::Option("--object"),
                "the number of an object whose fields or elements are shown",
            ),
            Parameter::new(
                "changed",
                How::Flag("--changed"),
                "what changed since the innermost call began",
            ),
            REPLAYED,
        ],
    },
    Tool {
        name: "history",
        command: "history",
        always: &[],
        about: "Every value that a field, an element or an object ever held, when, and who wrote it.",
        parameters: &[
            Parameter::required(
                "what",
                How::Place,
                "com.foo.Bar.count, #42, #42.size or #17[3]",
            ),
            REPLAYED,
        ],
    },
    Tool {
        name: "origin",
        command: "origin",
        always: &[],
        about: "Where a value came from: the instruction that made it and what that was made of, step by step.",
        parameters: &[
            Parameter::required(
                "moment",
                How::Place,
                "THREAD:EVENT, THREAD:EVENT+STEPS, 'failure', or @MOMENT for the value that was made there",
            ),
            Parameter::new(
                "expression",
                How::Place,
                "x, this.next.size, a[i], #42.size",
            ),
            REPLAYED,
        ],
    },
    Tool {
        name: "logpoint",
        command: "logpoint",
        always: &[],
        about: "What expressions were each time a line ran, over all of the run, as if the program had printed them.",
        parameters: &[
            Parameter::required("line", How::Place, "CLASS:LINE or FILE:LINE"),
            Parameter::new(
                "expressions",
                How::Each(None),
                "variables, fields, elements",
            ),
            Parameter::new(
                "skip",
                How::Option("--skip"),
                "leave out the first so many times",
            ),
            Parameter::new("limit", How::Option("--limit"), "so many times at most"),
            REPLAYED,
        ],
    },
    Tool {
        name: "slice",
        command: "slice",
        always: &[],
        about: "The source lines that made the run fail, or that went into a line.",
        parameters: &[
            Parameter::new(
                "at",
                How::Option("--at"),
                "CLASS:LINE[:VAR][#OCCURRENCE]; without it, the failure",
            ),
            Parameter::new(
                "relevant",
                How::Flag("--relevant"),
                "also what did not happen, but might have",
            ),
        ],
    },
    Tool {
        name: "where",
        command: "where",
        always: &[],
        about: "Where to look first: lines ranked by all that speaks for them.",
        parameters: &[
            Parameter::new(
                "passing",
                How::Each(Some("--passing")),
                "traces of runs that passed",
            ),
            Parameter::new(
                "test",
                How::Option("--test"),
                "the failed test of a suite that is looked into",
            ),
            Parameter::new("lines", How::Option("--lines"), "how many lines"),
        ],
    },
    Tool {
        name: "ask",
        command: "ask",
        always: &["--unsaved"],
        about: "Which method is to blame, by questions about calls. Give all answers so far; the result has the next question, or the method. A call is right if it did all that it should for what it was given. A verdict with 'apart' left out so many calls that had no part in what you said is wrong.",
        parameters: &[
            Parameter::new(
                "answers",
                How::Lines,
                "answers to the questions so far, in order: yes, no, trust (the method is never wrong), unknown, or back (takes the one before back). 'no PART' says what of it is wrong, and only calls that had a part in that stay suspected: 'no result', 'no exception', 'no c[2]', 'no this.size'",
            ),
            Parameter::new(
                "wrong",
                How::Option("--wrong"),
                "what is wrong of what the outermost call gave, said before the first question: a PART as in answers, such as Foo.total",
            ),
            Parameter::new(
                "strategy",
                How::Option("--strategy"),
                "likely, edges, chains, optimal, divide or top-down",
            ),
            Parameter::new(
                "trust",
                How::Option("--trust"),
                "classes that are trusted: wildcards, joined by ':'",
            ),
            REPLAYED,
        ],
    },
    Tool {
        name: "why_not",
        command: "why-not",
        always: &["--no-flip"],
        about: "Why something was not done: which branch kept it from happening. Give exactly one of object, field, call, line and output.",
        parameters: &[
            Parameter::new(
                "object",
                How::Option("--object"),
                "anything that could have been done to the object with this number",
            ),
            Parameter::new(
                "field",
                How::Option("--field"),
                "a write of CLASS.FIELD or #N.FIELD",
            ),
            Parameter::new("call", How::Option("--call"), "a call of CLASS.METHOD"),
            Parameter::new(
                "line",
                How::Option("--line"),
                "that CLASS:LINE or FILE:LINE ran",
            ),
            Parameter::new("output", How::Option("--output"), "that a text was printed"),
            Parameter::new("limit", How::Option("--limit"), "how many answers"),
            REPLAYED,
        ],
    },
    Tool {
        name: "events",
        command: "events",
        always: &[],
        about: "The recorded events as they are, of all or of one object or class.",
        parameters: &[
            Parameter::new(
                "object",
                How::Option("--object"),
                "only those of the object with this number",
            ),
            Parameter::new(
                "class",
                How::Option("--class"),
                "only those of classes like this",
            ),
            Parameter::new("limit", How::Option("--limit"), "how many"),
        ],
    },
];

/// A command line, and what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) arguments: Vec<OsString>,
    /// What will stand behind them; empty in the end.
    places: Vec<OsString>,
    pub(crate) input: String,
}

impl Asked {
    /// Takes a value of an argument.
    fn put(&mut self, parameter: &Parameter, value: &Value) -> Result<(), McpError> {
        let name = parameter.name;
        let mut option = |option: &str, value: &str| {
            self.arguments.push(format!("{option}={value}").into());
        };
        match parameter.how {
            How::Place => self.places.push(text(name, value)?.into()),
            How::Option(named) => option(named, &text(name, value)?),
            How::Flag(flag) => match value {
                Value::Bool(true) => self.arguments.push(flag.into()),
                Value::Bool(false) => {}
                _ => return Err(McpError::NotBoolean { name }),
            },
            How::Each(named) => {
                for value in texts(name, value)? {
                    match named {
                        Some(named) => option(named, &value),
                        None => self.places.push(value.into()),
                    }
                }
            }
            How::Lines => {
                for line in texts(name, value)? {
                    let first = line.lines().next().unwrap_or_default();
                    self.input.push_str(first);
                    self.input.push('\n');
                }
            }
        }
        Ok(())
    }
}

impl Tool {
    /// The tool of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// What its arguments have to be, as a JSON schema. `needs_trace`: it needs to know which trace is meant.
    pub(crate) fn schema(&self, needs_trace: bool) -> Map<String, Value> {
        let mut properties = Map::new();
        let text = |about: &str| json!({ "type": "string", "description": about });
        properties.insert(TRACE.into(), text("the file of the recording"));
        for parameter in self.parameters {
            let texts = json!({ "type": "array", "items": { "type": "string" }, "description": parameter.about });
            let schema = match parameter.how {
                How::Place | How::Option(_) => json!({
                    "type": ["string", "integer"],
                    "description": parameter.about,
                }),
                How::Flag(_) => json!({ "type": "boolean", "description": parameter.about }),
                How::Each(_) | How::Lines => texts,
            };
            properties.insert(parameter.name.into(), schema);
        }
        let part = json!({
            "type": "integer",
            "minimum": 1,
            "description": "which part of a long answer, from 1",
        });
        properties.insert(PART.into(), part);
        let required = self.parameters.iter().filter(|p| p.is_required);
        let mut required: Vec<&str> = required.map(|p| p.name).collect();
        if needs_trace {
            required.push(TRACE);
        }
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    /// The command line for these arguments.
    pub(crate) fn asked(
        &self,
        given: &Map<String, Value>,
        trace: Option<&std::path::Path>,
    ) -> Result<Asked, McpError> {
        let known = |name: &str| {
            let mut names = self.parameters.iter().map(|parameter| parameter.name);
            [TRACE, PART].contains(&name) || names.any(|known| known == name)
        };
        if let Some(name) = given.keys().find(|name| !known(name)) {
            return Err(McpError::NoArgument {
                tool: self.name,
                name: name.clone(),
            });
        }
        let trace = match (given.get(TRACE), trace) {
            (Some(trace), _) => OsString::from(text(TRACE, trace)?),
            (None, Some(trace)) => trace.as_os_str().to_owned(),
            (None, None) => return Err(McpError::NoTrace),
        };
        let mut asked = Asked {
            arguments: vec!["--json".into(), OsString::from(self.command)],
            // What stands behind the two dashes is taken for no option.
            places: vec!["--".into(), trace],
            input: String::new(),
        };
        let always = self.always.iter().map(OsString::from);
        asked.arguments.extend(always);
        for parameter in self.parameters {
            let Some(value) = given.get(parameter.name).filter(|value| !value.is_null()) else {
                if parameter.is_required {
                    return Err(McpError::Missing {
                        name: parameter.name,
                        about: parameter.about,
                    });
                }
                continue;
            };
            asked.put(parameter, value)?;
        }
        asked.arguments.append(&mut asked.places);
        Ok(asked)
    }
}

fn text(name: &'static str, value: &Value) -> Result<String, McpError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(McpError::NotText { name }),
    }
}

fn texts(name: &'static str, value: &Value) -> Result<Vec<String>, McpError> {
    match value {
        Value::Array(values) => values.iter().map(|value| text(name, value)).collect(),
        // Some assistants give one where several may be given.
        value => Ok(vec![text(name, value)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn asked(name: &str, given: Value) -> Result<String, McpError> {
        let Value::Object(given) = given else {
            panic!("{given}");
        };
        let tool = Tool::named(name).unwrap();
        let asked = tool.asked(&given, Some(Path::new("run.jinsi")))?;
        let words = asked.arguments.iter().map(|word| word.to_string_lossy());
        let words: Vec<_> = words.collect();
        Ok(format!("{} < {:?}", words.join(" "), asked.input))
    }

    #[test]
    fn arguments_become_a_command_line() {
        let at =
            json!({ "moment": "0:12", "show": ["x", "--replayed"], "changed": true, "object": 7 });
        assert_eq!(
            asked("at", at).unwrap(),
            "--json at --show=x --show=--replayed --object=7 --changed -- run.jinsi 0:12 < \"\""
        );
        let ask =
            json!({ "answers": ["yes", "no\nyes", "no c[2]"], "wrong": "x", "trace": "--other" });
        assert_eq!(
            asked("ask", ask).unwrap(),
            "--json ask --unsaved --wrong=x -- --other < \"yes\\nno\\nno c[2]\\n\""
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(
            asked("at", json!({}))
                .unwrap_err()
                .to_string()
                .contains("moment")
        );
        assert!(asked("at", json!({ "momnet": "0:1" })).is_err());
        assert!(asked("at", json!({ "moment": {} })).is_err());
        assert!(asked("at", json!({ "moment": "0:1", "changed": 3 })).is_err());
    }

    #[test]
    fn each_tool_says_what_it_needs() {
        for tool in &TOOLS {
            let schema = tool.schema(true);
            let properties = schema["properties"].as_object().unwrap();
            for name in schema["required"].as_array().unwrap() {
                assert!(properties.contains_key(name.as_str().unwrap()));
            }
            assert_eq!(properties.len(), tool.parameters.len() + 2, "{}", tool.name);
        }
    }
}
