//! Objects of classes that only the file of the recorded test can name: private and anonymous ones, with which tests stand in for what the
//! program needs. A written test makes them by reflection.

use jinsi_classfile::{ACC_ENUM, ACC_SYNTHETIC};
use jinsi_level::program::is_the_jdks;
use jinsi_trace::model::{MemberRef, Prim, Value};

use super::access::{Reach, Throws, params};
use super::java::{JavaExpr, JavaStmt, JavaType};
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible};

const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";

impl Writer<'_> {
    /// A new object of a class that cannot be named, if the test that was recorded made one.
    pub(super) fn by_reflection(
        &mut self,
        constructor: &MemberRef,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        let class = &*constructor.owner;
        let no = || Inexpressible(format!("{} cannot be named", class.replace('/', ".")));
        let is_from_file = !class.contains("$$") && self.request.classes.class(class).is_some();
        // What another package can name is better named there.
        let is_hidden = self.scope.class_reach(class) == Reach::Nowhere
            || self.scope.member_reach(constructor) == Reach::Nowhere;
        let is_made_so = self.request.by_test && self.form != Form::Replay;
        if !is_made_so || !is_hidden || !is_from_file {
            return Err(no());
        }
        let types = params(&constructor.desc);
        let declared = self.declared(constructor, args).ok_or_else(no)?;
        let mut found = Vec::new();
        let mut given = Vec::new();
        for (ty, value) in types.iter().zip(args).take(declared) {
            found.push(self.class_of_type(ty));
            let value = self.value(value, ty)?;
            given.push(self.fitted(value, ty, false)?);
        }
        // A lone array or null would be taken for the array of arguments itself.
        if let [only] = given.as_mut_slice()
            && (only.ty == JavaType::Null || only.ty.element().is_some_and(JavaType::is_reference))
        {
            *only = only.clone().cast(JavaType::object());
        }
        self.throws = self.throws.max(Throws::Exception);
        let remark = "Only its own file can name this class.";
        self.lines.push(JavaStmt::Comment(remark.into()));
        let name = vec![JavaExpr::text(&class.replace('/', "."))];
        let by_name = JavaExpr::factory(JavaType::class("java/lang/Class"), "forName", name);
        let any = JavaType::class(CONSTRUCTOR).with(vec![JavaType::Wildcard]);
        let found = JavaExpr::call(by_name, "getDeclaredConstructor", found, any.clone());
        let made_by = self.declare(None, any, found.into()).code;
        let open = vec![JavaExpr::literal(Prim::Boolean(true))];
        let open = JavaExpr::call(made_by.clone(), "setAccessible", open, JavaType::Void);
        self.code(open);
        Ok(JavaExpr::call(made_by, "newInstance", given, JavaType::object()).into())
    }

    /// A constant of an enum that cannot be named; `None` if the class is none, is the JDK's, or can be named in another package.
    pub(super) fn constant_by_reflection(&mut self, class: &str, name: &str) -> Option<JavaExpr> {
        let is_hidden_enum = |class: &String| {
            let info = self.scope.classes.class(class);
            info.is_some_and(|info| info.access & ACC_ENUM != 0)
                && self.scope.class_reach(class) == Reach::Nowhere
                && !is_the_jdks(&class.replace('/', "."))
        };
        let is_made_so = self.request.by_test && self.form != Form::Replay;
        let mut supertypes = self.scope.supertypes(class).into_iter();
        let found = supertypes.find(is_hidden_enum).filter(|_| is_made_so)?;
        let of = self.class_object(&found).code;
        let of = match self.raw {
            true => of,
            false => of.cast(JavaType::class("java/lang/Class")),
        };
        self.untyped = true;
        let args = vec![of, JavaExpr::text(name)];
        let ty = JavaType::class("java/lang/Enum");
        Some(JavaExpr::factory(ty, "valueOf", args))
    }

    /// How many of the arguments the constructor of the source has: javac made another one of a private constructor, with a further parameter, of
    /// which it passes `null` (before Java 11).
    fn declared(&self, constructor: &MemberRef, args: &[Value]) -> Option<usize> {
        let (class, found) = self.scope.find(constructor)?;
        let types = params(&constructor.desc);
        if found.access & ACC_SYNTHETIC == 0 {
            return Some(types.len());
        }
        let declared = types.len().checked_sub(1)?;
        let mut all = class.members.iter().flatten();
        let is_there = all.any(|m| m.name == "<init>" && params(&m.desc) == types[..declared]);
        (is_there && args.last() == Some(&Value::Null)).then_some(declared)
    }

    /// `Type.class`, of primitives, too.
    fn class_of_type(&mut self, ty: &JavaType) -> JavaExpr {
        match ty.core().class_name() {
            Some(_) if !self.scope.type_accessible(ty) => {
                let name = ty.core().class_name().unwrap_or_default().to_owned();
                self.class_object(&name).code
            }
            _ => JavaExpr::class(ty.clone()),
        }
    }
}
