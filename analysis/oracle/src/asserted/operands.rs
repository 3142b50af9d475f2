//! Where a test had the arguments of a call from, as its code has it. That two values are equal does not say that one is the other: a sum may be what a
//! getter gave, too.

use jinsi_classfile::constants::Loaded;
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode;
use jinsi_classfile::producers::{Made, Producer, Producers};
use jinsi_classfile::{ClassFile, Member};
use jinsi_trace::model::{JavaString, Site, Value};

use crate::delivery::Seen;
use jinsi_history::NodeKind;
use jinsi_level::{NodeNo, Outcome};

/// Boxes, conversions and the like that are gone back over.
const STEPS: usize = 16;

/// Where a test had a value from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A call gave it, or a field that was read.
    Given(NodeNo),
    /// It is written in the test.
    Constant,
    /// It says whether what the call gave is of this class (internal name).
    InstanceOf(NodeNo, String),
    /// The test computed it.
    Computed,
    /// The code does not tell.
    Unknown,
}

/// The code of a method of the test.
struct Body {
    class: ClassFile,
    bytes: Vec<u8>,
    producers: Producers,
}

impl Body {
    fn of(class: &[u8], site: &Site) -> Option<Self> {
        let class = ClassFile::parse(class).ok()?;
        let at = class.find_method(&site.method, &site.desc)?;
        let method: &Member = class.methods.get(at)?;
        let bytes = method.code(&class.pool).ok()??.bytes;
        let producers = Producers::of(&class, method).ok()?;
        Some(Self {
            class,
            bytes,
            producers,
        })
    }

    fn insn(&self, offset: u32) -> Option<Insn<'_>> {
        insn::at(&self.bytes, offset).ok()
    }

    /// What made the operand that lies `depth` below the top before the instruction at `offset`.
    fn operand(&self, offset: u32, depth: usize) -> Option<&Made> {
        let stack = self.producers.stack(offset);
        stack.get(stack.len().checked_sub(depth + 1)?)
    }

    /// The instruction that alone made it, behind boxes and conversions; `None` if there are several, or none.
    fn single(&self, made: &Made) -> Option<u32> {
        let mut made = made;
        for _ in 0..STEPS {
            let [Producer::Insn(offset)] = *made.iter().copied().collect::<Vec<_>>() else {
                return None;
            };
            let insn = self.insn(offset)?;
            if !self.hands_on(&insn) {
                return Some(offset);
            }
            made = self.operand(offset, 0)?;
        }
        None
    }

    /// The text that the instruction at `offset` loads.
    fn text(&self, offset: u32) -> Option<JavaString> {
        let loaded = self.insn(offset)?.pool_index()?;
        match self.class.pool.loaded(loaded).ok()?? {
            Loaded::Text(text) => Some(JavaString::new(&text)),
            _ => None,
        }
    }

    /// Is what it leaves what it takes, as a number?
    fn hands_on(&self, insn: &Insn<'_>) -> bool {
        if (opcode::I2L..=opcode::I2S).contains(&insn.opcode) {
            return true;
        }
        let member = insn
            .pool_index()
            .and_then(|index| self.class.pool.member_ref(index).ok());
        let boxes = |owner: &str| {
            let simple = owner.strip_prefix("java/lang/");
            simple.is_some_and(|simple| BOXES.contains(&simple))
        };
        match (insn.opcode, member) {
            // So Kotlin boxes in functions that may be suspended.
            (opcode::INVOKESTATIC, Some(m)) if m.owner == KOTLIN_BOXING => {
                m.name.starts_with("box")
            }
            (opcode::INVOKESTATIC, Some(m)) => {
                m.name == "valueOf" && boxes(&m.owner) && !m.desc.starts_with("(Ljava/lang/String;")
            }
            (opcode::INVOKEVIRTUAL, Some(m)) => m.name.ends_with("Value") && boxes(&m.owner),
            _ => false,
        }
    }
}

/// Boxes primitives in Kotlin's coroutines.
const KOTLIN_BOXING: &str = "kotlin/coroutines/jvm/internal/Boxing";

