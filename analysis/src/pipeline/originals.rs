//! Classes as they lie on the program's class path, where another agent changed them before they were recorded.
//!
//! What such an agent puts into a class calls the agent. Where the class runs again there is no agent, so it is taken as the program has it: that is
//! what written tests run with, too. For a replay the recorded calls have to be found again in it; those of the agent are left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jinsi_classfile::class::Member;
use jinsi_classfile::references::BODY_PREFIX;
use jinsi_classfile::{ClassFile, insn, opcode};
use jinsi_level::{Engine, Level, Outgoing};
use jinsi_replay::session;
use jinsi_trace::model::{ClassDef, ClassOrigin, EventKind, Site, SiteNo};
use jinsi_trace::reader::Trace;

use super::kept::is_plain;

/// Class files by the internal names of their classes.
pub(super) type ClassFiles = BTreeMap<String, Arc<[u8]>>;

/// What other agents changed, as it was before.
#[derive(Debug, Default)]
pub(super) struct Originals {
    /// All of it: where code runs for real.
    files: ClassFiles,
    /// Of these, those in which all recorded calls are found again: where code is replayed.
    replayable: ClassFiles,
    /// Where the outgoing sites of the latter are, as bytecode indices; `None` of what is the agent's.
    sites: HashMap<SiteNo, Option<u16>>,
}

impl Originals {
    /// Those that an engine runs in place of the recorded ones.
    pub(super) fn of(&self, engine: Engine) -> &ClassFiles {
        match engine {
            Engine::Direct => &self.files,
            Engine::Replay => &self.replayable,
        }
    }

    /// The recorded classes that another agent changed, of which these directories have the files.
    pub(super) fn in_directories(trace: &Trace, directories: &[PathBuf]) -> Self {
        let began = UNIX_EPOCH + Duration::from_millis(trace.meta().started_ms);
        let mut originals = Self::default();
        let classes = trace.classes().iter();
        for class in classes.filter(|c| has_code(c) && is_plain(&c.name)) {
            let Some(bytes) = file_of(&class.name, directories, began) else {
                continue;
            };
            if !is_changed(&bytes, &class.bytes).unwrap_or(false) {
                continue;
            }
            if let Some(found) = found_again(&bytes, &class.bytes) {
                let of_class = |site: &&Site| site.class == class.no && leads_out(site);
                let sites = trace.sites().iter().filter(of_class);
                let places = sites.map(|site| (site.no, place(site, &found)));
                originals.sites.extend(places);
                let bytes = Arc::clone(&bytes);
                originals.replayable.insert(class.name.clone(), bytes);
            }
            originals.files.insert(class.name.clone(), bytes);
        }
        originals
    }

    /// The tables that sessions for an engine are made from.
    pub(super) fn tables(&self, trace: &Trace, engine: Engine) -> session::TraceTables {
        let tables = session::TraceTables::of(trace).with_class_files(self.of(engine));
        match engine {
            Engine::Direct => tables,
            Engine::Replay => tables.with_sites_at(&self.sites),
        }
    }

    /// Leaves out of a level what other agents did.
    pub(super) fn leave_out_others(&self, level: &mut Level) {
        if self.sites.is_empty() {
            return;
        }
        for interaction in &mut level.interactions {
            self.leave_out(&mut interaction.outgoing);
        }
        for outgoing in level.class_inits.values_mut() {
            self.leave_out(outgoing);
        }
    }

    fn leave_out(&self, all: &mut Vec<Outgoing>) {
        all.retain_mut(|outgoing| {
            let place = outgoing.site.and_then(|site| self.sites.get(&site));
            if let Some(Some(bci)) = place {
                outgoing.bci = *bci;
            }
            place != Some(&None)
        });
        for callback in all.iter_mut().flat_map(|outgoing| &mut outgoing.callbacks) {
            self.leave_out(&mut callback.outgoing);
        }
    }
}

/// Owner, name and descriptor of a field or method.
type Reference = (String, String, String);

/// Is this a call or access of the environment?
fn leads_out(site: &Site) -> bool {
    !site.outside
        && matches!(
            site.kind,
            EventKind::Call
                | EventKind::GetField
                | EventKind::PutField
                | EventKind::GetStatic
                | EventKind::PutStatic
        )
}

/// Where the site is among instructions that were found again.
fn place(site: &Site, found: &FoundAgain) -> Option<u16> {
    let method = (site.method.to_string(), site.desc.to_string());
    found.get(&method)?.get(&site.bci).copied()
}

