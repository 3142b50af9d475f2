//! Programs that reach members of the JDK's in every way that there is.
//!
//! A *case* is one member and one way. Each is a class `reach.CaseN` with a method that is given two files, one that is there and one that is
//! not; `reach.Main` runs those that it is asked for, in that order, and fails with what they have heard.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A member of the JDK's that does something to the machine, or hears something of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Class that has it.
    owner: &'static str,
    /// Its name there.
    method: &'static str,
    /// What it is called on, in Java; `there` and `absent` are paths.
    receiver: &'static str,
    /// Type of its only parameter, and the argument.
    parameter: Option<(&'static str, &'static str)>,
    /// Its result, as a class for a handle, and boxed.
    result: (&'static str, &'static str),
    /// Does it declare an exception? Then no function of the JDK's is made of it.
    throws: bool,
}

/// How bytecode calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Static,
    Virtual,
    Interface,
    Constructor,
}

const fn member(
    name: &'static str,
    kind: Kind,
    (owner, method): (&'static str, &'static str),
    receiver: &'static str,
    parameter: Option<(&'static str, &'static str)>,
    result: (&'static str, &'static str),
    throws: bool,
) -> Member {
    Member {
        name,
        kind,
        owner,
        method,
        receiver,
        parameter,
        result,
        throws,
    }
}

const BOOLEAN: (&str, &str) = ("boolean", "Boolean");
const TEXT: (&str, &str) = ("String", "String");

/// What is deleted, made, emptied and asked.
#[rustfmt::skip]
pub(super) const MEMBERS: [Member; 13] = [
    member("delete", Kind::Virtual, ("File", "delete"), "new File(there)", None, BOOLEAN, false),
    member("create", Kind::Virtual, ("File", "createNewFile"), "new File(absent)", None, BOOLEAN, true),
    member("mkdir", Kind::Virtual, ("File", "mkdir"), "new File(absent)", None, BOOLEAN, false),
    member("exec", Kind::Virtual, ("Runtime", "exec"), "Runtime.getRuntime()", Some(("String", "\"rm \" + there")), ("Process", "Process"), true),
    member("rename", Kind::Virtual, ("File", "renameTo"), "new File(there)", Some(("File", "new File(absent)")), BOOLEAN, false),
    member("discard", Kind::Static, ("Files", "deleteIfExists"), "", Some(("Path", "Paths.get(there)")), BOOLEAN, true),
    member("clock", Kind::Static, ("System", "nanoTime"), "", None, ("long", "Long"), false),
    member("chance", Kind::Static, ("UUID", "randomUUID"), "", None, ("UUID", "UUID"), false),
    member("setting", Kind::Static, ("System", "getenv"), "", Some(("String", "\"REACH_TEST\"")), TEXT, false),
    member("empty", Kind::Constructor, ("FileOutputStream", "<init>"), "", Some(("String", "there")), ("FileOutputStream", "FileOutputStream"), true),
    member("print", Kind::Constructor, ("PrintWriter", "<init>"), "", Some(("String", "there")), ("PrintWriter", "PrintWriter"), true),
    member("append", Kind::Interface, ("Appendable", "append"), "unbuffered(there)", Some(("CharSequence", "\"more\"")), ("Appendable", "Appendable"), true),
    member("close", Kind::Interface, ("AutoCloseable", "close"), "emptiedAtEnd(there)", None, ("void", "Void"), true),
];

/// How a member is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) name: &'static str,
    /// Is it replayed to the end, as recorded? Else what it does must not be done, and that is all.
    pub(super) exact: bool,
    /// A template of Java, in which `@NAME@` are parts of the member's; the value of the expression is what was heard.
    code: &'static str,
    needs: Needs,
}

/// Members that can be reached in a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Any,
    /// It has a receiver.
    Receiver,
    /// It gives something, declares no exception, and is called on an object alone.
    PlainOnObject,
    /// ... and takes nothing: a supplier.
    PlainSupplier,
    /// Its result is something.
    Result,
}

