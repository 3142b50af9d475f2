//! Calls that a test of fluent assertions makes one on the other, as a person writes them: `assertThat(names).isNotEmpty().contains("x")`.

use jinsi_classfile::ACC_VARARGS;
use jinsi_level::frameworks::is_framework;
use jinsi_trace::model::{MemberRef, ObjectId};

use super::classes::MemberInfo;
use super::java::{JavaExpr, JavaStmt, JavaType, Local, Node, Target};
use super::writer::{Expr, Writer};

/// Is it a class of a framework of tests? Its objects are made to be called one call after the other.
pub(super) fn is_fluent(ty: &JavaType) -> bool {
    let class = ty.class_name();
    class.is_some_and(|class| is_framework(&class.replace('/', ".")))
}

impl Writer<'_> {
    /// Is an overload of a framework's method, which the compiler may take for the one with the parameters `types`, out of the question? It does not take what
    /// is passed, or else it takes all that the other one does (JLS §15.12.2.5).
    pub(super) fn is_out(
        &self,
        overload: &[JavaType],
        types: &[JavaType],
        passed: &[Expr],
        owner: &str,
    ) -> bool {
        if self.raw || !is_fluent(&JavaType::class(owner)) {
            return false;
        }
        let is_sub = |ty: &JavaType, of: &JavaType| self.scope.is_subtype(ty, of);
        let mut pairs = types.iter().zip(overload);
        let mut given = passed.iter().zip(overload);
        pairs.all(|(ty, other)| ty.is_reference() && is_sub(ty, other))
            || given.any(|(expr, other)| expr.ty().is_reference() && !is_sub(expr.ty(), other))
    }

    /// Writes the elements of the array that is the last argument of a framework's method, if that takes any number of them.
    pub(super) fn spread(&self, member: &MemberRef, args: &mut Vec<JavaExpr>) {
        let any_number = |(_, method): (_, &MemberInfo)| method.access & ACC_VARARGS != 0;
        let is_own = !self.raw && is_fluent(&JavaType::class(&member.owner));
        if !(is_own && self.scope.find(member).is_some_and(any_number)) {
            return;
        }
        let Some(JavaExpr {
            node: Node::ArrayOf(items),
            ..
        }) = args.last()
        else {
            return;
        };
        // One that is no single value could be the array itself.
        let is_array = |item: &JavaExpr| item.ty == JavaType::Null || item.ty.is_array();
        if !matches!(&items[..], [only] if is_array(only)) {
            let items = items.clone();
            args.pop();
            args.extend(items);
        }
    }

    /// Puts a call that gave the object it was called on behind the expression that made this, if the last statement declares it. The raw form has a
    /// statement for each call: a method of a raw type gives less than it is declared to.
    pub(super) fn chain(&mut self, call: &Expr, made: ObjectId) -> bool {
        let on = self.bound.get(&made).and_then(|on| on.code.variable());
        let Node::Call(Target::Of(receiver), name, args) = &call.code.node else {
            return false;
        };
        let (Some(on), Some(JavaStmt::Local(Local { variable, init, .. }))) =
            (on, self.lines.last_mut())
        else {
            return false;
        };
        let is_next = variable == on && receiver.variable() == Some(on);
        let is_given = args.iter().any(|arg| arg.mentions(on) > 0);
        if self.raw || !is_next || is_given || !is_fluent(&init.ty) {
            return false;
        }
        let ty = init.ty.clone();
        *init = JavaExpr::call(init.clone(), name, args.clone(), ty);
        true
    }
}
