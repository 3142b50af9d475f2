//! The agent's options: `key=value,key=value` behind `-agentpath:…/libjinsi.so=` (`docs/options.md`).

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use jinsi_natural::pattern::Pattern;
use jinsi_trace::writer::AtMax;

use crate::bound::{LEAST, MaxSize};
use jinsi_trace::model::Detail;

/// Text that `=help` prints.
pub const HELP: &str = "\
jinsi agent: -agentpath:<path>/libjinsi.so=key=value,key=value,...
Lists are joined by ':'; '*' and '?' are wildcards over the dotted class name; a repeated key adds up.

  observe=P:P...  classes whose interactions are recorded (required)
  exclude=P:P...  classes taken out again
  out=FILE        trace file; %p is the process id, %t the start time (default jinsi-%p.jinsi)
  detail=D        interactions (default), boundary (only what crosses the edge of observe=) or instructions (what slicing needs)
  on=W            keep the trace on: exit (always, default) or failure (an uncaught exception, a failed test,
                  or an exception named by fail=)
  keep-same=N     with on=failure: traces that are kept of the same failure in the directory of out=, later ones being counted in
                  its file jinsi-failures.tsv: a number or all (default 10)
  keep-classes=N  class files of libraries, of the classes that are loaded and not observed, which are kept in the trace, so that what is
                  minimized elsewhere can be run for real: at most so many bytes of them, with K, M or G behind (default 0),
                  and no more than a quarter of max-size
  versions=C@N... of classes of one name that differ, each in a class loader of its own, the one that is recorded: the first that is loaded
                  (default), or the Nth
  max-size=N      size that the trace may reach, in bytes or with K, M or G behind, or none (default: 2G, but no more than an
                  eighth of the free disk)
  at-max=W        what happens then: stop (recording ends, the program goes on, default), window (what is old goes, and the rest
                  can be replayed) or oldest (the oldest events go; the rest can be read, but not replayed)
  redact=M:M...   fields and methods whose texts are kept out of the trace, wherever they turn up: wildcards over class.member
  redact-as=W     what stands in their place: hash (texts of the same length, equal where they were, default) or blank
  fail=C:C...     exception classes (and their subclasses) that count as a failure when thrown
  arm=W           when recording begins: start (at once, default) or failure (not before a first failure; then the next of its kind is
                  recorded, with detail=boundary, on=failure and at-max=window)
  arm-for=N       with arm=failure: seconds that a recording lasts at most (default 300)
  arm-at-most=N   with arm=failure: recordings of this JVM at most (default 10), of one kind of failure no more than one an hour
  config=FILE     more options, one key=value a line; empty lines and lines that begin with # are skipped
  help            print this and end
";

/// Traces that are kept of the same failure unless something else is said.
const KEEP_SAME: u64 = 10;
/// How long a recording that a failure began lasts at most unless something else is said.
const ARM_FOR: Duration = Duration::from_secs(300);
/// How many of them a JVM has at most unless something else is said.
const ARM_AT_MOST: u32 = 10;

/// When the trace is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepOn {
    /// Always.
    #[default]
    Exit,
    /// Only after a failure.
    Failure,
}

/// What stands in the place of a text that is kept out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RedactAs {
    /// A text of the same length, which is the same for equal texts.
    #[default]
    Hash,
    /// Asterisks.
    Blank,
}

/// When recording begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arm {
    /// With the program.
    #[default]
    Start,
    /// After a first failure, for the next one of its kind.
    Failure,
}

/// Which options were given that [`Arm::Failure`] decides itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Given {
    detail: bool,
    on: bool,
    at_max: bool,
    /// One of those that say how often and for how long.
    bounds: bool,
}

