//! Which constructor call belongs to which `new`.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fact, State, Value};
use crate::code::Handler;
use crate::insn::Insn;
use crate::opcode;

/// How a `new` and its constructor call hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewShape {
    /// `new; dup; …; invokespecial <init>`: two copies lie next to each other on the stack, untouched, until one single
    /// constructor call takes the upper; the `dup` is reached from the `new` only.
    Pair,
    /// `new; …; invokespecial <init>`: one copy, untouched until one single constructor call takes it.
    Single,
    /// Anything else: more copies, copies in locals, several or no constructor calls, paths on which it gets lost.
    Complex,
}

/// A `new`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSite {
    /// Its offset.
    pub offset: u32,
    /// Offsets of the constructor calls that initialize its object.
    pub inits: Vec<u32>,
    /// What may be done to it.
    pub shape: NewShape,
}

/// The `new`s of a method while they are collected: by offset, with the shape still possible.
struct Finder<'a> {
    insns: &'a [Insn<'a>],
    facts: &'a [Fact],
    values: &'a [Value],
    sites: BTreeMap<u32, NewSite>,
}

/// Finds all reachable `new`s; `inits` are the indices of the reachable constructor calls.
pub(super) fn find(
    insns: &[Insn<'_>],
    handlers: &[Handler],
    facts: &[Fact],
    values: &[Value],
    inits: &BTreeSet<usize>,
) -> Vec<NewSite> {
    if !insns.iter().any(|insn| insn.opcode == opcode::NEW) {
        return Vec::new();
    }
    let mut finder = Finder {
        insns,
        facts,
        values,
        sites: BTreeMap::new(),
    };
    finder.candidates(handlers);
    for index in inits {
        if let Some(Value::New(new)) = facts[*index].receiver
            && let Some(site) = finder.sites.get_mut(&new)
        {
            site.inits.push(facts[*index].offset);
        }
    }
    if !finder.sites.is_empty() {
        for (index, fact) in facts.iter().enumerate() {
            if let Some(state) = fact.state(values) {
                finder.check(index, state);
            }
        }
    }
    let mut sites: Vec<_> = finder.sites.into_values().collect();
    for site in &mut sites {
        if site.inits.len() != 1 {
            site.shape = NewShape::Complex;
        }
    }
    sites
}

impl Finder<'_> {
    fn candidates(&mut self, handlers: &[Handler]) {
        let mut targets: BTreeSet<u32> = handlers.iter().map(|h| u32::from(h.handler)).collect();
        for (insn, fact) in self.insns.iter().zip(self.facts) {
            if fact.span.is_some() {
                targets.extend(insn.targets());
            }
        }
        for (index, insn) in self.insns.iter().enumerate() {
            if insn.opcode != opcode::NEW || self.facts[index].span.is_none() {
                continue;
            }
            let next = self.insns.get(index + 1);
            let shape = match next {
                Some(next) if next.opcode == opcode::DUP && targets.contains(&next.offset) => {
                    NewShape::Complex
                }
                Some(next) if next.opcode == opcode::DUP => NewShape::Pair,
                _ => NewShape::Single,
            };
            let site = NewSite {
                offset: insn.offset,
                inits: Vec::new(),
                shape,
            };
            self.sites.insert(insn.offset, site);
        }
    }

    /// Looks at the uninitialized objects in one state.
    fn check(&mut self, index: usize, state: State<'_>) {
        for local in state.locals {
            if let Value::New(new) = local {
                self.give_up(*new);
            }
        }
        let mut seen = BTreeSet::new();
        for (lowest, entry) in state.stack.iter().enumerate() {
            if let Value::New(new) = entry
                && seen.insert(*new)
                && !self.fits(index, state, *new, lowest)
            {
                self.give_up(*new);
            }
        }
    }

    fn give_up(&mut self, new: u32) {
        if let Some(site) = self.sites.get_mut(&new) {
            site.shape = NewShape::Complex;
        }
    }

    /// Are the copies of `new`, the lowest of them at stack index `lowest`, as its shape wants them before the instruction, and
    /// does the instruction leave them so or initialize them?
    fn fits(&self, index: usize, state: State<'_>, new: u32, lowest: usize) -> bool {
        let Some(site) = self.sites.get(&new) else {
            return false;
        };
        let copies = match site.shape {
            NewShape::Pair => 2,
            NewShape::Single => 1,
            NewShape::Complex => return true,
        };
        let insn = &self.insns[index];
        let value = Value::New(new);
        let count = state.stack.iter().filter(|entry| **entry == value).count();
        let behind_new = index > 0 && self.insns[index - 1].offset == new;
        if copies == 2 && behind_new {
            // The dup itself.
            return count == 1 && lowest + 1 == state.stack.len();
        }
        let adjacent = state.stack[lowest..].iter().take_while(|e| **e == value);
        if count != copies || adjacent.count() != copies {
            return false;
        }
        let fact = &self.facts[index];
        if site.inits.contains(&insn.offset) {
            return fact.low as usize == lowest + copies - 1;
        }
        if (fact.low as usize) < lowest + copies {
            return false;
        }
        self.survives(index, value, copies)
    }

    /// Are all copies there on every way on? Where paths meet, they may have been lost.
    fn survives(&self, index: usize, value: Value, copies: usize) -> bool {
        let insn = &self.insns[index];
        if matches!(insn.opcode, opcode::JSR | opcode::JSR_W | opcode::RET) {
            return false;
        }
        let has_copies = |fact: &Fact| {
            let state = fact.state(self.values);
            let count = |s: State<'_>| s.stack.iter().filter(|entry| **entry == value).count();
            state.is_some_and(|state| count(state) == copies)
        };
        let jumps = insn.targets().into_iter().all(|target| {
            let found = self.facts.binary_search_by_key(&target, |f| f.offset);
            found.is_ok_and(|at| has_copies(&self.facts[at]))
        });
        let next = !insn.falls_through() || self.facts.get(index + 1).is_some_and(has_copies);
        jumps && next
    }
}
