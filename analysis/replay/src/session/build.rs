//! From a trace and a level to sessions.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use jinsi_trace::model::{
    ClassDef, ClassNo, Content, EventKind, ObjectId, Site, SiteNo, ThrowableDef, Value,
};
use jinsi_trace::reader::Trace;

use super::{
    Bridge, ClassKind, Numbered, Part, Script, Session, SessionClass, Today, Trap, WriteError,
    placeholders, without_outgoing, write,
};
use crate::rewrite::{
    self, ClassRole, Layouts, Lines, Missing, Place, RewriteError, Tables, Universe, World,
};
use jinsi_level::{
    CrashPredicate, Effect, Interaction, Level, ObjectInfo, Outcome, Outgoing, Role,
};
use jinsi_natural::Natural;

/// A session that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The level has no interaction with this number.
    #[error("internal error, please report it: there is no interaction number {0}")]
    UnknownInteraction(u32),
    /// The level has no outgoing interaction with this number.
    #[error("internal error, please report it: there is no outgoing interaction number {0}")]
    UnknownAnswer(u32),
    /// The format cannot say it.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The tables of a trace as replay needs them; the same for all levels.
#[derive(Clone, Debug, Default)]
pub struct TraceTables {
    universe: Universe,
    pub(super) class_names: BTreeMap<ClassNo, String>,
    throwables: BTreeMap<ObjectId, ThrowableDef>,
    sites: HashMap<Place, (SiteNo, u16)>,
    threaded: bool,
    salt: Option<u32>,
    ancestors_lost: Option<BTreeSet<String>>,
    initialized: BTreeSet<String>,
    missing: Missing,
}

impl TraceTables {
    /// Of a trace.
    pub fn of(trace: &Trace) -> Self {
        Self {
            salt: trace.salt(),
            ancestors_lost: ancestors_lost(trace),
            ..Self::new(trace.classes(), trace.sites(), trace.throwables())
        }
    }

    /// From the tables of a trace.
    pub fn new<'t>(
        classes: impl IntoIterator<Item = &'t ClassDef>,
        sites: impl IntoIterator<Item = &'t Site>,
        throwables: impl IntoIterator<Item = &'t ThrowableDef>,
    ) -> Self {
        let classes: Vec<&ClassDef> = classes.into_iter().collect();
        let class_names: BTreeMap<ClassNo, String> =
            classes.iter().map(|c| (c.no, c.name.clone())).collect();
        let outgoing = |s: &&Site| {
            !s.outside
                && matches!(
                    s.kind,
                    EventKind::Call
                        | EventKind::GetField
                        | EventKind::PutField
                        | EventKind::GetStatic
                        | EventKind::PutStatic
                )
        };
        let key = |s: &Site| -> Place {
            let class = class_names.get(&s.class).cloned().unwrap_or_default();
            (class, s.method.to_string(), s.desc.to_string(), s.bci)
        };
        let throwables: Vec<&ThrowableDef> = throwables.into_iter().collect();
        let sites: Vec<&Site> = sites.into_iter().filter(outgoing).collect();
        Self {
            missing: placeholders::asked_for(&throwables, &sites, key),
            sites: sites.iter().map(|s| (key(s), (s.no, s.line))).collect(),
            universe: Universe::new(classes),
            throwables: throwables.into_iter().map(|t| (t.id, t.clone())).collect(),
            class_names,
            threaded: false,
            salt: None,
            ancestors_lost: None,
            initialized: BTreeSet::new(),
        }
    }

    /// Several threads have been recorded: replay gives them their turns, and code needs no monitors.
    pub fn of_several_threads(self, threaded: bool) -> Self {
        Self { threaded, ..self }
    }

    /// These classes (internal names) were initialized before the recording begins, and what their static fields held then is known:
    /// their initializers do not run where they are observed.
    pub fn with_initialized(self, classes: impl IntoIterator<Item = String>) -> Self {
        Self {
            initialized: classes.into_iter().collect(),
            ..self
        }
    }

    /// With other class files of these classes, by their internal names.
    pub fn with_class_files(self, files: &BTreeMap<String, Arc<[u8]>>) -> Self {
        Self {
            universe: self.universe.with_class_files(files),
            ..self
        }
    }

    /// With these outgoing sites at other bytecode indices of their methods, or nowhere.
    pub fn with_sites_at(mut self, places: &HashMap<SiteNo, Option<u16>>) -> Self {
        let moved = |((class, method, desc, bci), site): (Place, (SiteNo, u16))| {
            let bci = places.get(&site.0).copied().unwrap_or(Some(bci))?;
            Some(((class, method, desc, bci), site))
        };
        self.sites = self.sites.into_iter().filter_map(moved).collect();
        self
    }

    /// The classes.
    pub fn universe(&self) -> &Universe {
        &self.universe
    }
}

