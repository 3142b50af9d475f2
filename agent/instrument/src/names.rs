//! Members of a class, by name and descriptor.

use jinsi_classfile::class::{ClassFile, Member};

use super::outcome::InstrumentError;

/// A set of members. It is asked at most instructions, with texts that lie in the constant pool: no key is made for that.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<(String, String)>);

impl Names {
    /// Names and descriptors of these members of `class`.
    pub(super) fn of<'m>(
        class: &ClassFile,
        members: impl IntoIterator<Item = &'m Member>,
    ) -> Result<Self, InstrumentError> {
        let mut names = Vec::new();
        for member in members {
            let name = member.name(&class.pool)?.into_owned();
            names.push((name, member.desc(&class.pool)?.into_owned()));
        }
        Ok(names.into_iter().collect())
    }

    pub(super) fn contains(&self, name: &str, desc: &str) -> bool {
        self.find(name, desc).is_ok()
    }

    /// Takes a member out. Was it there?
    pub(super) fn remove(&mut self, name: &str, desc: &str) -> bool {
        let found = self.find(name, desc);
        if let Ok(at) = found {
            self.0.remove(at);
        }
        found.is_ok()
    }

    fn find(&self, name: &str, desc: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(n, d)| (n.as_str(), d.as_str()).cmp(&(name, desc)))
    }
}

impl FromIterator<(String, String)> for Names {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(members: I) -> Self {
        let mut names: Vec<_> = members.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        Self(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_and_taken_out() {
        let member = |name: &str, desc: &str| (name.to_owned(), desc.to_owned());
        let all = [
            member("m", "()V"),
            member("a", "(I)V"),
            member("m", "()I"),
            member("m", "()V"),
        ];
        let mut names: Names = all.into_iter().collect();
        assert!(names.contains("m", "()V") && names.contains("m", "()I"));
        assert!(!names.contains("m", "(I)V") && !names.contains("b", "(I)V"));
        assert!(names.remove("m", "()V"));
        assert!(!names.remove("m", "()V") && !names.contains("m", "()V"));
        assert!(names.contains("m", "()I") && names.contains("a", "(I)V"));
    }
}
