//! Activations, and where they are in the source.

use std::rc::Rc;

use jinsi_answers::dotted;
use jinsi_inspect::Frame;
use serde_json::{Value, json};

use super::{FrameAt, Session};
use crate::arguments::{Locations, OfFrame, StackTrace};
use crate::error::DapError;

/// Frames in an answer at most.
const FRAMES: usize = 1000;

impl Session<'_, '_> {
    pub(super) fn stack_trace(&mut self, asked: &StackTrace) -> Result<Value, DapError> {
        let moment = self.now_of(asked.thread_id)?;
        let state = self.inspector.state(moment)?;
        let total = state.frames.len();
        let start = asked.start_frame.unwrap_or(0);
        let levels = match asked.levels {
            None | Some(0) => FRAMES,
            Some(levels) => levels.min(FRAMES),
        };
        let frames = state.frames.into_iter().enumerate();
        let frames = frames.skip(start).take(levels).map(|(depth, frame)| {
            let source = self.source(&frame.method.owner, frame.file.as_deref());
            let name = format!("{}.{}", simple(&frame.method.owner), frame.method.name);
            let line = frame.line;
            let known = source["path"].is_string();
            let id = self.frames.add(Rc::new(FrameAt {
                moment,
                depth,
                frame,
            }));
            let mut reported = json!({
                "id": id,
                "name": name,
                "line": line,
                "column": if line == 0 { 0 } else { 1 },
                "presentationHint": if known { "normal" } else { "subtle" },
                "canRestart": true,
            });
            if !source.is_null() {
                reported["source"] = source;
            }
            reported
        });
        let frames: Vec<Value> = frames.collect();
        Ok(json!({ "stackFrames": frames, "totalFrames": total }))
    }

    /// The file of a class, with its path if it is found.
    pub(super) fn source(&self, class: &str, file: Option<&str>) -> Value {
        let Some(file) = file else {
            return Value::Null;
        };
        let of = self.inspector.trace().class_by_name(class);
        let code = of.map_or(&[][..], |of| &of.bytes);
        let path = self.sources.find(class, file, code);
        let path = path.and_then(|path| std::path::absolute(path).ok());
        match path {
            Some(path) => json!({ "name": file, "path": path.display().to_string() }),
            None => json!({ "name": file }),
        }
    }

    pub(super) fn frame(&self, id: i64) -> Result<Rc<FrameAt>, DapError> {
        self.frames.get(id).cloned()
    }

    /// The frame that an expression is about: the innermost of the thread that was moved last, if none is named.
    pub(super) fn frame_or_now(&mut self, id: Option<i64>) -> Result<Rc<FrameAt>, DapError> {
        if let Some(id) = id {
            return self.frame(id);
        }
        let state = self.inspector.state(self.now)?;
        let frame: Option<Frame> = state.frames.into_iter().next();
        Ok(Rc::new(FrameAt {
            moment: self.now,
            depth: 0,
            frame: frame.ok_or(DapError::NoFrame)?,
        }))
    }

    pub(super) fn locations(&self, asked: &Locations) -> Result<Value, DapError> {
        self.places.get(asked.location_reference).cloned()
    }

    pub(super) fn restart_frame(&mut self, asked: &OfFrame) -> Result<Value, DapError> {
        let frame = self.frame(asked.frame_id)?;
        let begin = jinsi_inspect::Moment::after(frame.frame.activation);
        let begin = self.inspector.state(begin)?.moment;
        self.arrive(begin, "restart", Some("where this call began"));
        Ok(Value::Null)
    }
}

/// A class without its package.
fn simple(class: &str) -> String {
    let dotted = dotted(class);
    dotted.rsplit('.').next().unwrap_or(&dotted).to_owned()
}