/// Of each method, by name and descriptor, its calls and accesses: bytecode indices of the changed code, each with that of the original.
type FoundAgain = BTreeMap<(String, String), BTreeMap<u16, u16>>;

/// The calls and accesses of a class in what another agent made of it; `None` if not all are there in their order.
fn found_again(original: &[u8], changed: &[u8]) -> Option<FoundAgain> {
    let (original, changed) = (
        ClassFile::parse(original).ok()?,
        ClassFile::parse(changed).ok()?,
    );
    let [before, after] = [&original, &changed].map(steps);
    let (before, mut after) = (before?, after?);
    // The agent has given this class methods for its references to others' methods; calls from there are the program's.
    if after.keys().any(|(name, _)| name.starts_with(BODY_PREFIX)) {
        return None;
    }
    let mut found = FoundAgain::new();
    for (method, steps) in before {
        let mut there = after.remove(&method)?.into_iter();
        let pairs = steps.into_iter().map(|(bci, step)| {
            let (changed, _) = there.find(|(_, other)| *other == step)?;
            Some((changed, bci))
        });
        found.insert(method, pairs.collect::<Option<_>>()?);
    }
    Some(found)
}

/// What a method does to others: the opcode, and the member.
type Step = (u8, Reference);

/// Steps and where they are, by name and descriptor of the method.
type StepsOfMethods = BTreeMap<(String, String), Vec<(u16, Step)>>;

/// The calls and accesses in each method, in their order.
fn steps(class: &ClassFile) -> Option<StepsOfMethods> {
    let pool = &class.pool;
    let mut all = BTreeMap::new();
    for method in &class.methods {
        let code = method.code(pool).ok()?;
        let code = code.map(|code| code.bytes).unwrap_or_default();
        let mut steps = Vec::new();
        for insn in insn::iter(&code) {
            let insn = insn.ok()?;
            let (opcode::GETSTATIC..=opcode::INVOKEDYNAMIC, Some(index)) =
                (insn.opcode, insn.pool_index())
            else {
                continue;
            };
            let reference = match insn.opcode {
                opcode::INVOKEDYNAMIC => {
                    let call = pool.invoke_dynamic(index).ok()?;
                    (
                        String::new(),
                        call.name.into_owned(),
                        call.desc.into_owned(),
                    )
                }
                _ => {
                    let member = pool.member_ref(index).ok()?;
                    (
                        member.owner.into_owned(),
                        member.name.into_owned(),
                        member.desc.into_owned(),
                    )
                }
            };
            steps.push((u16::try_from(insn.offset).ok()?, (insn.opcode, reference)));
        }
        all.insert(declared(class, method)?, steps);
    }
    Some(all)
}

/// Is the code of the class in the trace?
fn has_code(class: &ClassDef) -> bool {
    matches!(
        class.origin,
        ClassOrigin::Observed | ClassOrigin::Inherited | ClassOrigin::Skipped
    )
}

/// The class file of a class in one of these directories, if it is as old as it was when the program began.
fn file_of(internal: &str, places: &[PathBuf], began: SystemTime) -> Option<Arc<[u8]>> {
    let mut files = places
        .iter()
        .map(|place| place.join(format!("{internal}.class")));
    let file = files.find(|file| file.is_file())?;
    let written = fs::metadata(&file)
        .and_then(|known| known.modified())
        .ok()?;
    // One that was compiled since is another program's.
    (written <= began)
        .then(|| fs::read(&file).ok())?
        .map(Into::into)
}

/// Is `changed` the class `original`, with calls and accesses that another agent has added? `None` if one of them is not understood. JaCoCo adds
/// some within the class alone, which run anywhere.
fn is_changed(original: &[u8], changed: &[u8]) -> Option<bool> {
    if original == changed {
        return Some(false);
    }
    let (original, changed) = (
        ClassFile::parse(original).ok()?,
        ClassFile::parse(changed).ok()?,
    );
    let name = original.name().ok()?;
    let is_same =
        name == changed.name().ok()? && original.super_name().ok()? == changed.super_name().ok()?;
    let [members, more_members] = [&original, &changed].map(|class| {
        let members = class.fields.iter().chain(&class.methods);
        members
            .map(|member| declared(class, member))
            .collect::<Option<BTreeSet<_>>>()
    });
    let all_of = |class: &ClassFile| {
        // jinsi gives a class bodies for its references to others' methods.
        let methods = steps(class)?
            .into_iter()
            .filter(|((name, _), _)| !name.starts_with(BODY_PREFIX));
        let all = methods
            .flat_map(|(_, steps)| steps)
            .map(|(_, (_, reference))| reference);
        Some(all.collect::<BTreeSet<Reference>>())
    };
    let (before, after) = (all_of(&original)?, all_of(&changed)?);
    let added = after.difference(&before).any(|(owner, ..)| *owner != name);
    Some(is_same && added && before.is_subset(&after) && members?.is_subset(&more_members?))
}

