//! Which calls change what later code reads: by the fields that their code writes, as the class files have it.
//!
//! This over-approximates a relevant slice (Agrawal et al. 1993) by the methods that ran: no value is followed, so it costs no second run.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jinsi_classfile::{ClassFile, ConstantPool, insn, opcode};
use jinsi_history::{History, NodeKind, NodeNo};
use jinsi_trace::model::MemberRef;

use crate::{Interaction, Level};

/// Beginnings of the names of the JDK's methods that only look at a container.
const LOOKS: [&str; 22] = [
    "charAt", "compare", "contains", "count", "element", "ends", "equals", "first", "get", "has",
    "index", "is", "iterator", "last", "length", "peek", "size", "starts", "stream", "sub", "to",
    "value",
];

/// A field: internal name of the class that declares it, and its name.
type Field = (String, String);

/// Fields that code reads and writes.
#[derive(Debug, Default)]
struct Fields {
    read: BTreeSet<Field>,
    written: BTreeSet<Field>,
    /// Does the code do more than read fields: does it call or write something?
    does_more: bool,
    /// Fields of which the code reads the array or container, and may change what is in it.
    filled: BTreeSet<Field>,
}

/// What decides how an interaction ends.
pub(crate) struct Deciding<'h> {
    history: &'h History,
    /// What the methods read that ran in the interaction.
    read: BTreeSet<Field>,
    methods: Methods<'h>,
}

impl<'h> Deciding<'h> {
    /// Of the interaction `criterion`.
    pub(crate) fn of(history: &'h History, level: &Level, criterion: u32) -> Self {
        let mut methods = Methods {
            history,
            classes: HashMap::new(),
            fields: BTreeMap::new(),
        };
        let mut read = BTreeSet::new();
        if let Some(last) = level.interaction(criterion) {
            for method in methods_in(history, last.node) {
                read.extend(methods.fields(&method).read.iter().cloned());
            }
        }
        Self {
            history,
            read,
            methods,
        }
    }

    /// Does the interaction run code that writes what is read there?
    pub(crate) fn has(&mut self, interaction: &Interaction) -> bool {
        if self.read.is_empty() {
            return false;
        }
        // A constructor writes what nobody has read yet.
        methods_in(self.history, interaction.node)
            .iter()
            .filter(|method| &*method.name != "<init>")
            .any(|method| {
                let fields = self.methods.fields(method);
                !fields.written.is_disjoint(&self.read) || !fields.filled.is_disjoint(&self.read)
            })
    }

    /// Does the interaction run code that calls or writes something?
    pub(crate) fn does_more_than_read(&mut self, interaction: &Interaction) -> bool {
        methods_in(self.history, interaction.node)
            .iter()
            .any(|method| self.methods.fields(method).does_more)
    }
}

/// The recorded methods that ran in `n`, each once.
fn methods_in(history: &History, n: NodeNo) -> BTreeSet<MemberRef> {
    let all = n.until(history.node(n).end);
    all.filter(|&n| history.node(n).kind == NodeKind::Activation)
        .filter_map(|n| history.member(n))
        .collect()
}

/// The fields of methods, looked up once.
struct Methods<'h> {
    history: &'h History,
    classes: HashMap<String, Option<ClassFile>>,
    fields: BTreeMap<MemberRef, Fields>,
}

impl Methods<'_> {
    fn fields(&mut self, method: &MemberRef) -> &Fields {
        if !self.fields.contains_key(method) {
            let found = self.scan(method).unwrap_or_default();
            self.fields.insert(method.clone(), found);
        }
        &self.fields[method]
    }

    /// `None` if there is no such code.
    fn scan(&mut self, method: &MemberRef) -> Option<Fields> {
        let tables = self.history.tables();
        let owner = tables.declaring_class_of_method(method).to_owned();
        let class = self.classes.entry(owner).or_insert_with_key(|owner| {
            let class = tables.class_by_name(owner)?;
            ClassFile::parse(&class.bytes).ok()
        });
        let class = class.as_ref()?;
        let at = class.find_method(&method.name, &method.desc)?;
        let code = class.methods.get(at)?.code(&class.pool).ok()??;
        Some(fields_of(&class.pool, &code.bytes, |field| {
            tables.declaring_class(field)
        }))
    }
}

