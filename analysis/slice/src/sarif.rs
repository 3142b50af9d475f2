//! A slice for tools that show the results of analyses: SARIF 2.1.0, the lines as a code flow that ends at the criterion.

use serde_json::{Value, json};

use super::result::{Line, Slice};

/// What uris are relative to, in the document.
pub const BASE: &str = "SRCROOT";

/// The slice as a SARIF document. Paths are those of packages below the sources' directory. Lines whose distance is not known are not
/// part of the flow, but related locations.
pub fn document(slice: &Slice) -> Value {
    let mut flow: Vec<&Line> = slice
        .lines
        .iter()
        .filter(|l| l.distance.is_some())
        .collect();
    flow.sort_by_key(|line| std::cmp::Reverse(line.distance));
    let others = slice.lines.iter().filter(|line| line.distance.is_none());
    let nearest: Vec<Value> = flow.last().map(|line| location(line)).into_iter().collect();
    let steps = flow
        .iter()
        .map(|line| json!({ "location": location(line) }));
    let steps: Vec<Value> = steps.collect();
    let crossings = slice.crossings.iter().map(|crossing| {
        let text = format!("not followed: {} ({} times)", crossing.what, crossing.times);
        json!({ "level": "note", "message": { "text": text } })
    });
    let crossings: Vec<Value> = crossings.collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "jinsi", "rules": [{ "id": "slice" }] } },
            "originalUriBaseIds": { BASE: { "description": { "text": "above the packages" } } },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": crossings,
            }],
            "results": [{
                "ruleId": "slice",
                "level": "error",
                "message": { "text": format!("what explains {}", slice.criterion) },
                "locations": nearest,
                "relatedLocations": others.map(location).collect::<Vec<Value>>(),
                "codeFlows": [{ "threadFlows": [{ "locations": steps }] }],
            }],
        }],
    })
}

fn location(line: &Line) -> Value {
    let methods: Vec<&str> = line.methods.iter().map(String::as_str).collect();
    let mut text = format!("{}.{}", line.class, methods.join(", "));
    if !line.values.is_empty() {
        text += &format!(": {}", line.values.join("; "));
    }
    json!({
        "physicalLocation": physical(&line.class, line.file.as_deref(), line.line),
        "message": { "text": text },
    })
}

/// A line as a physical location: its file below the sources' directory.
pub fn physical(class: &str, file: Option<&str>, line: u16) -> Value {
    json!({
        "artifactLocation": { "uri": path(class, file), "uriBaseId": BASE },
        "region": { "startLine": line },
    })
}

/// The file of a class, relative to the directory above the packages.
pub fn path(class: &str, file: Option<&str>) -> String {
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    let file = file.unwrap_or("Unknown");
    match package {
        "" => file.to_owned(),
        _ => format!("{}/{file}", package.replace('.', "/")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Crossing, Kind};
    use super::*;

    fn line(line: u16, distance: Option<u32>) -> Line {
        Line {
            class: "a.b.C".into(),
            methods: ["m".to_owned()].into(),
            file: Some("C.java".into()),
            line,
            instructions: 1,
            distance,
            values: vec!["x = 1".into()],
        }
    }

    #[test]
    fn the_flow_ends_at_the_criterion() {
        let slice = Slice {
            kind: Kind::Dynamic,
            criterion: "the failure (#7)".into(),
            thread: 0,
            executed: 9,
            occurrences: 3,
            instructions: 3,
            lines: vec![line(3, Some(4)), line(5, Some(0)), line(9, None)],
            crossings: vec![Crossing {
                what: "x.Y.z: not recorded".into(),
                times: 2,
            }],
        };
        let document = document(&slice);
        let result = &document["runs"][0]["results"][0];
        let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
        let at = |location: &Value| location["physicalLocation"]["region"]["startLine"].clone();
        let lines: Vec<Value> = (flow.as_array().unwrap().iter())
            .map(|step| at(&step["location"]))
            .collect();
        assert_eq!(lines, [3, 5]);
        assert_eq!(at(&result["locations"][0]), 5);
        assert_eq!(at(&result["relatedLocations"][0]), 9);
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "a/b/C.java");
        let notes = &document["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert!(
            notes[0]["message"]["text"]
                .as_str()
                .unwrap()
                .contains("x.Y.z")
        );
    }
}