/// Internal names of the classes whose code is not in the trace although observed ones that were in use may inherit it; `None` if that is
/// not known. The agent says of each why, but for those that its options exclude.
fn ancestors_lost(trace: &Trace) -> Option<BTreeSet<String>> {
    let lost = trace.skipped().iter().map(|s| s.class.replace('.', "/"));
    trace.meta().exclude.is_empty().then(|| lost.collect())
}

/// All classes of a trace, rewritten for one observed set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayCode {
    /// Classes.
    pub classes: Vec<SessionClass>,
    /// Redirected sites in them.
    pub bridges: Vec<Bridge>,
    /// Trapped methods in them.
    pub traps: Vec<Trap>,
    /// Environment classes that could not be rewritten and are not there, with the reason: a replay that needs one is
    /// unresolved.
    pub left_out: Vec<(String, RewriteError)>,
    /// How each of its classes takes part, but for the placeholders.
    pub today: Today,
    /// How many source lines the code that runs has, if it notes those that are executed; `None` also if some has no line numbers.
    pub lines: Option<usize>,
}

/// Rewrites every class of the trace that has bytes, for the observed set `observed`.
///
/// # Errors
/// A class of which code is to run and that cannot be rewritten: the level cannot be replayed.
pub fn rewrite_for(
    recording: &TraceTables,
    natural: &Natural,
    observed: &BTreeSet<String>,
) -> Result<ReplayCode, RewriteError> {
    Ok(rewrite(recording, natural, observed, Tables::default())?.0)
}

/// [`rewrite_for`], and each line of the code that runs is noted when it is executed.
///
/// # Errors
/// Those of [`rewrite_for`]; some method may have become too large.
pub fn rewrite_counting(
    recording: &TraceTables,
    natural: &Natural,
    observed: &BTreeSet<String>,
) -> Result<ReplayCode, RewriteError> {
    let tables = Tables {
        lines: Some(Lines::default()),
        ..Tables::default()
    };
    Ok(rewrite(recording, natural, observed, tables)?.0)
}

/// [`rewrite_for`] for a replay that the agent records; and where the code of methods went.
///
/// # Errors
/// Those of [`rewrite_for`].
pub fn rewrite_for_recording(
    recording: &TraceTables,
    natural: &Natural,
    observed: &BTreeSet<String>,
) -> Result<(ReplayCode, Layouts), RewriteError> {
    let tables = Tables {
        layouts: Some(Layouts::default()),
        ..Tables::default()
    };
    let (code, layouts) = rewrite(recording, natural, observed, tables)?;
    Ok((code, layouts.unwrap_or_default()))
}

