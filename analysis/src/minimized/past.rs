//! Calls by a name that they have in each strict replay, too: the method, and which call of it.

use std::collections::BTreeMap;

use jinsi_history::{History, NodeKind, NodeNo};
use jinsi_trace::model::MemberRef;

/// The names of these calls; `None` of what is no call of a recorded method.
pub(super) fn calls(history: &History, nodes: &[NodeNo]) -> Vec<Option<String>> {
    if history.is_threaded() {
        return vec![None; nodes.len()];
    }
    let member = |no: NodeNo| {
        let is_call = history.node(no).kind == NodeKind::Activation;
        history.member(no).filter(|_| is_call)
    };
    let wanted: Vec<Option<MemberRef>> = nodes.iter().map(|no| member(*no)).collect();
    let last = nodes.iter().max().copied();
    let mut counts: BTreeMap<NodeNo, u64> = BTreeMap::new();
    let mut met: Vec<u64> = vec![0; nodes.len()];
    for no in history.numbers().take_while(|no| Some(*no) <= last) {
        let Some(found) = member(no) else { continue };
        for (place, of) in wanted.iter().enumerate() {
            if of.as_ref() == Some(&found) {
                met[place] += 1;
                if nodes[place] == no {
                    counts.insert(no, met[place]);
                }
            }
        }
    }
    let named = nodes.iter().zip(wanted).map(|(no, member)| {
        let (member, count) = (member?, counts.get(no)?);
        let owner = member.owner.replace('/', ".");
        Some(format!("{owner}.{}{}@{count}", member.name, member.desc))
    });
    named.collect()
}
