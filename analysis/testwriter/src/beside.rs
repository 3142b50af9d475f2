//! Results that are no objects, and that the test gives from one call to another, or compares with another.

use jinsi_level::{Interaction, Outcome};
use jinsi_oracle::{Demand, GivenOn, Term};
use jinsi_trace::model::Value;

use super::Inexpressible;
use super::java::{JavaExpr, JavaType};
use super::member::is_generic;
use super::plan::object;
use super::writer::{Expr, Writer};

impl<'a> Writer<'a> {
    /// Does its result have a part in the wrong value?
    pub(super) fn stays_beside(&self, i: &Interaction) -> bool {
        let wrong = self.request.oracle.value();
        wrong.is_some_and(|wrong| wrong.sources.nodes.contains(&i.node))
    }

    /// Is its result what the wrong value should be?
    fn is_expected(&self, i: &Interaction) -> bool {
        let demand = self.request.oracle.value().map(|wrong| &wrong.demand);
        let Some(Some(Demand::Equal { expected, .. })) = demand else {
            return false;
        };
        *expected == Term::Result(i.node)
    }

    /// Has the result of `call` in a variable.
    pub(super) fn keep_result(&mut self, i: &Interaction, call: Expr) {
        let id = match &i.outcome {
            Outcome::Return(Some(value)) => object(value),
            _ => None,
        };
        let call = self.reported(call, id);
        let ty = call.ty().clone();
        let variable = match self.is_expected(i) {
            true => self.variables.named("expected"),
            false => self.variables.of(&ty),
        };
        let movable = !call.inferred && !ty.class_name().is_some_and(is_generic);
        let declared = Some(ty.clone());
        let variable = self.declare_variable(variable, id, declared, ty, call, movable);
        self.results.insert(i.node, variable.code);
    }

    /// What the call that is being written is given in the place of its recorded arguments: terms, by index. `args` are the recorded ones of the call
    /// that asks, which may be another one.
    pub(super) fn given_on(&self, args: &[Value]) -> Vec<&'a GivenOn> {
        let Some(i) = self.current.filter(|i| std::ptr::eq(&*i.args, args)) else {
            return Vec::new();
        };
        let Some(wrong) = self.request.oracle.value() else {
            return Vec::new();
        };
        let given = wrong.sources.given.iter();
        given.filter(|given| given.node == i.node).collect()
    }

    /// The argument as an expression of what another call gave.
    pub(super) fn result_given(
        &mut self,
        term: &Term,
        ty: &JavaType,
    ) -> Result<Expr, Inexpressible> {
        let nothing = JavaExpr::null().into();
        Ok(self.term(term, &nothing, Some(ty))?.into())
    }
}
