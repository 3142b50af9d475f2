//! Follows a failure that is no exception back to where the state first goes wrong ([`crate::chain`]).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use jinsi_trace::model::ObjectId;

use super::adapters::{Projector, WorkerReplayer};
use super::{Case, Config, PipelineError, Progress, Wanted, as_search};
use crate::chain::objects::{Dependences, Source, class_of, source};
use crate::chain::state::{Predicate, State, predicates};
use crate::level::NodeNo;
use crate::oracle::{Oracle, WrongState};
use crate::replay::worker::Watch;
use crate::report::json::{LevelReport, Link};
use crate::search::ddmin::Verdict;
use crate::search::levels::{LevelResult, LevelSpec, Search};
use crate::testwriter::classes::ClassTable;
use crate::testwriter::describe::describe;

/// Windows that are minimized at most.
const MAX_WINDOWS: u32 = 40;
/// Time after which no further window is begun.
const PATIENCE: Duration = Duration::from_secs(30);
/// Passing neighbours of a minimal run that are looked at.
const MAX_NEIGHBOURS: usize = 16;

/// The way back from a failure.
struct Walk<'a, 'b> {
    case: &'a Case<'a>,
    config: &'a Config,
    wanted: &'a Wanted,
    replayer: &'b mut WorkerReplayer<'a>,
    table: &'a ClassTable,
    recorded: BTreeSet<String>,
    /// Classes that made and judged the failure, and those left behind.
    excluded: BTreeSet<String>,
    /// What was wrong so far, as texts that may be seen in what it came from.
    parts: Vec<String>,
    windows: u32,
    began: Instant,
    links: Vec<Link>,
}

/// An object whose state was found to be wrong.
struct Infected {
    object: ObjectId,
    predicate: Predicate,
    /// The last of the interactions without which it is not wrong.
    by: NodeNo,
    /// In words.
    by_text: String,
}

/// The chain of the case's failure, the observable failure first; empty for an exception.
pub(super) fn follow<'a>(
    case: &'a Case<'a>,
    config: &'a Config,
    wanted: &'a Wanted,
    replayer: &mut WorkerReplayer<'a>,
    table: &'a ClassTable,
    progress: &mut dyn Progress,
) -> Result<Vec<Link>, PipelineError> {
    let history = &case.run.history;
    let Some((node, first, parts)) = start(case) else {
        return Ok(Vec::new());
    };
    let own = class_of(history, first).to_owned();
    let outer = case.crash.levels.iter().flat_map(|l| &l.observed);
    let mut excluded: BTreeSet<String> = match &case.crash.oracle {
        Oracle::Value(wrong) => wrong.callers.clone(),
        _ => outer.cloned().collect(),
    };
    excluded.remove(&own);
    let mut walk = Walk {
        case,
        config,
        wanted,
        replayer,
        table,
        recorded: case.run.recorded(),
        excluded,
        parts,
        windows: 0,
        began: Instant::now(),
        links: Vec::new(),
    };
    walk.all(node, first, own, progress)?;
    Ok(walk.links)
}

/// Where the failure shows, the object that shows it, and what is wrong as text.
fn start(case: &Case<'_>) -> Option<(NodeNo, Source, Vec<String>)> {
    let history = &case.run.history;
    let (node, entity, part) = match &case.crash.oracle {
        Oracle::Value(wrong) => (
            wrong.node,
            history.entity(wrong.node),
            wrong.actual().map(str::to_owned),
        ),
        Oracle::Output(wrong) => (
            wrong.node,
            history.source(wrong.node),
            Some(wrong.text.clone()),
        ),
        _ => return None,
    };
    // A short text is in everything.
    let parts = part.into_iter().filter(|part| part.len() > 2).collect();
    Some((node, source(entity)?, parts))
}

