//! The events that one event of a run of accesses stands for.

use crate::model::{ALWAYS, Event, Payload, Prim, RunPart, Value};

/// These parts of an event with the operands `values`, oldest first. `None` if a part names an operand that is not there.
pub fn apart(values: &[Value], parts: &[RunPart]) -> Option<Vec<Event>> {
    parts.iter().map(|part| one(values, part)).collect()
}

fn one(values: &[Value], part: &RunPart) -> Option<Event> {
    let operands = part.operands.iter().map(|&(position, add)| {
        if position == ALWAYS {
            return Some(Value::Prim(Prim::Int(add)));
        }
        let value = values.get(usize::from(position))?;
        Some(match value {
            Value::Prim(Prim::Int(number)) => Value::Prim(Prim::Int(number.wrapping_add(add))),
            other => other.clone(),
        })
    });
    Some(Event {
        kind: part.kind,
        site: Some(part.site),
        payload: Payload::Operands(operands.collect::<Option<_>>()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EventKind, SiteNo};

    #[test]
    fn a_part_takes_its_operands_from_the_run() {
        let int = |number| Value::Prim(Prim::Int(number));
        let part = |operands: &[(u8, i32)]| RunPart {
            kind: EventKind::ArrayLoad,
            site: SiteNo::FIRST,
            operands: operands.to_vec(),
        };
        let values = [Value::Object(7), int(i32::MAX), int(5)];
        let parts = [
            part(&[(0, 3), (1, 0), (2, 0)]),
            part(&[(0, 0), (1, 2), (2, -6)]),
        ];
        let events = apart(&values, &parts).unwrap();
        let operands = |event: &Event| match &event.payload {
            Payload::Operands(values) => values.clone(),
            _ => panic!("an access has operands"),
        };
        assert_eq!(
            operands(&events[0]),
            [Value::Object(7), int(i32::MAX), int(5)]
        );
        assert_eq!(
            operands(&events[1]),
            [Value::Object(7), int(i32::MIN + 1), int(-1)]
        );
        assert_eq!(apart(&values, &[part(&[(3, 0)])]), None);
        let always = apart(&[], &[part(&[(ALWAYS, -5)])]).unwrap();
        assert_eq!(operands(&always[0]), [int(-5)]);
    }
}
