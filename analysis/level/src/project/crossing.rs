//! Interactions that have begun and not ended, innermost last: the stack from which the level's interactions are built.

use crate::{Effect, Interaction, Level, Outgoing};

/// A crossing that is open.
pub(super) enum Crossing {
    /// Driven, or a call-back.
    Incoming(Interaction),
    /// Observed code called out.
    Outgoing(Outgoing),
    /// The initializer of an observed class; the changes that were waiting for another crossing when it began.
    ClassInit {
        class: String,
        outgoing: Vec<Outgoing>,
        waiting: Vec<Effect>,
    },
}

/// The open crossings of a thread that is not the current one.
#[derive(Default)]
pub(super) struct Waiting {
    open: Vec<Crossing>,
    orphans: Vec<(usize, Interaction)>,
}

/// The open crossings and the level they go to.
#[derive(Default)]
pub(super) struct Crossings {
    open: Vec<Crossing>,
    /// What class initializers outside S did to S. By depth of the open crossing in which observed code triggered them; kept until that
    /// crossing's next outgoing interaction.
    orphans: Vec<(usize, Interaction)>,
    /// Changes by the environment since the last crossing inwards.
    pub(super) pending: Vec<Effect>,
    pub(super) level: Level,
}

impl Crossings {
    /// Goes on with the thread whose open crossings are `next`, and returns those of the thread so far.
    pub(super) fn switch(&mut self, next: Waiting) -> Waiting {
        Waiting {
            open: std::mem::replace(&mut self.open, next.open),
            orphans: std::mem::replace(&mut self.orphans, next.orphans),
        }
    }

    pub(super) fn enter(&mut self, mut interaction: Interaction) {
        interaction.before = std::mem::take(&mut self.pending);
        self.open.push(Crossing::Incoming(interaction));
    }

    pub(super) fn leave(&mut self, mut outgoing: Outgoing) {
        let depth = self.open.len();
        let waiting = self
            .orphans
            .iter()
            .position(|(d, _)| *d >= depth)
            .unwrap_or(self.orphans.len());
        outgoing.callbacks = self.orphans.drain(waiting..).map(|(_, i)| i).collect();
        self.open.push(Crossing::Outgoing(outgoing));
    }

    pub(super) fn begin_class_init(&mut self, class: String) {
        let waiting = std::mem::take(&mut self.pending);
        self.open.push(Crossing::ClassInit {
            class,
            outgoing: Vec::new(),
            waiting,
        });
    }

    /// The innermost open crossing.
    pub(super) fn innermost(&self) -> Option<&Crossing> {
        self.open.last()
    }

    /// Is the innermost open crossing within another one?
    pub(super) fn is_nested(&self) -> bool {
        self.open.len() > 1
    }

    /// Closes the innermost crossing.
    pub(super) fn close(&mut self) {
        match self.open.pop() {
            Some(Crossing::Incoming(interaction)) => self.close_incoming(interaction),
            Some(Crossing::Outgoing(mut outgoing)) => {
                outgoing.effects.append(&mut self.pending);
                for (no, callback) in outgoing.callbacks.iter_mut().enumerate() {
                    callback.no = no as u32;
                }
                match self.open.last_mut() {
                    Some(Crossing::Incoming(i)) => i.outgoing.push(outgoing),
                    Some(Crossing::ClassInit { outgoing: all, .. }) => all.push(outgoing),
                    // Only observed code calls out, and it always runs within one of the two.
                    Some(Crossing::Outgoing(_)) | None => {}
                }
            }
            Some(Crossing::ClassInit {
                class,
                outgoing,
                waiting,
            }) => {
                self.level
                    .class_inits
                    .entry(class)
                    .or_default()
                    .extend(outgoing);
                self.pending = waiting;
            }
            None => {}
        }
    }

    fn close_incoming(&mut self, mut interaction: Interaction) {
        let depth = self.open.len();
        self.orphans.retain(|(d, _)| *d <= depth);
        match self.open.last_mut() {
            None => {
                interaction.no = self.level.interactions.len() as u32;
                self.level.interactions.push(interaction);
            }
            Some(Crossing::Outgoing(outgoing)) => outgoing.callbacks.push(interaction),
            Some(_) => self.orphans.push((depth, interaction)),
        }
    }

    /// A change that was seen while observed code ran, and that nothing it did explains. So it was made by what observed code called last, or
    /// before that by the driver.
    pub(super) fn changed_behind_the_back(&mut self, effects: Vec<Effect>) {
        match self.open.last_mut() {
            Some(Crossing::Incoming(i)) => match i.outgoing.last_mut() {
                Some(last) => last.effects.extend(effects),
                None => i.before.extend(effects),
            },
            Some(Crossing::ClassInit { outgoing, .. }) => {
                if let Some(last) = outgoing.last_mut() {
                    last.effects.extend(effects);
                }
            }
            Some(Crossing::Outgoing(_)) | None => self.pending.extend(effects),
        }
    }
}
