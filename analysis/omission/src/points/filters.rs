//! Declared types, and which objects fit them.

use std::collections::HashMap;
use std::rc::Rc;

use jinsi_classfile::bits::Bits;
use jinsi_steps::classes::Hierarchy;
use rustc_hash::FxHashMap;

use super::solver::{ALL, FilterNo, ObjectNo};

/// Number of a class of objects.
pub(super) type ClassNo = u32;

/// What is known of the objects of a filter.
#[derive(Debug, Default)]
struct Mask {
    asked: Bits,
    passing: Bits,
}

/// Filters by class, and the classes of objects.
#[derive(Debug)]
pub(super) struct Filters<'c> {
    hierarchy: &'c Hierarchy<'c>,
    names: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, FilterNo>,
    masks: Vec<Mask>,
    classes: Vec<&'c str>,
    class_numbers: HashMap<&'c str, ClassNo>,
    /// By object: its possible classes; none: nothing is known of it.
    of_objects: Vec<Rc<[ClassNo]>>,
    fits: FxHashMap<(ClassNo, FilterNo), bool>,
}

impl<'c> Filters<'c> {
    pub(super) fn new(hierarchy: &'c Hierarchy<'c>) -> Self {
        Self {
            hierarchy,
            names: Vec::new(),
            numbers: HashMap::new(),
            masks: Vec::new(),
            classes: Vec::new(),
            class_numbers: HashMap::new(),
            of_objects: Vec::new(),
            fits: FxHashMap::default(),
        }
    }

    /// The next object, which is of one of these classes.
    pub(super) fn add_object(&mut self, classes: impl Iterator<Item = &'c str>) {
        let numbers = classes.map(|class| {
            let next = self.classes.len() as ClassNo;
            let no = *self.class_numbers.entry(class).or_insert(next);
            if no == next {
                self.classes.push(class);
            }
            no
        });
        let numbers = numbers.collect();
        self.of_objects.push(numbers);
    }

    /// The possible classes of an object; none: nothing is known of it.
    pub(super) fn classes(&self, object: ObjectNo) -> &Rc<[ClassNo]> {
        &self.of_objects[object as usize]
    }

    /// Name of a class.
    pub(super) fn class(&self, no: ClassNo) -> &'c str {
        self.classes[no as usize]
    }

    /// What lets objects of a class through.
    pub(super) fn of(&mut self, class: &str) -> FilterNo {
        if class == "java/lang/Object" {
            return ALL;
        }
        if let Some(no) = self.numbers.get(class) {
            return *no;
        }
        let class: Rc<str> = class.into();
        let no = self.names.len() as FilterNo;
        self.names.push(Rc::clone(&class));
        self.masks.push(Mask::default());
        self.numbers.insert(class, no);
        no
    }

    /// Those of the objects that pass, and maybe others that do.
    pub(super) fn passing(&mut self, objects: &Bits, filter: FilterNo) -> &Bits {
        let Self {
            hierarchy,
            names,
            masks,
            classes,
            of_objects,
            fits,
            ..
        } = self;
        let wanted = &names[filter as usize];
        let mask = &mut masks[filter as usize];
        let mut unknown = Bits::default();
        if mask.asked.add_new(objects, None, &mut unknown) {
            for object in unknown.iter() {
                let of_object = &of_objects[object as usize];
                let mut fit = of_object.iter().map(|class| {
                    let known = fits.entry((*class, filter));
                    *known.or_insert_with(|| hierarchy.may_be(classes[*class as usize], wanted))
                });
                if of_object.is_empty() || fit.any(|fits| fits) {
                    mask.passing.insert(object);
                }
            }
        }
        &mask.passing
    }

    /// What is known of all filters, for good.
    pub(super) fn into_passing(self) -> Passing {
        let masks = self.masks.into_iter();
        Passing(masks.map(|mask| mask.passing).collect())
    }
}

/// By filter: the objects that were asked about and pass.
#[derive(Debug)]
pub(super) struct Passing(Vec<Bits>);

impl Passing {
    pub(super) fn pass(&self, object: ObjectNo, filter: FilterNo) -> bool {
        filter == ALL || self.0[filter as usize].contains(object)
    }
}
