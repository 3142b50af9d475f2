//! The bill of materials, in the form of CycloneDX 1.5.

use serde_json::{Value, json};

use super::packages::Package;

/// Names the crates of the archive, their licences, checksums, and what each needs. The same crates give the same text: it has no serial
/// number and no time.
pub(super) fn document(packages: &[Package], version: &str, commit: &str) -> Value {
    let components = packages.iter().filter(|p| p.name != "jinsi").map(component);
    let dependencies = packages
        .iter()
        .map(|p| json!({ "ref": p.id(), "dependsOn": p.needs }));
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": format!("jinsi@{version}"),
                "name": "jinsi",
                "version": version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "properties": [{ "name": "jinsi:version", "value": commit }],
            },
        },
        "components": components.collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    })
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": package.id(),
        "name": package.name,
        "version": package.version,
    });
    if let Some(licence) = &package.licence {
        component["licenses"] = json!([{ "expression": licence }]);
    }
    if let Some(checksum) = &package.checksum {
        component["purl"] = json!(format!("pkg:cargo/{}@{}", package.name, package.version));
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(url) = &package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": url }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn package(name: &str, checksum: Option<&str>, needs: &[&str]) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: Some("MIT".to_owned()),
            repository: None,
            directory: PathBuf::new(),
            checksum: checksum.map(str::to_owned),
            needs: needs.iter().map(|n| (*n).to_owned()).collect(),
        }
    }

    #[test]
    fn each_crate_is_a_component_and_refers_to_others() {
        let packages = [
            package("clap", Some("ff"), &[]),
            package("jinsi", None, &["clap@1.0.0"]),
        ];
        let document = document(&packages, "1.0.0", "jinsi 1.0.0 (commit x)");
        let components = document["components"].as_array().unwrap();
        assert_eq!(components.len(), 1);
        assert_eq!(components[0]["purl"], "pkg:cargo/clap@1.0.0");
        assert_eq!(components[0]["hashes"][0]["content"], "ff");
        assert_eq!(document["dependencies"][1]["dependsOn"][0], "clap@1.0.0");
        assert_eq!(document["metadata"]["component"]["bom-ref"], "jinsi@1.0.0");
    }
}
