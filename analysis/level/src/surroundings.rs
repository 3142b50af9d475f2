//! What a program has around it, as far as it can be set up again in plain Java.

use jinsi_trace::model::Surroundings;

/// Something that can be set before code runs for real, and put back afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The default time zone, by its identifier.
    TimeZone(String),
    /// The default locale, as a language tag.
    Locale(String),
    /// A system property.
    Property {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
}

/// Where a time zone is named for programs that do not ask for the default one.
const ZONE_PROPERTY: &str = "user.timezone";
/// Properties that the locale stands for, or that are read once, when the JVM starts.
const AT_START: [&str; 5] = [
    "file.encoding",
    "user.country",
    "user.language",
    "user.script",
    "user.variant",
];

impl Setting {
    /// All that was recorded.
    pub fn of(recorded: &Surroundings) -> Vec<Self> {
        let mut all = Vec::new();
        if let Some(zone) = &recorded.time_zone {
            all.extend(Self::time_zone(zone));
        }
        all.extend(language_tag(recorded).map(Self::Locale));
        let further = recorded.properties.iter();
        let further = further.filter(|(name, _)| !AT_START.contains(&name.as_str()));
        all.extend(further.map(|(name, value)| Self::Property {
            name: name.clone(),
            value: value.clone(),
        }));
        all
    }

    /// A time zone, said in both ways.
    pub fn time_zone(zone: &str) -> [Self; 2] {
        let property = Self::Property {
            name: ZONE_PROPERTY.into(),
            value: zone.into(),
        };
        [Self::TimeZone(zone.into()), property]
    }

    /// Do both set the same thing?
    pub fn is_about_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::TimeZone(_), Self::TimeZone(_)) | (Self::Locale(_), Self::Locale(_)) => true,
            (Self::Property { name, .. }, Self::Property { name: other, .. }) => name == other,
            _ => false,
        }
    }
}

/// Options by which another JVM has the language and the encoding of the recorded one from its beginning. A trace may come from anybody: only
/// names get through.
pub fn options_of_texts(recorded: &Surroundings) -> Vec<String> {
    let is_name = |value: &str| {
        value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let all = AT_START.into_iter().filter_map(|name| {
        let value = recorded.properties.get(name)?;
        is_name(value).then(|| format!("-D{name}={value}"))
    });
    all.collect()
}

/// The language tag of the recorded locale: language, script and country.
pub fn language_tag(recorded: &Surroundings) -> Option<String> {
    let property = |name: &str| {
        let value = recorded.properties.get(name)?;
        (!value.is_empty()).then_some(value.as_str())
    };
    let parts = ["user.language", "user.script", "user.country"].map(property);
    parts[0]?;
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    Some(parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_and_encoding_are_options_and_nothing_else_is() {
        let properties = [
            ("user.language", "tr"),
            ("user.country", ""),
            ("user.variant", "a -javaagent:b"),
            ("file.encoding", "ISO-8859-9"),
            ("app.mode", "test"),
        ];
        let recorded = Surroundings {
            properties: properties
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..Surroundings::default()
        };
        let expected = [
            "-Dfile.encoding=ISO-8859-9",
            "-Duser.country=",
            "-Duser.language=tr",
        ];
        assert_eq!(options_of_texts(&recorded), expected);
        assert!(options_of_texts(&Surroundings::default()).is_empty());
    }

    #[test]
    fn zone_and_locale_are_settings_and_what_is_read_at_the_start_is_none() {
        let properties = [
            ("user.language", "tr"),
            ("user.country", "TR"),
            ("file.encoding", "UTF-8"),
            ("app.mode", "test"),
        ];
        let recorded = Surroundings {
            class_path: vec!["/app.jar".into()],
            time_zone: Some("Asia/Tokyo".into()),
            jvm_options: Vec::new(),
            launch: None,
            properties: properties
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        };
        let [zone, of_property] = Setting::time_zone("Asia/Tokyo");
        let mode = Setting::Property {
            name: "app.mode".into(),
            value: "test".into(),
        };
        let expected = vec![zone, of_property, Setting::Locale("tr-TR".into()), mode];
        assert_eq!(Setting::of(&recorded), expected);
        assert!(Setting::of(&Surroundings::default()).is_empty());
    }
}
