//! Findings as SARIF 2.1.0: each line a result with its rank, the most suspicious first; the branches that decided otherwise as a code flow.

use jinsi_slice::sarif::{BASE, physical};
use serde_json::{Value, json};

use super::{SHOWN, why};
use crate::look::{DifferenceReport, Findings, FoundLine};

/// The findings as a SARIF document. `rank` is that of SARIF: from 100, the most suspicious, to 0.
pub fn document(findings: &Findings) -> Value {
    let lines = findings.lines.iter().take(SHOWN);
    let best = findings.lines.first().map_or(1.0, |line| line.ranked.score);
    let mut results: Vec<Value> = lines.map(|line| result(line, best)).collect();
    let flow = findings.difference.as_ref().and_then(flow);
    if let (Some(flow), Some(first)) = (flow, results.first_mut()) {
        first["codeFlows"] = json!([flow]);
    }
    let notes = findings.not_followed.iter().map(|what| {
        let text = format!("not followed: {what}");
        json!({ "level": "note", "message": { "text": text } })
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "jinsi", "rules": [{ "id": "where" }] } },
            "originalUriBaseIds": { BASE: { "description": { "text": "above the packages" } } },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notes.collect::<Vec<Value>>(),
            }],
            "results": results,
        }],
    })
}

fn result(line: &FoundLine, best: f64) -> Value {
    let place = &line.ranked.place;
    let share = if best > 0.0 {
        (line.ranked.score / best).max(0.0)
    } else {
        0.0
    };
    let mut text = format!("suspicious, rank {}: {}", line.ranked.rank, why(line));
    if !line.values.is_empty() {
        text += &format!(" ({})", line.values.join("; "));
    }
    json!({
        "ruleId": "where",
        "kind": "review",
        "level": "none",
        "rank": (share * 1000.0).round() / 10.0,
        "message": { "text": text },
        "locations": [{
            "physicalLocation": physical(&place.class, line.file.as_deref(), place.line),
        }],
    })
}

fn flow(difference: &DifferenceReport) -> Option<Value> {
    let steps = difference.branches.iter().filter(|branch| branch.line != 0);
    let steps: Vec<Value> = steps
        .map(|branch| {
            let text = format!(
                "went {}; in {} {}",
                branch.went, difference.run, branch.passing
            );
            let at = physical(&branch.class, branch.file.as_deref(), branch.line);
            json!({ "location": { "physicalLocation": at, "message": { "text": text } } })
        })
        .collect();
    (!steps.is_empty()).then(|| json!({ "threadFlows": [{ "locations": steps }] }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::testing::findings;

    #[test]
    fn lines_are_results_with_ranks() {
        let document = document(&findings());
        let results = &document["runs"][0]["results"];
        assert_eq!(results[0]["rank"], 100.0);
        assert_eq!(results[1]["rank"], 16.7);
        let at = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(at["artifactLocation"]["uri"], "a/b/C.java");
        assert_eq!(at["region"]["startLine"], 12);
        let flow = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
        assert_eq!(
            flow[0]["location"]["message"]["text"],
            "went to line 13; in a.b.CTest.other to line 15"
        );
        assert!(results[1].get("codeFlows").is_none());
    }
}
