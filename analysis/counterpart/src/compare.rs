//! What came of a call here and there, compared.

use std::collections::BTreeSet;

use jinsi_trace::model::Prim;
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use crate::Judgement;
use crate::call::Call;
use crate::doubt::Doubt;
use crate::graph::{End, Graph, Parts, Snapshot, Static, Val};
use crate::taking::is_value;

/// What a call returned, and that it ended by an exception, as parts of what it gave are named.
const RESULT: &str = "result";
const EXCEPTION: &str = "exception";

/// The first difference of what came of two calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// For people.
    pub text: String,
    /// Where it is in what the recorded call gave: `result`, `exception`, `this.size`, `c[2]`. Nothing if it is not there: in what was printed, or
    /// in an exception that should have come.
    pub part: Option<String>,
}

impl Difference {
    /// The text begins with the part.
    fn of(part: Option<&str>, text: String) -> Self {
        let is_of_result = part.is_some_and(|part| part.starts_with(RESULT));
        Self {
            text: if is_of_result {
                format!("the {text}")
            } else {
                text
            },
            part: part.map(str::to_owned),
        }
    }
}

impl Difference {
    /// It says nothing: why.
    pub(crate) fn doubtful(&self, why: Doubt) -> Doubt {
        Doubt::Difference {
            difference: self.text.clone(),
            why: Box::new(why),
        }
    }

    /// It may be none.
    fn unsure(self) -> Doubt {
        Doubt::Unsure {
            difference: self.text,
        }
    }
}

/// Objects of both sides that are the same, by their numbers.
pub(crate) type Same = Vec<(usize, usize)>;

/// How far what the other call was given is known to be the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Basis<'t> {
    /// Objects that are the same on both sides.
    pub(crate) same: Same,
    /// Some static fields were not as recorded on the other side, so that it may have made objects anew that were in a cache.
    pub(crate) afresh: bool,
    /// Why no difference says anything.
    pub(crate) doubt: Option<Doubt>,
    /// The recording: classes that it does not have are the other version's own.
    pub(crate) known: Option<&'t Trace>,
    /// Static fields that only one version has, or has so: class, name.
    pub(crate) apart: BTreeSet<(String, String)>,
    /// Classes that the other version did not initialize.
    pub(crate) untouched: BTreeSet<String>,
}

/// Is what came of the recorded call, `ours`, what came of the other one?
pub(crate) fn compare(ours: &Snapshot, theirs: &Snapshot, basis: Basis<'_>) -> Judgement {
    let mut pairs = Pairs::new([&ours.graph, &theirs.graph], basis.same);
    pairs.afresh = basis.afresh;
    pairs.known = basis.known;
    if let Some(class) = mixed_up(&ours.end, &theirs.end) {
        return Judgement::CannotSay(Doubt::Misfit {
            class: class.to_owned(),
        });
    }
    let of_untouched = ours.statics.iter().find(|(class, name, _)| {
        let is_apart = basis.apart.contains(&(class.clone(), name.clone()));
        basis.untouched.contains(class) && !is_apart
    });
    if let Some((class, name, _)) = of_untouched {
        pairs.doubt(Doubt::NotInitialized {
            class: class.clone(),
            name: name.clone(),
        });
    }
    if let Err(difference) = all(&mut pairs, [ours, theirs], &basis.apart) {
        return match basis.doubt {
            Some(why) => Judgement::CannotSay(difference.doubtful(why)),
            None => Judgement::Wrong(difference),
        };
    }
    pairs.internals();
    match pairs.unknown {
        Some(why) => Judgement::CannotSay(why),
        None => Judgement::Right,
    }
}

/// What the other call, and only that, ended by, if objects of one version may have caused it in the other (JVMS §5.4).
fn mixed_up<'e>(ours: &End, theirs: &'e End) -> Option<&'e str> {
    const CAUSED: [&str; 9] = [
        "AbstractMethodError",
        "ClassCastException",
        "IllegalAccessError",
        "IncompatibleClassChangeError",
        "InstantiationError",
        "NoClassDefFoundError",
        "NoSuchFieldError",
        "NoSuchMethodError",
        "VerifyError",
    ];
    let End::Threw(class, _) = theirs else {
        return None;
    };
    let is_ours = matches!(ours, End::Threw(own, _) if own == class);
    let name = class.strip_prefix("java.lang.")?;
    (!is_ours && CAUSED.contains(&name)).then_some(class)
}