impl<'a> Walk<'a, '_> {
    /// Links the failure at `node` to the states it came from, as far as they are found.
    fn all(
        &mut self,
        node: NodeNo,
        first: Source,
        own: String,
        progress: &mut dyn Progress,
    ) -> Result<(), PipelineError> {
        let mut oracle = self.case.crash.oracle.clone();
        let mut at = (node, first, own);
        let result = self.minimize(&oracle, &[at.2.clone()], progress)?;
        let what = self.case.message().unwrap_or_default();
        self.link(what, None, None, &result);
        while let Some((infected, result)) = self.back(&oracle, &at, progress)? {
            let class =
                class_of(&self.case.run.history, Source::Object(infected.object)).to_owned();
            let what = infected.predicate.to_string();
            self.link(
                what,
                Some(infected.object),
                Some(infected.by_text.clone()),
                &result,
            );
            self.excluded.insert(std::mem::take(&mut at.2));
            self.excluded.remove(&class);
            at = (infected.by, Source::Object(infected.object), class);
            oracle = Oracle::State(WrongState {
                node: infected.by,
                object: infected.object,
                class: at.2.replace('/', "."),
                predicate: infected.predicate,
            });
        }
        self.replayer.oracle = self.case.crash.oracle.clone();
        Ok(())
    }

    /// Grows the window from the object at which `oracle` shows until another object's state is found to be wrong.
    fn back(
        &mut self,
        oracle: &Oracle,
        (node, first, own): &(NodeNo, Source, String),
        progress: &mut dyn Progress,
    ) -> Result<Option<(Infected, LevelResult)>, PipelineError> {
        let history = &self.case.run.history;
        let sources =
            Dependences::until(history, *node).by_distance(history, &[*first], &self.excluded);
        let mut window = vec![own.clone()];
        let mut last: Option<LevelResult> = None;
        for source in sources {
            let class = class_of(history, source).to_owned();
            if !window.contains(&class) {
                if self.is_over() {
                    return Ok(None);
                }
                window.push(class);
                let result = self.minimize(oracle, &window, progress)?;
                if result.kept.is_empty() {
                    // Cannot be replayed with this one.
                    window.pop();
                    continue;
                }
                last = Some(result);
            }
            let (Source::Object(object), Some(result)) = (source, &last) else {
                continue;
            };
            if let Some(infected) = self.state_of(object, result)? {
                return Ok(last.map(|result| (infected, result)));
            }
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        let late = self.began.elapsed() > PATIENCE || self.windows >= MAX_WINDOWS;
        late || self.wanted.stop.reason().is_some()
    }

    /// What the minimal run leaves in `object` and its passing neighbours do not, if there is anything.
    fn state_of(
        &mut self,
        object: ObjectId,
        result: &LevelResult,
    ) -> Result<Option<Infected>, PipelineError> {
        let Some(failing) = self.state(object, &result.kept)? else {
            return Ok(None);
        };
        let passing: Vec<u32> = result
            .removals
            .iter()
            .filter(|r| r.verdict == Verdict::Passing)
            .map(|r| r.left_out)
            .take(MAX_NEIGHBOURS)
            .collect();
        let mut neighbours = Vec::new();
        for left_out in passing {
            let rest: Vec<u32> = result
                .kept
                .iter()
                .copied()
                .filter(|no| *no != left_out)
                .collect();
            neighbours.extend(self.state(object, &rest)?.map(|state| (left_out, state)));
        }
        let mut found: Vec<Predicate> = neighbours
            .iter()
            .flat_map(|(_, passing)| predicates(&failing, passing, &self.parts))
            .collect();
        let contains = |p: &Predicate| matches!(p.test, crate::chain::state::Test::Contains(_));
        found.sort_by_key(|p| (!contains(p), p.path.len()));
        let Some(predicate) = found.into_iter().next() else {
            return Ok(None);
        };
        let makes_it_wrong = neighbours
            .iter()
            .filter(|(_, state)| !predicate.holds(state));
        let last = makes_it_wrong.map(|(left_out, _)| *left_out).max();
        let Some(by) = last.and_then(|no| result.level.interactions.get(no as usize)) else {
            return Ok(None);
        };
        if let Some(text) = failing
            .get(&predicate.path)
            .and_then(|v| v.strip_prefix('"'))
        {
            self.parts.insert(0, text.trim_end_matches('"').to_owned());
        }
        Ok(Some(Infected {
            object,
            by: by.node,
            by_text: describe(by, &result.level, self.table),
            predicate,
        }))
    }

    /// The state of `object` after these interactions of the loaded level, without what was looked at before.
    fn state(&mut self, object: ObjectId, subset: &[u32]) -> Result<Option<State>, PipelineError> {
        let watched = self.replayer.state(
            Watch::State {
                object,
                class: None,
            },
            subset,
        )?;
        let before: Vec<String> = self.links.iter().filter_map(|l| l.class.clone()).collect();
        Ok(watched.map(|text| State::parse(&text).without(&before)))
    }

    fn minimize(
        &mut self,
        oracle: &Oracle,
        window: &[String],
        progress: &mut dyn Progress,
    ) -> Result<LevelResult, PipelineError> {
        self.windows += 1;
        self.replayer.oracle = oracle.clone();
        let observed: BTreeSet<String> = window.iter().cloned().collect();
        let spec = LevelSpec {
            level: self.windows,
            joins: window.last().cloned().unwrap_or_default(),
            callers: self.recorded.difference(&observed).cloned().collect(),
            observed,
        };
        let mut projector = Projector {
            run: self.case.run,
            natural: &self.config.natural,
            oracle,
        };
        let mut search = Search {
            recording: &mut projector,
            replayer: &mut *self.replayer,
            recorded: &self.recorded,
            failure: self.case.crash.throwable,
            shows: oracle.node(),
            strategy: self.wanted.strategy,
            shrink: false,
            stop: self.wanted.stop,
            likely: Vec::new(),
        };
        let result = search.level(&spec, MAX_WINDOWS as usize, as_search(progress));
        if !result.kept.is_empty() {
            // What comes next looks into runs without counters.
            self.replayer.load_level(&result.level)?;
        }
        Ok(result)
    }

    fn link(
        &mut self,
        what: String,
        object: Option<ObjectId>,
        by: Option<String>,
        result: &LevelResult,
    ) {
        let level = LevelReport::new(result, &|i| describe(i, &result.level, self.table));
        let class = object.map(|id| {
            let class = class_of(&self.case.run.history, Source::Object(id));
            class.replace('/', ".")
        });
        let name = class
            .as_ref()
            .map(|class| class.rsplit('.').next().unwrap_or_default().to_owned());
        self.links.push(Link {
            predicate: what,
            object: name.zip(object).map(|(name, id)| format!("{name}#{id}")),
            class,
            by,
            level,
        });
    }
}
