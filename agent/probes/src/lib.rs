//! The probes that there are in many forms, one for each sequence of values that an event can have.
//!
//! Rewritten classes call them, and the probes' runtime has them. Both sides take names and descriptors from here: the agent when it
//! writes a call, and whoever compiles the runtime when it writes the Java class that has the methods ([`java`]). All other probes are
//! written by hand, in `java-harness/runtime`. The numbers that both sides use are here as well ([`numbers`],
//! [`owners`]).

pub mod java;
pub mod numbers;
pub mod owners;

/// Internal name of the class by which rewritten classes call probes. It inherits those of [`java::CLASS`].
pub const OWNER: &str = "java/lang/JinsiProbe";

/// Most values that a probe of a whole event takes.
pub const MOST_VALUES: usize = 4;
/// Most words that a probe of a run takes.
pub const MOST_WORDS: usize = 16;
/// Most words of local variables that a method keeps for its runs.
pub const MOST_HELD: usize = 8;

/// The name of the probe of runs: several accesses to memory, whose values are words.
pub const RUN: &str = "runEvent";

/// A probe of a whole event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Writes the event.
    Event,
    /// Writes the event if the number that says what it is is not 0.
    Gated,
    /// Writes the event of a method that the environment has called: its arguments come from outside.
    Entry,
}

impl Whole {
    /// All of them.
    pub const ALL: [Whole; 3] = [Whole::Event, Whole::Gated, Whole::Entry];

    /// The name of its methods.
    pub fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Gated => "gatedEvent",
            Self::Entry => "entryEvent",
        }
    }
}

/// What a probe of a whole event is informed of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A primitive, as a word of 64 bits.
    Word,
    /// A reference.
    Reference,
}

impl Form {
    /// The letter of its type in descriptors.
    pub fn letter(self) -> char {
        match self {
            Self::Word => 'J',
            Self::Reference => 'L',
        }
    }
}

/// A probe that adds a value to the event being written.
#[derive(Debug)]
pub struct ValueProbe {
    /// The letter of the value's type in descriptors.
    pub letter: char,
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// The same with a gate behind the value.
    pub gated: &'static str,
}

/// The probe for values of a type with this letter; all that are smaller than an int are ints.
pub fn value_probe(letter: char) -> &'static ValueProbe {
    let probe = |of: &&ValueProbe| of.letter == letter;
    VALUES.iter().find(probe).unwrap_or(&VALUES[0])
}

static VALUES: [ValueProbe; 5] = [
    ValueProbe::new('I', "addInt", "(I)V", "(II)V"),
    ValueProbe::new('J', "addLong", "(J)V", "(JI)V"),
    ValueProbe::new('F', "addFloat", "(F)V", "(FI)V"),
    ValueProbe::new('D', "addDouble", "(D)V", "(DI)V"),
    ValueProbe::new(
        'L',
        "addReference",
        "(Ljava/lang/Object;)V",
        "(Ljava/lang/Object;I)V",
    ),
];

impl ValueProbe {
    const fn new(
        letter: char,
        name: &'static str,
        descriptor: &'static str,
        gated: &'static str,
    ) -> Self {
        Self {
            letter,
            name,
            descriptor,
            gated,
        }
    }
}

/// The descriptor of a probe of a whole event with these values. Behind them comes the number that says what event it is.
pub fn whole_descriptor(values: impl IntoIterator<Item = Form>) -> String {
    let values = values.into_iter().map(|form| match form {
        Form::Word => "J",
        Form::Reference => "Ljava/lang/Object;",
    });
    format!("({}I)V", values.collect::<String>())
}

/// The descriptor of the probe of a run of so many words. Behind them comes the site.
pub fn run_descriptor(words: usize) -> String {
    format!("({}I)V", "J".repeat(words))
}

/// All sequences of at most [`MOST_VALUES`] values.
pub fn sequences() -> impl Iterator<Item = Vec<Form>> {
    let of_length = |length: usize| (0..1u32 << length).map(move |bits| sequence(length, bits));
    (0..=MOST_VALUES).flat_map(of_length)
}

fn sequence(length: usize, references: u32) -> Vec<Form> {
    let form = |no: usize| match references >> no & 1 {
        1 => Form::Reference,
        _ => Form::Word,
    };
    (0..length).map(form).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_is_there_once() {
        let all: Vec<_> = sequences().collect();
        assert_eq!(all.len(), 1 + 2 + 4 + 8 + 16);
        for (no, one) in all.iter().enumerate() {
            assert!(!all[..no].contains(one), "{one:?}");
        }
        assert_eq!(
            whole_descriptor([Form::Reference, Form::Word]),
            "(Ljava/lang/Object;JI)V"
        );
        assert_eq!(run_descriptor(2), "(JJI)V");
    }
}
