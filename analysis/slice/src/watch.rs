//! Instructions that a slicer looks out for.

use jinsi_steps::code::{MethodNo, Program};

/// Instructions that a slicer looks out for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// By method and instruction.
    lines: Vec<Vec<bool>>,
    /// The number of the oldest occurrence of one of them in the slice.
    pub(super) oldest: Option<u64>,
    /// The occurrence of this number is looked out for, and whether it is in the slice.
    occurrence: Option<u64>,
    pub(super) is_in: bool,
    pub(super) statements: u64,
    /// Depth, line and index of the instruction that was last in the slice.
    last: (usize, u16, usize),
}

impl Watch {
    /// The occurrence of this number.
    pub(super) fn occurrence(no: u64) -> Self {
        Self {
            occurrence: Some(no),
            ..Self::default()
        }
    }

    /// The instructions of these lines, `File.java:LINE`.
    pub(super) fn lines(program: &Program, repaired: &[String]) -> Self {
        let of_method = program.methods().iter().map(|method| {
            let file = method.file.as_deref().unwrap_or_default();
            let instructions = method.body.iter().flat_map(|body| &body.instructions);
            let is_one = |line: u16| line != 0 && repaired.contains(&format!("{file}:{line}"));
            instructions.map(|one| is_one(one.line)).collect()
        });
        Self {
            lines: of_method.collect(),
            ..Self::default()
        }
    }

    /// Is it one of the instructions?
    pub(super) fn is_at(&self, method: MethodNo, at: usize) -> bool {
        let of_method = self.lines.get(method.index());
        of_method.and_then(|lines| lines.get(at)).copied() == Some(true)
    }

    /// An occurrence is in the slice.
    pub(crate) fn include(&mut self, method: MethodNo, at: usize, line: u16, place: (u64, usize)) {
        let (clock, depth) = place;
        if self.is_at(method, at) {
            self.oldest = Some(clock);
        }
        self.is_in |= self.occurrence == Some(clock);
        let (last_depth, last_line, last_at) = self.last;
        let goes_on = last_depth == depth && last_line == line && at < last_at;
        self.statements += u64::from(!goes_on);
        self.last = (depth, line, at);
    }
}
