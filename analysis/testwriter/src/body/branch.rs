//! Bodies that go on in two ways: conditions, and what is chosen by them. A branch becomes `… ? … : …`, or `&&`, `||` and `!`, if both of
//! its ways leave one value and come together again.

use jinsi_classfile::cfg::Cfg;
use jinsi_classfile::cfg::control::ControlDependence;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_trace::model::Prim;

use super::{Body, Term};
use crate::java::{JavaExpr, JavaType, Operator, Primitive};

/// Where every way ends.
const END: usize = usize::MAX;
/// Instructions that are gone through for one body: those behind a branch may be for each of its ways.
const MOST: usize = 400;

/// The instructions of a body, and where their ways come together.
pub(super) struct Flow<'c> {
    insns: Vec<Insn<'c>>,
    cfg: Cfg,
    control: ControlDependence,
}

impl<'c> Flow<'c> {
    /// `None`: the code is malformed.
    pub(super) fn of(insns: Vec<Insn<'c>>) -> Option<Self> {
        let cfg = Cfg::new(&insns, &[]).ok()?;
        let control = ControlDependence::of(&cfg);
        Some(Self {
            insns,
            cfg,
            control,
        })
    }

    /// Where a jump goes; only forward, for a loop is no expression.
    fn target(&self, at: usize) -> Option<usize> {
        let to = self.insns[at].target()?;
        let to = self.insns.binary_search_by_key(&to, |i| i.offset).ok()?;
        (to > at).then_some(to)
    }

    /// The first instruction from here on that does something.
    fn followed(&self, mut at: usize) -> Option<usize> {
        while matches!(self.insns.get(at)?.opcode, op::GOTO | op::GOTO_W) {
            at = self.target(at)?;
        }
        Some(at)
    }

    fn is_branch(&self, at: usize) -> bool {
        let opcode = self.insns.get(at).map(|insn| insn.opcode);
        matches!(
            opcode,
            Some(op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
        )
    }

    /// Where the two ways of a branch come together.
    fn join(&self, at: usize) -> usize {
        let post = self.control.post_dominators();
        let block = post.parent(self.cfg.block_of(at));
        block.map_or(END, |block| self.cfg.block(block).first)
    }
}

/// A question, and where it goes on.
struct Decision {
    condition: Condition,
    /// Where the code goes on if it holds.
    yes: usize,
    /// Where it goes on if it does not.
    no: usize,
}

/// What a branch asks, as it is written where that holds and where it does not.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    holds: JavaExpr,
    fails: JavaExpr,
}

/// Signs of a relation, where it holds and where it does not.
type Signs = (Operator, Operator);

impl Condition {
    /// Of an expression that is true or false.
    fn of(holds: JavaExpr) -> Self {
        let fails = holds.clone().negated();
        Self { holds, fails }
    }

    fn of_signs(left: JavaExpr, (holds, fails): Signs, right: JavaExpr) -> Self {
        let relation = |sign| left.clone().binary(sign, right.clone(), JavaType::BOOLEAN);
        Self {
            holds: relation(holds),
            fails: relation(fails),
        }
    }

    /// The expression that is true where it holds.
    pub(super) fn holds(&self) -> &JavaExpr {
        &self.holds
    }

    fn negated(&self) -> Self {
        Self {
            holds: self.fails.clone(),
            fails: self.holds.clone(),
        }
    }

    fn joined(&self, other: &Self, sign: Operator) -> Self {
        let (one, other) = (self.holds.clone(), other.holds.clone());
        Self::of(one.binary(sign, other, JavaType::BOOLEAN))
    }
}

/// A value that is true or false: always the same, or as a condition says.
enum Logic {
    Always(bool),
    As(Box<Condition>),
}

impl Logic {
    fn of(term: &Term) -> Option<Self> {
        match term {
            Term::Value(value) => match (value.as_int(), &value.ty) {
                (Some(0), _) => Some(Self::Always(false)),
                (Some(1), _) => Some(Self::Always(true)),
                (_, ty) if *ty == JavaType::BOOLEAN => {
                    Some(Self::As(Box::new(Condition::of(value.clone()))))
                }
                _ => None,
            },
            Term::Chosen { condition, .. } => condition.clone().map(Self::As),
            _ => None,
        }
    }
}

