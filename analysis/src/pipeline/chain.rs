//! Follows a failure that is no exception back to where the state first goes wrong ([`jinsi_oracle::chain`]).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::adapters::{Projector, WorkerReplayer};
use super::tests_of_levels::{Attempt, Subject, candidates};
use super::{Case, Config, PipelineError, Progress, Wanted, as_search};
use crate::minimized::{CauseChain, ChainEnd, ChainLink, MinimizedLevel};
use jinsi_history::NodeNo;
use jinsi_oracle::chain::objects::{Dependences, Source, class_of, source};
use jinsi_oracle::chain::state::{Predicate, State, predicates};
use jinsi_oracle::{Oracle, WrongState};
use jinsi_replay::worker::Watch;
use jinsi_search::ddmin::Verdict;
use jinsi_search::levels::{LevelResult, LevelSpec, Search};
use jinsi_testwriter::classes::ClassTable;
use jinsi_testwriter::describe::describe;

/// Windows that are minimized at most.
const MAX_WINDOWS: u32 = 40;
/// Time after which no further window is begun.
const PATIENCE: Duration = Duration::from_secs(20);
/// The same of an exception, of which the levels tell already.
const PATIENCE_OF_CRASHES: Duration = Duration::from_secs(3);
/// Passing neighbours of a minimal run that are looked at.
const MAX_NEIGHBOURS: usize = 16;

/// What is followed back, and with what.
pub(super) struct ChainSearch<'a> {
    pub(super) case: &'a Case<'a>,
    pub(super) config: &'a Config,
    pub(super) wanted: &'a Wanted,
    pub(super) table: &'a ClassTable,
    /// Levels of the report: the index of the first link.
    pub(super) behind: usize,
}

/// A chain, the observable failure first, and the tests that its links may have.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) chain: CauseChain,
    pub(super) attempts: Vec<Attempt>,
}

/// The way back from a failure.
struct Walk<'a, 'b> {
    way: &'b ChainSearch<'a>,
    replayer: &'b mut WorkerReplayer<'a>,
    recorded: BTreeSet<String>,
    /// Classes that made and judged the failure, and those left behind.
    excluded: BTreeSet<String>,
    /// The failure is an exception: what is on its stack, and so excluded, has handed on what was wrong.
    crashed: bool,
    /// Recorded classes of which the levels had answers.
    unseen: BTreeSet<String>,
    /// What was wrong so far, as texts that may be seen in what it came from.
    parts: Vec<String>,
    windows: u32,
    /// When no further window is begun.
    until: Instant,
    found: Chain,
}

/// What is reported of a link.
struct LinkCause<'l> {
    what: String,
    oracle: &'l Oracle,
    /// The object that is in a wrong state, and the interaction by which it came into it.
    infected: Option<&'l Infected>,
}

/// An object, or a class with its static fields, whose state was found to be wrong.
struct Infected {
    source: Source,
    predicate: Predicate,
    /// The last of the interactions without which it is not wrong.
    by: NodeNo,
    /// In words.
    by_text: String,
}

/// What was found to be wrong, and what is left of the window that showed it.
type FoundState = Option<(Infected, LevelResult)>;

/// The chain of the case's failure. That of an exception is looked for only if levels had answers of the classes `unseen`, which are not
/// on the stack; it is empty if no state of an object is found, and so are those of hangs and the like.
pub(super) fn follow<'a>(
    way: &ChainSearch<'a>,
    unseen: &BTreeSet<String>,
    replayer: &mut WorkerReplayer<'a>,
    progress: &mut dyn Progress,
) -> Result<Chain, PipelineError> {
    let (history, crash) = (&way.case.run.history, way.case.crash);
    let crashed = crash.oracle == Oracle::Exception;
    let none = |end| {
        Ok(Chain {
            chain: CauseChain {
                links: Vec::new(),
                end: Some(end),
            },
            attempts: Vec::new(),
        })
    };
    if crashed && unseen.is_empty() {
        return none(ChainEnd::OnTheStack);
    }
    let Some((node, first, parts)) = start(way.case) else {
        return none(ChainEnd::NothingShows);
    };
    let own = class_of(history, first).to_owned();
    let outer = crash.levels.iter().flat_map(|l| &l.observed);
    let mut excluded: BTreeSet<String> = match crash.oracle.callers() {
        Some(callers) => callers.clone(),
        None => outer.cloned().collect(),
    };
    excluded.remove(&own);
    let patience = if crashed {
        PATIENCE_OF_CRASHES
    } else {
        PATIENCE
    };
    let mut walk = Walk {
        way,
        replayer,
        recorded: way.case.run.recorded(),
        excluded,
        crashed,
        unseen: unseen.clone(),
        parts,
        windows: 0,
        until: Instant::now() + patience,
        found: Chain::default(),
    };
    walk.all(node, first, own, progress)?;
    // Of an exception the levels tell more than a chain of one link.
    if crashed && walk.found.chain.links.len() < 2 {
        walk.found = Chain {
            chain: CauseChain {
                links: Vec::new(),
                ..walk.found.chain
            },
            attempts: Vec::new(),
        };
    }
    Ok(walk.found)
}

