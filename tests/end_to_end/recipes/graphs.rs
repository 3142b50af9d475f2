//! Object graphs at random, and the Java that makes them.

use std::fmt::Write;

use proptest::prelude::*;
use proptest::sample::Index;

/// An object: what makes it, which may take objects that were made before.
#[derive(Clone, Debug)]
pub(super) enum Made {
    Row(i32, String),
    Pair(Index, Index),
    Bean(String),
    Copy(Index),
    Part(Index, i32),
    Node(String),
    Factory(String),
    Dog(String),
    Holder(Index),
    Car(i32, Option<Index>),
    Registered(String, Index),
    List(usize, Vec<Index>),
    Map(usize, Vec<(String, Index)>),
    Array(Vec<Index>),
    OfJdk(usize, Index),
}

/// A change to an object that was made.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Friend(Index, Index),
    Named(Index, String),
    Tag(Index, String),
    Link(Index, Index),
    Legs(Index, i32),
    Set(Index, Index),
    Add(Index, Index),
    Put(Index, String, Index),
    Store(Index, Index),
    See(Index),
}

/// The objects of a graph, what is changed in them then, and which is looked at last.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    made: Vec<Made>,
    changes: Vec<Change>,
    root: Index,
}

/// Any graph of some size.
pub(super) fn graph() -> impl Strategy<Value = Graph> {
    let made = prop::collection::vec(made(), 1..9);
    let changes = prop::collection::vec(change(), 0..7);
    let parts = (made, changes, any::<Index>());
    parts.prop_map(|(made, changes, root)| Graph {
        made,
        changes,
        root,
    })
}

