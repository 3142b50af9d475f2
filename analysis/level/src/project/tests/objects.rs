//! Arrays and natural objects that cross.

use jinsi_trace::model::{Content, Prim, Value};

use super::text::{assert_level, projected};
use crate::Role;

#[test]
fn arrays_cross_with_their_content_and_later_changes() {
    let script = "
        class Main
        class P
        env Stream
        obj #1 P
        obj #4 Stream
        s> Main.main()V
          arr #2 [I 2
          store #2 0 5
          call P.set([I)V #1 #2
            > P.set([I)V #1 #2
            <
          ret
          store #2 1 6
          call P.run()V #1
            > P.run()V #1
              store #2 0 9
              call Stream.read([I)I #4 #2
              content #2 array 7 6
              ret 2
            <
          ret
          call P.run()V #1
            > P.run()V #1
              arr #3 [I 1
              content #3 array 8
              call Stream.next()[I #4
              ret #3
            <
          ret
        <";
    // The store by Main is an effect; the one by P is not.
    assert_level(
        script,
        "P",
        "
        in #1:P.set(#2)
        [#2[1]=6] in #1:P.run()
          out #4:Stream.read(#2) = 2 [#2:=(7,6)]
        in #1:P.run()
          out #4:Stream.next() = #3",
    );
    let ints = |v: &[i32]| {
        let values = v.iter().map(|&i| Value::Prim(Prim::Int(i))).collect();
        Role::Array {
            initial: Some(Content::Array(values)),
        }
    };
    let level = projected(script, "P");
    assert_eq!(level.objects[&2].role, ints(&[5, 0]));
    assert_eq!(level.objects[&3].role, ints(&[8]));
    assert_eq!(level.objects[&2].length, Some(2));
}

/// The agent does not record the target again: what is copied follows from the two arrays.
#[test]
fn what_code_outside_copies_into_arrays_is_written_again() {
    assert_level(
        "
        class Main
        class P
        class Util
        obj #1 P
        s> Main.main()V
          call P.run()V #1
            > P.run()V #1
              arr #2 [I 3
              calls Util.fill([I)V #2
                s> Util.fill([I)V #2
                  arr #3 [I 2
                  content #3 array 7 8
                  calls java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V #3 0 #2 1 2
                  ret
                <
              ret
              calls java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V #2 1 #2 0 2
              ret
            <
          ret
        <",
        "P",
        "
        in #1:P.run()
          out Util.fill(#2) [#2[1]=7] [#2[2]=8]",
    );
}

#[test]
fn natural_code_of_inside_changes_arrays_by_itself() {
    let script = "
        class Main
        class P
        obj #1 P
        s> Main.main()V
          arr #2 [I 2
          call P.fill([I)V #1 #2
            > P.fill([I)V #1 #2
              calls java/util/Arrays.fill([II)V #2 3
              content #2 array 3 3
              ret
            <
          ret
          call P.fill([I)V #1 #2
            > P.fill([I)V #1 #2
            <
          ret
        <";
    assert_level(script, "P", "in #1:P.fill(#2)\nin #1:P.fill(#2)");
}

#[test]
fn natural_objects_are_made_again_by_their_operations() {
    let script = "
        class Main
        class P
        obj #1 P
        obj #5 P
        s> Main.main()V
          new java/util/ArrayList()V
          obj #2 java/util/ArrayList
          ret #2
          call java/util/List.add(Ljava/lang/Object;)Z #2 #5
          ret true
          call java/util/List.size()I #2
          ret 1
          new java/util/ArrayList(Ljava/util/Collection;)V #2
          obj #3 java/util/ArrayList
          ret #3
          call P.set(Ljava/util/List;)V #1 #3
            > P.set(Ljava/util/List;)V #1 #3
              call java/util/List.size()I #3
              ret 1
            <
          ret
          call java/util/List.clear()V #3
          ret
          call P.run()V #1
            > P.run()V #1
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        [new #2.<init>()=#2] [#2.add(#5)=true] [new #3.<init>(#2)=#3] in #1:P.set(#3)
        [#3.clear()] in #1:P.run()",
    );
    let level = projected(script, "P");
    assert_eq!(level.objects[&3].role, Role::Natural { initial: None });
    assert_eq!(level.objects[&5].role, Role::Observed);
}

#[test]
fn natural_objects_of_unknown_state_are_answered_from_the_trace() {
    let script = "
        class Main
        class P
        obj #1 P
        obj #2 java/util/HashMap
        obj #3 java/util/ArrayList
        obj #4 java/util/Locale
        content #3 elements \"a\" #4
        content #4 text en-US
        s> Main.main()V
          call P.set(Ljava/util/Map;Ljava/util/List;)V #1 #2 #3
            > P.set(Ljava/util/Map;Ljava/util/List;)V #1 #2 #3
              call java/util/Map.size()I #2
              ret 4
              call java/util/List.size()I #3
              ret 1
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "in #1:P.set(#2,#3)\n  out #2:java/util/Map.size() = 4",
    );
    let level = projected(script, "P");
    assert_eq!(level.objects[&2].role, Role::Mock);
    assert!(matches!(
        level.objects[&3].role,
        Role::Natural { initial: Some(_) }
    ));
    assert_eq!(level.objects[&4].role, Role::Text("en-US".into()));
}

#[test]
fn a_list_that_the_environment_fills_is_seen_filled() {
    let script = "
        class Main
        class P
        env Lib
        obj #1 P
        obj #4 Lib
        s> Main.main()V
          call P.run()V #1
            > P.run()V #1
              new java/util/ArrayList()V
              obj #2 java/util/ArrayList
              ret #2
              call java/util/List.add(Ljava/lang/Object;)Z #2 \"a\"
              ret true
              call Lib.fill(Ljava/util/List;)V #4 #2
              content #2 elements \"a\" \"b\"
              ret
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in #1:P.run()
          out #4:Lib.fill(#2) [#2:=(\"a\",\"b\")]",
    );
}

#[test]
fn enum_constants_run_for_real_unless_they_are_the_environments() {
    let script = "
        class Main
        class P
        env Lib$Colour
        obj #1 P
        obj #2 java/util/concurrent/locks/Kind
        content #2 text FAIR
        obj #3 Lib$Colour
        content #3 text RED
        s> Main.main()V
          call P.run(Ljava/lang/Enum;Ljava/lang/Enum;)V #1 #2 #3
            > P.run(Ljava/lang/Enum;Ljava/lang/Enum;)V #1 #2 #3
              call java/lang/Enum.ordinal()I #2
              ret 1
              call java/lang/Enum.ordinal()I #3
              ret 2
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in #1:P.run(#2,#3)
          out #3:java/lang/Enum.ordinal() = 2",
    );
    assert_eq!(
        projected(script, "P").objects[&3].role,
        Role::Text("RED".into())
    );
}
