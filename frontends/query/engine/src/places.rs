//! What rows say of places in the code and of classes: made once, not for each row.

use std::cell::OnceCell;

use jinsi_history::Tables;
use jinsi_trace::model::{ClassNo, EventKind, Site, SiteNo};
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use crate::values::dotted;

/// A place in the code.
#[derive(Debug)]
pub(crate) struct Place {
    /// Class whose code it is.
    pub(crate) class: Option<String>,
    /// `com.foo.Bar.m`, the method whose code it is.
    pub(crate) code: Option<String>,
    /// Source file of that class.
    pub(crate) file: Option<String>,
    /// Class of the member that is called or accessed.
    pub(crate) owner: String,
    /// Source file of that class.
    pub(crate) owner_file: Option<String>,
    /// Class that declares the field.
    pub(crate) declaring: String,
}

/// All places and classes of a run.
#[derive(Debug)]
pub(crate) struct Places<'t> {
    trace: &'t Trace,
    tables: Tables,
    places: FxHashMap<SiteNo, OnceCell<Place>>,
    classes: FxHashMap<ClassNo, OnceCell<String>>,
    kinds: Vec<String>,
}

impl<'t> Places<'t> {
    pub(crate) fn new(trace: &'t Trace, tables: Tables) -> Self {
        let last = EventKind::ALL.iter().map(|kind| *kind as usize).max();
        let mut kinds = vec![String::new(); last.map_or(0, |last| last + 1)];
        for kind in EventKind::ALL {
            kinds[kind as usize] = format!("{kind:?}");
        }
        let sites = trace.sites().iter();
        let classes = trace.classes().iter();
        Self {
            trace,
            tables,
            places: sites.map(|site| (site.no, OnceCell::new())).collect(),
            classes: classes.map(|class| (class.no, OnceCell::new())).collect(),
            kinds,
        }
    }

    /// Name of a kind of event.
    pub(crate) fn kind(&self, kind: EventKind) -> &str {
        &self.kinds[kind as usize]
    }

    /// Name of a class, as in Java.
    pub(crate) fn class(&self, no: ClassNo) -> Option<&str> {
        let name = self.classes.get(&no)?;
        let class = self.trace.class(no)?;
        Some(name.get_or_init(|| dotted(&class.name)))
    }

    /// A site of the trace.
    pub(crate) fn site(&self, no: SiteNo) -> Option<(&'t Site, &Place)> {
        let place = self.places.get(&no)?;
        let site = self.trace.site(no)?;
        Some((site, place.get_or_init(|| self.place(site))))
    }

    fn place(&self, site: &Site) -> Place {
        let trace = self.trace;
        let internal = trace.class(site.class).map(|class| class.name.as_str());
        let class = internal.map(dotted);
        let file = |internal: &str| trace.class_by_name(internal)?.source_file.clone();
        Place {
            code: class
                .as_ref()
                .map(|class| format!("{class}.{}", site.method)),
            file: internal.and_then(file),
            class,
            owner: dotted(&site.target.owner),
            owner_file: file(&site.target.owner),
            declaring: dotted(&self.tables.declaring_class(&site.target)),
        }
    }
}