pub(super) fn rewrite(
    recording: &TraceTables,
    natural: &Natural,
    observed: &BTreeSet<String>,
    mut tables: Tables,
) -> Result<(ReplayCode, Option<Layouts>), RewriteError> {
    let lost = recording.ancestors_lost.as_ref();
    let is_lost = |ancestor: &str| lost.is_none_or(|lost| lost.contains(ancestor));
    let missing = placeholders::missing(recording.throwables.values());
    let world = World::new(&recording.universe, natural, observed, is_lost)?
        .with_initialized(recording.initialized.clone())
        .with_missing(recording.missing.clone());
    tables.threaded = recording.threaded;
    let mut code = ReplayCode::default();
    code.today.rules = natural.added().to_owned();
    for class in recording.universe.with_bytes() {
        // No loader but the JVM's own may define these, and a proxy is made of its interfaces, in a package that the JVM names.
        if class.name().starts_with("java/") || is_made_by_proxy(class.name()) {
            continue;
        }
        let (kind, bytes) = match world.role(class.name()) {
            ClassRole::Observed | ClassRole::Inherited => {
                let bytes = rewrite::observed(class.bytes(), &world, &mut tables)?;
                (ClassKind::Code, bytes)
            }
            ClassRole::Natural => (ClassKind::Code, class.bytes().to_vec()),
            ClassRole::Environment => match rewrite::environment(class.bytes(), &mut tables) {
                Ok(bytes) => (ClassKind::Environment, bytes),
                Err(error) => {
                    code.left_out.push((class.name().to_owned(), error));
                    continue;
                }
            },
        };
        let name = class.name().replace('/', ".");
        code.today.parts.push(Part {
            name: name.clone(),
            role: world.role_with_code(class.name()),
            of_others: world.is_inherited_by_others(class.name()),
            only_inherited: class.is_only_inherited(),
            initialized: world.is_initialized(class.name()),
            length: class.bytes().len() as u32,
            checksum: crc32fast::hash(class.bytes()),
        });
        code.classes.push(SessionClass { name, kind, bytes });
    }
    code.classes
        .extend(placeholders::of(&code.classes, &missing));
    code.bridges = tables.bridges;
    code.traps = tables.traps;
    code.lines = tables.lines.and_then(|lines| lines.count());
    place(recording, &mut code.bridges);
    Ok((code, tables.layouts))
}