/// Parsed options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `observe=`
    pub observe: Vec<Pattern>,
    /// `exclude=`
    pub exclude: Vec<Pattern>,
    /// `out=`, placeholders not yet replaced.
    pub out: String,
    /// `on=`
    pub on: KeepOn,
    /// `keep-same=`; `None` is all.
    pub keep_same: Option<u64>,
    /// `detail=`
    pub detail: Detail,
    /// `fail=`
    pub fail: Vec<Pattern>,
    /// `redact=`
    pub redact: Vec<Pattern>,
    /// `redact-as=`
    pub redact_as: RedactAs,
    /// `keep-classes=`, in bytes.
    pub keep_classes: u64,
    /// `versions=`: internal names of classes, and which of those of this name is recorded, from 1.
    pub versions: Vec<(String, u32)>,
    /// `max-size=`
    pub max_size: MaxSize,
    /// `at-max=`
    pub at_max: AtMax,
    /// `arm=`
    pub arm: Arm,
    /// `arm-for=`
    pub arm_for: Duration,
    /// `arm-at-most=`
    pub arm_at_most: u32,
    given: Given,
}

/// Why options were refused. Each is one line for a person.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum OptionError {
    /// `help` was asked for; not an error of the user's.
    #[error("help")]
    Help,
    /// A part without `=`.
    #[error("'{0}' is not of the form key=value (try =help)")]
    NoValue(String),
    /// A key that does not exist.
    #[error(
        "unknown option '{0}' (known: observe exclude out detail on fail redact redact-as keep-same keep-classes versions max-size at-max arm arm-for arm-at-most config help)"
    )]
    UnknownKey(String),
    /// The file that `config=` names is no use.
    #[error("config={file}: {why}")]
    Config {
        /// The file.
        file: String,
        /// One line: why.
        why: String,
    },
    /// A value outside what the key takes.
    #[error("{key}={value}: {key} takes {takes}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// What was given.
        value: String,
        /// What can be given.
        takes: &'static str,
    },
    /// `observe=` is missing or empty.
    #[error("observe= is required, for example observe=com.foo.*")]
    NoObserve,
}

