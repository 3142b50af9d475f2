//! Activations that are walked by their events alone.

use jinsi_trace::model::EventKind;
use jinsi_trace::reader::ReadError;

use super::code::{Body, Place};
use super::frame::{Phase, is_end};
use super::visitor::Visitor;
use super::walk::Walker;

impl Walker<'_> {
    pub(super) fn lose(&mut self, why: &'static str, visitor: &mut impl Visitor) {
        self.walked.lost += 1;
        self.top().phase = Phase::Unexplained;
        visitor.lost(why);
    }

    /// An activation whose instructions are not known.
    pub(super) fn unexplained(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let Some(place) = self.peek(visitor)? else {
            // The beginning is lost.
            visitor.began();
            self.frames.pop();
            return Ok(());
        };
        if !self.is_mine(place) || is_end(place.kind) {
            return self.descend(place, visitor);
        }
        self.take(visitor);
        match place.kind {
            EventKind::Enter => {
                visitor.began();
                self.frames.pop();
            }
            EventKind::Path => {
                if let Some(body) = self.top().code.body.clone() {
                    self.find_again(&body, place, visitor);
                }
            }
            kind => {
                let location = self.accessed(kind).location(self.recorded());
                visitor.unexplained(self.met(kind), location);
            }
        }
        Ok(())
    }

    /// A path is known again.
    fn find_again(&mut self, body: &Body, place: Place, visitor: &mut impl Visitor) {
        let (Some(number), Some(at)) = (self.path_number(), body.at(place.bci)) else {
            return;
        };
        let thrown_at = self.thrown_at();
        if self.top().go(body, number, thrown_at) {
            visitor.resumed(at);
            if thrown_at.is_some() {
                let (handler, from) = (body.cfg.block_of(at), self.top().next);
                visitor.caught(handler, from, 0);
            }
        }
    }
}
