//! Projections of small streams written by hand: which crossings there are.

mod objects;
mod text;
mod threads;

use std::collections::BTreeSet;

use super::{Besides, project, project_with};
use crate::{Operation, Role};
use jinsi_history::NodeKind;
use jinsi_history::script::history;
use jinsi_natural::Natural;
use text::{assert_level, projected, text};

/// Burger 2011, Listing 4.1.
const NUMBER_WRITER: &str = "
    class Main
    class NumberWriter
    s> Main.main()V
      lightnew NumberWriter()V
        > NumberWriter.<init>()V
          obj #1 NumberWriter
          this #1
        <
      call NumberWriter.setFile(Ljava/lang/String;)V #1 \"output.txt\"
        > NumberWriter.setFile(Ljava/lang/String;)V #1 \"output.txt\"
        <
      ret
      call NumberWriter.setNumbers(I)V #1 2
        > NumberWriter.setNumbers(I)V #1 2
        <
      ret
      call NumberWriter.writeNumbers()V #1
        > NumberWriter.writeNumbers()V #1
          new java/io/FileWriter(Ljava/lang/String;)V \"output.txt\"
          obj #2 java/io/FileWriter
          ret #2
          call java/io/FileWriter.write(I)V #2 1
          ret
          call java/io/FileWriter.write(I)V #2 2
          ret
          call java/io/FileWriter.close()V #2
          ret
        <
      ret
    <";

#[test]
fn what_its_caller_makes_a_number_writer_do_comes_in() {
    assert_level(
        NUMBER_WRITER,
        "NumberWriter",
        "
        in NumberWriter.<init>() = #1
        in #1:NumberWriter.setFile(\"output.txt\")
        in #1:NumberWriter.setNumbers(2)
        in #1:NumberWriter.writeNumbers()
          out java/io/FileWriter.<init>(\"output.txt\") = #2
          out #2:java/io/FileWriter.write(1)
          out #2:java/io/FileWriter.write(2)
          out #2:java/io/FileWriter.close()",
    );
    let level = projected(NUMBER_WRITER, "NumberWriter");
    assert_eq!(level.objects[&1].role, Role::Observed);
    assert_eq!(level.objects[&2].role, Role::Mock);
    assert_eq!(level.interactions[0].op, Operation::Construct);
}

#[test]
fn with_its_caller_observed_too_all_of_it_is_one_interaction() {
    let level = projected(NUMBER_WRITER, "NumberWriter Main");
    assert_eq!(level.interactions.len(), 1);
}

#[test]
fn with_only_the_caller_observed_the_number_writer_is_environment() {
    assert_level(
        NUMBER_WRITER,
        "Main",
        "
        in Main.main()
          out NumberWriter.<init>() = #1
          out #1:NumberWriter.setFile(\"output.txt\")
          out #1:NumberWriter.setNumbers(2)
          out #1:NumberWriter.writeNumbers()",
    );
}

/// Burger 2011, Section 7.3: A ⊃ B ⊃ C, only B observed.
#[test]
fn the_run_time_class_decides() {
    let script = "
        class Main
        class A
        class B : A
        class C : B
        obj #1 A
        obj #2 B
        obj #3 C
        s> Main.main()V
          call A.m()I #1
            > A.m()I #1
            < 1
          ret 1
          call A.m()I #2
            > A.m()I #2
            < 2
          ret 2
          call B.m()I #3
            > A.m()I #3
            < 3
          ret 3
        <";
    assert_level(script, "B", "in #2:A.m() = 2");
    assert_level(script, "A", "in #1:A.m() = 1");
    assert_level(script, "C", "in #3:A.m() = 3");
}

#[test]
fn constructor_chains_belong_to_the_object() {
    // Burger 2011, Listings 7.4 to 7.6: only SubClass observed; the plain SuperClass instance leaves nothing.
    let chain = "
              gets java/lang/System.out:Ljava/io/PrintStream; #9
              call java/io/PrintStream.println(Ljava/lang/String;)V #9 \"super\"
              ret";
    let script = format!(
        "
        class Main
        class Super
        class Sub : Super
        obj #9 java/io/PrintStream
        s> Main.main()V
          lightnew Super()V
            > Super.<init>()V
              obj #1 Super
              this #1 {chain}
            <
          lightnew Sub()V
            > Sub.<init>()V
              > Super.<init>()V
                obj #2 Sub
                this #2 {chain}
              <
              this #2
            <
        <"
    );
    assert_level(
        &script,
        "Sub",
        "
        in Sub.<init>() = #2
          out java/lang/System.out() = #9
          out #9:java/io/PrintStream.println(\"super\")",
    );
}

#[test]
fn call_backs_through_natural_code_recur_by_themselves() {
    let script = "
        class Main
        class P
        class Env
        obj #1 P
        obj #2 P
        obj #5 Env
        s> Main.main()V
          call P.run()V #1
            > P.run()V #1
              new java/util/TreeSet()V
              obj #3 java/util/TreeSet
              ret #3
              call java/util/TreeSet.add(Ljava/lang/Object;)Z #3 #2
                > P.compareTo(Ljava/lang/Object;)I #2 #2
                < 0
              ret true
              call java/util/TreeSet.remove(Ljava/lang/Object;)Z #3 #5
                > Env.compareTo(Ljava/lang/Object;)I #5 #2
                < 0
              ret true
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in #1:P.run()
          out~ #5:Env.compareTo(#2) = 0",
    );
}