/// The fields that an instruction sequence names. `declaring` gives the class that declares one.
fn fields_of(pool: &ConstantPool, code: &[u8], declaring: impl Fn(&MemberRef) -> String) -> Fields {
    let mut fields = Fields::default();
    let mut containers: Vec<(Field, bool)> = Vec::new();
    let (mut stores, mut changes) = (false, false);
    for instruction in insn::iter(code).map_while(Result::ok) {
        let member = || {
            let named = pool.member_ref(instruction.pool_index()?).ok()?;
            Some(MemberRef {
                owner: named.owner.as_ref().into(),
                name: named.name.as_ref().into(),
                desc: named.desc.as_ref().into(),
            })
        };
        match instruction.opcode {
            opcode::GETFIELD | opcode::GETSTATIC => {
                let Some(member) = member() else { continue };
                let field = (declaring(&member), member.name.to_string());
                match member.desc.as_bytes() {
                    [b'[', ..] => containers.push((field.clone(), true)),
                    [b'L', b'j', b'a', b'v', b'a', b'/', ..] => {
                        containers.push((field.clone(), false));
                    }
                    _ => {}
                }
                fields.read.insert(field);
            }
            opcode::PUTFIELD | opcode::PUTSTATIC => {
                fields.does_more = true;
                let Some(member) = member() else { continue };
                fields
                    .written
                    .insert((declaring(&member), member.name.to_string()));
            }
            opcode::IASTORE..=opcode::SASTORE => {
                fields.does_more = true;
                stores = true;
            }
            opcode::INVOKESTATIC | opcode::INVOKESPECIAL | opcode::INVOKEDYNAMIC => {
                fields.does_more = true;
            }
            opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE => {
                fields.does_more = true;
                changes |= member().is_some_and(|m| {
                    m.owner.starts_with("java/")
                        && &*m.owner != "java/lang/String"
                        && !LOOKS.iter().any(|word| m.name.starts_with(word))
                });
            }
            _ => {}
        }
    }
    let filled = containers
        .into_iter()
        .filter(|(_, is_array)| if *is_array { stores } else { changes });
    fields.filled = filled.map(|(field, _)| field).collect();
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the fields that these instructions read, write and fill. `pos` is a number, `items`
    /// a list, `rows` an array; any other name is a method of a list.
    fn of(code: &[(u8, &str)]) -> [Vec<String>; 3] {
        let mut pool = ConstantPool::new();
        let mut bytes = Vec::new();
        for (opcode, name) in code {
            bytes.push(*opcode);
            let index = match *name {
                "" => continue,
                "pos" => pool.add_field_ref("a/B", "pos", "I"),
                "items" => pool.add_field_ref("a/B", "items", "Ljava/util/List;"),
                "rows" => pool.add_field_ref("a/B", "rows", "[I"),
                method => pool.add_method_ref(
                    "java/util/ArrayList",
                    method,
                    "(Ljava/lang/Object;)Z",
                    false,
                ),
            };
            bytes.extend(index.unwrap().to_be_bytes());
        }
        let fields = fields_of(&pool, &bytes, |field| field.owner.to_string());
        let names =
            |fields: &BTreeSet<Field>| fields.iter().map(|(_, name)| name.clone()).collect();
        [
            names(&fields.read),
            names(&fields.written),
            names(&fields.filled),
        ]
    }

    #[test]
    fn fields_are_read_and_written() {
        let [read, written, filled] = of(&[
            (opcode::GETFIELD, "pos"),
            (opcode::PUTFIELD, "pos"),
            (opcode::GETSTATIC, "items"),
        ]);
        assert_eq!(read, ["items", "pos"]);
        assert_eq!(written, ["pos"]);
        assert!(filled.is_empty());
    }

    #[test]
    fn what_is_in_a_container_changes_by_what_is_called() {
        let looks = [(opcode::GETFIELD, "items"), (opcode::INVOKEVIRTUAL, "size")];
        assert!(of(&looks)[2].is_empty());
        let adds = [(opcode::GETFIELD, "items"), (opcode::INVOKEVIRTUAL, "add")];
        assert_eq!(of(&adds)[2], ["items"]);
    }

    #[test]
    fn what_is_in_an_array_changes_by_a_store() {
        let reads = [(opcode::GETFIELD, "rows"), (opcode::IALOAD, "")];
        assert!(of(&reads)[2].is_empty());
        let stores = [(opcode::GETFIELD, "rows"), (opcode::IASTORE, "")];
        assert_eq!(of(&stores)[2], ["rows"]);
        // A call changes no array that it is not given.
        let adds = [(opcode::GETFIELD, "rows"), (opcode::INVOKEVIRTUAL, "add")];
        assert!(of(&adds)[2].is_empty());
    }
}