/// Where the failure shows, the object that shows it, and what is wrong as text.
fn start(case: &Case<'_>) -> Option<(NodeNo, Source, Vec<String>)> {
    let (history, crash) = (&case.run.history, case.crash);
    let (node, entity, part) = match &crash.oracle {
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
        Oracle::Exception => {
            let level = crash.levels.first()?;
            (*level.activations.first()?, level.entity, None)
        }
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
        let mut oracle = self.way.case.crash.oracle.clone();
        let mut at = (node, first, own);
        let result = self.minimize(&oracle, &[at.2.clone()], progress)?;
        self.link(
            LinkCause {
                what: self.way.case.message().unwrap_or_default(),
                oracle: &oracle,
                infected: None,
            },
            result,
        )?;
        while let Some((infected, found)) = self.back(&oracle, &at, progress)? {
            let class = class_of(&self.way.case.run.history, infected.source).to_owned();
            self.excluded.insert(std::mem::take(&mut at.2));
            self.excluded.remove(&class);
            at = (infected.by, infected.source, class);
            oracle = Oracle::State(WrongState {
                node: infected.by,
                object: infected.source.object(),
                class: at.2.replace('/', "."),
                predicate: infected.predicate.clone(),
            });
            let alone = self.minimize_alone(&oracle, &at.2, infected.by, progress)?;
            let result = alone.unwrap_or(found);
            self.link(
                LinkCause {
                    what: infected.predicate.to_string(),
                    oracle: &oracle,
                    infected: Some(&infected),
                },
                result,
            )?;
        }
        self.found.chain.end = Some(match self.is_over() {
            true => ChainEnd::Over,
            false => ChainEnd::NoOtherState,
        });
        self.replayer.oracle = self.way.case.crash.oracle.clone();
        Ok(())
    }

    /// What an object of the class `own` alone needs to get into the state that `oracle` knows, which the interaction `by` made; `None`
    /// where it cannot be replayed alone.
    fn minimize_alone(
        &mut self,
        oracle: &Oracle,
        own: &str,
        by: NodeNo,
        progress: &mut dyn Progress,
    ) -> Result<Option<LevelResult>, PipelineError> {
        let mut result = self.minimize(oracle, &[own.to_owned()], progress)?;
        if result.kept.is_empty() && self.crashed {
            result = self.minimize(oracle, &self.all_but_drivers(own), progress)?;
        }
        // An exception says nothing of what made the state: a shorter run can have it from the beginning.
        let of_that = |r: &LevelResult| {
            let kept = r
                .kept
                .iter()
                .map(|no| r.level.interactions.get(*no as usize));
            kept.flatten().any(|i| i.node == by)
        };
        let is_its = !result.kept.is_empty() && (!self.crashed || of_that(&result));
        Ok(is_its.then_some(result))
    }

    /// Grows the window from the object at which `oracle` shows until another object's state is found to be wrong.
    fn back(
        &mut self,
        oracle: &Oracle,
        (node, first, own): &(NodeNo, Source, String),
        progress: &mut dyn Progress,
    ) -> Result<FoundState, PipelineError> {
        let history = &self.way.case.run.history;
        let mut sources = Dependences::until(history, *node).by_distance(
            history,
            &[*first],
            &self.excluded,
            self.crashed,
        );
        if self.crashed {
            let found = self.back_at_once(oracle, own, &sources, progress)?;
            if found.is_some() {
                return Ok(found);
            }
            sources.retain(|source| self.unseen.contains(class_of(history, *source)));
        }
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
            let Some(result) = &last else {
                continue;
            };
            if let Some(infected) = self.state_of(source, result)? {
                return Ok(last.map(|result| (infected, result)));
            }
        }
        Ok(None)
    }

    /// The same for an exception, in one window of all that is not left behind: what brought about the state is mostly done by the classes
    /// that drive this window.
    fn back_at_once(
        &mut self,
        oracle: &Oracle,
        own: &str,
        sources: &[Source],
        progress: &mut dyn Progress,
    ) -> Result<FoundState, PipelineError> {
        let result = self.minimize(oracle, &self.all_but_drivers(own), progress)?;
        for source in sources {
            if result.kept.is_empty() || self.is_over() {
                break;
            }
            if let Some(infected) = self.state_of(*source, &result)? {
                return Ok(Some((infected, result)));
            }
        }
        Ok(None)
    }

    /// The classes that are not left behind, the last one being `own`.
    fn all_but_drivers(&self, own: &str) -> Vec<String> {
        let all = self.recorded.difference(&self.excluded).cloned();
        let others = all.filter(|class| class != own);
        others.chain([own.to_owned()]).collect()
    }

    fn is_over(&self) -> bool {
        let late = Instant::now() > self.until || self.windows >= MAX_WINDOWS;
        late || self.way.wanted.stop.reason().is_some()
    }

    /// What the minimal run leaves in `source` and its passing neighbours do not, if there is anything.
    fn state_of(
        &mut self,
        source: Source,
        result: &LevelResult,
    ) -> Result<Option<Infected>, PipelineError> {
        let Some(failing) = self.state(source, &result.kept)? else {
            return Ok(None);
        };
        let neighbours = self.passing_neighbours(source, result)?;
        let mut found: Vec<Predicate> = neighbours
            .iter()
            .flat_map(|(_, passing)| predicates(&failing, passing, &self.parts))
            .collect();
        let contains =
            |p: &Predicate| matches!(p.test, jinsi_oracle::chain::state::Test::Contains(_));
        found.sort_by_key(|p| {
            let tells = p.tells_a_value() && !p.counts_changes();
            (!contains(p), !tells, p.path.len())
        });
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
            source,
            by: by.node,
            by_text: describe(by, &result.level, self.way.table),
            predicate,
        }))
    }

    /// What the run leaves in `source` that lacks one of the needed interactions and passes; and which interaction that is.
    fn passing_neighbours(
        &mut self,
        source: Source,
        result: &LevelResult,
    ) -> Result<Vec<(u32, State)>, PipelineError> {
        let passing = result.removals.iter();
        let mut passing: Vec<u32> = passing
            .filter(|r| r.verdict == Verdict::Passing)
            .map(|r| r.left_out)
            .take(MAX_NEIGHBOURS)
            .collect();
        // Without the call that fails nothing fails: that tells less than any other.
        if self.crashed && passing.len() > 1 {
            passing.retain(|no| Some(no) != result.kept.last());
        }
        let mut neighbours = Vec::new();
        for left_out in passing {
            let kept = result.kept.iter().copied();
            let rest: Vec<u32> = kept.filter(|no| *no != left_out).collect();
            neighbours.extend(self.state(source, &rest)?.map(|state| (left_out, state)));
        }
        Ok(neighbours)
    }

    /// The state of `source` after these interactions of the loaded level, without what was looked at before.
    fn state(&mut self, source: Source, subset: &[u32]) -> Result<Option<State>, PipelineError> {
        let watch = match source {
            Source::Object(object) => Watch::State {
                object,
                class: None,
            },
            Source::Class(_) => {
                let class = class_of(&self.way.case.run.history, source);
                Watch::Class(class.replace('/', "."))
            }
        };
        let watched = self.replayer.state(watch, subset)?;
        let links = self.found.chain.links.iter();
        let before: Vec<String> = links.filter_map(|l| l.class.clone()).collect();
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
            by_test: false,
            driver: None,
        };
        let mut projector = Projector {
            run: self.way.case.run,
            natural: &self.way.config.natural,
            oracle,
            table: self.way.table,
        };
        let mut search = Search {
            recording: &mut projector,
            replayer: &mut *self.replayer,
            recorded: &self.recorded,
            failure: self.way.case.crash.throwable,
            shows: oracle.node(),
            strategy: self.way.wanted.strategy,
            direct: false,
            shrink: false,
            stop: self
                .way
                .wanted
                .stop
                .within(self.until.saturating_duration_since(Instant::now())),
            likely: Vec::new(),
        };
        let result = search.level(&spec, MAX_WINDOWS as usize, as_search(progress));
        if !result.kept.is_empty() {
            // What comes next looks into runs without counters.
            self.replayer.load_level(&result.level)?;
        }
        Ok(result)
    }

    fn link(&mut self, cause: LinkCause<'_>, mut result: LevelResult) -> Result<(), PipelineError> {
        let ChainSearch {
            case,
            table,
            wanted,
            ..
        } = self.way;
        let number = self.found.chain.links.len() + 1;
        let class = cause.infected.map(|infected| {
            let class = class_of(&case.run.history, infected.source);
            class.replace('/', ".")
        });
        // The failure itself has the tests of the levels.
        if let Some(class) = &class {
            let subject = Subject {
                index: self.way.behind + self.found.chain.links.len(),
                class_name: jinsi_testwriter::link_name(&class.replace('.', "/"), number),
                form: wanted.form,
                dialect: wanted.dialect,
                oracle: cause.oracle,
                message: Some(cause.what.clone()),
            };
            let attempt = candidates(
                case,
                self.way.config,
                self.replayer,
                table,
                &result,
                &subject,
            )?;
            self.found.attempts.extend(attempt.ok());
        }
        result.spec.level = number as u32;
        let mut level = MinimizedLevel::new(result, &|i, level| describe(i, level, *table));
        level.locate(&case.run.history);
        let name = class
            .as_ref()
            .map(|class| class.rsplit('.').next().unwrap_or_default().to_owned());
        self.found.chain.links.push(ChainLink {
            predicate: cause.what,
            object: name
                .zip(cause.infected)
                .map(|(name, infected)| match infected.source {
                    Source::Object(id) => format!("{name}#{id}"),
                    Source::Class(_) => name,
                }),
            class,
            by: cause.infected.map(|infected| infected.by_text.clone()),
            level,
        });
        Ok(())
    }
}