const fn way(name: &'static str, exact: bool, needs: Needs, code: &'static str) -> Way {
    Way {
        name,
        exact,
        code,
        needs,
    }
}

/// Direct calls, function objects, handles, reflection, and natural code that calls.
#[rustfmt::skip]
pub(super) const WAYS: [Way; 28] = [
    way("direct", true, Needs::Any, "@DIRECT@"),
    way("lambda", true, Needs::Any, "Fn<@P@, @R@> f = p -> @LAMBDA@; return f.apply(@ARG@);"),
    way("reference", true, Needs::Any, "@REFTYPE@ f = @REF@; @GIVE@f.@CALL@;@END@"),
    way("bound", true, Needs::Receiver, "@BOUND@ f = @RECV@::@METHOD@; @GIVE@f.apply(@BARG@);@END@"),
    way("invoke", true, Needs::Any, "MethodHandle h = @HANDLE@; return (Object) h.invoke(@ALL@);"),
    way("invokeExact", true, Needs::Result, "MethodHandle h = @HANDLE@; return (@EXACT@) h.invokeExact(@ALL@);"),
    way("arguments", true, Needs::Any, "MethodHandle h = @HANDLE@; return h.invokeWithArguments(@ALL@);"),
    way("unreflected", true, Needs::Any, "MethodHandle h = MethodHandles.publicLookup().@UNREFLECT@(@REFLECTED@); return h.invokeWithArguments(@ALL@);"),
    way("bindTo", true, Needs::Receiver, "MethodHandle h = @HANDLE@.bindTo(@RECV@); return h.invokeWithArguments(@BARG@);"),
    way("handleReference", true, Needs::Any, "MethodHandle h = @HANDLE@; Fn<Object[], Object> f = h::invokeWithArguments; return f.apply(new Object[] {@ALL@});"),
    way("asInterface", false, Needs::PlainSupplier, "MethodHandle h = @SUPPLYING@; Supplier<?> s = MethodHandleProxies.asInterfaceInstance(Supplier.class, h); return s.get();"),
    way("reflection", true, Needs::Any, "return @REFLECTED@.@REFLECTIVELY@;"),
    way("reflectionReference", true, Needs::Receiver, "Method m = @REFLECTED@; Fn2<Object, Object[], Object> f = m::invoke; return f.apply(@RECV@, new Object[] {@BARG@});"),
    way("named", true, Needs::Any, "Class<?> c = Class.forName(@OWNER@.class.getName()); return c.@FOUND@.@REFLECTIVELY@;"),
    way("proxy", true, Needs::Any, "Fn0<?> f = (Fn0<?>) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Fn0.class}, (p, m, a) -> call(there, absent)); return f.apply();\n    }\n    static Object call(String there, String absent) throws Throwable {\n        @DIRECT@"),
    way("stream", true, Needs::PlainOnObject, "return Stream.of(@RECV@).map(@OWNER@::@METHOD@).collect(Collectors.toList()).toString();"),
    way("forEach", true, Needs::PlainOnObject, "Arrays.asList(@RECV@).forEach(@OWNER@::@METHOD@); return null;"),
    way("iterator", true, Needs::PlainOnObject, "Arrays.asList(@RECV@).iterator().forEachRemaining(@OWNER@::@METHOD@); return null;"),
    way("optional", true, Needs::PlainOnObject, "return Optional.of(@RECV@).map(@OWNER@::@METHOD@).get();"),
    way("computeIfAbsent", true, Needs::PlainOnObject, "return new IdentityHashMap<@OWNER@, @R@>().computeIfAbsent(@RECV@, @OWNER@::@METHOD@);"),
    way("grouping", true, Needs::PlainOnObject, "return Stream.of(@RECV@).collect(Collectors.groupingBy(@OWNER@::@METHOD@)).keySet().toString();"),
    way("toMap", true, Needs::PlainOnObject, "return Stream.of(@RECV@).collect(Collectors.toMap(x -> \"k\", @OWNER@::@METHOD@)).toString();"),
    way("comparing", true, Needs::PlainOnObject, "List<@OWNER@> l = new ArrayList<>(Arrays.asList(@RECV@, @RECV@)); l.sort(Comparator.comparing(@OWNER@::@METHOD@)); return l.size();"),
    way("generate", true, Needs::PlainSupplier, "return Stream.generate(@SUPPLIER@).limit(2).map(String::valueOf).collect(Collectors.joining(\",\"));"),
    way("orElseGet", true, Needs::PlainSupplier, "return Optional.ofNullable((@R@) null).orElseGet(@SUPPLIER@);"),
    way("varHandle", true, Needs::PlainSupplier, "VarHandle v = MethodHandles.lookup().findVarHandle(@CASE@.class, \"held\", Supplier.class); v.set((Supplier<@R@>) @SUPPLIER@); return ((Supplier<?>) v.get()).get();\n    }\n    static Supplier<?> held;\n    static void none() {"),
    way("thenApply", true, Needs::PlainOnObject, "return CompletableFuture.completedFuture(@RECV@).thenApply(@OWNER@::@METHOD@).get();"),
    way("supplied", true, Needs::PlainSupplier, "return ThreadLocal.withInitial(@SUPPLIER@).get();"),
];