fn made() -> impl Strategy<Value = Made> {
    let at = any::<Index>;
    let word = || "[a-z]{1,4}";
    prop_oneof![
        (any::<i32>(), word()).prop_map(|(id, name)| Made::Row(id, name)),
        (at(), at()).prop_map(|(a, b)| Made::Pair(a, b)),
        word().prop_map(Made::Bean),
        at().prop_map(Made::Copy),
        (at(), any::<i32>()).prop_map(|(a, n)| Made::Part(a, n)),
        word().prop_map(Made::Node),
        word().prop_map(Made::Factory),
        word().prop_map(Made::Dog),
        at().prop_map(Made::Holder),
        (0..9, prop::option::of(at())).prop_map(|(n, a)| Made::Car(n, a)),
        (word(), at()).prop_map(|(name, a)| Made::Registered(name, a)),
        (0..LISTS.len(), prop::collection::vec(at(), 0..4)).prop_map(|(k, all)| Made::List(k, all)),
        (0..MAPS.len(), prop::collection::vec((word(), at()), 0..4))
            .prop_map(|(k, all)| Made::Map(k, all)),
        prop::collection::vec(at(), 0..4).prop_map(Made::Array),
        (0..OF_JDK.len(), at()).prop_map(|(k, a)| Made::OfJdk(k, a)),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let word = || "[a-z]{1,4}";
    prop_oneof![
        (at(), at()).prop_map(|(a, b)| Change::Friend(a, b)),
        (at(), word()).prop_map(|(a, name)| Change::Named(a, name)),
        (at(), word()).prop_map(|(a, tag)| Change::Tag(a, tag)),
        (at(), at()).prop_map(|(a, b)| Change::Link(a, b)),
        (at(), 0..9).prop_map(|(a, n)| Change::Legs(a, n)),
        (at(), at()).prop_map(|(a, b)| Change::Set(a, b)),
        (at(), at()).prop_map(|(a, b)| Change::Add(a, b)),
        (at(), word(), at()).prop_map(|(a, key, b)| Change::Put(a, key, b)),
        (at(), at()).prop_map(|(a, b)| Change::Store(a, b)),
        at().prop_map(Change::See),
    ]
}

/// Lists: how they begin, and whether anything can be added.
const LISTS: [(&str, bool); 5] = [
    ("new ArrayList<Object>", true),
    ("new LinkedList<Object>", true),
    ("new ArrayDeque<Object>", true),
    ("List.of", false),
    ("Arrays.asList", false),
];
const MAPS: [&str; 4] = [
    "new HashMap<String, Object>()",
    "new LinkedHashMap<String, Object>()",
    "new TreeMap<String, Object>()",
    "new TreeMap<String, Object>(Comparator.reverseOrder())",
];
/// Values of the JDK's, some of which hold `X`.
const OF_JDK: [&str; 15] = [
    "Optional.of(X)",
    "new AtomicReference<Object>(X)",
    "new StringBuilder(\"ab\").append(7)",
    "new BigDecimal(\"1.50\")",
    "LocalDate.of(2020, 2, 29)",
    "new Date(86400000L)",
    "BitSet.valueOf(new long[] {5})",
    "new EnumMap<Shapes.Color, Object>(Map.of(Shapes.Color.RED, X))",
    "Shapes.Color.BLUE",
    "Collections.unmodifiableList(new ArrayList<Object>(List.of(X)))",
    "Collections.singletonMap(\"k\", X)",
    "new UUID(1, 2)",
    "(Supplier<Object>) () -> X",
    "(Supplier<Object>) Shapes.Color.RED::name",
    "(Supplier<Object>) Shapes.Bean::new",
];

/// The source of `recipes.Graphs`, which makes the graphs one after the other, looks at each, and fails.
pub(super) fn program(graphs: &[Graph]) -> String {
    let mut out = "package recipes;\n\nimport java.math.BigDecimal;\nimport java.time.LocalDate;\nimport java.util.*;\n\
                   import java.util.concurrent.atomic.AtomicReference;\nimport java.util.function.Supplier;\n\npublic class Graphs {\n\
                   public static void main(String[] args) {\n    Take take = new Take();\n"
        .to_owned();
    for no in 0..graphs.len() {
        let _ = writeln!(out, "    graph{no}(take);");
    }
    out += "    take.fail();\n}\n";
    for (no, graph) in graphs.iter().enumerate() {
        let _ = writeln!(
            out,
            "static void graph{no}(Take take) {{\n{}}}",
            graph.statements()
        );
    }
    out + "}\n"
}

impl Graph {
    fn statements(&self) -> String {
        let mut out = String::new();
        for (no, made) in self.made.iter().enumerate() {
            let (ty, init, then) = self.made(made, no);
            let _ = writeln!(out, "    {ty} v{no} = {init};");
            for statement in then {
                let _ = writeln!(out, "    {statement};");
            }
        }
        for change in &self.changes {
            if let Some(statement) = self.changed(change) {
                let _ = writeln!(out, "    {statement};");
            }
        }
        let root = self.root.index(self.made.len());
        let _ = writeln!(out, "    take.see(v{root});");
        out
    }

    /// One of the objects made before number `no`.
    fn one(&self, at: Index, no: usize) -> String {
        match no {
            0 => "\"none\"".into(),
            _ => format!("v{}", at.index(no)),
        }
    }

    /// The last object before number `no` for which this holds, counted from a place at random.
    fn of(&self, at: Index, no: usize, is: impl Fn(&Made) -> bool) -> Option<String> {
        let all: Vec<usize> = (0..no).filter(|&n| is(&self.made[n])).collect();
        (!all.is_empty()).then(|| format!("v{}", all[at.index(all.len())]))
    }

    /// Type, initial value, and statements that follow.
    fn made(&self, made: &Made, no: usize) -> (String, String, Vec<String>) {
        let plain = |ty: &str, init: String| (ty.to_owned(), init, Vec::new());
        let one = |at: &Index| self.one(*at, no);
        let all = |all: &[Index]| all.iter().map(one).collect::<Vec<_>>().join(", ");
        let bean = |at: &Index| {
            self.of(*at, no, |m| matches!(m, Made::Bean(_)))
                .unwrap_or_else(|| "new Shapes.Bean()".into())
        };
        match made {
            Made::Row(id, name) => plain("Object", format!("new Shapes.Row({id}, \"{name}\")")),
            Made::Pair(a, b) => plain(
                "Object",
                format!("new Shapes.Pair<Object, Object>({}, {})", one(a), one(b)),
            ),
            Made::Bean(name) => (
                "Shapes.Bean".into(),
                "new Shapes.Bean()".into(),
                vec![format!("v{no}.setName(\"{name}\")")],
            ),
            Made::Copy(a) => plain("Object", format!("{}.copy()", bean(a))),
            Made::Part(a, size) => plain("Object", format!("{}.new Part({size})", bean(a))),
            Made::Node(name) => plain("Shapes.Node", format!("new Shapes.Node(\"{name}\")")),
            Made::Factory(name) => plain("Shapes.Node", format!("Shapes.Node.of(\"{name}\")")),
            Made::Dog(sound) => plain("Shapes.Dog", format!("new Shapes.Dog(\"{sound}\")")),
            Made::Holder(a) => plain(
                "Shapes.Box<Object>",
                format!("new Shapes.Box<Object>({})", one(a)),
            ),
            Made::Car(wheels, load) => {
                let load = load.as_ref().map(one);
                let load = load.map_or_else(String::new, |l| format!(".load({l})"));
                let chain = format!("Shapes.Car.builder().wheels({wheels}){load}");
                plain(
                    "Object",
                    format!("{chain}.color(Shapes.Color.BLUE).build()"),
                )
            }
            Made::Registered(name, a) => (
                "Shapes.Registry".into(),
                "Shapes.Registry.instance()".into(),
                vec![format!("v{no}.put(\"{name}\", {})", one(a))],
            ),
            Made::List(kind, items) => self.list(LISTS[*kind], items, no),
            Made::Map(kind, items) => {
                let put = items.iter();
                let put = put.map(|(key, a)| format!("v{no}.put(\"{key}\", {})", one(a)));
                (
                    "Map<String, Object>".into(),
                    MAPS[*kind].into(),
                    put.collect(),
                )
            }
            Made::Array(items) => plain("Object[]", format!("new Object[] {{{}}}", all(items))),
            Made::OfJdk(kind, a) => plain("Object", OF_JDK[*kind].replace('X', &one(a))),
        }
    }

    fn list(
        &self,
        (begin, grows): (&str, bool),
        items: &[Index],
        no: usize,
    ) -> (String, String, Vec<String>) {
        let items = items.iter().map(|at| self.one(*at, no));
        match grows {
            true => {
                let add = items.map(|item| format!("v{no}.add({item})"));
                (
                    "Collection<Object>".into(),
                    format!("{begin}()"),
                    add.collect(),
                )
            }
            false => {
                let all = items.collect::<Vec<_>>().join(", ");
                ("Object".into(), format!("{begin}({all})"), Vec::new())
            }
        }
    }

    /// The statement, if there is an object that can be changed so.
    fn changed(&self, change: &Change) -> Option<String> {
        let no = self.made.len();
        let one = |at: &Index| self.one(*at, no);
        let bean = |at: &Index| self.of(*at, no, |m| matches!(m, Made::Bean(_)));
        Some(match change {
            Change::Friend(a, b) => format!("{}.setFriend({})", bean(a)?, one(b)),
            Change::Named(a, name) => format!("{}.setName(\"{name}\")", bean(a)?),
            Change::Tag(a, tag) => format!("{}.tag(\"{tag}\")", bean(a)?),
            Change::Link(a, b) => {
                let node = self.of(*a, no, |m| matches!(m, Made::Node(_) | Made::Factory(_)))?;
                format!("{node}.link({})", one(b))
            }
            Change::Legs(a, legs) => {
                let dog = self.of(*a, no, |m| matches!(m, Made::Dog(_)))?;
                format!("{dog}.setLegs({legs})")
            }
            Change::Set(a, b) => {
                let holder = self.of(*a, no, |m| matches!(m, Made::Holder(_)))?;
                format!("{holder}.set({})", one(b))
            }
            Change::Add(a, b) => {
                let grows = |m: &Made| matches!(m, Made::List(kind, _) if LISTS[*kind].1);
                format!("{}.add({})", self.of(*a, no, grows)?, one(b))
            }
            Change::Put(a, key, b) => {
                let map = self.of(*a, no, |m| matches!(m, Made::Map(..)))?;
                format!("{map}.put(\"{key}\", {})", one(b))
            }
            Change::Store(a, b) => {
                let is = |m: &Made| matches!(m, Made::Array(items) if !items.is_empty());
                format!("{}[0] = {}", self.of(*a, no, is)?, one(b))
            }
            Change::See(a) => format!("take.see({})", one(a)),
        })
    }
}