/// Was the class with this internal name made by `java.lang.reflect.Proxy`?
fn is_made_by_proxy(internal: &str) -> bool {
    let simple = internal.rsplit('/').next().unwrap_or_default();
    let number = simple.strip_prefix("$Proxy").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// Where the recording has what the bridges stand for.
fn place(recording: &TraceTables, bridges: &mut [Bridge]) {
    for bridge in bridges {
        let key = (
            bridge.class.clone(),
            bridge.method.clone(),
            bridge.desc.clone(),
            bridge.bci,
        );
        if let Some(&(site, line)) = recording.sites.get(&key) {
            bridge.site = Some(site);
            bridge.line = line;
        }
    }
}

/// The session file of a whole level, for the worker.
///
/// # Errors
/// [`SessionError::Write`].
pub fn level_session(
    recording: &TraceTables,
    code: &ReplayCode,
    level: &Level,
    predicate: &CrashPredicate,
) -> Result<Vec<u8>, SessionError> {
    let session = session(recording, code, Cow::Borrowed(level), predicate, None);
    Ok(write(&session)?)
}

/// All recorded classes as they are, for [`Engine::Direct`]: only their backward branches are counted and, with `lines`, the lines that are
/// executed.
///
/// # Errors
/// A class that cannot be written again.
///
/// [`Engine::Direct`]: jinsi_level::Engine::Direct
pub fn as_it_is(recording: &TraceTables, lines: bool) -> Result<ReplayCode, RewriteError> {
    let tables = Tables {
        lines: lines.then(Lines::default),
        ..Tables::default()
    };
    counted(recording, tables)
}

pub(super) fn counted(
    recording: &TraceTables,
    mut tables: Tables,
) -> Result<ReplayCode, RewriteError> {
    let mut code = ReplayCode::default();
    for class in recording.universe.with_bytes() {
        if class.name().starts_with("java/") || !class.has_code() {
            continue;
        }
        code.classes.push(SessionClass {
            name: class.name().replace('/', "."),
            kind: ClassKind::Code,
            bytes: rewrite::counting(class.bytes(), &mut tables)?,
        });
    }
    code.lines = tables.lines.and_then(|lines| lines.count());
    Ok(code)
}

/// All recorded classes as they are, with nothing counted: for a run of a level of [`Engine::Direct`] that is recorded.
///
/// [`Engine::Direct`]: jinsi_level::Engine::Direct
pub fn untouched(recording: &TraceTables) -> ReplayCode {
    let classes = recording.universe.with_bytes().into_iter();
    let own = classes.filter(|class| !class.name().starts_with("java/") && class.has_code());
    ReplayCode {
        classes: own
            .map(|class| SessionClass {
                name: class.name().replace('/', "."),
                kind: ClassKind::Code,
                bytes: class.bytes().to_vec(),
            })
            .collect(),
        ..ReplayCode::default()
    }
}

/// The session file of a level of [`Engine::Direct`], with the code of [`as_it_is`]. What else the program had comes from `libraries`.
///
/// # Errors
/// [`SessionError::Write`].
///
/// [`Engine::Direct`]: jinsi_level::Engine::Direct
pub fn direct_session(
    recording: &TraceTables,
    code: &ReplayCode,
    level: &Level,
    predicate: &CrashPredicate,
    libraries: &[PathBuf],
) -> Result<Vec<u8>, SessionError> {
    let interactions = level.interactions.iter().map(without_outgoing).collect();
    let asks_nothing = Level {
        engine: level.engine,
        surroundings: level.surroundings.clone(),
        observed: level.observed.clone(),
        interactions,
        waits: BTreeMap::new(),
        class_inits: BTreeMap::new(),
        statics: Vec::new(),
        objects: level.objects.clone(),
        shrunk: Vec::new(),
        beside: Vec::new(),
    };
    let mut session = session(recording, code, Cow::Owned(asks_nothing), predicate, None);
    session.libraries = Some(libraries.to_vec());
    Ok(write(&session)?)
}

/// The session file of a written test: the kept interactions, and the answers in the order in which the minimized run
/// used them.
///
/// `kept` are numbers of interactions; `used` those of outgoing interactions as [`jinsi_level::verdict::TestResult`]
/// gives them.
///
/// # Errors
/// A number that the level does not have, or [`SessionError::Write`].
pub fn script_session(
    recording: &TraceTables,
    code: &ReplayCode,
    level: &Level,
    kept: &[u32],
    used: &[u32],
    predicate: &CrashPredicate,
) -> Result<Vec<u8>, SessionError> {
    let known: BTreeSet<u32> = level.interactions.iter().map(|i| i.no).collect();
    if let Some(no) = kept.iter().find(|no| !known.contains(no)) {
        return Err(SessionError::UnknownInteraction(*no));
    }
    let is_kept = |i: &&Interaction| kept.contains(&i.no);
    let end = level
        .interactions
        .iter()
        .rposition(|i| is_kept(&i))
        .map_or(0, |last| last + 1);
    let up_to_last = &level.interactions[..end];
    let script = Script {
        setup: (level.statics.iter())
            .chain(up_to_last.iter().flat_map(|i| &i.before))
            .cloned()
            .collect(),
        answers: answers(level, used)?,
        today: today(code),
    };
    let interactions: Vec<Interaction> = up_to_last
        .iter()
        .filter(is_kept)
        .map(|i| Interaction {
            before: Vec::new(),
            ..without_outgoing(i)
        })
        .collect();
    let mut wanted = Wanted::new(level);
    interactions.iter().for_each(|i| wanted.interaction(i));
    script.setup.iter().for_each(|e| wanted.effect(e));
    script.answers.iter().for_each(|(_, o)| wanted.outgoing(o));
    let reduced = Level {
        engine: level.engine,
        surroundings: level.surroundings.clone(),
        observed: level.observed.clone(),
        interactions,
        waits: BTreeMap::new(),
        class_inits: BTreeMap::new(),
        statics: Vec::new(),
        objects: wanted.objects,
        shrunk: Vec::new(),
        beside: Vec::new(),
    };
    let session = session(
        recording,
        code,
        Cow::Owned(reduced),
        predicate,
        Some(script),
    );
    Ok(write(&session)?)
}

/// What is known of the classes that `code` has.
fn today(code: &ReplayCode) -> Today {
    let there: BTreeSet<&str> = code.classes.iter().map(|c| c.name.as_str()).collect();
    let parts = code.today.parts.iter();
    let parts = parts.filter(|part| there.contains(part.name.as_str()));
    Today {
        rules: code.today.rules.clone(),
        parts: parts.cloned().collect(),
    }
}

/// The answers with these numbers.
fn answers(level: &Level, used: &[u32]) -> Result<Vec<(u32, Outgoing)>, SessionError> {
    let numbered = Numbered::new(level);
    let answer = |no: &u32| {
        let outgoing = numbered.get(*no).ok_or(SessionError::UnknownAnswer(*no))?;
        let callbacks = outgoing.callbacks.iter().map(without_outgoing).collect();
        let outgoing = Outgoing {
            callbacks,
            ..outgoing.clone()
        };
        Ok((*no, outgoing))
    };
    used.iter().map(answer).collect()
}

pub(super) fn session<'a>(
    recording: &TraceTables,
    code: &ReplayCode,
    mut level: Cow<'a, Level>,
    predicate: &CrashPredicate,
    script: Option<Script>,
) -> Session<'a> {
    let missing = missing_causes(recording, &level);
    if !missing.is_empty() {
        let causes = missing.into_iter().map(|t| (t.id, cause_object(t)));
        level.to_mut().objects.extend(causes);
    }
    Session {
        class_names: recording.class_names.clone(),
        throwables: recording.throwables.clone(),
        classes: code.classes.clone(),
        bridges: code.bridges.clone(),
        traps: code.traps.clone(),
        predicate: predicate.clone(),
        salt: recording.salt,
        level,
        libraries: None,
        stretches: Vec::new(),
        script,
    }
}