/// Simple names of the boxes of primitives.
const BOXES: [&str; 9] = [
    "Boolean",
    "Byte",
    "Character",
    "Double",
    "Float",
    "Integer",
    "Long",
    "Number",
    "Short",
];

impl Seen<'_> {
    /// Where the test had argument `index` of the call `n` from.
    pub(super) fn origin_of_argument(&self, n: NodeNo, index: usize) -> Origin {
        self.known_origin(n, index).unwrap_or(Origin::Unknown)
    }

    fn known_origin(&self, n: NodeNo, index: usize) -> Option<Origin> {
        let site = self.history.call_site(n)?;
        let class = self.history.tables().class(site.class)?;
        let body = Body::of(&class.bytes, site)?;
        let depth = self.history.args(n).len().checked_sub(index + 1)?;
        let made = body.operand(site.bci.into(), depth)?;
        let Some(offset) = body.single(made) else {
            // What a method was given, or caught, was made elsewhere.
            let here = made.iter().all(|p| matches!(p, Producer::Insn(_)));
            return Some(if here && !made.is_empty() {
                Origin::Computed
            } else {
                Origin::Unknown
            });
        };
        let insn = body.insn(offset)?;
        Some(match insn.opcode {
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC
            | opcode::GETFIELD
            | opcode::GETSTATIC => match self.latest_at(n, site, offset) {
                Some(given) => Origin::Given(given),
                None => Origin::Unknown,
            },
            opcode::INSTANCEOF => {
                let of = body.single(body.operand(offset, 0)?)?;
                let class = body.class.pool.class_name(insn.pool_index()?).ok()?;
                match self.latest_at(n, site, of) {
                    Some(given) => Origin::InstanceOf(given, class.into_owned()),
                    None => Origin::Computed,
                }
            }
            opcode::ACONST_NULL..=opcode::LDC2_W => Origin::Constant,
            // Made here, to be filled elsewhere.
            opcode::NEW | opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY => {
                Origin::Unknown
            }
            _ => Origin::Computed,
        })
    }

    /// The text in the test with which the call `n` compares what another one gave, which is the first: `"gala".equals(apple.sort())`.
    pub(super) fn compared_with_text(&self, n: NodeNo) -> Option<(NodeNo, JavaString)> {
        let asks = self.history.member(n)?;
        if asks.owner != "java/lang/String" || asks.name != "equals" {
            return None;
        }
        let site = self.history.site(n)?;
        let class = self.history.tables().class(site.class)?;
        let body = Body::of(&class.bytes, site)?;
        let side = |depth| body.single(body.operand(site.bci.into(), depth)?);
        let (one, other) = (side(0)?, side(1)?);
        let (text, from) = match (body.text(one), body.text(other)) {
            (Some(text), None) => (text, other),
            (None, Some(text)) => (text, one),
            _ => return None,
        };
        Some((self.latest_at(n, site, from)?, text))
    }

    /// What the instruction at `offset` of the same activation did last before `n`.
    fn latest_at(&self, n: NodeNo, of: &Site, offset: u32) -> Option<NodeNo> {
        let parent = self.history.parent(n);
        let begin = self.history.node(n).begin;
        self.history
            .numbers()
            .rev()
            .skip_while(|m| *m >= n)
            .take_while(|m| parent.is_none_or(|p| *m > p))
            .filter(|m| self.history.parent(*m) == parent && self.history.node(*m).close <= begin)
            .find(|&m| {
                let site = match self.history.node(m).kind {
                    NodeKind::Activation => self.history.call_site(m),
                    _ => self.history.site(m),
                };
                let is_there = site.is_some_and(|s| {
                    s.class == of.class
                        && s.method == of.method
                        && s.desc == of.desc
                        && u32::from(s.bci) == offset
                });
                is_there && matches!(self.history.outcome(m), Outcome::Return(Some(_)))
            })
    }

    /// The value that the step gave.
    pub(super) fn value_of(&self, n: NodeNo) -> Option<Value> {
        match self.history.outcome(n) {
            Outcome::Return(value) => value,
            _ => None,
        }
    }
}