/// Name and descriptor.
fn declared(class: &ClassFile, member: &Member) -> Option<(String, String)> {
    let name = member.name(&class.pool).ok()?.into_owned();
    Some((name, member.desc(&class.pool).ok()?.into_owned()))
}

#[cfg(test)]
mod tests {
    use jinsi_classfile::{Code, ConstantPool};

    use super::*;

    const RETURN: [u8; 1] = [opcode::RETURN];

    /// A class file with these methods, each of which reads these fields.
    fn class(methods: &[(&str, &[[&str; 2]])]) -> Vec<u8> {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class("a/A").unwrap();
        let super_class = pool.add_class("java/lang/Object").unwrap();
        let mut members = Vec::new();
        for (name, fields) in methods {
            let mut bytes = Vec::new();
            for [owner, field] in *fields {
                let index = pool.add_field_ref(owner, field, "I").unwrap();
                bytes.push(opcode::GETSTATIC);
                bytes.extend(index.to_be_bytes());
                bytes.push(opcode::POP);
            }
            bytes.extend(RETURN);
            let mut member = Member {
                access: 8,
                name: pool.add_utf8(name).unwrap(),
                desc: pool.add_utf8("()V").unwrap(),
                attributes: vec![],
            };
            let code = Code {
                max_stack: 1,
                bytes,
                ..Code::default()
            };
            member.set_code(&mut pool, &code).unwrap();
            members.push(member);
        }
        let file = ClassFile {
            minor: 0,
            major: 55,
            pool,
            access: 0,
            this_class,
            super_class,
            interfaces: vec![],
            fields: vec![],
            methods: members,
            attributes: vec![],
        };
        file.to_bytes().unwrap()
    }

    const OWN: [&str; 2] = ["b/B", "f"];
    const THEIRS: [&str; 2] = ["agent/Agent", "on"];

    #[test]
    fn what_another_agent_added_to_is_known() {
        let before = class(&[("m", &[OWN, OWN])]);
        let is_changed = |bytes: &[u8]| super::is_changed(&before, bytes).unwrap();
        assert!(!is_changed(&before));
        assert!(is_changed(&class(&[
            ("m", &[THEIRS, OWN, OWN]),
            ("n", &[])
        ])));
        // A probe of JaCoCo's, a body for a method reference, and other classes.
        assert!(!is_changed(&class(&[(
            "m",
            &[["a/A", "probes"], OWN, OWN]
        )])));
        assert!(!is_changed(&class(&[
            ("m", &[OWN, OWN]),
            ("lambda$jinsi$0", &[THEIRS])
        ])));
        assert!(!is_changed(&class(&[("n", &[THEIRS, OWN])])));
        assert!(!is_changed(&class(&[("m", &[THEIRS, ["b/B", "g"]])])));
    }

    #[test]
    fn calls_of_the_program_are_found_again() {
        let before = class(&[("m", &[OWN, OWN])]);
        // Each read takes four bytes.
        let woven = class(&[("m", &[THEIRS, OWN, THEIRS, OWN]), ("n", &[THEIRS])]);
        let found = found_again(&before, &woven).unwrap();
        let method = ("m".to_owned(), "()V".to_owned());
        assert_eq!(
            found,
            BTreeMap::from([(method, BTreeMap::from([(4, 0), (12, 4)]))])
        );
        // A body that was moved to another method.
        assert_eq!(
            found_again(&before, &class(&[("m", &[THEIRS]), ("n", &[OWN, OWN])])),
            None
        );
    }

    #[test]
    fn a_class_that_was_compiled_since_is_another() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("a")).unwrap();
        std::fs::write(place.path().join("a/A.class"), class(&[])).unwrap();
        let places = [place.path().to_owned()];
        let hour = Duration::from_secs(3600);
        let now = SystemTime::now();
        assert!(file_of("a/A", &places, now + hour).is_some());
        assert!(file_of("a/A", &places, now - hour).is_none());
        assert!(file_of("a/B", &places, now + hour).is_none());
    }
}