/// Were two recorded calls given the same? Then which objects are.
pub(crate) fn given_the_same(ours: &Call, theirs: &Call) -> Option<Same> {
    let mut pairs = Pairs::new([&ours.known.graph, &theirs.known.graph], Vec::new());
    let same = given(&mut pairs, ours, theirs).is_ok() && pairs.unknown.is_none();
    same.then(|| pairs.forth.into_iter().collect())
}

fn given(pairs: &mut Pairs<'_>, ours: &Call, theirs: &Call) -> Compared {
    if ours.given.len() != theirs.given.len() || ours.statics.len() != theirs.statics.len() {
        pairs.doubt(Doubt::DifferentlyKnown);
    }
    for ((name, ours), (_, theirs)) in ours.given.iter().zip(&theirs.given) {
        pairs.value(name, ours, theirs)?;
    }
    statics(pairs, &ours.statics, &theirs.statics)?;
    pairs.objects()
}

type Compared = Result<(), Difference>;

fn all(
    pairs: &mut Pairs<'_>,
    [ours, theirs]: [&Snapshot; 2],
    apart: &BTreeSet<(String, String)>,
) -> Compared {
    match (&ours.end, &theirs.end) {
        (End::Unknown, _) | (_, End::Unknown) => pairs.doubt(Doubt::NoEnd),
        (End::Returned(None), End::Returned(_)) => {}
        (End::Returned(Some(ours)), End::Returned(Some(theirs))) => {
            pairs.value(RESULT, ours, theirs)?;
        }
        (End::Returned(Some(_)), End::Returned(None)) => pairs.doubt(Doubt::NoResult),
        (End::Returned(_), End::Threw(class, _)) => {
            let text = format!("it should have ended by a {class}");
            return Err(Difference::of(None, text));
        }
        (End::Threw(class, _), End::Returned(_)) => {
            let text = format!("it should not have ended by a {class}");
            return Err(Difference::of(Some(EXCEPTION), text));
        }
        (End::Threw(ours, said), End::Threw(theirs, says)) => {
            if ours != theirs {
                let text = format!("it ended by a {ours}; it should have by a {theirs}");
                return Err(Difference::of(Some(EXCEPTION), text));
            }
            if let (Some(said), Some(says)) = (said, says)
                && said != says
            {
                let text = format!("its exception says \"{said}\"; it should \"{says}\"");
                return Err(Difference::of(Some(EXCEPTION), text));
            }
        }
    }
    match (&ours.printed, &theirs.printed) {
        (Some(ours), Some(theirs)) if ours == theirs => {}
        (Some(ours), Some(theirs)) => {
            let text = format!("it printed {ours:?}; it should have {theirs:?}");
            return Err(Difference::of(None, text));
        }
        _ => pairs.doubt(Doubt::NoOutput),
    }
    for ((name, ours), (_, theirs)) in ours.given.iter().zip(&theirs.given) {
        pairs.value(name, ours, theirs)?;
    }
    pairs.objects()?;
    let both = |(class, name, _): &&Static| !apart.contains(&(class.clone(), name.clone()));
    let kept: Vec<Static> = ours.statics.iter().filter(both).cloned().collect();
    let same = statics(pairs, &kept, &theirs.statics).and_then(|()| pairs.objects());
    match same {
        Err(differs) if pairs.afresh => pairs.doubt(differs.unsure()),
        same => same?,
    }
    Ok(())
}

fn statics(pairs: &mut Pairs<'_>, ours: &[Static], theirs: &[Static]) -> Compared {
    let others: FxHashMap<_, _> = theirs
        .iter()
        .map(|(class, name, val)| ((class.as_str(), name.as_str()), val))
        .collect();
    for (class, name, ours) in ours {
        let path = format!("{class}.{name}");
        // What only one version has is its own business.
        if let Some(theirs) = others.get(&(class.as_str(), name.as_str())) {
            pairs.value(&path, ours, theirs)?;
        }
    }
    Ok(())
}

struct Pairs<'a> {
    graphs: [&'a Graph; 2],
    forth: FxHashMap<usize, usize>,
    back: FxHashMap<usize, usize>,
    pending: Vec<(String, usize, usize)>,
    /// Those that only what the JDK's classes have within leads to.
    within: Vec<(String, Val, Val)>,
    met: Vec<bool>,
    unknown: Option<Doubt>,
    /// Is it not known whether it is a difference that an object is another one than it should be, or is not there?
    afresh: bool,
    known: Option<&'a Trace>,
}

