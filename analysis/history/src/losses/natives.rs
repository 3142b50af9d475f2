//! Calls of native methods of observed classes: their code is not the class file's, so it is not recorded.

use std::collections::{BTreeMap, HashMap, HashSet};

use jinsi_classfile::class::ClassFile;
use jinsi_trace::model::{
    CallOp, ClassNo, ClassOrigin, Event, EventKind, ObjectId, Payload, Site, SiteNo, Value,
};
use jinsi_trace::reader::Trace;

use super::callers::MethodCalls;

/// Flag of native methods (JVMS table 4.6-A).
const ACC_NATIVE: u16 = 0x0100;
/// Longest chain of superclasses followed; a damaged table may hold a cycle.
const MAX_DEPTH: usize = 256;

/// Name and descriptor.
type Signature = (String, String);

/// What an observed class declares, if a class above or below it declares natives of the same signature.
#[derive(Debug, Default)]
struct Declared {
    natives: HashSet<Signature>,
    others: HashSet<Signature>,
}

/// Counts calls of natives.
pub(super) struct Natives<'t> {
    trace: &'t Trace,
    by_name: HashMap<&'t str, Declared>,
    signatures: HashSet<Signature>,
    /// Call sites that may call one.
    sites: HashMap<SiteNo, &'t Site>,
    /// Run-time classes of the objects that have one.
    objects: HashMap<ObjectId, ClassNo>,
    having: HashMap<ClassNo, bool>,
    calls: BTreeMap<(String, Signature), u64>,
}

impl<'t> Natives<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        let mut natives = Self {
            trace,
            by_name: HashMap::new(),
            signatures: HashSet::new(),
            sites: HashMap::new(),
            objects: HashMap::new(),
            having: HashMap::new(),
            calls: BTreeMap::new(),
        };
        let observed = trace.classes().iter();
        for class in observed.filter(|c| c.origin == ClassOrigin::Observed) {
            natives.declare(&class.name, &class.bytes);
        }
        let may_call = |site: &&Site| {
            site.kind == EventKind::Call
                && natives
                    .signatures
                    .contains(&(site.target.name.to_string(), site.target.desc.to_string()))
        };
        natives.sites = trace
            .sites()
            .iter()
            .filter(may_call)
            .map(|s| (s.no, s))
            .collect();
        natives
    }

    fn declare(&mut self, name: &'t str, bytes: &[u8]) {
        let Ok(class) = ClassFile::parse(bytes) else {
            return;
        };
        let mut declared = Declared::default();
        for method in &class.methods {
            let (Ok(name), Ok(desc)) = (method.name(&class.pool), method.desc(&class.pool)) else {
                continue;
            };
            let signature = (name.into_owned(), desc.into_owned());
            if method.access & ACC_NATIVE != 0 {
                self.signatures.insert(signature.clone());
                declared.natives.insert(signature);
            } else {
                declared.others.insert(signature);
            }
        }
        for (method, desc) in &declared.natives {
            let key = (name.to_owned(), (method.clone(), desc.clone()));
            self.calls.insert(key, 0);
        }
        self.by_name.insert(name, declared);
    }

    pub(super) fn event(&mut self, event: &Event) {
        match &event.payload {
            Payload::Define { id, class, .. } if self.has_natives(*class) => {
                self.objects.insert(*id, *class);
            }
            Payload::Operands(values) if event.kind == EventKind::Call => {
                let site = event.site.and_then(|site| self.sites.get(&site).copied());
                if let Some(site) = site {
                    self.call(site, values.first());
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, site: &Site, receiver: Option<&Value>) {
        let class = match site.op {
            CallOp::Virtual | CallOp::Interface => match receiver {
                Some(Value::Object(id)) => self
                    .objects
                    .get(id)
                    .and_then(|&no| self.trace.class(no))
                    .map(|c| c.name.as_str()),
                _ => None,
            },
            _ => Some(site.target.owner.as_str()),
        };
        let signature = (site.target.name.to_string(), site.target.desc.to_string());
        let owner = class.and_then(|class| self.resolve(class, &signature));
        if let Some(owner) = owner {
            *self.calls.entry((owner, signature)).or_default() += 1;
        }
    }

    /// The observed class whose native method a call on an instance of `class` runs, if it is one.
    fn resolve(&self, class: &str, signature: &Signature) -> Option<String> {
        for name in self.superclasses(class) {
            match self.by_name.get(name) {
                Some(d) if d.natives.contains(signature) => return Some(name.to_owned()),
                Some(d) if d.others.contains(signature) => return None,
                _ => {}
            }
        }
        None
    }

    fn superclasses<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a str> {
        std::iter::successors(Some(class), |name| {
            self.trace.class_by_name(name)?.super_name.as_deref()
        })
        .take(MAX_DEPTH)
    }

    fn has_natives(&mut self, class: ClassNo) -> bool {
        if self.signatures.is_empty() {
            return false;
        }
        if let Some(&known) = self.having.get(&class) {
            return known;
        }
        let name = self.trace.class(class).map_or("", |c| c.name.as_str());
        let has = self.superclasses(name).any(|name| {
            self.by_name
                .get(name)
                .is_some_and(|d| !d.natives.is_empty())
        });
        self.having.insert(class, has);
        has
    }

    pub(super) fn finish(self) -> Vec<MethodCalls> {
        self.calls
            .into_iter()
            .map(|((class, (name, desc)), calls)| MethodCalls {
                method: format!("{}.{name}{desc}", class.replace('/', ".")),
                calls,
            })
            .collect()
    }
}