/// A member, and a way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) member: Member,
    pub(super) way: Way,
}

/// All that fit together.
pub(super) fn all() -> Vec<Case> {
    let pairs = MEMBERS
        .iter()
        .flat_map(|&member| WAYS.iter().map(move |&way| Case { member, way }));
    pairs.filter(Case::fits).collect()
}

impl Case {
    fn fits(&self) -> bool {
        let member = &self.member;
        let plain = !member.throws && member.result.0 != "void";
        let receiver = matches!(member.kind, Kind::Virtual | Kind::Interface);
        match self.way.needs {
            Needs::Any => true,
            Needs::Receiver => receiver,
            Needs::Result => member.result.0 != "void",
            Needs::PlainOnObject => plain && receiver && member.parameter.is_none(),
            Needs::PlainSupplier => plain && member.parameter.is_none(),
        }
    }

    /// The body of the case's method.
    fn body(&self, class: &str) -> String {
        let mut code = self.way.code.to_owned();
        // Templates name others.
        for _ in 0..3 {
            for (name, part) in self.parts(class) {
                code = code.replace(&format!("@{name}@"), &part);
            }
        }
        code
    }

    /// What stands in the ways' code for each name between `@`s.
    fn parts(&self, class: &str) -> Vec<Part> {
        let member = &self.member;
        let mut parts = vec![("CASE", class.to_owned()), ("P", "String".to_owned())];
        parts.extend(member.call_parts());
        parts.extend(member.function_parts());
        parts.extend(member.handle_parts());
        parts.extend(member.reflection_parts());
        parts
    }
}