impl Condition {
    /// What is `yes` if it holds, else `no`; `None`: both ways are the same.
    fn choose(&self, yes: &Logic, no: &Logic) -> Option<Condition> {
        Some(match (yes, no) {
            (Logic::Always(true), Logic::Always(false)) => self.clone(),
            (Logic::Always(false), Logic::Always(true)) => self.negated(),
            (Logic::Always(_), Logic::Always(_)) => return None,
            (Logic::As(x), Logic::Always(false)) => self.joined(x, Operator::And),
            (Logic::Always(true), Logic::As(x)) => self.joined(x, Operator::Or),
            (Logic::Always(false), Logic::As(x)) => self.negated().joined(x, Operator::And),
            (Logic::As(x), Logic::Always(true)) => self.negated().joined(x, Operator::Or),
            (Logic::As(x), Logic::As(y)) => {
                let (asked, yes, no) = (&self.holds, &x.holds, &y.holds);
                Condition::of(ternary(asked, yes.clone(), no.clone(), JavaType::BOOLEAN))
            }
        })
    }
}

fn ternary(asked: &JavaExpr, yes: JavaExpr, no: JavaExpr, ty: JavaType) -> JavaExpr {
    asked.clone().choose(yes, no, ty)
}

impl Body<'_, '_, '_> {
    /// Goes through the whole body: its result is what is left on the stack.
    pub(super) fn whole(&mut self, flow: &Flow<'_>) -> Option<()> {
        self.run(flow, 0, END)
    }

    fn run(&mut self, flow: &Flow<'_>, mut at: usize, until: usize) -> Option<()> {
        while at != until {
            self.gone += 1;
            let insn = flow.insns.get(at).filter(|_| self.gone <= MOST)?;
            match insn.opcode {
                op::IRETURN..=op::RETURN => return (until == END).then_some(()),
                op::GOTO | op::GOTO_W => at = flow.target(at)?,
                _ if flow.is_branch(at) => at = self.branch(flow, at)?,
                _ if self.only_checks(flow, at) => at += 3,
                _ => {
                    self.step(insn)?;
                    at += 1;
                }
            }
        }
        Some(())
    }

    /// Kotlin checks at run time what it knows is not `null`: `x; "x"; Intrinsics.check…`.
    fn only_checks(&self, flow: &Flow<'_>, at: usize) -> bool {
        let Some([value, name, check]) = flow.insns.get(at..at + 3) else {
            return false;
        };
        let is_copy = matches!(value.opcode, op::DUP | op::ALOAD)
            || (op::ALOAD_0..=op::ALOAD_3).contains(&value.opcode);
        let is_name = matches!(name.opcode, op::LDC | op::LDC_W);
        let called = check
            .pool_index()
            .filter(|_| is_copy && is_name && check.opcode == op::INVOKESTATIC)
            .and_then(|index| self.class.pool.member_ref(index).ok());
        called.is_some_and(|m| {
            m.owner == "kotlin/jvm/internal/Intrinsics"
                && m.name.starts_with("check")
                && m.desc == "(Ljava/lang/Object;Ljava/lang/String;)V"
        })
    }

    /// A branch with both of its ways; gives where they come together.
    fn branch(&mut self, flow: &Flow<'_>, at: usize) -> Option<usize> {
        let join = flow.join(at);
        let mut decision = self.decision(flow, at)?;
        if join == END && !self.stack.is_empty() {
            return None;
        }
        while let Some(longer) = self.longer(flow, &decision, join) {
            decision = longer;
        }
        let yes = self.way(flow, decision.yes, join)?;
        let no = self.way(flow, decision.no, join)?;
        let chosen = self.chosen(&decision.condition, yes, no)?;
        self.stack.push(chosen);
        Some(join)
    }

    /// What the branch at `at` decides.
    fn decision(&mut self, flow: &Flow<'_>, at: usize) -> Option<Decision> {
        let jumps = self.condition(flow.insns[at].opcode)?;
        Some(Decision {
            condition: jumps.negated(),
            yes: flow.followed(at + 1)?,
            no: flow.followed(flow.target(at)?)?,
        })
    }

    /// The decision together with the next one, if that is asked on one of its ways only, and has the other one's end as one of its own.
    fn longer(&mut self, flow: &Flow<'_>, first: &Decision, join: usize) -> Option<Decision> {
        let joined = |second: &Condition, binds| first.condition.joined(second, binds);
        if let Some(next) = self.next_decision(flow, first.yes, join) {
            let (condition, yes) = match first.no {
                no if no == next.no => (joined(&next.condition, Operator::And), next.yes),
                no if no == next.yes => (joined(&next.condition.negated(), Operator::And), next.no),
                _ => return None,
            };
            return Some(Decision {
                condition,
                yes,
                no: first.no,
            });
        }
        let next = self.next_decision(flow, first.no, join)?;
        let (condition, no) = match first.yes {
            yes if yes == next.yes => (joined(&next.condition, Operator::Or), next.no),
            yes if yes == next.no => (joined(&next.condition.negated(), Operator::Or), next.yes),
            _ => return None,
        };
        Some(Decision {
            condition,
            yes: first.yes,
            no,
        })
    }

    /// The decision that the code from `at` on comes to, if it does nothing before but work out what is asked.
    fn next_decision(&mut self, flow: &Flow<'_>, at: usize, join: usize) -> Option<Decision> {
        let below = std::mem::take(&mut self.stack);
        let statements = self.statements.len();
        let decision = self.asked(flow, at, join);
        let rest = std::mem::replace(&mut self.stack, below);
        let nothing_else = rest.is_empty() && self.statements.len() == statements;
        self.statements.truncate(statements);
        decision.filter(|_| nothing_else)
    }

    fn asked(&mut self, flow: &Flow<'_>, mut at: usize, join: usize) -> Option<Decision> {
        while at != join && !flow.is_branch(at) {
            self.gone += 1;
            let insn = flow.insns.get(at).filter(|_| self.gone <= MOST)?;
            match self.only_checks(flow, at) {
                true => at += 3,
                false => {
                    self.step(insn)?;
                    at += 1;
                }
            }
        }
        flow.is_branch(at).then_some(())?;
        self.decision(flow, at)
    }

    /// What one way of a branch leaves: one value, and it has done nothing.
    fn way(&mut self, flow: &Flow<'_>, from: usize, join: usize) -> Option<Term> {
        let below = std::mem::take(&mut self.stack);
        let statements = self.statements.len();
        self.run(flow, from, join)?;
        let mut left = std::mem::replace(&mut self.stack, below);
        let term = left.pop()?;
        (left.is_empty() && self.statements.len() == statements).then_some(term)
    }

    fn chosen(&mut self, asked: &Condition, yes: Term, no: Term) -> Option<Term> {
        let condition = match (Logic::of(&yes), Logic::of(&no)) {
            (Some(yes), Some(no)) => asked.choose(&yes, &no).map(Box::new),
            _ => None,
        };
        let truths = [&yes, &no].map(|term| term.ty() == Some(&JavaType::BOOLEAN));
        let [yes, no] = [yes, no].map(|term| {
            self.stack.push(term);
            self.pop()
        });
        let (yes, no) = (yes?, no?);
        if let (Some(condition), true) = (&condition, truths.contains(&true)) {
            return Some(Term::Chosen {
                value: condition.holds().clone(),
                condition: Some(condition.clone()),
            });
        }
        let ty = match (&yes.ty, &no.ty) {
            (JavaType::Null, ty) | (ty, JavaType::Null) => ty.clone(),
            (a, b) if a == b => a.clone(),
            (a, b) if a.is_reference() && b.is_reference() => JavaType::object(),
            _ => return None,
        };
        Some(Term::Chosen {
            value: ternary(&asked.holds, yes, no, ty),
            condition,
        })
    }

    /// What makes a branch jump.
    fn condition(&mut self, opcode: u8) -> Option<Condition> {
        use Operator::*;
        const SIGNS: [Signs; 6] = [
            (Equal, Unequal),
            (Unequal, Equal),
            (Less, GreaterOrEqual),
            (GreaterOrEqual, Less),
            (Greater, LessOrEqual),
            (LessOrEqual, Greater),
        ];
        match opcode {
            op::IFNULL | op::IFNONNULL => {
                let signs = SIGNS[usize::from(opcode - op::IFNULL)];
                Some(Condition::of_signs(self.pop()?, signs, JavaExpr::null()))
            }
            op::IFEQ..=op::IFLE => self.against_zero(SIGNS[usize::from(opcode - op::IFEQ)]),
            op::IF_ICMPEQ..=op::IF_ICMPLE => {
                let signs = SIGNS[usize::from(opcode - op::IF_ICMPEQ)];
                self.of_two(signs)
            }
            _ => self.of_two(SIGNS[usize::from(opcode - op::IF_ACMPEQ)]),
        }
    }

    fn against_zero(&mut self, signs: Signs) -> Option<Condition> {
        let top = self.stack.last()?;
        if let Term::Compared { left, right, nan } = top {
            let (left, right, nan) = (left.clone(), right.clone(), *nan);
            self.stack.pop();
            return Some(compared(left, signs, right, nan));
        }
        let logic = match top.ty() {
            Some(ty) if *ty == JavaType::BOOLEAN => Logic::of(top),
            _ => None,
        };
        if let Some(Logic::As(condition)) = logic {
            self.stack.pop();
            return match signs.0 {
                Operator::Equal => Some(condition.negated()),
                Operator::Unequal => Some(*condition),
                _ => None,
            };
        }
        Some(Condition::of_signs(self.pop()?, signs, JavaExpr::int(0)))
    }

    fn of_two(&mut self, signs: Signs) -> Option<Condition> {
        let (right, left) = (self.pop()?, self.pop()?);
        let is_boolean = |one: &JavaExpr| one.ty == JavaType::BOOLEAN;
        if is_boolean(&left) != is_boolean(&right) {
            return None;
        }
        let left_code = as_letter(&left, &right).unwrap_or_else(|| left.clone());
        let right_code = as_letter(&right, &left).unwrap_or_else(|| right.clone());
        Some(Condition::of_signs(left_code, signs, right_code))
    }

    /// `lcmp` and its like: a branch follows.
    pub(super) fn compare(&mut self, opcode: u8) -> Option<()> {
        let (right, left) = (self.pop()?, self.pop()?);
        self.stack.push(Term::Compared {
            left,
            right,
            nan: match opcode {
                op::FCMPL | op::DCMPL => Some(-1),
                op::FCMPG | op::DCMPG => Some(1),
                _ => None,
            },
        });
        Some(())
    }
}

/// A number that is compared with a letter, as the letter that it stands for.
fn as_letter(number: &JavaExpr, other: &JavaExpr) -> Option<JavaExpr> {
    let is_letter = other.ty.primitive() == Some(Primitive::Char);
    let unit = number.as_int().filter(|_| is_letter)?;
    Some(JavaExpr::literal(Prim::Char(u16::try_from(unit).ok()?)))
}

/// A comparison whose result is compared with 0; where one is no number, its result is `nan`. Java's signs do not hold there, but `!=`.
fn compared(left: JavaExpr, signs: Signs, right: JavaExpr, nan: Option<i32>) -> Condition {
    let plain = Condition::of_signs(left, signs, right);
    let Some(nan) = nan else { return plain };
    let jumps = match signs.0 {
        Operator::Equal | Operator::Unequal => return plain,
        Operator::Less | Operator::LessOrEqual => nan < 0,
        _ => nan > 0,
    };
    match jumps {
        // It holds where the opposite sign does not.
        true => Condition::of(plain.fails).negated(),
        false => Condition::of(plain.holds),
    }
}
