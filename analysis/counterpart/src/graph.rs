//! Objects and what they hold, whoever had them.

use std::sync::Arc;

use jinsi_trace::model::Prim;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::doubt::Doubt;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    Null,
    /// An object by its number.
    Object(usize),
    Text(Arc<[u16]>),
    Prim(Prim),
    Boxed(Prim),
    /// The object of a class, as `Class.getName` has it.
    Class(String),
    /// It is not known: why.
    Unknown(Doubt),
}

/// What an object holds.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    /// Class that declares it, name, value.
    Fields(Vec<(String, String, Val)>),
    Elements(Vec<Val>),
    /// What it is in text says all of it.
    Text(Arc<[u16]>),
    /// It is what this static field holds when its class was initialized: class, name.
    Home(String, String),
    /// Repeating recorded calls makes it (`script`).
    Made,
    /// Fields of a class of the JDK's, which need not say what it does: class that declares it, name, value.
    Internals(Vec<(String, String, Val)>),
    /// It is not known: why.
    Opaque(Doubt),
}

impl Parts {
    /// The values that it leads to.
    pub(crate) fn values(&self) -> Box<dyn Iterator<Item = &Val> + '_> {
        match self {
            Parts::Fields(fields) | Parts::Internals(fields) => {
                Box::new(fields.iter().map(|(_, _, val)| val))
            }
            Parts::Elements(all) => Box::new(all.iter()),
            Parts::Text(_) | Parts::Home(..) | Parts::Made | Parts::Opaque(_) => {
                Box::new(std::iter::empty())
            }
        }
    }
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// As `Class.getName` has it.
    pub(crate) class: String,
    pub(crate) parts: Parts,
}

/// Objects by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) objects: Vec<Object>,
}

/// What objects hold, and those of which it is not known.
pub(crate) struct Contents {
    pub(crate) graph: Graph,
    pub(crate) broken: Vec<(usize, Doubt)>,
}

impl Graph {
    /// Takes what repeated calls made: whole objects, and of those of `begun` what a class holds that is not recorded.
    pub(crate) fn take(&mut self, contents: Contents, begun: &FxHashSet<usize>) {
        let Contents { graph, broken } = contents;
        let broken: FxHashMap<usize, Doubt> = broken.into_iter().collect();
        let own = self.objects.len();
        for (no, made) in graph.objects.into_iter().enumerate() {
            let Some(object) = self.objects.get_mut(no).filter(|_| no < own) else {
                self.objects.push(made);
                continue;
            };
            match (&mut object.parts, broken.get(&no), made.parts) {
                (Parts::Made, Some(why), _) => object.parts = Parts::Opaque(why.clone()),
                (Parts::Made, None, parts) => object.parts = parts,
                (Parts::Fields(ours), why, Parts::Fields(all)) if begun.contains(&no) => {
                    let inherited = all.into_iter().find(|(class, ..)| class.is_empty());
                    let inherited = inherited.map(|(.., val)| val);
                    let val = match (why, inherited) {
                        (None, Some(val)) => val,
                        (Some(why), _) => Val::Unknown(why.clone()),
                        (None, None) => continue,
                    };
                    ours.push((String::new(), INHERITED.to_owned(), val));
                }
                _ => {}
            }
        }
    }

    /// What repeated calls made is not known.
    pub(crate) fn cannot_tell(&mut self, why: &Doubt) {
        for object in &mut self.objects {
            if matches!(object.parts, Parts::Made) {
                object.parts = Parts::Opaque(Doubt::NotMade {
                    class: object.class.clone(),
                    why: Box::new(why.clone()),
                });
            }
        }
    }
}

/// The name under which an object has what classes hold that it inherits from, and that are not recorded.
const INHERITED: &str = "what it inherits";

/// How a call ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// With this value; nothing if it gives none.
    Returned(Option<Val>),
    /// With an exception: class, message.
    Threw(String, Option<String>),
    Unknown,
}

/// A static field: class, name, value.
pub(crate) type Static = (String, String, Val);

/// What came of a call.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) end: End,
    /// Receiver and arguments with their names.
    pub(crate) given: Vec<(String, Val)>,
    /// Static fields.
    pub(crate) statics: Vec<Static>,
    pub(crate) printed: Option<String>,
    pub(crate) graph: Graph,
}
