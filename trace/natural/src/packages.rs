//! Packages of classes that were met, and which of them somebody may have meant by a pattern that matches none.

use std::collections::BTreeMap;

use strsim::normalized_levenshtein;

use crate::pattern::Pattern;

/// Packages that are distinguished; whoever has more gets enough of a hint by these.
const MOST: usize = 2000;

/// Packages that a text names.
const NAMED: usize = 5;

/// Packages, by the patterns that match their classes, with the number of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packages(BTreeMap<String, u64>);

impl Packages {
    /// A class was met; its name may be dotted or internal. A class without package stands for itself.
    pub fn meet(&mut self, class: &str) {
        let dotted = class.replace('/', ".");
        let pattern = match dotted.rfind('.') {
            Some(dot) => format!("{}.*", &dotted[..dot]),
            None => dotted,
        };
        if self.0.len() < MOST || self.0.contains_key(&pattern) {
            *self.0.entry(pattern).or_default() += 1;
        }
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The patterns of all packages with the number of their classes, those first that are spelt most like one of `patterns`.
    pub fn nearest(&self, patterns: &[Pattern]) -> Vec<(&str, u64)> {
        let alike = |package: &str| {
            let all = patterns.iter().map(|p| likeness(p.as_str(), package));
            all.fold(0.0, f64::max)
        };
        let mut all: Vec<(f64, &str, u64)> = self
            .0
            .iter()
            .map(|(package, &classes)| (alike(package), package.as_str(), classes))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.2.cmp(&a.2)));
        let named = all
            .into_iter()
            .map(|(_, package, classes)| (package, classes));
        named.collect()
    }

    /// The nearest ones in words: `com.foo.* (12 classes), com.fob.* (1 class) and 3 more packages`.
    pub fn text(&self, patterns: &[Pattern]) -> String {
        let all = self.nearest(patterns);
        let of = |&(package, classes): &(&str, u64)| match classes {
            1 => format!("{package} (1 class)"),
            many => format!("{package} ({many} classes)"),
        };
        let named: Vec<String> = all.iter().take(NAMED).map(of).collect();
        let rest = match all.len().saturating_sub(NAMED) {
            0 => String::new(),
            1 => " and 1 more package".into(),
            more => format!(" and {more} more packages"),
        };
        named.join(", ") + &rest
    }
}

/// How much a pattern and the pattern of a package are alike, from 0 to 2.
fn likeness(pattern: &str, package: &str) -> f64 {
    let bare = |text: &str| text.trim_matches(['*', '.']).to_lowercase();
    let (pattern, package) = (bare(pattern), bare(package));
    // A pattern may name a class, or a package above; and whoever leaves out a prefix has the end right.
    let (short, long) = match pattern.len() < package.len() {
        true => (&pattern, &package),
        false => (&package, &pattern),
    };
    let part = match long.contains(short.as_str()) {
        true => short.len() as f64 / long.len().max(1) as f64,
        false => 0.0,
    };
    normalized_levenshtein(&pattern, &package) + part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages() -> Packages {
        let mut packages = Packages::default();
        for class in [
            "com/acme/shop/Cart",
            "com/acme/shop/Order",
            "com.acme.shopping.List",
            "org/lib/Parser",
            "Main",
            "a/A",
            "b/B",
        ] {
            packages.meet(class);
        }
        packages
    }

    #[test]
    fn the_nearest_is_first() {
        let packages = packages();
        for (pattern, first) in [
            ("com.acme.shpo.*", "com.acme.shop.*"),
            ("acme.shop.*", "com.acme.shop.*"),
            ("com.acme.shop.cart", "com.acme.shop.*"),
            ("org.libs.*", "org.lib.*"),
            ("main", "Main"),
        ] {
            let nearest = packages.nearest(&[Pattern::new(pattern)]);
            assert_eq!(nearest[0].0, first, "{pattern}");
        }
    }

    #[test]
    fn a_text_names_some() {
        let text = packages().text(&[Pattern::new("com.acme.shpo.*")]);
        assert!(text.starts_with("com.acme.shop.* (2 classes), com.acme.shopping.* (1 class), "));
        assert!(text.ends_with(" and 1 more package"), "{text}");
        assert_eq!(Packages::default().text(&[]), "");
    }
}