#[test]
fn call_backs_through_the_environment_are_part_of_the_outgoing_interaction() {
    let script = "
        class Main
        class P
        class Sorter
        env Lib
        obj #1 P
        obj #2 P
        obj #4 Sorter
        obj #5 Lib
        s> Main.main()V
          call P.run()V #1
            > P.run()V #1
              call Sorter.sort(LP;)I #4 #2
                > Sorter.sort(LP;)I #4 #2
                  call P.compareTo(Ljava/lang/Object;)I #2 #1
                    > P.compareTo(Ljava/lang/Object;)I #2 #1
                      call Lib.log()V #5
                      ret
                    < 7
                  ret 7
                  get P.f:I #2 3
                < 8
              ret 8
              call Lib.sort(LP;)V #5 #2
                > P.compareTo(Ljava/lang/Object;)I #2 #1
                < 9
              ret
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in #1:P.run()
          out #4:Sorter.sort(#2) = 8
            back #2:P.compareTo(#1) = 7
              out #5:Lib.log()
            back #2:P.f() = 3
          out #5:Lib.sort(#2)
            back #2:P.compareTo(#1) = 9",
    );
}

#[test]
fn exceptions_run_for_real_and_end_what_they_pass() {
    let script = "
        class Main
        class P
        class Q
        class Oops : java/lang/RuntimeException
        throwable #9 Oops at Q.m
        obj #1 P
        obj #2 Q
        s> Main.main()V
          call P.run()I #1
            > P.run()I #1
              call Q.m()V #2
                > Q.m()V #2
                <! #9
              catch #9
              call Oops.getCode()I #9
                > Oops.getCode()I #9
                < 4
              ret 4
              call Q.m()V #2
                > Q.m()V #2
                <! #9
            <! #9
          catch #9
        <";
    assert_level(
        script,
        "P",
        "
        in #1:P.run() ! #9
          out #2:Q.m() ! #9
          out #2:Q.m() ! #9",
    );
    assert!(projected(script, "P").observed.contains("Oops"));
}

#[test]
fn static_members_have_their_class_as_target() {
    let script = "
        class Main
        class P
        class Q
        env Z
        s> Main.main()V
          calls P.run(I)I 3
            s> P.run(I)I 3
              calls Q.twice(I)I 3
                s> Q.twice(I)I 3
                < 6
              ret 6
              calls java/lang/Integer.valueOf(I)Ljava/lang/Integer; 3
              ret box:3
              calls java/lang/System.nanoTime()J
              ret 5L
              gets Z.zone:LZ; null
              puts Q.f:I 4
              gets P.f:I 4
            < 6
          ret 6
          puts P.f:I 1
        <";
    assert_level(
        script,
        "P",
        "
        in P.run(3) = 6
          out Q.twice(3) = 6
          out java/lang/System.nanoTime() = 5
          out Z.zone() = null
          out Q.f(4)
        in P.f(1)",
    );
    let level = projected(script, "P");
    assert_eq!(level.interactions[0].target_class, "P");
    assert_eq!(level.interactions[0].outgoing[0].op, Operation::CallStatic);
}

#[test]
fn class_initializers_have_a_context_of_their_own() {
    let script = "
        class Main
        class P
        class Q
        obj #7 P
        s> Main.main()V
          calls P.run()V
            s> P.<clinit>()V
              calls java/lang/System.nanoTime()J
              ret 5L
            <
            s> P.run()V
              s> Q.<clinit>()V
                lightnew P()V
                  > P.<init>()V
                    this #7
                  <
              <
              gets Q.instance:LP; #7
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in P.run()
          out Q.instance() = #7
            back P.<init>() = #7
        init P
          out java/lang/System.nanoTime() = 5",
    );
}

