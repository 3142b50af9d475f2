//! Who publishes a library: the organization that its POM, or a parent of that, names.

use std::fs;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};

/// Parents that are looked at.
const GENERATIONS: usize = 8;

/// The organization in the POM, a file of a local repository; else the first two parts of the group.
pub(crate) fn of(pom: &Path, group: &str) -> String {
    let named = organization(pom, group, GENERATIONS);
    named.unwrap_or_else(|| group.split('.').take(2).collect::<Vec<_>>().join("."))
}

fn organization(pom: &Path, group: &str, generations: usize) -> Option<String> {
    let text = fs::read_to_string(pom).ok()?;
    let document = Document::parse(&text).ok()?;
    let project = document.root_element();
    let own = child(project, "organization").and_then(|o| text_of(o, "name"));
    if own.is_some() || generations == 0 {
        return own;
    }
    let parent = child(project, "parent")?;
    let (group_of_parent, artifact) = (text_of(parent, "groupId")?, text_of(parent, "artifactId")?);
    let version = text_of(parent, "version")?;
    let pom = in_repository(pom, group, [&group_of_parent, &artifact, &version])?;
    organization(&pom, &group_of_parent, generations - 1)
}

/// The POM of another artifact in the repository in which `pom` of `group` lies: `REPOSITORY/GROUP/ARTIFACT/VERSION/FILE`.
fn in_repository(
    pom: &Path,
    group: &str,
    [other, artifact, version]: [&str; 3],
) -> Option<PathBuf> {
    let above = 3 + group.split('.').count();
    let mut file = pom.ancestors().nth(above)?.to_path_buf();
    file.extend(other.split('.'));
    file.extend([artifact, version]);
    file.push(format!("{artifact}-{version}.pom"));
    Some(file)
}

fn child<'a, 'i>(of: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    of.children().find(|c| c.tag_name().name() == name)
}

fn text_of(of: Node<'_, '_>, name: &str) -> Option<String> {
    let text = child(of, name)?.text()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_organization_may_be_that_of_a_parent() {
        let repository = tempfile::tempdir().unwrap();
        let write = |place: &str, text: &str| {
            let file = repository.path().join(place);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            file
        };
        let parent = "<parent><groupId>p.q</groupId><artifactId>all</artifactId><version>7</version></parent>";
        let pom = write(
            "a/b/c/1/c-1.pom",
            &format!("<project>{parent}<artifactId>c</artifactId></project>"),
        );
        assert_eq!(of(&pom, "a.b"), "a.b");
        write(
            "p/q/all/7/all-7.pom",
            "<project><organization><name> The Q </name></organization></project>",
        );
        assert_eq!(of(&pom, "a.b"), "The Q");
        assert_eq!(of(Path::new("none"), "a.b.c"), "a.b");
    }
}