/// Causes, of any depth, of the level's throwables that no value of the level names.
fn missing_causes<'r>(recording: &'r TraceTables, level: &Level) -> Vec<&'r ThrowableDef> {
    let is_throwable = |o: &&ObjectInfo| o.role == Role::Throwable;
    let mut missing = BTreeMap::new();
    for object in level.objects.values().filter(is_throwable) {
        let mut id = object.id;
        while let Some(cause) = recording
            .throwables
            .get(&id)
            .and_then(|t| recording.throwables.get(&t.cause))
        {
            if level.objects.contains_key(&cause.id) || missing.insert(cause.id, cause).is_some() {
                break;
            }
            id = cause.id;
        }
    }
    missing.into_values().collect()
}

fn cause_object(throwable: &ThrowableDef) -> ObjectInfo {
    ObjectInfo {
        id: throwable.id,
        class: throwable.class.replace('.', "/"),
        length: None,
        role: Role::Throwable,
    }
}

/// Collects the objects that a script names, and what these contain.
struct Wanted<'a> {
    level: &'a Level,
    objects: BTreeMap<ObjectId, ObjectInfo>,
}

impl<'a> Wanted<'a> {
    fn new(level: &'a Level) -> Self {
        Self {
            level,
            objects: BTreeMap::new(),
        }
    }

    fn id(&mut self, id: ObjectId) {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let Some(object) = self.level.objects.get(&id) else {
                continue;
            };
            if self.objects.insert(id, object.clone()).is_some() {
                continue;
            }
            if let Role::Array { initial }
            | Role::Natural { initial }
            | Role::Restored { initial }
            | Role::Function { initial, .. } = &object.role
            {
                todo.extend(initial.iter().flat_map(ids_in));
            }
        }
    }

    fn value(&mut self, value: &Value) {
        if let Value::Object(id) = value {
            self.id(*id);
        }
    }

    fn outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Return(Some(value)) => self.value(value),
            Outcome::Throw(id) => self.id(*id),
            Outcome::Return(None) | Outcome::Open => {}
        }
    }

    fn interaction(&mut self, i: &Interaction) {
        self.value(&i.receiver);
        i.args.iter().for_each(|v| self.value(v));
        self.outcome(&i.outcome);
        i.before.iter().for_each(|e| self.effect(e));
        i.outgoing.iter().for_each(|o| self.outgoing(o));
    }

    fn outgoing(&mut self, o: &Outgoing) {
        self.value(&o.receiver);
        o.args.iter().for_each(|v| self.value(v));
        self.outcome(&o.outcome);
        o.callbacks.iter().for_each(|i| self.interaction(i));
        o.effects.iter().for_each(|e| self.effect(e));
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Content { id, content } => {
                self.id(*id);
                ids_in(content).for_each(|id| self.id(id));
            }
            Effect::Store { array, value, .. } => {
                self.id(*array);
                self.value(value);
            }
            Effect::Natural {
                receiver,
                args,
                result,
                ..
            } => {
                self.value(receiver);
                args.iter().chain(result).for_each(|v| self.value(v));
            }
        }
    }
}

fn ids_in(content: &Content) -> impl Iterator<Item = ObjectId> {
    content.values().iter().filter_map(|v| match v {
        Value::Object(id) => Some(*id),
        _ => None,
    })
}