/// A name, and the code that stands for it.
type Part = (&'static str, String);

impl Member {
    fn is_constructor(&self) -> bool {
        self.kind == Kind::Constructor
    }

    fn is_on_object(&self) -> bool {
        !self.receiver.is_empty()
    }

    /// Gives it nothing?
    fn is_void(&self) -> bool {
        self.result.0 == "void"
    }

    /// Type of its parameter, and the argument; empty if it has none.
    fn param(&self) -> (&'static str, &'static str) {
        self.parameter.unwrap_or(("", ""))
    }

    /// Its name in a reference.
    fn name(&self) -> &'static str {
        if self.is_constructor() {
            "new"
        } else {
            self.method
        }
    }

    /// Its result as a class.
    fn boxed(&self) -> &'static str {
        if self.is_void() {
            "Void"
        } else {
            self.result.1
        }
    }

    /// `text` behind a comma; nothing if it has no parameter.
    fn further(&self, text: &str) -> String {
        match self.parameter {
            None => String::new(),
            Some(_) => format!(", {text}"),
        }
    }

    /// The call as one writes it.
    fn call(&self) -> String {
        let (owner, method, (_, arg)) = (self.owner, self.method, self.param());
        match self.kind {
            Kind::Constructor => format!("new {owner}({arg})"),
            Kind::Static => format!("{owner}.{method}({arg})"),
            Kind::Virtual | Kind::Interface => {
                format!("(({owner}) {}).{method}({arg})", self.receiver)
            }
        }
    }

    /// Receiver and argument, as far as it has them.
    fn values(&self) -> String {
        let receiver = match self.is_on_object() {
            true => format!("({}) {}", self.owner, self.receiver),
            false => String::new(),
        };
        let values = [receiver, self.param().1.to_owned()];
        let values: Vec<String> = values.into_iter().filter(|v| !v.is_empty()).collect();
        values.join(", ")
    }

    fn call_parts(&self) -> Vec<Part> {
        let call = self.call();
        let (direct, lambda, give, end) = match self.is_void() {
            true => (
                format!("{call}; return null;"),
                format!("{{ {call}; return null; }}"),
                "",
                " return null;",
            ),
            false => (format!("return {call};"), call, "return ", ""),
        };
        vec![
            ("DIRECT", direct),
            ("ARG", "there".to_owned()),
            ("LAMBDA", lambda),
            ("ALL", self.values()),
            ("GIVE", give.to_owned()),
            ("END", end.to_owned()),
            ("BARG", self.param().1.to_owned()),
            ("R", self.boxed().to_owned()),
            ("EXACT", self.result.0.to_owned()),
            ("RECV", format!("(({}) {})", self.owner, self.receiver)),
            ("OWNER", self.owner.to_owned()),
            ("METHOD", self.name().to_owned()),
        ]
    }

    /// Functions that are made of it.
    fn function_parts(&self) -> Vec<Part> {
        let (owner, name, result, (param, _)) =
            (self.owner, self.name(), self.boxed(), self.param());
        let object = if self.is_on_object() { owner } else { "" };
        let types: Vec<&str> = [object, param]
            .into_iter()
            .filter(|t| !t.is_empty())
            .collect();
        let (count, listed) = (types.len(), types.join(", "));
        let functional = match (self.is_void(), count) {
            (true, _) => format!("Do{count}<{listed}>"),
            (false, 0) => format!("Fn0<{result}>"),
            (false, _) => format!("Fn{count}<{listed}, {result}>"),
        };
        let bound = match (self.is_void(), param) {
            (true, _) => "Do0".to_owned(),
            (false, "") => format!("Fn0<{result}>"),
            (false, param) => format!("Fn1<{param}, {result}>"),
        };
        let supplier = match self.is_on_object() {
            true => format!("({})::{}", self.receiver, self.method),
            false => format!("{owner}::{name}"),
        };
        vec![
            ("REFTYPE", functional),
            ("REF", format!("{owner}::{name}")),
            ("CALL", format!("apply({})", self.values())),
            ("BOUND", bound),
            ("SUPPLIER", supplier),
        ]
    }

    fn handle_parts(&self) -> Vec<Part> {
        let (owner, method, raw) = (self.owner, self.method, self.result.0);
        let further = self.further(&format!("{}.class", self.param().0));
        let lookup = "MethodHandles.lookup()";
        let handle = if self.is_constructor() {
            format!(
                "{lookup}.findConstructor({owner}.class, MethodType.methodType(void.class{further}))"
            )
        } else {
            let find = if self.is_on_object() {
                "findVirtual"
            } else {
                "findStatic"
            };
            format!(
                "{lookup}.{find}({owner}.class, \"{method}\", MethodType.methodType({raw}.class{further}))"
            )
        };
        let supplying = match self.is_on_object() {
            true => format!("{handle}.bindTo({})", self.receiver),
            false => handle.clone(),
        };
        vec![("HANDLE", handle), ("SUPPLYING", supplying)]
    }

    fn reflection_parts(&self) -> Vec<Part> {
        let (owner, method, (param, arg)) = (self.owner, self.method, self.param());
        let class = format!("{param}.class");
        let on = if self.is_on_object() {
            self.receiver
        } else {
            "null"
        };
        let (found, reflectively, unreflect) = match self.is_constructor() {
            true => (
                format!("getConstructor({class})"),
                format!("newInstance({arg})"),
                "unreflectConstructor",
            ),
            false => (
                format!("getMethod(\"{method}\"{})", self.further(&class)),
                format!("invoke({on}{})", self.further(arg)),
                "unreflect",
            ),
        };
        vec![
            ("FOUND", found.clone()),
            ("REFLECTED", format!("{owner}.class.{found}")),
            ("REFLECTIVELY", reflectively),
            ("UNREFLECT", unreflect.to_owned()),
        ]
    }
}

