//! The fields that the recorded code names.

use std::collections::{HashMap, HashSet};

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{MemberRef, SiteNo};
use jinsi_trace::reader::Trace;

jinsi_trace::number! {
    /// Number of a field, the same for all names under which it can be accessed.
    pub struct FieldNo;
}

/// Numbers of fields.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// By owner, name and descriptor as an instruction has them.
    named: HashMap<(String, String, String), FieldNo>,
    /// By the class that declares it.
    declared: HashMap<(String, String, String), FieldNo>,
    names: Vec<String>,
    descs: Vec<String>,
    /// By site; `None` where nobody has asked yet.
    by_site: Vec<Option<FieldNo>>,
}

impl Fields {
    /// The field that is accessed at a site; `None` if there is no such site.
    pub(super) fn at(&mut self, trace: &Trace, site: SiteNo) -> Option<FieldNo> {
        let at = site.get() as usize;
        if let Some(Some(no)) = self.by_site.get(at) {
            return Some(*no);
        }
        let no = self.number(trace, &trace.site(site)?.target);
        if self.by_site.len() <= at {
            self.by_site.resize(at + 1, None);
        }
        self.by_site[at] = Some(no);
        Some(no)
    }

    /// Name of a field.
    pub(super) fn name(&self, no: FieldNo) -> &str {
        self.names.get(no.index()).map_or("", String::as_str)
    }

    /// Descriptor of a field.
    pub(super) fn desc(&self, no: FieldNo) -> &str {
        self.descs.get(no.index()).map_or("", String::as_str)
    }

    /// The field that an instruction or site names so.
    pub(super) fn number(&mut self, trace: &Trace, member: &MemberRef) -> FieldNo {
        let key = |owner: &str| {
            let [name, desc] = [&member.name, &member.desc].map(|text| text.to_string());
            (owner.to_owned(), name, desc)
        };
        let named = key(&member.owner);
        if let Some(&no) = self.named.get(&named) {
            return no;
        }
        let declared = key(&declaring(trace, member));
        let next = FieldNo::from_index(self.names.len());
        let no = *self.declared.entry(declared).or_insert(next);
        if no == next {
            self.names.push(member.name.to_string());
            self.descs.push(member.desc.to_string());
        }
        self.named.insert(named, no);
        no
    }
}

/// The class that declares the field: the nearest above the named one, as far as the trace has them. An interface may declare a static one.
fn declaring(trace: &Trace, member: &MemberRef) -> String {
    let mut pending = vec![member.owner.to_string()];
    let mut seen = HashSet::new();
    while let Some(name) = pending.pop() {
        let Some(class) = trace
            .class_by_name(&name)
            .filter(|_| seen.insert(name.clone()))
        else {
            continue;
        };
        if let Ok(file) = ClassFile::parse(&class.bytes)
            && file.fields.iter().any(|field| {
                field.name(&file.pool).is_ok_and(|n| n == member.name)
                    && field.desc(&file.pool).is_ok_and(|d| d == member.desc)
            })
        {
            return name;
        }
        // Superinterfaces are looked at first (JVMS §5.4.3.2).
        pending.extend(class.super_name.clone());
        pending.extend(class.interfaces.iter().cloned());
    }
    member.owner.to_string()
}
