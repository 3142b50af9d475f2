//! What calls of code that is not recorded do, as far as it is known: the table `summaries.txt`.

use std::collections::HashMap;

use jinsi_natural::Natural;
use jinsi_trace::model::MemberRef;

/// What a call does to the objects it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// It may change its receiver.
    pub receiver: bool,
    /// It may change its arguments.
    pub arguments: bool,
    /// It is known to do no more than that, and to compute its result from receiver and arguments.
    pub known: bool,
    /// What it makes or gives holds receiver and arguments: what is done to the one later is done to the other.
    pub holds: bool,
}

/// Every summary.
#[derive(Debug)]
pub struct Summaries {
    natural: Natural,
    /// By class: names, and what methods of that name do.
    listed: HashMap<String, Vec<(String, Summary)>>,
    /// By class: names of the methods whose result holds what they are given.
    holding: HashMap<String, Vec<String>>,
}

const TABLE: &str = include_str!("summaries.txt");

const READS: Summary = Summary {
    receiver: false,
    arguments: false,
    known: true,
    holds: false,
};

impl Default for Summaries {
    fn default() -> Self {
        let mut listed: HashMap<String, Vec<(String, Summary)>> = HashMap::new();
        let mut holding: HashMap<String, Vec<String>> = HashMap::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let (Some(what), Some(class)) = (words.next(), words.next()) else {
                continue;
            };
            if what == "holds" {
                let of_class = holding.entry(class.to_owned()).or_default();
                of_class.extend(words.map(str::to_owned));
                continue;
            }
            let summary = match what {
                "fills" => Summary {
                    receiver: true,
                    arguments: true,
                    ..READS
                },
                _ => READS,
            };
            let names = words.map(|name| (name.to_owned(), summary));
            let of_class = listed.entry(class.to_owned()).or_default();
            match what {
                // Exceptions from what else is said of the class.
                "fills" => drop(of_class.splice(0..0, names)),
                _ => of_class.extend(names),
            }
        }
        Self {
            natural: Natural::default(),
            listed,
            holding,
        }
    }
}

impl Summaries {
    /// What a call of `target` does. `dynamic`: the call site is an `invokedynamic`, which makes an object or text of its arguments.
    pub fn of(&self, target: &MemberRef, dynamic: bool) -> Summary {
        if dynamic || target.owner.starts_with('[') {
            return READS;
        }
        let holding = self.holding.get(target.owner.as_str());
        let holds =
            holding.is_some_and(|names| names.iter().any(|name| is_named(&target.name, name)));
        let listed = self.listed.get(target.owner.as_str()).and_then(|names| {
            let found = names.iter().find(|(name, _)| is_named(&target.name, name));
            found.map(|(_, summary)| *summary)
        });
        let natural = || {
            let natural = self.is_natural_call(target);
            Summary {
                receiver: true,
                arguments: !natural,
                known: natural,
                holds: false,
            }
        };
        Summary {
            holds,
            ..listed.unwrap_or_else(natural)
        }
    }

    fn is_natural_call(&self, target: &MemberRef) -> bool {
        let (owner, name, desc) = (&target.owner, &target.name, &target.desc);
        self.natural.is_natural_member(owner, name, desc)
    }
}

/// Is a method meant by a name of the table?
fn is_named(method: &str, name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => method.starts_with(beginning),
        None => method == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(owner: &str, name: &str, desc: &str) -> Summary {
        let target = MemberRef {
            owner: owner.into(),
            name: name.into(),
            desc: desc.into(),
        };
        Summaries::default().of(&target, false)
    }

    #[test]
    fn collections_are_changed_by_what_is_not_known_to_read() {
        let add = of("java/util/List", "add", "(Ljava/lang/Object;)Z");
        assert_eq!(
            (add.receiver, add.arguments, add.known),
            (true, false, true)
        );
        assert_eq!(of("java/util/List", "get", "(I)Ljava/lang/Object;"), READS);
        assert_eq!(
            of("java/lang/String", "trim", "()Ljava/lang/String;"),
            READS
        );
        let chars = of("java/lang/String", "getChars", "(II[CI)V");
        assert_eq!((chars.arguments, chars.known), (true, true));
        let sort = of("java/util/Arrays", "sort", "([I)V");
        assert!(sort.arguments && sort.known);
    }

    #[test]
    fn what_wraps_others_holds_them() {
        let wraps = of("java/io/PrintWriter", "<init>", "(Ljava/io/Writer;)V");
        assert!(wraps.holds && wraps.receiver);
        let view = of("java/util/List", "subList", "(II)Ljava/util/List;");
        assert!(view.holds && !view.receiver);
        assert!(!of("java/util/ArrayList", "<init>", "(Ljava/util/Collection;)V").holds);
    }

    #[test]
    fn of_the_environment_nothing_is_known() {
        let read = of(
            "java/net/Socket",
            "getInputStream",
            "()Ljava/io/InputStream;",
        );
        assert_eq!(
            (read.receiver, read.arguments, read.known),
            (true, true, false)
        );
        assert!(of("java/io/Reader", "read", "([C)I").arguments);
        assert!(!of("com/foo/Bar", "get", "()I").known);
    }

    #[test]
    fn the_table_is_well_formed() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert!(words.len() > 2, "{line}");
            assert!(matches!(words[0], "reads" | "fills" | "holds"), "{line}");
        }
    }
}
