use std::collections::BTreeSet;

use jinsi_history::script::{history, stretches};
use jinsi_history::{NodeNo, Stretches};
use jinsi_natural::Natural;
use jinsi_trace::model::Event;
use proptest::prelude::*;

use super::Stretched;
use crate::project::project;
use crate::{Interaction, Level, Outgoing};

/// Classes, and objects that exist before anything of them is asked.
const HEAD: &str = "
    class A
    env E
    obj #2 java/util/ArrayList
    arr #3 [I 3
    obj #6 java/io/StringWriter
    obj #8 E
    obj #9 A";

/// Things that a driver makes an `A` do, each complete in itself. `%` is the number of the thing, so that what is made has an identity of its own.
const THINGS: [&str; 11] = [
    "> A.<init>()V
     obj #1% A
     this #1%
     <",
    "> A.take(I)V #9 5
     <",
    // A list comes in with what it holds, and another time with more, or the same.
    "content #2 elements 1 2
     > A.all(Ljava/util/List;)V #9 #2
     <",
    "content #2 elements 1 2 3
     > A.all(Ljava/util/List;)V #9 #2
     <",
    "> A.add(Ljava/util/List;)V #9 #2
       call java/util/ArrayList.add(Ljava/lang/Object;)Z #2 null
       ret true
     content #2 elements 1 2 3 null
     <",
    // An array comes in, is changed outside, and inside.
    "content #3 array 1 2 3
     > A.sum([I)I #9 #3
     < 6",
    "content #3 array 1 0 3
     > A.clear([I)V #9 #3
       store #3 0 0
     <",
    // The environment is asked, and gives a stand-in that is asked in turn.
    "> A.ask()V #9
       call E.next()LE; #8
       obj #4% E
       ret #4%
       call E.name()Ljava/lang/String; #4%
       ret \"%\"
     <",
    // A stream is made, and perhaps handed to the environment later.
    "> A.open()V #9
       new java/io/StringWriter()V
       ret #6
     <",
    "> A.give()V #9
       call E.take(Ljava/io/Writer;)V #8 #6
       ret
     <",
    // A class initializer asks, too.
    "> A.lazy()V #9
     s> A.<clinit>()V
       calls E.make()LE;
       obj #5% E
       ret #5%
     <
     <",
];

fn text(picks: &[usize]) -> String {
    let things = (100..).zip(picks).map(|(no, pick)| {
        let thing = THINGS[*pick];
        thing.replace('%', &no.to_string())
    });
    let things: Vec<String> = things.collect();
    format!("{HEAD}\n{}", things.join("\n"))
}

fn observed() -> BTreeSet<String> {
    BTreeSet::from(["A".to_owned()])
}

/// All of a run that is projected a stretch at a time.
fn in_stretches(text: &str, most: usize) -> Level {
    let natural = Natural::default();
    let (tables, all) = stretches(text, most);
    let mut stretched =
        Stretched::new(&tables, &natural, &observed(), all).expect("a short script");
    let mut level = Level::default();
    let (_, mut stretches): (_, Stretches<std::vec::IntoIter<Event>>) = stretches(text, most);
    while stretches.read().expect("a short script") {
        let stretch = stretched.project(&stretches);
        stretched.forget(&mut stretches);
        level.interactions.extend(stretch.interactions);
        for (class, outgoing) in stretch.class_inits {
            level.class_inits.entry(class).or_default().extend(outgoing);
        }
    }
    level.observed = stretched.observed().clone();
    level.objects = stretched.into_objects();
    level
}

/// Nodes have other numbers in each stretch.
fn without_nodes(mut level: Level) -> Level {
    fn of_incoming(interaction: &mut Interaction) {
        interaction.node = NodeNo::FIRST;
        interaction.outgoing.iter_mut().for_each(of_outgoing);
    }
    fn of_outgoing(outgoing: &mut Outgoing) {
        outgoing.node = NodeNo::FIRST;
        outgoing.callbacks.iter_mut().for_each(of_incoming);
    }
    level.interactions.iter_mut().for_each(of_incoming);
    level
        .class_inits
        .values_mut()
        .flatten()
        .for_each(of_outgoing);
    level
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn a_run_in_stretches_is_the_whole_run(
        picks in proptest::collection::vec(0..THINGS.len(), 0..30),
        most in 1usize..6,
    ) {
        let text = text(&picks);
        let whole = project(&history(&text), &Natural::default(), &observed());
        prop_assert_eq!(without_nodes(in_stretches(&text, most)), without_nodes(whole));
    }
}
