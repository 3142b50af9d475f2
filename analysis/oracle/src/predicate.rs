//! A predicate of the user's: a Java class that says of an object whether it is in a wrong state.

use std::path::PathBuf;
use std::str::FromStr;

use jinsi_classfile::{ACC_PUBLIC, ClassFile};

/// A `java.util.function.Predicate`, with a constructor without parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPredicate {
    /// Binary name of its class.
    pub class: String,
    /// Absolute path of the directory in which the class is, below its packages.
    pub directory: PathBuf,
    /// Internal name of the class of objects that it takes.
    about: String,
    /// Code of other packages can make one.
    public: bool,
}

/// Why there is no such predicate.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BadPredicate {
    #[error("cannot read {}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("the class {0} has no method boolean test(T), with T a class of the program")]
    NoTest(String),
}

impl FromStr for UserPredicate {
    type Err = BadPredicate;

    /// `CLASS`, or `CLASS@DIRECTORY` if that is not the current one.
    fn from_str(text: &str) -> Result<Self, BadPredicate> {
        let (class, directory) = text.split_once('@').unwrap_or((text, "."));
        let bad = |path: &PathBuf| {
            let path = path.clone();
            move |source| BadPredicate::File { path, source }
        };
        let directory = PathBuf::from(directory);
        let directory = directory.canonicalize().map_err(bad(&directory))?;
        let file = directory.join(class.replace('.', "/") + ".class");
        let bytes = std::fs::read(&file).map_err(bad(&file))?;
        let about = takes(&bytes).ok_or_else(|| BadPredicate::NoTest(class.to_owned()))?;
        Ok(Self {
            class: class.to_owned(),
            directory,
            about,
            public: ClassFile::parse(&bytes).is_ok_and(|class| is_public(&class)),
        })
    }
}

/// Internal name of the class that its method `test` takes.
fn takes(bytes: &[u8]) -> Option<String> {
    let class = ClassFile::parse(bytes).ok()?;
    class.methods.iter().find_map(|method| {
        let name = method.name(&class.pool).ok()?;
        let desc = method.desc(&class.pool).ok()?;
        let taken = desc.strip_prefix("(L")?.strip_suffix(";)Z")?;
        // The method of the interface itself only casts.
        let own = name == "test" && taken != "java/lang/Object" && !taken.contains(';');
        own.then(|| taken.to_owned())
    })
}

/// Are the class and its constructor without parameters public?
fn is_public(class: &ClassFile) -> bool {
    let constructor = class.methods.iter().find(|method| {
        let name = method.name(&class.pool);
        let desc = method.desc(&class.pool);
        name.is_ok_and(|name| name == "<init>") && desc.is_ok_and(|desc| desc == "()V")
    });
    class.access & constructor.map_or(0, |c| c.access) & ACC_PUBLIC != 0
}

impl UserPredicate {
    /// Internal name of the class of objects that it takes.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Can code of other packages make one?
    pub fn is_public(&self) -> bool {
        self.public
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_predicate_is_refused() {
        let error = |text: &str| text.parse::<UserPredicate>().unwrap_err().to_string();
        assert!(error("a.B@/no/such/place").contains("/no/such/place: "));
        assert!(error("a.B").contains("a/B.class: "));
        assert_eq!(takes(b"no class"), None);
    }
}
