//! Lambdas and method references that recorded code made: what links them, read off the class file of that code.

use jinsi_classfile::class::ClassFile;
use jinsi_classfile::insn;
use jinsi_classfile::references::Bootstraps;
use jinsi_trace::model::{CallOp, ClassDef, MemberRef, ObjectId, Site, Value};

use crate::Outcome;
use jinsi_history::{History, NodeNo};

/// Class whose methods make function objects. The second one makes those that can do more than be called, such as be serialized.
const METAFACTORY: &str = "java/lang/invoke/LambdaMetafactory";
const METAFACTORIES: [&str; 2] = ["metafactory", "altMetafactory"];
/// What compilers have in the names of the methods that are bodies of lambdas: javac and Kotlin's; Scala's.
const BODIES: [&str; 2] = ["lambda$", "$anonfun$"];

/// What a function object is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Internal name of the class whose code made it.
    pub maker: String,
    /// Name of the interface's method.
    pub method: String,
    /// Descriptor of what makes it: from what it captures to the interface.
    pub factory: String,
    /// Descriptor of the interface's method.
    pub erased: String,
    /// The same with the types that this function object has.
    pub instantiated: String,
    /// Kind of the handle that is called (JVMS table 5.4.3.5-A).
    pub kind: u8,
    /// The method that is called: the body of a lambda, or what is referred to.
    pub target: MemberRef,
}

impl Function {
    /// Internal name of the interface.
    pub fn interface(&self) -> &str {
        let result = self.factory.rsplit(')').next().unwrap_or_default();
        result.trim_start_matches('L').trim_end_matches(';')
    }

    /// Is it a lambda, whose body the compiler has put into the class that made it?
    pub fn is_lambda(&self) -> bool {
        is_body(&self.target.name) && self.target.owner == self.maker.as_str()
    }
}

/// Is a method of this name the body of a lambda?
pub fn is_body(method: &str) -> bool {
    BODIES.iter().any(|body| method.contains(body))
}

/// What made the function object `id`, with what it captured, if recorded code did.
pub(crate) fn made(history: &History, id: ObjectId) -> Option<(NodeNo, Function)> {
    let mentions = history.object(id)?.mentions();
    let object = Value::Object(id);
    let n = *mentions.iter().find(|&&n| {
        let dynamic = history.site(n).is_some_and(|s| s.op == CallOp::Dynamic);
        dynamic && matches!(history.outcome(n), Outcome::Return(Some(v)) if v == object)
    })?;
    Some((n, of_node(history, n)?))
}

/// What the call `n` made, if it made a function object.
pub fn of_node(history: &History, n: NodeNo) -> Option<Function> {
    let site = history.site(n)?;
    function_at(history.tables().class(site.class)?, site)
}

/// What the `invokedynamic` at this site of a class makes, if it is a function object. What it can do beside being called is left aside.
pub fn function_at(def: &ClassDef, site: &Site) -> Option<Function> {
    let class = ClassFile::parse(&def.bytes).ok()?;
    let method = class.find_method(&site.method, &site.desc)?;
    let code = class.methods.get(method)?.code(&class.pool).ok()??;
    let call = insn::at(&code.bytes, u32::from(site.bci)).ok()?;
    let pool = &class.pool;
    let call = pool.invoke_dynamic(call.pool_index()?).ok()?;
    let bootstraps = Bootstraps::of(&class).ok()?;
    let (factory, arguments) = bootstraps.get(call.bootstrap)?;
    let (_, factory) = pool.method_handle(factory).ok()?;
    let factory = pool.member_ref(factory).ok()?;
    let [erased, handle, instantiated, ..] = *arguments else {
        return None;
    };
    if factory.owner != METAFACTORY || !METAFACTORIES.contains(&&*factory.name) {
        return None;
    }
    let (kind, target) = pool.method_handle(handle).ok()?;
    let target = pool.member_ref(target).ok()?;
    Some(Function {
        maker: def.name.clone(),
        method: call.name.into_owned(),
        factory: call.desc.into_owned(),
        erased: pool.method_type(erased).ok()?.into_owned(),
        instantiated: pool.method_type(instantiated).ok()?.into_owned(),
        kind,
        target: MemberRef {
            owner: target.owner.as_ref().into(),
            name: target.name.as_ref().into(),
            desc: target.desc.as_ref().into(),
        },
    })
}