#[test]
fn where_a_class_cannot_be_initialized_its_first_use_fails() {
    let script = "
        class Main
        class a/P
        env Oops
        throwable #9 Oops at a.P.<clinit>
        s> Main.main()V
          s> a/P.<clinit>()V
          <! #9
        <! #9
        uncaught #9";
    let history = history(script);
    let observed = BTreeSet::from(["a/P".to_owned()]);
    let everything = Natural::all_but(["a/P", "Main"].into_iter());
    let level = project(&history, &everything, &observed);
    assert_eq!(text(&level), "in java/lang/Class.forName(\"a.P\") ! #9");
    assert!(level.interactions[0].is_first_use());
    // What is answered out of the recording has no driver that could do that.
    let answered = project(&history, &Natural::default(), &observed);
    assert!(answered.interactions.is_empty());
}

#[test]
fn lambdas_made_inside_run_and_others_answer_from_the_trace() {
    let script = "
        class Main
        class P
        obj #1 P
        obj #2 java/P$$Lambda$1
        obj #3 java/Main$$Lambda$2
        s> Main.main()V
          call P.run(Ljava/util/function/Supplier;)V #1 #3
            > P.run(Ljava/util/function/Supplier;)V #1 #3
              dyn java/lang/invoke/LambdaMetafactory.get()Ljava/util/function/Supplier;
              ret #2
              call java/util/function/Supplier.get()Ljava/lang/Object; #2
                s> P.lambda$run$0()Ljava/lang/Object;
                < \"in\"
              ret \"in\"
              call java/util/function/Supplier.get()Ljava/lang/Object; #3
                s> Main.lambda$main$0()Ljava/lang/Object;
                < \"out\"
              ret \"out\"
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in #1:P.run(#3)
          out #3:java/util/function/Supplier.get() = \"out\"",
    );
    assert_eq!(projected(script, "P").objects[&3].role, Role::Hidden);
}

/// What an observed interface has by itself runs on the lambdas of observed code, and only on these.
#[test]
fn default_methods_run_on_lambdas_made_inside() {
    let script = "
        class Main
        class P
        class Gate
        obj #1 P
        obj #2 java/P$$Lambda$1
        obj #3 java/Main$$Lambda$2
        s> Main.main()V
          call P.run(LGate;)V #1 #3
            > P.run(LGate;)V #1 #3
              dyn java/lang/invoke/LambdaMetafactory.open()LGate;
              ret #2
              call Gate.both()Z #2
                > Gate.both()Z #2
                  s> P.lambda$run$0()Z
                  < true
                < true
              ret true
              call Gate.both()Z #3
                > Gate.both()Z #3
                < false
              ret false
            <
          ret
        <";
    let of_other = "
        in #1:P.run(#3)
          out #3:Gate.both() = false";
    assert_level(script, "P Gate", of_other);
    let of_both = "
        in #1:P.run(#3)
          out #2:Gate.both() = true
            back P.lambda$run$0() = true
          out #3:Gate.both() = false";
    assert_level(script, "P", of_both);
}

/// What `main` calls of its own class comes in where `main` drives.
#[test]
fn main_may_drive_its_own_class() {
    let script = "
        class Main
        s> Main.main()V
          lightnew Main()V
            > Main.<init>()V
              obj #1 Main
              this #1
            <
          light Main.twice(I)I
            > Main.twice(I)I #1 2
              light Main.once(I)I
                s> Main.once(I)I 2
                < 2
            < 4
        <";
    let h = history(script);
    let observed = BTreeSet::from(["Main".to_owned()]);
    let driven_by = |driver| {
        let besides = Besides {
            driver,
            ..Besides::default()
        };
        text(&project_with(&h, &Natural::default(), &observed, besides))
    };
    assert_eq!(driven_by(None).trim(), "in Main.main()");
    let by_main = driven_by(h.numbers().next());
    let lines: Vec<&str> = by_main.lines().collect();
    assert_eq!(lines, ["in Main.<init>() = #1", "in #1:Main.twice(2) = 4"]);
}

/// A natural call that calls back gives what the function got: that came in, and is nothing that inside could make.
#[test]
fn what_a_function_got_from_outside_is_not_made_inside() {
    let script = "
        class Main
        class P
        obj #1 P
        obj #2 java/P$$Lambda$1
        obj #3 java/lang/Process
        s> Main.main()V
          call P.run()V #1
            > P.run()V #1
              dyn java/lang/invoke/LambdaMetafactory.get()Ljava/util/function/Supplier;
              ret #2
              call java/util/function/Supplier.get()Ljava/lang/Object; #2
                s> P.lambda$run$0()Ljava/lang/Process;
                  calls app/Starter.start()Ljava/lang/Process;
                  ret #3
                < #3
              ret #3
              call java/lang/Process.destroy()V #3
              ret
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in #1:P.run()
          out app/Starter.start() = #3
          out #3:java/lang/Process.destroy()",
    );
    assert_eq!(projected(script, "P").objects[&3].role, Role::Mock);
}

