//! Rows of `events` that a condition picks by kind, place or object: other events are passed over without decoding what they were given.

use jinsi_trace::model::{Event, EventKind, Payload, Site, SiteNo, ThreadNo};
use jinsi_trace::order::Merged;
use jinsi_trace::reader::Piece;
use rustc_hash::FxHashMap;

use super::events::{about_first, push};
use crate::ended_node::ELEMENTS;
use crate::error::QueryError;
use crate::places::{Place, Places};
use crate::rows::Rows;
use crate::run::Run;
use crate::wanted::{Bounds, Wanted};

/// Columns whose value follows from an event's kind and site.
const OF_SITES: [&str; 4] = ["class", "method", "target", "name"];

/// Does a condition pick events by what is known before they are decoded?
pub(super) fn picks(wanted: &Wanted) -> bool {
    let columns = OF_SITES.into_iter().chain(["kind", "object"]);
    columns.into_iter().any(|column| wanted.is_about(column))
}

/// Tells the rows of a run whose only thread this is, so that events have their moments by their places.
pub(super) fn tell(
    run: &Run,
    places: &Places<'_>,
    thread: ThreadNo,
    rows: &mut Rows<'_>,
) -> Result<(), QueryError> {
    let Bounds { low, high, .. } = rows.wanted.bounds("moment");
    let moment = |index: u64| i64::try_from(index + 1).unwrap_or(i64::MAX);
    let mut sites = Sites::default();
    for piece in run.trace.pieces(thread) {
        let (from, to) = (piece.first(), piece.first() + piece.count());
        if moment(to) <= low || piece.count() == 0 {
            continue;
        }
        if moment(from) > high || !rows.more() {
            break;
        }
        let mut picked = sites.reported(rows.wanted, places, &piece)?;
        picked.append(&mut sites.with_operands(run, rows.wanted, places, &piece)?);
        picked.sort_unstable_by_key(|(index, _)| *index);
        for (index, event) in picked {
            let merged = Merged {
                thread,
                index,
                event,
            };
            push(run, places, rows, index + 1, &merged);
        }
    }
    Ok(())
}

/// Events that may be wanted, with their indexes.
type Picked = Vec<(u64, Event)>;

/// By kind and site, whether its events may be wanted.
#[derive(Default)]
struct Sites(FxHashMap<(EventKind, Option<SiteNo>), bool>);

impl Sites {
    /// Definitions and contents.
    fn reported(
        &self,
        wanted: &Wanted,
        places: &Places<'_>,
        piece: &Piece<'_>,
    ) -> Result<Picked, QueryError> {
        // Their class is that of what they are about.
        let of_code = ["method", "target", "name"];
        let kinds = [EventKind::Define, EventKind::Content];
        let any = kinds.map(|kind| wanted.has_text("kind", places.kind(kind)));
        if any == [false; 2] || of_code.iter().any(|column| wanted.is_about(column)) {
            return Ok(Vec::new());
        }
        let reported = piece.object_events(ELEMENTS).map(|reported| {
            let (index, event) = reported?;
            Ok((piece.first() + index, event))
        });
        reported.collect()
    }

    /// Events with operands.
    fn with_operands(
        &mut self,
        run: &Run,
        wanted: &Wanted,
        places: &Places<'_>,
        piece: &Piece<'_>,
    ) -> Result<Picked, QueryError> {
        let mut picked = Vec::new();
        let mut skim = piece.skim_backward();
        let mut index = piece.first() + piece.count();
        while let Some(met) = skim.advance() {
            let (kind, site) = met?;
            index = index.saturating_sub(1);
            if is_reported(kind) || !self.may_have(wanted, places, kind, site) {
                continue;
            }
            if wanted.is_about("object") {
                let site = site.and_then(|site| run.trace.site(site));
                let object = skim.object(0).filter(|_| about_first(kind, site));
                let number = object.and_then(|id| i64::try_from(id).ok());
                if !number.is_some_and(|id| wanted.has("object", id)) {
                    continue;
                }
            }
            let values = (0..skim.count()).map(|at| skim.value(at));
            // What cannot be decoded is an error that comes with the next event.
            let Some(values) = values.collect() else {
                continue;
            };
            let event = Event {
                kind,
                site,
                payload: Payload::Operands(values),
            };
            picked.push((index, event));
        }
        Ok(picked)
    }

    fn may_have(
        &mut self,
        wanted: &Wanted,
        places: &Places<'_>,
        kind: EventKind,
        site: Option<SiteNo>,
    ) -> bool {
        let known = self.0.entry((kind, site));
        *known.or_insert_with(|| {
            let place = site.and_then(|site| places.site(site));
            wanted.has_text("kind", places.kind(kind)) && admits(wanted, place)
        })
    }
}

/// Is the event distinguished from those that have operands?
fn is_reported(kind: EventKind) -> bool {
    matches!(kind, EventKind::Define | EventKind::Content)
}

fn admits(wanted: &Wanted, place: Option<(&Site, &Place)>) -> bool {
    let Some((site, place)) = place else {
        return !OF_SITES.iter().any(|column| wanted.is_about(column));
    };
    let texts = [
        place.class.as_deref(),
        Some(site.method.as_str()),
        Some(place.owner.as_str()),
        Some(site.target.name.as_str()),
    ];
    let mut columns = OF_SITES.iter().zip(texts);
    let admitted = columns.all(|(column, text)| match text {
        Some(text) => wanted.has_text(column, text),
        None => !wanted.is_about(column),
    });
    admitted && wanted.has("line", site.line.into())
}
