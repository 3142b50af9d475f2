use jinsi_trace::model::{Content, Prim, Value};

use crate::Moment;
use crate::script::stretches;

const CALLS: &str = "
    class A
    env E
    obj #1 A
    obj #2 java/util/ArrayList
    obj #3 E
    content #2 elements 1
    > A.add(Ljava/util/List;)V #1 #2
      call java/util/ArrayList.add(Ljava/lang/Object;)Z #2 null
      ret true
      call E.ask()V #3
      ret
    <
    > A.size(Ljava/util/List;)I #1 #2
      > A.count()I #1
      < 2
    < 2
    content #2 elements 1 null
    > A.done()V #1
    <";

/// What the history has of each stretch, and what is left of it when it is forgotten: nodes and contents.
fn read(most: usize) -> Vec<[usize; 3]> {
    let (_, mut stretches) = stretches(CALLS, most);
    let mut reported = Vec::new();
    while stretches.read().expect("a short script") {
        let nodes = stretches.history().len() - stretches.first().index();
        stretches.forget(|class| class.starts_with("java/"));
        reported.push([nodes, stretches.first().index(), stretches.first_content()]);
    }
    assert!(stretches.defines_all());
    reported
}

#[test]
fn a_stretch_ends_where_nothing_is_open() {
    assert_eq!(read(100), [[6, 0, 2]]);
    // The call that changed the list is kept until the list's content is recorded again.
    assert_eq!(read(1), [[3, 1, 1], [2, 1, 1], [1, 0, 2]]);
    assert_eq!(read(4), [[5, 1, 1], [1, 0, 2]]);
}

#[test]
fn contents_that_are_forgotten_give_up_their_places() {
    let mut text = "class A
obj #1 A
obj #2 java/util/ArrayList
arr #3 [I 2
"
    .to_owned();
    for n in 0..10 {
        text += &format!(
            "content #2 elements {n}
content #3 array {n} 0
"
        );
        text += "> A.m()V #1
store #3 1 7
<
";
    }
    let (_, mut stretches) = stretches(&text, 1);
    while stretches.read().expect("a short script") {
        stretches.forget(|_| true);
        assert!(stretches.first_content() <= 4);
    }
    let history = stretches.history();
    let held = |id| {
        history
            .snapshot_at(id, Moment::END)
            .map(|s| s.content.clone())
    };
    let int = |n| Value::Prim(Prim::Int(n));
    assert_eq!(held(2), Some(Content::Elements(vec![int(9)])));
    let array = history.array_at(3, Moment::END);
    assert_eq!(array, Some(Content::Array(vec![int(9), int(7)])));
}

#[test]
fn what_does_not_end_has_no_stretches() {
    let calls = "> A.m()V #1\n<\n".repeat(40);
    let text = format!("class A\nobj #1 A\n> A.main()V #1\n{calls}<");
    let (_, mut short) = stretches(&text, 1);
    assert_eq!((short.read(), short.gave_up()), (Ok(false), true));
    let (_, mut long) = stretches(&text, 2);
    assert_eq!((long.read(), long.gave_up()), (Ok(true), false));
}