impl<'a> Pairs<'a> {
    fn new(graphs: [&'a Graph; 2], same: Same) -> Self {
        Self {
            graphs,
            forth: same.iter().copied().collect(),
            back: same.iter().map(|(ours, theirs)| (*theirs, *ours)).collect(),
            pending: Vec::new(),
            within: Vec::new(),
            met: vec![false; graphs[0].objects.len()],
            unknown: None,
            afresh: false,
            known: None,
        }
    }

    fn doubt(&mut self, why: Doubt) {
        self.unknown.get_or_insert(why);
    }

    /// Are both values of the JDK's, which are what their text says? Which object one is says nothing.
    fn is_value(&self, ours: usize, theirs: usize) -> bool {
        let sides = [(0, ours), (1, theirs)];
        sides.into_iter().all(|(side, no): (usize, usize)| {
            let object = self.graphs[side].objects.get(no);
            object.is_some_and(|object| {
                matches!(object.parts, Parts::Text(_)) && is_value(&object.class.replace('.', "/"))
            })
        })
    }

    /// Is a class one of the other version that this run has not loaded?
    fn is_their_own(&self, class: &str) -> bool {
        let element = class.trim_start_matches('[');
        let element = match element.len() < class.len() {
            true => element.trim_start_matches('L').trim_end_matches(';'),
            false => element,
        };
        let is_jdks = ["java.", "javax."].iter().any(|p| element.starts_with(p));
        let name = element.replace('.', "/");
        let trace = self.known.filter(|_| !is_jdks && element.len() > 1);
        trace.is_some_and(|trace| trace.class_by_name(&name).is_none())
    }

    /// Is the object with this number, on both sides, one that is taken from a static field?
    fn is_home(&self, no: usize) -> bool {
        let object = self.graphs[0].objects.get(no);
        object.is_some_and(|object| matches!(object.parts, Parts::Home(..)))
    }

    fn value(&mut self, path: &str, ours: &Val, theirs: &Val) -> Compared {
        let differs = || format!("{path} is {}; it should be {}", show(ours), show(theirs));
        match (ours, theirs) {
            (Val::Unknown(why), _) | (_, Val::Unknown(why)) => {
                self.doubt(why.clone().of(path));
                Ok(())
            }
            (Val::Object(a), Val::Object(b)) if self.is_value(*a, *b) => {
                let [ours, theirs] = [(0, *a), (1, *b)].map(|(side, no)| {
                    let object = &self.graphs[side].objects[no];
                    match &object.parts {
                        Parts::Text(text) => (object.class.as_str(), Val::Text(text.clone())),
                        _ => (object.class.as_str(), Val::Null),
                    }
                });
                match ours == theirs {
                    true => Ok(()),
                    false => {
                        let text = format!(
                            "{path} is {}; it should be {}",
                            show(&ours.1),
                            show(&theirs.1)
                        );
                        Err(Difference::of(Some(path), text))
                    }
                }
            }
            (Val::Object(a), Val::Object(b)) => {
                let [known, other] = [self.forth.get(a), self.back.get(b)];
                if known.is_some_and(|known| known != b) || other.is_some_and(|known| known != a) {
                    let differs = format!("{path} is another object than it should be");
                    // Constants are on both sides what they are.
                    let constants = [a, b].into_iter().all(|no| self.is_home(*no));
                    if !self.afresh || constants {
                        return Err(Difference::of(Some(path), differs));
                    }
                    self.doubt(Doubt::Unsure {
                        difference: differs,
                    });
                    return Ok(());
                }
                let fresh = self.met.get(*a).is_some_and(|met| !met);
                if fresh {
                    self.met[*a] = true;
                    self.forth.insert(*a, *b);
                    self.back.insert(*b, *a);
                    self.pending.push((path.to_owned(), *a, *b));
                }
                Ok(())
            }
            (Val::Prim(a), Val::Prim(b)) | (Val::Boxed(a), Val::Boxed(b)) => match same(*a, *b) {
                true => Ok(()),
                false => Err(Difference::of(Some(path), differs())),
            },
            _ if ours == theirs => Ok(()),
            (Val::Null, Val::Object(_)) | (Val::Object(_), Val::Null) if self.afresh => {
                self.doubt(Doubt::Unsure {
                    difference: differs(),
                });
                Ok(())
            }
            _ => Err(Difference::of(Some(path), differs())),
        }
    }

    /// What classes of the JDK have within says how they do something. Where it is the same it is the same; where it differs one cannot say.
    fn internals(&mut self) {
        while let Some((path, ours, theirs)) = self.within.pop() {
            let compared = self.value(&path, &ours, &theirs);
            if let Err(differs) = compared.and_then(|()| self.objects()) {
                self.doubt(differs.unsure());
                self.pending.clear();
            }
        }
    }

    fn objects(&mut self) -> Compared {
        while let Some((path, a, b)) = self.pending.pop() {
            let [ours, theirs] = self.graphs;
            let (Some(ours), Some(theirs)) = (ours.objects.get(a), theirs.objects.get(b)) else {
                self.doubt(Doubt::NoObject);
                continue;
            };
            if matches!(ours.parts, Parts::Home(..)) {
                continue;
            }
            if !self.are_of_one_class(&path, &ours.class, &theirs.class)? {
                continue;
            }
            match (&ours.parts, &theirs.parts) {
                (Parts::Elements(ours), Parts::Elements(theirs)) => {
                    if ours.len() != theirs.len() {
                        let (ours, theirs) = (ours.len(), theirs.len());
                        let text = format!("{path} has {ours} elements; it should have {theirs}");
                        return Err(Difference::of(Some(&path), text));
                    }
                    for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                        self.value(&format!("{path}[{at}]"), ours, theirs)?;
                    }
                }
                (Parts::Fields(ours), Parts::Fields(theirs)) => {
                    self.fields(&path, ours, theirs)?;
                }
                (Parts::Internals(ours), Parts::Internals(theirs)) => {
                    for (class, name, val) in ours {
                        let other = theirs.iter().find(|(c, n, _)| c == class && n == name);
                        let path = format!("{path}.{name}");
                        match other {
                            Some((_, _, other)) => {
                                self.within.push((path, val.clone(), other.clone()));
                            }
                            None => self.doubt(Doubt::FewerFields {
                                path: path.clone(),
                                name: name.clone(),
                            }),
                        }
                    }
                }
                (Parts::Opaque(why), _) | (_, Parts::Opaque(why)) => {
                    self.doubt(why.clone().of(&path));
                }
                (Parts::Text(ours), Parts::Text(theirs)) => {
                    let [ours, theirs] = [ours, theirs].map(|text| Val::Text(text.clone()));
                    self.value(&path, &ours, &theirs)?;
                }
                _ => {
                    let class = ours.class.clone();
                    self.doubt(Doubt::NoContent { class }.of(&path));
                }
            }
        }
        Ok(())
    }