#[test]
fn methods_inherited_from_unrecorded_classes_are_interactions_of_the_object() {
    let script = "
        class Main
        class P : java/util/ArrayList
        s> Main.main()V
          lightnew P()V
            > P.<init>()V
              callsuper java/util/ArrayList.<init>()V
              ret
              obj #1 P
              this #1
            <
          call P.add(Ljava/lang/Object;)Z #1 \"a\"
          ret true
          call P.hashCode()I #1
          ret 4
          call P.run()V #1
            > P.run()V #1
              call P.size()I #1
              ret 1
            <
          ret
        <";
    assert_level(
        script,
        "P",
        "
        in P.<init>() = #1
        in #1:P.add(\"a\") = true
        in #1:P.run()",
    );
}

/// Burger 2011, Listings 7.4 to 7.6, with one more class between: constructors that P inherits are entered one after the other, each
/// when its own superclass is done.
#[test]
fn inherited_constructors_work_for_the_object_under_construction() {
    let script = "
        class Main
        env Base
        env Middle : Base
        class P : Middle
        env Log
        s> Main.main()V
          lightnew P()V
            > P.<init>()V
              callsuper Middle.<init>()V
                > Base.<init>()V
                  obj #1 P
                  this #1
                  calls Log.add(I)V 1
                  ret
                <
                > Middle.<init>()V
                  this #1
                  calls Log.add(I)V 2
                  ret
                <
              ret
              this #1
              calls Log.add(I)V 3
              ret
            <
        <";
    assert_level(
        script,
        "P",
        "
        in P.<init>() = #1
          out Log.add(1)
          out Log.add(2)
          out Log.add(3)",
    );
    let h = history(script);
    let entered: Vec<String> = h
        .nodes()
        .filter(|(_, node)| node.kind == NodeKind::Activation)
        .filter_map(|(n, _)| h.member(n))
        .map(|m| m.owner.into())
        .collect();
    assert_eq!(entered, ["Main", "P", "Base", "Middle"]);
}

#[test]
fn what_was_cut_off_is_open() {
    let h = history("class P\n obj #1 P\n > P.run()V #1\n calls java/lang/System.exit(I)V 1");
    let level = project(&h, &Natural::default(), &BTreeSet::from(["P".to_owned()]));
    assert_eq!(
        text(&level),
        "in #1:P.run() ?\n  out java/lang/System.exit(1) ?"
    );
}

/// Accesses by code that is not observed: driven if nothing observed runs, else call-backs of the call that is open. In an
/// activation it is a class initializer that inside triggers: a call-back of the next call. Natural code does it again by itself.
#[test]
fn the_environment_accesses_fields() {
    let script = "
        class A
        class B
        env E
        obj #1 A
        obj #2 B
        obj #3 java/util/ArrayList
        by E put A.f:I #1 5
        by E puts A.count:I 1
        by E get B.g:I #2 3
        s> A.run(LB;)V #2
          by E puts A.count:I 9
          by E put A.f:I #1 6
          calls E.help(I)V 1
            by E get A.f:I #1 6
            by E put B.g:I #2 4
          ret
          call java/util/ArrayList.forEach()V #3
            by E get A.f:I #1 6
            by E put B.g:I #2 8
          ret
        <
        by E get A.f:I #1 6";
    assert_level(
        script,
        "A",
        "
        in #1:A.f(5)
        in A.count(1)
        in A.run(#2)
          out E.help(1)
            back A.count(9)
            back #1:A.f(6)
            back #1:A.f() = 6
        in #1:A.f() = 6",
    );
    assert_level(
        script,
        "B",
        "
        in #2:B.g() = 3
        in #2:B.g(4)
        in #2:B.g(8)",
    );
}

/// As Kotlin compiles `Item("tea").sold()` for `class Item(val name: String, val count: Int = 1)` and `fun sold(count: Int = 2)`.
#[test]
fn what_is_left_out_is_filled_in_by_the_caller() {
    assert_level(
        "
    class Main
    class Item
    s> Main.main()V
      lightnew Item(Ljava/lang/String;IILkotlin/jvm/internal/DefaultConstructorMarker;)V
        > Item.<init>(Ljava/lang/String;IILkotlin/jvm/internal/DefaultConstructorMarker;)V \"tea\" 0 2 null
          > Item.<init>(Ljava/lang/String;I)V \"tea\" 1
            obj #1 Item
            this #1
          <
        <
      calls Item.sold$default(LItem;IILjava/lang/Object;)V #1 0 1 null
        s> Item.sold$default(LItem;IILjava/lang/Object;)V #1 0 1 null
          call Item.sold(I)V #1 2
            > Item.sold(I)V #1 2
            <
          ret
        <
      ret
    <",
        "Item",
        "
        in Item.<init>(\"tea\",1) = #1
        in #1:Item.sold(2)",
    );
}
