//! Spectra: which tests covered what, and what that says of where the defect is.

use std::sync::Arc;

use jinsi_trace::model::{Prim, Value};
use serde::Serialize;

/// What tests cover.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Element {
    /// Binary name of the class.
    pub class: Arc<str>,
    /// Name of the method, and its descriptor if known.
    pub method: Arc<str>,
    /// Source file, if known.
    pub file: Option<Arc<str>>,
    /// Source line.
    pub line: u16,
    /// What of it.
    pub aspect: Aspect,
}

/// What of a line a test covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// The line itself.
    Line,
    /// Which way a branch went: number of the branch within its method, and of the way.
    Way(u32, u32),
    /// It used a local variable as another line had set it: its slot, and that line. (Santelices et al. 2009 count such pairs.)
    Pair(u16, u16),
    /// A value of this class was met: by the kind of event and the place of the value among its operands.
    Value(u8, u8, ValueClass),
}

/// Which values are alike. Those on either side of a border are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueClass {
    /// `null`.
    Null,
    /// An object.
    Object,
    /// A string without characters.
    Empty,
    /// Another string.
    Text,
    /// A number below 0.
    Negative,
    /// 0, and `false`.
    Zero,
    /// 1, and `true`.
    One,
    /// A number above that, or between.
    Positive,
    /// No number.
    NaN,
}

impl ValueClass {
    /// That of a value.
    pub fn of(value: &Value) -> Self {
        let by = |number: f64| match number {
            n if n.is_nan() => Self::NaN,
            n if n < 0.0 => Self::Negative,
            0.0 => Self::Zero,
            1.0 => Self::One,
            _ => Self::Positive,
        };
        match value {
            Value::Null => Self::Null,
            Value::Object(_) | Value::Class(_) => Self::Object,
            Value::Str(text) if text.0.is_empty() => Self::Empty,
            Value::Str(_) => Self::Text,
            Value::Prim(prim) | Value::Boxed(prim) => match *prim {
                Prim::Boolean(is) => by(f64::from(u8::from(is))),
                Prim::Byte(n) => by(n.into()),
                Prim::Short(n) => by(n.into()),
                Prim::Char(n) => by(n.into()),
                Prim::Int(n) => by(n.into()),
                Prim::Long(n) => by(n as f64),
                Prim::Float(n) => by(n.into()),
                Prim::Double(n) => by(n),
            },
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Object => "an object",
            Self::Empty => "an empty string",
            Self::Text => "a string",
            Self::Negative => "below 0",
            Self::Zero => "0 or false",
            Self::One => "1 or true",
            Self::Positive => "above 0",
            Self::NaN => "no number",
        }
    }
}

/// A test, and what it covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// Did it fail?
    pub failed: bool,
    /// Numbers of elements, ascending.
    pub covered: Vec<u32>,
}

/// What several tests covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spectra {
    /// All that any of them covered.
    pub elements: Vec<Element>,
    /// The tests.
    pub tests: Vec<Test>,
}

/// How many tests did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Failed, and covered it.
    pub failed: u32,
    /// Passed, and covered it.
    pub passed: u32,
    /// Failed, whatever they covered.
    pub all_failed: u32,
    /// Passed, whatever they covered.
    pub all_passed: u32,
}

/// How suspicious an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Formula {
    /// Cosine of what covered it and what failed (Ochiai 1957; Abreu, Zoeteweij and van Gemund 2007).
    Ochiai,
    /// The square of the failed ones by all others that would have shown it (Wong et al. 2014).
    DStar,
    /// One minus the share of passed ones (Abreu, Zoeteweij and van Gemund 2009, one defect).
    Barinel,
    /// The share of failed ones beside that of passed ones (Jones, Harrold and Stasko 2002).
    Tarantula,
}

impl Formula {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ochiai, Self::DStar, Self::Barinel, Self::Tarantula];

    /// Name, as options and documents have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ochiai => "ochiai",
            Self::DStar => "dstar",
            Self::Barinel => "barinel",
            Self::Tarantula => "tarantula",
        }
    }

    /// How suspicious; 0 if no failed test covered it.
    pub fn of(self, counts: Counts) -> f64 {
        let [failed, passed] = [counts.failed, counts.passed].map(f64::from);
        let [all_failed, all_passed] = [counts.all_failed, counts.all_passed].map(f64::from);
        if counts.failed == 0 {
            return 0.0;
        }
        match self {
            Self::Ochiai => failed / (all_failed * (failed + passed)).sqrt(),
            // Nothing below the line: infinitely suspicious.
            Self::DStar => failed * failed / (passed + all_failed - failed),
            Self::Barinel => 1.0 - passed / (passed + failed),
            Self::Tarantula => {
                let share = failed / all_failed;
                let other = if all_passed > 0.0 {
                    passed / all_passed
                } else {
                    0.0
                };
                share / (share + other)
            }
        }
    }
}

