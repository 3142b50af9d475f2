//! Observed classes, and classes that observed ones inherit code from: same code, sites redirected.

use jinsi_classfile::bridges::Bridges;
use jinsi_classfile::code::line_at;
use jinsi_classfile::flow::{self, Flow};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::{
    ACC_INTERFACE, ACC_PRIVATE, ACC_STATIC, ACC_SYNCHRONIZED, ACC_SYNTHETIC, Asm, ClassFile, Code,
    Editor, PoolError, opcode, subst,
};
use jinsi_events::model::MemberRef;
use jinsi_natural::is_of_coverage;

use crate::Bridge;
use crate::bridge::{AskedIf, Body, Original};
use crate::counting::goes_back;
use crate::environment::{method_name, trap_method};
use crate::lines::source_of;
use crate::monitors::Monitors;
use crate::sites::{Receiver, Redirect, SiteError, Sites};
use crate::{
    BRIDGE_PREFIX, Class, ClassRole, CodeError, REPLAY, RewriteError, Tables, World, flips, guard,
    parents, references,
};

/// First class file version whose interfaces may have private static methods, with code called through an interface
/// method reference.
const FIRST_WITH_INTERFACE_CODE: u16 = 52;
/// First class file version with stack maps.
const FIRST_WITH_FRAMES: u16 = 50;

/// The class with these (original) bytes as replay has it: its own code, in which every site that may reach the
/// environment calls a bridge, every backward branch is counted, and class initializers are announced. Of an inherited
/// class that is not in S itself, the statics are environment: its initializer goes, its static methods become traps.
///
/// # Errors
/// See [`RewriteError`]; the level cannot be replayed then.
pub fn observed(
    bytes: &[u8],
    world: &World<'_>,
    tables: &mut Tables,
) -> Result<Vec<u8>, RewriteError> {
    let mut class = ClassFile::parse(bytes).map_err(|source| RewriteError::Parse {
        class: String::new(),
        source,
    })?;
    references::make_calls(&mut class, world)?;
    let name = class.name().map(|n| n.into_owned()).unwrap_or_default();
    let inherited = world.role(&name) == ClassRole::Inherited;
    let rewriter = Rewriter {
        monitors: Monitors::of(&class, &name, inherited),
        inherited,
        may_be_mocked: world.may_be_mocked(&name),
        is_throwable: is_throwable(world.universe.opaque_ancestor(&name)),
        interface: class.access & ACC_INTERFACE != 0,
        major: class.major,
        source: source_of(&class, &name),
        name,
        class,
        world,
        tables,
        added: Vec::new(),
        bridges: Bridges::default(),
    };
    rewriter.run()
}

struct Rewriter<'a> {
    class: ClassFile,
    name: String,
    /// Not in S itself.
    inherited: bool,
    monitors: Monitors,
    may_be_mocked: bool,
    /// Its instances are thrown.
    is_throwable: bool,
    interface: bool,
    /// Version to be written.
    major: u16,
    /// Package and source file.
    source: String,
    world: &'a World<'a>,
    tables: &'a mut Tables,
    /// Bridges to be added: name, descriptor, code.
    added: Vec<(String, String, Code)>,
    /// What they stand for.
    bridges: Bridges,
}

/// A method's code with what is known of it.
struct Method {
    name: String,
    desc: String,
    code: Code,
    lines: Vec<(u16, u16)>,
}