impl Options {
    /// Parses the text behind the agent's path.
    ///
    /// # Errors
    /// The first thing that is wrong, see [`OptionError`].
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let mut options = Options {
            observe: vec![],
            exclude: vec![],
            out: "jinsi-%p.jinsi".into(),
            on: KeepOn::Exit,
            keep_same: Some(KEEP_SAME),
            detail: Detail::Interactions,
            fail: vec![],
            redact: vec![],
            redact_as: RedactAs::Hash,
            keep_classes: 0,
            versions: vec![],
            max_size: MaxSize::Default,
            at_max: AtMax::Stop,
            arm: Arm::Start,
            arm_for: ARM_FOR,
            arm_at_most: ARM_AT_MOST,
            given: Given::default(),
        };
        for part in text.split(',').filter(|p| !p.is_empty()) {
            if part == "help" {
                return Err(OptionError::Help);
            }
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| OptionError::NoValue(part.into()))?;
            options.set(key, value)?;
        }
        if options.observe.is_empty() {
            return Err(OptionError::NoObserve);
        }
        options.settle_arm()?;
        if options.at_max == AtMax::Window && options.max_size == MaxSize::Unbounded {
            return Err(OptionError::BadValue {
                key: "at-max",
                value: "window".into(),
                takes: "'window' with a max-size only",
            });
        }
        Ok(options)
    }

    /// What follows from `arm=`. What else was given may not contradict it.
    fn settle_arm(&mut self) -> Result<(), OptionError> {
        let refused = |key, value: &str, takes| OptionError::BadValue {
            key,
            value: value.into(),
            takes,
        };
        match self.arm {
            Arm::Start if self.given.bounds => Err(refused(
                "arm",
                "start",
                "'failure' beside arm-for and arm-at-most",
            )),
            Arm::Start => Ok(()),
            Arm::Failure if self.given.detail && self.detail != Detail::Boundary => Err(refused(
                "arm",
                "failure",
                "'failure' with detail=boundary only",
            )),
            Arm::Failure if self.given.on && self.on != KeepOn::Failure => {
                Err(refused("arm", "failure", "'failure' with on=failure only"))
            }
            Arm::Failure if self.given.at_max && self.at_max != AtMax::Window => Err(refused(
                "arm",
                "failure",
                "'failure' with at-max=window only",
            )),
            Arm::Failure => {
                self.detail = Detail::Boundary;
                self.on = KeepOn::Failure;
                self.at_max = AtMax::Window;
                Ok(())
            }
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        let bad = |key, takes| OptionError::BadValue {
            key,
            value: value.into(),
            takes,
        };
        match key {
            "observe" => self.observe.extend(patterns(value)),
            "exclude" => self.exclude.extend(patterns(value)),
            "fail" => self.fail.extend(patterns(value)),
            "redact" => self.redact.extend(patterns(value)),
            "redact-as" => {
                self.redact_as = match value {
                    "hash" => RedactAs::Hash,
                    "blank" => RedactAs::Blank,
                    _ => return Err(bad("redact-as", "'hash' or 'blank'")),
                }
            }
            "out" if value.is_empty() => return Err(bad("out", "a file name")),
            "out" => self.out = value.into(),
            "config" => self.read(value)?,
            "detail" => {
                let takes = "'boundary', 'interactions', 'instructions' or 'states'";
                self.detail = value.parse().map_err(|_| bad("detail", takes))?;
                self.given.detail = true;
            }
            "on" => {
                self.on = match value {
                    "exit" => KeepOn::Exit,
                    "failure" => KeepOn::Failure,
                    _ => return Err(bad("on", "'exit' or 'failure'")),
                };
                self.given.on = true;
            }
            "keep-same" => {
                self.keep_same = match value {
                    "all" => None,
                    number => {
                        let number = number.parse().ok().filter(|&n| n > 0);
                        Some(number.ok_or_else(|| bad("keep-same", "a number from 1, or 'all'"))?)
                    }
                }
            }
            "keep-classes" => {
                let takes = "a number of bytes, such as 64M";
                self.keep_classes = bytes(value).ok_or_else(|| bad("keep-classes", takes))?;
            }
            "versions" => {
                let takes = "classes, each with a number from 1 behind, such as a.B@2";
                let all = value.split(':').map(version).collect::<Option<Vec<_>>>();
                self.versions
                    .extend(all.ok_or_else(|| bad("versions", takes))?);
            }
            "max-size" => {
                let takes = "a number of bytes, at least 1M, such as 500M or 2G, or 'none'";
                self.max_size = max_size(value).ok_or_else(|| bad("max-size", takes))?;
            }
            "at-max" => {
                let takes = "'stop', 'window' or 'oldest'";
                self.at_max = at_max(value).ok_or_else(|| bad("at-max", takes))?;
                self.given.at_max = true;
            }
            "arm" => {
                self.arm = match value {
                    "start" => Arm::Start,
                    "failure" => Arm::Failure,
                    _ => return Err(bad("arm", "'start' or 'failure'")),
                }
            }
            "arm-for" => {
                let seconds = value.parse().ok().filter(|&seconds| seconds > 0);
                let seconds = seconds.ok_or_else(|| bad("arm-for", "a number of seconds from 1"));
                self.arm_for = Duration::from_secs(seconds?);
                self.given.bounds = true;
            }
            "arm-at-most" => {
                let number = value.parse().ok().filter(|&number| number > 0);
                self.arm_at_most = number.ok_or_else(|| bad("arm-at-most", "a number from 1"))?;
                self.given.bounds = true;
            }
            _ => return Err(OptionError::UnknownKey(key.into())),
        }
        Ok(())
    }

    /// Options from a file, so that build tools need not quote what shells, commas and blanks would take apart.
    fn read(&mut self, file: &str) -> Result<(), OptionError> {
        let wrong = |why: String| OptionError::Config {
            file: file.into(),
            why,
        };
        let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let at = |why: String| wrong(format!("line {number}: {why}"));
            match line.split_once('=') {
                Some(("config", _)) => return Err(at("a file cannot name another one".into())),
                Some((key, value)) => self.set(key, value).map_err(|e| at(e.to_string()))?,
                None => return Err(at(format!("'{line}' is not of the form key=value"))),
            }
        }
        Ok(())
    }

    /// The trace file, placeholders replaced: `%p` process id, `%t` start time in seconds since the epoch, `%%` a percent sign.
    pub fn out_path(&self, pid: u32, started_ms: u64) -> PathBuf {
        let mut path = String::new();
        let mut chars = self.out.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek()) {
                ('%', Some('p')) => path.push_str(&pid.to_string()),
                ('%', Some('t')) => path.push_str(&(started_ms / 1000).to_string()),
                ('%', Some('%')) => path.push('%'),
                _ => {
                    path.push(c);
                    continue;
                }
            }
            chars.next();
        }
        PathBuf::from(path)
    }
}