impl Spectra {
    /// By element, how many tests did what.
    pub fn counts(&self) -> Vec<Counts> {
        let failed = self.tests.iter().filter(|test| test.failed).count() as u32;
        let all = Counts {
            all_failed: failed,
            all_passed: self.tests.len() as u32 - failed,
            ..Counts::default()
        };
        let mut counts = vec![all; self.elements.len()];
        for test in &self.tests {
            for element in &test.covered {
                let counts = &mut counts[*element as usize];
                match test.failed {
                    true => counts.failed += 1,
                    false => counts.passed += 1,
                }
            }
        }
        counts
    }

    /// By element, how suspicious it is.
    pub fn suspicion(&self, formula: Formula) -> Vec<f64> {
        let counts = self.counts().into_iter();
        counts.map(|counts| formula.of(counts)).collect()
    }

    /// Without the elements that are no lines.
    pub fn lines_only(&self) -> Self {
        let mut numbers = vec![None; self.elements.len()];
        let mut elements = Vec::new();
        for (at, element) in self.elements.iter().enumerate() {
            if element.aspect == Aspect::Line {
                numbers[at] = Some(elements.len() as u32);
                elements.push(element.clone());
            }
        }
        let tests = self.tests.iter().map(|test| Test {
            covered: (test.covered.iter())
                .filter_map(|element| numbers[*element as usize])
                .collect(),
            ..test.clone()
        });
        Self {
            elements,
            tests: tests.collect(),
        }
    }
}

/// The place in a ranking by suspicion, from 1: behind all that are as suspicious, for one may have to look at these first.
pub fn worst_rank(suspicion: &[f64], at: usize) -> usize {
    let own = suspicion[at];
    suspicion.iter().filter(|other| **other >= own).count()
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::JavaString;

    use super::*;

    fn counts(failed: u32, passed: u32) -> Counts {
        Counts {
            failed,
            passed,
            all_failed: 2,
            all_passed: 8,
        }
    }

    #[test]
    fn formulas_are_as_published() {
        let near = |formula: Formula, counts, value: f64| {
            let found = formula.of(counts);
            assert!((found - value).abs() < 1e-9, "{formula:?}: {found}");
        };
        near(Formula::Ochiai, counts(2, 2), 2.0 / 8_f64.sqrt());
        near(Formula::Tarantula, counts(2, 2), 1.0 / 1.25);
        near(Formula::Barinel, counts(2, 2), 0.5);
        near(Formula::DStar, counts(2, 2), 2.0);
        near(Formula::DStar, counts(1, 1), 0.5);
        for formula in Formula::ALL {
            assert_eq!(formula.of(counts(0, 3)), 0.0, "{formula:?}");
            assert!(formula.of(counts(2, 0)) >= 1.0, "{formula:?}");
        }
        assert_eq!(Formula::DStar.of(counts(2, 0)), f64::INFINITY);
        assert_eq!(
            Formula::Tarantula.of(Counts {
                failed: 1,
                all_failed: 1,
                ..Counts::default()
            }),
            1.0
        );
    }

    #[test]
    fn values_on_either_side_of_a_border_differ() {
        let of = |prim| ValueClass::of(&Value::Prim(prim));
        let ints = [-1, 0, 1, 2, i32::MAX].map(|n| of(Prim::Int(n)));
        let [below, zero, one, above] = [
            ValueClass::Negative,
            ValueClass::Zero,
            ValueClass::One,
            ValueClass::Positive,
        ];
        assert_eq!(ints, [below, zero, one, above, above]);
        assert_eq!(of(Prim::Boolean(true)), one);
        assert_eq!(of(Prim::Double(-0.0)), zero);
        assert_eq!(of(Prim::Double(0.5)), above);
        assert_eq!(of(Prim::Double(f64::NAN)), ValueClass::NaN);
        let text = |text| ValueClass::of(&Value::Str(JavaString::new(text)));
        assert_eq!([text(""), text("a")], [ValueClass::Empty, ValueClass::Text]);
        assert_eq!(ValueClass::of(&Value::Object(3)), ValueClass::Object);
    }

    #[test]
    fn ties_are_at_the_worst_rank() {
        let suspicion = [0.5, 0.9, 0.5, 0.1, 0.5];
        let ranks: Vec<usize> = (0..5).map(|at| worst_rank(&suspicion, at)).collect();
        assert_eq!(ranks, [4, 1, 4, 5, 4]);
    }
}