impl Rewriter<'_> {
    fn run(mut self) -> Result<Vec<u8>, RewriteError> {
        if self.inherited || self.world.is_initialized(&self.name) {
            subst::remove_method(&mut self.class, "<clinit>", "()V");
        }
        self.raise_version();
        for index in 0..self.class.methods.len() {
            let done = if self.inherited && self.is_static_member(index) {
                trap_method(&mut self.class, &self.name, index, self.tables)
                    .map_err(MethodError::from)
            } else {
                self.method(index)
            };
            done.map_err(|error| self.error(index, error))?;
        }
        self.finish().map_err(|source| RewriteError::Code {
            class: self.name.clone(),
            method: String::new(),
            source,
        })
    }

    /// Is the method at `index` the class's own business, and not an observed object's? Bodies of lambdas are the object's also where they
    /// are static. But if the class was recorded as such, calls of these are among what was recorded. What gives the array of JaCoCo's probes is part of
    /// the code that has the probes.
    fn is_static_member(&self, index: usize) -> bool {
        let method = &self.class.methods[index];
        let desc = method.desc(&self.class.pool);
        if desc.is_ok_and(|desc| is_of_coverage(&method_name(&self.class, index), &desc)) {
            return false;
        }
        let universe = self.world.universe;
        let only_inherited = universe
            .class(&self.name)
            .is_some_and(Class::is_only_inherited);
        let of_a_lambda = only_inherited
            && method.access & ACC_SYNTHETIC != 0
            && method.access & ACC_PRIVATE != 0
            && method_name(&self.class, index).starts_with("lambda$");
        method.is_static() && !of_a_lambda
    }

    /// Old interfaces may have no methods with code but their initializer; bridges need a newer version. Straight-line
    /// code is the same in every version, other code needs the stack maps that only versions from 50 on have.
    fn raise_version(&mut self) {
        if !self.interface || self.major >= FIRST_WITH_INTERFACE_CODE {
            return;
        }
        let pool = &self.class.pool;
        let straight = |code: Code| {
            let jumps = |insn: Insn<'_>| !insn.targets().is_empty();
            let insns = jinsi_classfile::insn::decode(&code.bytes);
            code.handlers.is_empty() && insns.is_ok_and(|i| !i.into_iter().any(jumps))
        };
        let all_straight = self
            .class
            .methods
            .iter()
            .filter_map(|m| m.code(pool).ok().flatten())
            .all(straight);
        if self.major >= FIRST_WITH_FRAMES || all_straight {
            self.major = FIRST_WITH_INTERFACE_CODE;
            self.class.major = self.major;
            self.class.minor = 0;
        }
    }

    fn method(&mut self, index: usize) -> Result<(), MethodError> {
        let method = &self.class.methods[index];
        let Some(code) = method.code(&self.class.pool).map_err(CodeError::from)? else {
            return Ok(());
        };
        let method = Method {
            name: method.name(&self.class.pool)?.into_owned(),
            desc: method.desc(&self.class.pool)?.into_owned(),
            lines: code.lines(&self.class.pool),
            code,
        };
        let flow = flow::analyze_code(&self.class, &self.class.methods[index], &method.code)
            .map_err(CodeError::from)?;
        let member = self.member(&method);
        let code = flips::patched(&self.tables.flips, &member, &method.code);
        let mut editor = Editor::new(&code, self.major).map_err(CodeError::from)?;
        let (flips, pool) = (&self.tables.flips, &mut self.class.pool);
        flips::insert(flips, &member, &method.code, &mut editor, pool)?;
        let access = self.class.methods[index].access;
        if let Some(lines) = &mut self.tables.lines {
            let synthetic = access & ACC_SYNTHETIC != 0;
            let pool = &mut self.class.pool;
            lines
                .insert(&self.source, &method.lines, synthetic, &mut editor, pool)
                .map_err(CodeError::from)?;
            lines
                .insert_branches(&method.code.handlers, &mut editor, pool)
                .map_err(CodeError::from)?;
        }
        let insns = editor.insns().to_vec();
        for insn in &insns {
            self.instruction(insn, &method, &flow, &mut editor)?;
        }
        if method.name == "<clinit>" {
            self.announce(&insns, &mut editor)?;
        }
        let guarded = (self.may_be_mocked || self.is_throwable && tells(&method))
            && access & (ACC_STATIC | ACC_PRIVATE) == 0
            && method.name != "<init>";
        let prefix = match guarded {
            true => {
                let (pool, member) = (&mut self.class.pool, member.clone());
                Some(guard::insert(&mut editor, pool, self.tables, member)?)
            }
            false => None,
        };
        if self.tables.threaded && method.name != "<clinit>" {
            self.enter(&mut editor)?;
            self.monitors.method(&mut self.class, index, &mut editor)?;
        }
        let pool = &mut self.class.pool;
        let edited = editor.finish(pool).map_err(CodeError::from)?;
        if let Some(layouts) = &mut self.tables.layouts {
            layouts.0.insert(member, edited.offsets);
        }
        let mut code = edited.code;
        if let (Some(len), true) = (prefix, self.major >= FIRST_WITH_FRAMES) {
            guard::add_frame(&mut code, &mut self.class.pool, len)?;
        }
        self.set_code(index, &code)
    }

    fn member(&self, method: &Method) -> MemberRef {
        MemberRef {
            owner: self.name.as_str().into(),
            name: method.name.as_str().into(),
            desc: method.desc.as_str().into(),
        }
    }

    /// Says that a method begins.
    fn enter(&mut self, editor: &mut Editor<'_>) -> Result<(), MethodError> {
        let mut begins = Asm::new();
        begins.invokestatic(&mut self.class.pool, REPLAY, "enter", "()V");
        Ok(editor.entry(&begins).map_err(CodeError::from)?)
    }

    /// The code of method `index` is to be this.
    fn set_code(&mut self, index: usize, code: &Code) -> Result<(), MethodError> {
        let method = &mut self.class.methods[index];
        if self.tables.threaded {
            method.access &= !ACC_SYNCHRONIZED;
        }
        let set = method.set_code(&mut self.class.pool, code);
        Ok(set.map_err(CodeError::from)?)
    }

    fn instruction(
        &mut self,
        insn: &Insn<'_>,
        method: &Method,
        flow: &Flow,
        editor: &mut Editor<'_>,
    ) -> Result<(), MethodError> {
        if goes_back(insn) {
            let mut count = Asm::new();
            count.invokestatic(&mut self.class.pool, REPLAY, "backEdge", "()V");
            editor
                .before(insn.offset, &count)
                .map_err(CodeError::from)?;
        }
        let code = (&mut self.class.pool, &mut *editor);
        parents::guard(insn, flow, self.world, self.tables, code)?;
        if self.tables.threaded && self.monitors.instruction(insn, &mut self.class, editor)? {
            return Ok(());
        }
        if self.fails_again(insn, method) {
            return Ok(());
        }
        let sites = Sites {
            world: self.world,
            class: &self.name,
            pool: &self.class.pool,
            flow,
        };
        let redirect = sites.redirect(insn).map_err(|error| match error {
            SiteError::Pool(error) => MethodError::from(error),
            SiteError::Unsupported(reason) => MethodError::unsupported(method, insn, reason),
        })?;
        let Some(redirect) = redirect else {
            return Ok(());
        };
        if self.interface && self.major < FIRST_WITH_INTERFACE_CODE {
            let reason = "an old interface cannot have a bridge";
            return Err(MethodError::unsupported(method, insn, reason));
        }
        let call = self.add_bridge(insn, method, &redirect)?;
        let replace = |offset, snippet: &Asm, editor: &mut Editor<'_>| {
            editor.replace(offset, snippet).map_err(CodeError::from)
        };
        replace(insn.offset, &call, editor)?;
        if let Some((new, has_dup)) = redirect.new {
            replace(new, &Asm::nops(1), editor)?;
            if has_dup {
                replace(new + 3, &Asm::nops(1), editor)?;
            }
            editor.remove_new(new).map_err(CodeError::from)?;
        }
        Ok(())
    }

    /// Does it name a class that the program did not have, and fail by itself?
    fn fails_again(&self, insn: &Insn<'_>, method: &Method) -> bool {
        let index = insn.pool_index().unwrap_or_default();
        let missing = &self.world.missing;
        let owner = self.class.pool.member_owner(index);
        owner.is_ok_and(|owner| missing.has(&owner)) && {
            let (name, desc) = (method.name.clone(), method.desc.clone());
            missing.fails_again(&(self.name.clone(), name, desc, insn.offset as u16))
        }
    }

    /// Makes the bridge for a site; the call of it comes back.
    fn add_bridge(
        &mut self,
        insn: &Insn<'_>,
        method: &Method,
        redirect: &Redirect,
    ) -> Result<Asm, CodeError> {
        let no = self.tables.add_bridge(Bridge {
            no: 0,
            op: redirect.op,
            member: MemberRef {
                owner: redirect.owner.as_str().into(),
                name: redirect.name.as_str().into(),
                desc: redirect.desc.as_str().into(),
            },
            class: self.name.clone(),
            method: method.name.clone(),
            desc: method.desc.clone(),
            // Code has less than 65,536 bytes.
            bci: insn.offset as u16,
            line: line_at(&method.lines, insn.offset).unwrap_or(0),
            site: None,
        });
        let asked_if = match redirect.receiver {
            Receiver::MayBeReal => Some(AskedIf::OfReceiver("isMock")),
            Receiver::MayHash => Some(AskedIf::OfReceiver("hasOtherHash")),
            Receiver::MayTell => Some(AskedIf::Recorded),
            Receiver::MayBeAnswered => Some(AskedIf::Constructed(&redirect.owner)),
            Receiver::None | Receiver::AnswersFromRecording => None,
        };
        let original = asked_if.map(|asked_if| Original {
            opcode: insn.opcode,
            index: insn.pool_index().unwrap_or_default(),
            desc: &redirect.desc,
            asked_if,
        });
        let body = Body {
            no,
            access: redirect.access,
            desc: &redirect.bridge_desc,
            receiver: !matches!(redirect.receiver, Receiver::None | Receiver::MayBeAnswered),
            original,
        };
        let code = body.code(&mut self.class.pool, self.major)?;
        let name = format!("{BRIDGE_PREFIX}{no}");
        let desc = &redirect.bridge_desc;
        let pool = &mut self.class.pool;
        let index = pool.add_method_ref(&self.name, &name, desc, self.interface)?;
        let mut call = Asm::new();
        call.invoke(opcode::INVOKESTATIC, index, desc);
        self.bridges.add(index, insn.bytes);
        self.added.push((name, redirect.bridge_desc.clone(), code));
        Ok(call)
    }

    /// Tells the worker when the class initializer begins and ends, on every way out.
    fn announce(&mut self, insns: &[Insn<'_>], editor: &mut Editor<'_>) -> Result<(), CodeError> {
        let pool = &mut self.class.pool;
        let mut begin = Asm::new();
        begin.string(pool, &self.name).invokestatic(
            pool,
            REPLAY,
            "beginClassInit",
            "(Ljava/lang/String;)V",
        );
        editor.entry(&begin)?;
        let mut end = Asm::new();
        end.invokestatic(pool, REPLAY, "endClassInit", "()V");
        for insn in insns.iter().filter(|i| i.opcode == opcode::RETURN) {
            editor.before(insn.offset, &end)?;
        }
        end.op(opcode::ATHROW);
        editor.catch_all(0, &end)?;
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<u8>, CodeError> {
        for (name, desc, code) in std::mem::take(&mut self.added) {
            subst::add_private_static(&mut self.class, &name, &desc, &code)?;
        }
        if self.tables.layouts.is_some() {
            self.bridges.attach(&mut self.class)?;
        }
        Ok(self.class.to_bytes()?)
    }

    fn error(&self, index: usize, error: MethodError) -> RewriteError {
        match error {
            MethodError::Rewrite(source) => RewriteError::Code {
                class: self.name.clone(),
                method: method_name(&self.class, index),
                source,
            },
            MethodError::Unsupported {
                method,
                desc,
                bci,
                reason,
            } => RewriteError::Unsupported {
                class: self.name.clone(),
                method,
                desc,
                bci,
                reason,
            },
        }
    }
}

/// What goes wrong in a method, before the class is named.
enum MethodError {
    Rewrite(CodeError),
    Unsupported {
        method: String,
        desc: String,
        bci: u32,
        reason: &'static str,
    },
}

impl MethodError {
    fn unsupported(method: &Method, insn: &Insn<'_>, reason: &'static str) -> Self {
        MethodError::Unsupported {
            method: method.name.clone(),
            desc: method.desc.clone(),
            bci: insn.offset,
            reason,
        }
    }
}

impl From<CodeError> for MethodError {
    fn from(error: CodeError) -> Self {
        MethodError::Rewrite(error)
    }
}

impl From<PoolError> for MethodError {
    fn from(error: PoolError) -> Self {
        MethodError::Rewrite(error.into())
    }
}

/// Is this class of the JDK's one of those that are thrown?
fn is_throwable(class: &str) -> bool {
    class == "java/lang/Throwable"
        || class.starts_with("java") && (class.ends_with("Exception") || class.ends_with("Error"))
}

/// Does whoever reports a throwable call this? It is asked after the replay has ended, too, when nobody answers for the environment; the
/// guard then has the worker answer from what is stored.
fn tells(method: &Method) -> bool {
    method.desc == "()Ljava/lang/String;"
        && matches!(
            method.name.as_str(),
            "getMessage" | "getLocalizedMessage" | "toString"
        )
}