    /// Are two objects of one class, so that what they hold is to be compared?
    fn are_of_one_class(
        &mut self,
        path: &str,
        ours: &str,
        theirs: &str,
    ) -> Result<bool, Difference> {
        if ours == theirs {
            return Ok(true);
        }
        let is_jdks = |class: &str| class.starts_with("java");
        if is_jdks(ours) != is_jdks(theirs) {
            self.doubt(Doubt::OtherField {
                path: path.to_owned(),
            });
        } else if is_jvms(ours) && is_jvms(theirs) {
            let class = ours.to_owned();
            self.doubt(Doubt::NoContent { class }.of(path));
        } else if self.is_their_own(theirs) {
            self.doubt(Doubt::NoClass {
                path: path.to_owned(),
                class: theirs.to_owned(),
            });
        } else {
            let text = format!("{path} is a {ours}; it should be a {theirs}");
            return Err(Difference::of(Some(path), text));
        }
        Ok(false)
    }

    fn fields(
        &mut self,
        path: &str,
        ours: &[(String, String, Val)],
        theirs: &[(String, String, Val)],
    ) -> Compared {
        for (class, name, val) in ours {
            let other = theirs.iter().find(|(c, n, _)| c == class && n == name);
            match other {
                Some((_, _, other)) => self.value(&format!("{path}.{name}"), val, other)?,
                None => self.doubt(Doubt::FewerFields {
                    path: path.to_owned(),
                    name: name.clone(),
                }),
            }
        }
        Ok(())
    }
}

/// Are objects of a class made by the JVM, or within the JDK, as it likes?
fn is_jvms(class: &str) -> bool {
    class.starts_with("jdk.") || class.starts_with("sun.") || class.contains("$$Lambda")
}

/// Bit by bit, but all NaNs are one.
fn same(a: Prim, b: Prim) -> bool {
    match (a, b) {
        (Prim::Float(a), Prim::Float(b)) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        (Prim::Double(a), Prim::Double(b)) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        _ => a == b,
    }
}