/// A class, and a number behind it.
fn version(text: &str) -> Option<(String, u32)> {
    let (class, number) = text.split_once('@')?;
    let number = number.parse().ok().filter(|&n| n > 0)?;
    (!class.is_empty()).then(|| (class.replace('.', "/"), number))
}

fn max_size(value: &str) -> Option<MaxSize> {
    match (value, bytes(value)) {
        ("none", _) => Some(MaxSize::Unbounded),
        (_, Some(size @ LEAST..)) => Some(MaxSize::Bytes(size)),
        _ => None,
    }
}

fn at_max(value: &str) -> Option<AtMax> {
    match value {
        "stop" => Some(AtMax::Stop),
        "oldest" => Some(AtMax::Oldest),
        "window" => Some(AtMax::Window),
        _ => None,
    }
}

/// A number with an optional K, M or G behind it, times 2^10, 2^20 or 2^30.
fn bytes(value: &str) -> Option<u64> {
    let shift = match value.chars().last()?.to_ascii_uppercase() {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => return value.parse().ok(),
    };
    let number: u64 = value[..value.len() - 1].parse().ok()?;
    number.checked_mul(1 << shift)
}

fn patterns(value: &str) -> impl Iterator<Item = Pattern> + '_ {
    value
        .split(':')
        .filter(|p| !p.trim().is_empty())
        .map(Pattern::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_add_up_and_defaults_hold() {
        let o =
            Options::parse("observe=a.*:b.?,exclude=a.c,observe=d,on=failure,fail=x.E").unwrap();
        assert_eq!(
            o.observe.iter().map(Pattern::as_str).collect::<Vec<_>>(),
            ["a.*", "b.?", "d"]
        );
        assert_eq!(o.exclude.len(), 1);
        assert_eq!(o.on, KeepOn::Failure);
        assert_eq!(o.out, "jinsi-%p.jinsi");
        assert_eq!((o.max_size, o.at_max), (MaxSize::Default, AtMax::Stop));
    }

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| Options::parse(&format!("observe=a,max-size={text}")).unwrap();
        assert_eq!(size("1048576").max_size, MaxSize::Bytes(1 << 20));
        assert_eq!(size("1M").keep_classes, 0);
        assert_eq!(size("1M,keep-classes=64M").keep_classes, 64 << 20);
        assert_eq!(size("2048k").max_size, MaxSize::Bytes(2 << 20));
        assert_eq!(size("500M").max_size, MaxSize::Bytes(500 << 20));
        assert_eq!(size("2G").max_size, MaxSize::Bytes(2 << 30));
        assert_eq!(size("none").max_size, MaxSize::Unbounded);
        assert!(Options::parse("observe=a,max-size=99999999999G").is_err());
    }

    #[test]
    fn armed_recordings_are_of_one_kind() {
        let o = Options::parse("observe=a,arm=failure").unwrap();
        assert_eq!((o.arm, o.detail), (Arm::Failure, Detail::Boundary));
        assert_eq!((o.on, o.at_max), (KeepOn::Failure, AtMax::Window));
        assert_eq!((o.arm_for, o.arm_at_most), (ARM_FOR, ARM_AT_MOST));
        let o = Options::parse("observe=a,arm=failure,arm-for=5,arm-at-most=2,detail=boundary");
        let o = o.unwrap();
        assert_eq!((o.arm_for.as_secs(), o.arm_at_most), (5, 2));
        for wrong in [
            "arm=never",
            "arm-for=5",
            "arm=failure,arm-for=0",
            "arm=failure,arm-at-most=0",
            "arm=failure,detail=interactions",
            "arm=failure,on=exit",
            "arm=failure,at-max=stop",
            "arm=failure,max-size=none",
        ] {
            assert!(
                Options::parse(&format!("observe=a,{wrong}")).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn versions_are_numbers_of_classes() {
        let versions = |text: &str| Options::parse(&format!("observe=a,versions={text}"));
        let two = vec![("a/B".to_owned(), 2), ("C".to_owned(), 1)];
        assert_eq!(versions("a.B@2:C@1").unwrap().versions, two);
        for wrong in ["a.B", "a.B@0", "@2", "a.B@x"] {
            assert!(versions(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_mistake_has_its_line() {
        for (text, line) in [
            (
                "observe=a,colour=red",
                "unknown option 'colour' (known: observe exclude out detail on fail redact redact-as keep-same keep-classes versions max-size at-max arm arm-for arm-at-most config help)",
            ),
            (
                "observe",
                "'observe' is not of the form key=value (try =help)",
            ),
            (
                "on=sometimes,observe=a",
                "on=sometimes: on takes 'exit' or 'failure'",
            ),
            ("observe=a,out=", "out=: out takes a file name"),
            (
                "observe=a,max-size=1T",
                "max-size=1T: max-size takes a number of bytes, at least 1M, such as 500M or 2G, or 'none'",
            ),
            (
                "observe=a,max-size=1000",
                "max-size=1000: max-size takes a number of bytes, at least 1M, such as 500M or 2G, or 'none'",
            ),
            (
                "observe=a,keep-classes=all",
                "keep-classes=all: keep-classes takes a number of bytes, such as 64M",
            ),
            (
                "observe=a,at-max=window,max-size=none",
                "at-max=window: at-max takes 'window' with a max-size only",
            ),
            (
                "observe=a,at-max=drop",
                "at-max=drop: at-max takes 'stop', 'window' or 'oldest'",
            ),
            ("", "observe= is required, for example observe=com.foo.*"),
            (
                "observe=:",
                "observe= is required, for example observe=com.foo.*",
            ),
            (
                "observe=a,detail=all",
                "detail=all: detail takes 'boundary', 'interactions', 'instructions' or 'states'",
            ),
        ] {
            assert_eq!(Options::parse(text).unwrap_err().to_string(), line);
        }
        assert_eq!(Options::parse("help"), Err(OptionError::Help));
    }

    #[test]
    fn a_file_has_options_too() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("with blank.options");
        let file = path.display();
        let parse = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Options::parse(&format!("observe=a,config={file},on=exit"))
        };
        let o = parse("# tests\n\nobserve = b.*\nout=x, y/%p.jinsi\non=failure\n");
        assert_eq!(
            o.unwrap_err().to_string(),
            format!(
                "config={file}: line 3: unknown option 'observe ' (known: observe exclude out detail on fail redact redact-as keep-same keep-classes versions max-size at-max arm arm-for arm-at-most config help)"
            )
        );
        let o = parse("# tests\n\nobserve=b.*\nout=x, y/%p.jinsi\non=failure\n").unwrap();
        assert_eq!(
            o.observe.iter().map(Pattern::as_str).collect::<Vec<_>>(),
            ["a", "b.*"]
        );
        assert_eq!((&*o.out, o.on), ("x, y/%p.jinsi", KeepOn::Exit));
        for (text, why) in [
            ("on", "line 1: 'on' is not of the form key=value"),
            ("\non=x", "line 2: on=x: on takes 'exit' or 'failure'"),
            ("config=f", "line 1: a file cannot name another one"),
        ] {
            let said = parse(text).unwrap_err().to_string();
            assert_eq!(said, format!("config={file}: {why}"));
        }
        assert!(Options::parse("config=/no/such/file").is_err());
    }

    #[test]
    fn placeholders() {
        let mut o = Options::parse("observe=a").unwrap();
        o.out = "t-%p-%t-100%%-%x.jinsi".into();
        assert_eq!(o.out_path(42, 7_999), PathBuf::from("t-42-7-100%-%x.jinsi"));
    }
}
