//! What declared types let through.

use jinsi_classfile::descriptor::MethodType;

use super::{Constraints, Holds};
use crate::points::class_of;
use crate::points::solver::{ALL, FilterNo, NodeNo, ObjectNo};

impl Constraints<'_, '_> {
    /// Notes the declared types of parameters and results. Without them, what some code that is not recorded may keep gets everywhere.
    pub(super) fn declare(&mut self) {
        let code = self.code;
        for (method, body) in code.bodies() {
            let described = code.method(method);
            let Ok(parsed) = MethodType::parse(&described.desc) else {
                continue;
            };
            let params = parsed.params.iter().map(|param| class_of(param.desc()));
            let is_static = parsed.params.len() == body.parameters.len();
            let this = (!is_static).then(|| Some(described.owner.clone()));
            for (index, class) in this.into_iter().chain(params).enumerate() {
                if let (Some(node), Some(class)) = (self.parameter(method, index), class) {
                    let filter = self.filter(&class);
                    self.declared.insert(node, filter);
                }
            }
            if let Some(class) = parsed.result.and_then(|result| class_of(result.desc())) {
                let filter = self.filter(&class);
                let node = self.returns + method.index() as NodeNo;
                self.declared.insert(node, filter);
            }
        }
    }

    /// What fits into the elements of an object, if it is an array of one class.
    pub(super) fn elements(&mut self, object: ObjectNo, holds: Holds) -> FilterNo {
        let classes = self.classes.get(&self.births[object as usize]);
        let mut classes = classes.into_iter().flatten();
        let element = match (holds, classes.next(), classes.next()) {
            (Holds::Content, Some(only), None) => only.strip_prefix('[').and_then(class_of),
            _ => None,
        };
        element.map_or(ALL, |class| self.filter(&class))
    }
}