const IMPORTS: &str = "package reach;
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.*;
";

const FUNCTIONS: &str = "
interface Fn0<R> { R apply() throws Throwable; }
interface Fn<A, R> { R apply(A a) throws Throwable; }
interface Fn1<A, R> { R apply(A a) throws Throwable; }
interface Fn2<A, B, R> { R apply(A a, B b) throws Throwable; }
interface Do0 { void apply() throws Throwable; }
interface Do1<A> { void apply(A a) throws Throwable; }
";

/// Writes the sources of the program with these cases, numbered from 0.
pub(super) fn write(cases: &[Case], directory: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    let mut put = |name: &str, text: String| {
        let file = directory.join(format!("{name}.java"));
        fs::write(&file, text).unwrap();
        files.push(file);
    };
    let mut choices = String::new();
    for (no, case) in cases.iter().enumerate() {
        let class = format!("Case{no}");
        let body = case.body(&class);
        put(
            &class,
            format!(
                "{IMPORTS}/** {} by {}. */\nfinal class {class} {{\n    static Object run(String there, String absent) throws Throwable {{\n        {body}\n    }}\n\n{HELPERS}}}\n",
                case.member.name, case.way.name
            ),
        );
        writeln!(
            choices,
            "            case {no}: return {class}.run(there, absent);"
        )
        .unwrap();
    }
    put("Fns", format!("{IMPORTS}{FUNCTIONS}"));
    put("Main", MAIN.replace("@CASES@", &choices));
    files
}

/// Streams that do something when they are written to or closed.
const HELPERS: &str = "    static Writer unbuffered(String path) throws IOException {
        return new OutputStreamWriter(new FileOutputStream(path, true));
    }

    static OutputStream emptiedAtEnd(String path) throws IOException {
        return new BufferedOutputStream(new FileOutputStream(path));
    }
";

const MAIN: &str = "package reach;

import java.util.UUID;

/** Runs the cases that it is given: directory, numbers. */
public final class Main {
    private Main() {
    }

    private static Object run(int no, String there, String absent) throws Throwable {
        switch (no) {
@CASES@            default: throw new IllegalArgumentException();
        }
    }

    private static String shown(Object value) {
        boolean plain = value instanceof Boolean || value instanceof Number || value instanceof String || value instanceof UUID;
        return plain ? value.toString() : value == null ? \"null\" : \"something\";
    }

    /** Fails with what was heard. */
    public static void main(String[] args) {
        StringBuilder heard = new StringBuilder();
        for (int i = 1; i < args.length; i++) {
            String path = args[0] + \"/\" + args[i];
            try {
                heard.append(args[i]).append('=').append(shown(run(Integer.parseInt(args[i]), path + \".there\", path + \".absent\")));
            } catch (Throwable t) {
                heard.append(t.getClass().getName());
            }
            heard.append(' ');
        }
        throw new IllegalStateException(heard.toString());
    }
}
";
