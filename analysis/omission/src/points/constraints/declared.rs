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
                    let filter = self.filters.of(&class);
                    self.declared.insert(node, filter);
                }
            }
            if let Some(class) = parsed.result.and_then(|result| class_of(result.desc())) {
                let filter = self.filters.of(&class);
                let node = self.returns + method.index() as NodeNo;
                self.declared.insert(node, filter);
            }
        }
    }

    /// What fits into a variable of an object: a field of one class, or the elements of an array of one.
    pub(super) fn variable(&mut self, object: ObjectNo, holds: Holds) -> FilterNo {
        let known = match holds {
            Holds::Field(field) => self.of_fields.get(&field),
            Holds::Content => match **self.filters.classes(object) {
                [only] => self.of_elements.get(&only),
                _ => Some(&ALL),
            },
        };
        if let Some(known) = known {
            return *known;
        }
        let desc = match holds {
            Holds::Field(field) => self.code.program.field_desc(field),
            Holds::Content => {
                let class = self.filters.classes(object)[0];
                let name = self.filters.class(class).strip_prefix('[');
                name.unwrap_or_default().to_owned()
            }
        };
        let filter = class_of(&desc).map_or(ALL, |class| self.filters.of(&class));
        match holds {
            Holds::Field(field) => self.of_fields.insert(field, filter),
            Holds::Content => {
                let class = self.filters.classes(object)[0];
                self.of_elements.insert(class, filter)
            }
        };
        filter
    }
}