fn show(val: &Val) -> String {
    match val {
        Val::Null => "null".to_owned(),
        Val::Object(_) => "an object".to_owned(),
        Val::Class(name) => format!("{name}.class"),
        Val::Text(text) => format!("{:?}", String::from_utf16_lossy(text)),
        Val::Prim(prim) | Val::Boxed(prim) => match prim {
            Prim::Boolean(b) => b.to_string(),
            Prim::Byte(n) => n.to_string(),
            Prim::Char(c) => format!("'{}'", String::from_utf16_lossy(&[*c])),
            Prim::Short(n) => n.to_string(),
            Prim::Int(n) => n.to_string(),
            Prim::Long(n) => n.to_string(),
            Prim::Float(f) => f.to_string(),
            Prim::Double(d) => d.to_string(),
        },
        Val::Unknown(why) => format!("? ({why})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Object;

    fn cell(next: Val, number: i32) -> Object {
        let field = |name: &str, val| ("p.Cell".to_owned(), name.to_owned(), val);
        Object {
            class: "p.Cell".to_owned(),
            parts: Parts::Fields(vec![
                field("next", next),
                field("number", Val::Prim(Prim::Int(number))),
            ]),
        }
    }

    fn came(result: Val, objects: Vec<Object>) -> Snapshot {
        Snapshot {
            end: End::Returned(Some(result)),
            given: vec![("this".to_owned(), Val::Object(0))],
            statics: Vec::new(),
            printed: Some(String::new()),
            graph: Graph { objects },
        }
    }

    fn basis() -> Basis<'static> {
        Basis {
            same: vec![(0, 0)],
            ..Basis::default()
        }
    }

    #[test]
    fn errors_of_versions_that_do_not_fit_are_no_verdict() {
        let ended = |class: &str| Snapshot {
            end: End::Threw(class.to_owned(), None),
            ..came(Val::Null, vec![cell(Val::Null, 0)])
        };
        let ours = came(Val::Null, vec![cell(Val::Null, 0)]);
        let [casts, checks] = ["ClassCastException", "IllegalStateException"]
            .map(|name| ended(&format!("java.lang.{name}")));
        let no_verdict = |judged| matches!(judged, Judgement::CannotSay(_));
        assert!(no_verdict(compare(&ours, &casts, basis())));
        let wrong = compare(&ours, &checks, basis());
        assert!(matches!(wrong, Judgement::Wrong(_)), "{wrong:?}");
        // What both end by is what both do; what only ours does is wrong.
        assert_eq!(compare(&casts, &casts, basis()), Judgement::Right);
        let wrong = compare(&casts, &ours, basis());
        assert!(matches!(wrong, Judgement::Wrong(_)), "{wrong:?}");
    }

    #[test]
    fn objects_are_compared_by_what_they_are_to_each_other() {
        let ring = |numbers: [usize; 3], last| {
            let [a, b, c] = numbers.map(Val::Object);
            let mut objects = vec![cell(b, 1), cell(Val::Null, 0), cell(Val::Null, 0)];
            objects[numbers[1]] = cell(c, 2);
            objects[numbers[2]] = cell(a, last);
            came(Val::Null, objects)
        };
        // New objects have other numbers on the other side, given ones have not.
        let [ours, theirs] = [ring([0, 1, 2], 3), ring([0, 2, 1], 3)];
        assert_eq!(compare(&ours, &theirs, basis()), Judgement::Right);
        let other = ring([0, 2, 1], 4);
        let differs = Difference {
            text: "this.next.next.number is 3; it should be 4".to_owned(),
            part: Some("this.next.next.number".to_owned()),
        };
        assert_eq!(compare(&ours, &other, basis()), Judgement::Wrong(differs));
        // Two that hold the same are not one.
        let one = came(
            Val::Object(1),
            vec![cell(Val::Object(1), 1), cell(Val::Null, 2)],
        );
        let two = vec![
            cell(Val::Object(1), 1),
            cell(Val::Null, 2),
            cell(Val::Null, 2),
        ];
        let two = came(Val::Object(2), two);
        let verdict = compare(&one, &two, basis());
        assert!(
            matches!(verdict, Judgement::Wrong(differs) if differs.text.contains("another object"))
        );
    }

    #[test]
    fn what_is_not_known_is_no_difference_and_no_agreement() {
        let unknown = || Val::Unknown(Doubt::LargeArray);
        let ours = came(unknown(), vec![cell(Val::Null, 1)]);
        let theirs = came(Val::Null, vec![cell(Val::Null, 1)]);
        let why = Doubt::LargeArray.of(RESULT);
        assert_eq!(compare(&ours, &theirs, basis()), Judgement::CannotSay(why));
        let theirs = came(Val::Null, vec![cell(Val::Null, 2)]);
        assert!(matches!(
            compare(&ours, &theirs, basis()),
            Judgement::Wrong(_)
        ));
        let mut silent = came(Val::Null, vec![cell(Val::Null, 1)]);
        silent.printed = None;
        let verdict = compare(&silent, &came(Val::Null, vec![cell(Val::Null, 1)]), basis());
        assert!(matches!(verdict, Judgement::CannotSay(_)));
    }
}
