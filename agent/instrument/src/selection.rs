//! Which classes are observed.

use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::Detail;

/// Which classes are observed, and how much of them: matched by `observe`, not by `exclude`, and not of those that recording itself stands on.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    observe: Vec<Pattern>,
    exclude: Vec<Pattern>,
    detail: Detail,
    /// What is reported of objects is recorded again now and then.
    epochs: bool,
    /// Over `class.member`, dotted.
    redact: Vec<Pattern>,
    /// Names that are observed whatever they are; see [`Selection::for_checking`].
    checked: Option<Checked>,
}

#[derive(Clone, Debug)]
enum Checked {
    Everything,
    Only(String),
}

/// Packages whose classes the probes call; rewriting them would make probes call themselves.
const NEVER: &[&str] = &["java/lang/", "java/util/", "jdk/internal/", "sun/"];

/// Packages of the JDK, for names of which the loader is not known.
const JDK: &[&str] = &[
    "java/",
    "javax/",
    "jdk/",
    "com/sun/",
    "org/ietf/jgss/",
    "org/w3c/dom/",
    "org/xml/sax/",
];

impl Selection {
    /// From the two options.
    pub fn new(observe: Vec<Pattern>, exclude: Vec<Pattern>) -> Self {
        Self {
            observe,
            exclude,
            ..Self::default()
        }
    }

    /// The same classes in this detail.
    pub fn in_detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// The same classes; `epochs`: what is reported of objects is recorded again now and then (`at-max=window`).
    pub fn in_epochs(self, epochs: bool) -> Self {
        Self { epochs, ..self }
    }

    /// Is what is reported of objects recorded again now and then?
    pub fn has_epochs(&self) -> bool {
        self.epochs
    }

    /// The same classes, with these members' values kept out of the trace: patterns over the dotted class name, a dot, and the member.
    pub fn redacting(self, redact: Vec<Pattern>) -> Self {
        Self { redact, ..self }
    }

    /// Are there members whose values are kept out?
    pub fn redacts_anything(&self) -> bool {
        !self.redact.is_empty()
    }

    /// Are the texts that this member of the class with this internal name takes, holds or gives kept out of the trace?
    pub fn redacts(&self, internal: &str, member: &str) -> bool {
        let name = || format!("{}.{member}", internal.replace('/', "."));
        self.redacts_anything() && self.redact.iter().any(|p| p.matches(&name()))
    }

    /// How much of them is recorded.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// For tools that check the rewriter on class files: observes the class with this internal name alone, or every class if there is
    /// none, those included that recording stands on. A program does not run with these rewritten, except against probes that do
    /// nothing.
    pub fn for_checking(only: Option<&str>) -> Self {
        let checked = only.map_or(Checked::Everything, |name| Checked::Only(name.to_owned()));
        Self {
            checked: Some(checked),
            ..Self::default()
        }
    }

    /// The `observe` patterns as given.
    pub fn observe_text(&self) -> String {
        self.observe
            .iter()
            .map(Pattern::as_str)
            .collect::<Vec<_>>()
            .join(":")
    }

    /// Is the class with this internal name, which is not observed, one whose code is recorded where observed classes inherit it?
    /// Classes of the JDK are not (`jdk`: the loader says it is one), and those that `exclude` names.
    pub fn may_be_inherited(&self, internal: &str, jdk: bool) -> bool {
        let of_the_jdk = || NEVER.iter().chain(JDK).any(|p| internal.starts_with(p));
        !jdk && !of_the_jdk()
            && !self.observes(internal, jdk)
            && !self.exclude.iter().any(|p| p.matches_internal(internal))
    }

    /// Is the class with this internal name observed? A lone `*` means all classes but the JDK's (`jdk`).
    pub fn observes(&self, internal: &str, jdk: bool) -> bool {
        match &self.checked {
            Some(Checked::Everything) => return !internal.starts_with('['),
            Some(Checked::Only(name)) => return internal == name,
            None => {}
        }
        if internal.starts_with('[') || NEVER.iter().any(|p| internal.starts_with(p)) {
            return false;
        }
        let of_the_jdk = || jdk || JDK.iter().any(|j| internal.starts_with(j));
        let named = |p: &&Pattern| p.as_str() != "*" || !of_the_jdk();
        self.observe
            .iter()
            .filter(named)
            .any(|p| p.matches_internal(internal))
            && !self.exclude.iter().any(|p| p.matches_internal(internal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_probes_stand_on_is_never_observed() {
        let all = Selection::new(vec![Pattern::new("*")], vec![Pattern::new("com.foo.gen.*")]);
        assert!(all.observes("com/foo/Bar", false));
        assert!(!all.observes("com/foo/gen/Bar", false));
        assert!(!all.observes("java/lang/String", true));
        assert!(!all.observes("[Lcom/foo/Bar;", false));
    }

    #[test]
    fn code_is_inherited_from_what_is_neither_observed_nor_the_jdks() {
        let some = Selection::new(
            vec![Pattern::new("com.foo.*")],
            vec![Pattern::new("org.x.*")],
        );
        assert!(some.may_be_inherited("org/lib/Base", false));
        assert!(!some.may_be_inherited("com/foo/Base", false));
        assert!(!some.may_be_inherited("org/x/Base", false));
        assert!(!some.may_be_inherited("org/lib/Base", true));
        assert!(!some.may_be_inherited("java/util/AbstractList", false));
        assert!(!some.may_be_inherited("javax/swing/JPanel", false));
    }

    #[test]
    fn a_lone_star_leaves_the_jdk_out() {
        let all = Selection::new(vec![Pattern::new("*")], vec![]);
        assert!(!all.observes("java/text/DateFormatSymbols", false));
        assert!(!all.observes("org/xml/sax/InputSource", false));
        assert!(!all.observes("com/foo/Bar", true));
        let text = Selection::new(vec![Pattern::new("java.text.*")], vec![]);
        assert!(text.observes("java/text/DateFormatSymbols", true));
    }

    #[test]
    fn members_are_redacted_by_their_class_and_name() {
        let patterns = ["com.foo.User.password", "*.setSecret", "com.vault.*"];
        let some = Selection::default().redacting(patterns.map(Pattern::new).into());
        assert!(some.redacts("com/foo/User", "password"));
        assert!(!some.redacts("com/foo/User", "name"));
        assert!(some.redacts("a/B", "setSecret"));
        assert!(some.redacts("com/vault/in/Key", "<init>"));
        assert!(!Selection::default().redacts("a/B", "setSecret"));
    }

    #[test]
    fn checking_makes_no_exceptions() {
        let all = Selection::for_checking(None);
        assert!(all.observes("java/lang/String", true));
        assert!(!all.observes("[Ljava/lang/String;", true));
        let one = Selection::for_checking(Some("java/lang/String"));
        assert!(one.observes("java/lang/String", true));
        assert!(!one.observes("java/lang/StringBuilder", true));
    }
}
