//! Puts the probes into an observed class: bytes of a class in, bytes and the sites of its events out. Knows no JVM.
//!
//! Probes are calls of static methods of `java.lang.JinsiProbe`; inserted code is straight-line and leaves the operand stack as it
//! was. Values below the top of the stack are reached by way of fresh locals.

mod accesses;
mod boundary;
mod calls;
mod context;
mod coverage;
mod emitter;
mod engines;
mod events;
mod given;
mod hidden;
mod identity;
mod inherited;
mod method;
mod names;
mod naturals;
mod order;
mod outcome;
mod outside;
mod paths;
mod per_constant;
mod quiet;
mod redact;
mod references;
mod refs;
mod run;
mod runs;
pub mod selection;
mod sites;
mod traces;
mod ways;

pub use context::ProbeSet;
pub use coverage::without_coverage;
pub use engines::{is_engine, watch_engine};
pub use hidden::{hide_frames, hide_members};
pub use identity::FIELD as IDENTITY;
pub use identity::{add_field, carry, watch_deserialization};
pub use naturals::natural_classes;
pub use order::quiet_jdk;
pub use outcome::{InstrumentError, Instrumented};
pub use outside::{instrument_outside, watch_fields};
pub use references::leading_out;
pub use traces::{hide_frames_of_probes, watch_made};

use jinsi_classfile::ACC_MODULE;
use jinsi_classfile::bridges::BRIDGE_PREFIX;
use jinsi_classfile::class::ClassFile;
use jinsi_classfile::code::Code;
use jinsi_classfile::pool::ConstantPool;
use jinsi_trace::model::{ClassNo, Site, SiteNo};

use context::Context;
use method::Done;
use refs::ProbeRefs;
use selection::Selection;

/// Rewrites a class as its `probe_set` has it. `next_site` gives a number that no other site has.
///
/// # Errors
/// The class is malformed, or has no room for probes; the original bytes must be used then.
pub fn instrument(
    class_no: ClassNo,
    probe_set: ProbeSet,
    bytes: &[u8],
    selection: &Selection,
    next_site: &mut dyn FnMut() -> SiteNo,
) -> Result<Instrumented, InstrumentError> {
    let class = ClassFile::parse(bytes)?;
    instrument_class(class_no, probe_set, class, selection, next_site)
}

/// [`instrument`] for a class file that is parsed already.
///
/// # Errors
/// As there.
pub fn instrument_class(
    class_no: ClassNo,
    probe_set: ProbeSet,
    mut class: ClassFile,
    selection: &Selection,
    next_site: &mut dyn FnMut() -> SiteNo,
) -> Result<Instrumented, InstrumentError> {
    let mut context = Context::new(class_no, probe_set, &class, selection)?;
    let (done, pool) = loop {
        let mut attempt = Attempt::default();
        let pool = attempt.probe_methods(&context, next_site)?;
        // A method without probes tells nothing: calls of it have to. Those before it in the class did not know.
        let mut news = false;
        for index in &attempt.without {
            news |= context.forget(*index)?;
        }
        if !news {
            break (attempt, pool);
        }
    };
    class.pool = pool;
    for (index, code) in done.codes {
        class.methods[index].set_code(&mut class.pool, &code)?;
    }
    if probe_set == ProbeSet::Observed {
        identity::add_field(&mut class, selection)?;
    }
    Ok(Instrumented {
        bytes: class.to_bytes()?,
        sites: done.sites,
        thinned: done.thinned,
        left_out: done.left_out,
    })
}

/// The methods of a class with their probes.
#[derive(Default)]
struct Attempt {
    /// New code by index of the method.
    codes: Vec<(usize, Code)>,
    sites: Vec<Site>,
    thinned: Vec<String>,
    left_out: Vec<String>,
    /// Indices of the methods left out.
    without: Vec<usize>,
}

impl Attempt {
    /// Rewrites all methods; the constant pool with what they need.
    fn probe_methods(
        &mut self,
        context: &Context<'_>,
        next_site: &mut dyn FnMut() -> SiteNo,
    ) -> Result<ConstantPool, InstrumentError> {
        let class = context.class;
        let mut pool = class.pool.clone();
        let mut refs = ProbeRefs::new(context.probes());
        if class.access & ACC_MODULE != 0 {
            return Ok(pool);
        }
        for (index, member) in class.methods.iter().enumerate() {
            if context.probe_set == ProbeSet::Inherited && member.is_static() {
                continue;
            }
            let Some(code) = member.code(&class.pool)? else {
                continue;
            };
            let name = member.name(&class.pool)?;
            if !context.bridges.is_empty() && name.starts_with(BRIDGE_PREFIX) {
                continue;
            }
            if coverage::is_init(&name, &member.desc(&class.pool)?) {
                self.without.push(index);
                continue;
            }
            let done = method::probe(context, member, &code, &mut pool, &mut refs, next_site)
                .map_err(|source| InstrumentError::Method {
                    method: name.clone().into_owned(),
                    source: Box::new(source),
                })?;
            match done {
                Done::Probed(probed) => {
                    self.sites.extend(probed.sites);
                    let thinned = probed.thinned.map(|what| format!("{name}: {what}"));
                    self.thinned.extend(thinned);
                    self.codes.push((index, probed.code));
                }
                Done::LeftOut(why) => {
                    self.left_out.push(format!("{name}: {why}"));
                    self.without.push(index);
                }
            }
        }
        Ok(pool)
    }
}

/// Inserts `JinsiProbe.uncaught(e)` at the start of `Thread.dispatchUncaughtException(Throwable)`.
///
/// # Errors
/// The class is malformed or has no such method.
pub fn watch_uncaught(bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(bytes)?;
    let Some(index) = class.find_method("dispatchUncaughtException", "(Ljava/lang/Throwable;)V")
    else {
        return Ok(None);
    };
    let Some(code) = class.methods[index].code(&class.pool)? else {
        return Ok(None);
    };
    let code = method::call_at_entry(&code, class.major, &mut class.pool)?;
    let pool = &mut class.pool;
    class.methods[index].set_code(pool, &code)?;
    Ok(Some(class.to_bytes()?))
}
