//! Where it was thrown: the program's own frames; those of the JDK and of test engines are folded away.

use jinsi_level::program::is_the_programs;

use super::super::json::StackFrame;
use super::{Page, Report, breakable, counted};

impl Page {
    pub(super) fn stack(&mut self, report: &Report) {
        let stack = report.failure.stack.as_slice();
        if stack.is_empty() {
            return;
        }
        self.raw("<h2>Where it was thrown</h2>\n<div class=\"card\">\n");
        let is_own = |frame: &StackFrame| frame.level.is_some() || is_the_programs(&frame.text);
        let mut level = None;
        for run in stack.chunk_by(|a, b| is_own(a) == is_own(b)) {
            if is_own(&run[0]) {
                self.frames(run, &mut level);
                continue;
            }
            self.line(format_args!(
                "<details class=\"folded\"><summary>{} of the JDK or of test engines</summary>",
                counted(run.len() as u64, "frame")
            ));
            self.frames(run, &mut level);
            self.raw("</details>\n");
        }
        self.raw("</div>\n");
    }

    /// `level`: that of the frame before.
    fn frames(&mut self, frames: &[StackFrame], level: &mut Option<u32>) {
        self.raw("<ol class=\"stack mono\">\n");
        for frame in frames {
            let mark = match frame.level {
                Some(n) if *level != frame.level => {
                    format!("<a class=\"badge\" href=\"#level-{n}\">level {n}</a>")
                }
                _ => String::new(),
            };
            *level = frame.level;
            let dim = match frame.level {
                None => " class=\"dim\"",
                Some(_) => "",
            };
            let text = breakable(&frame.text);
            self.line(format_args!(
                "<li><span class=\"mark\">{mark}</span><span{dim}>{text}</span></li>"
            ));
        }
        self.raw("</ol>\n");
    }
}
