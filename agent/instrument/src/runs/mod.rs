//! Several accesses to arrays, and the end of a path, in one event (`detail=instructions`).
//!
//! A *run* is a stretch of a basic block that accesses nothing but elements of primitive arrays, and in which nothing runs that could make
//! events of its own. The operands of its accesses are gathered in fresh locals, as words. Behind the last access they become one event
//! ([`jinsi_trace::model::EventKind::Run`]). A word that follows from others is left out: an array or an index that comes from the same
//! local variable, or from an index to which a constant was added. The site says which access has which words.
//!
//! If a local variable is the same array all through a loop, its word is found once, where the variable is assigned.
//!
//! The locals exist in the whole method. So if an exception ends a run, the handler writes the events of the accesses that were done, one by
//! one. The table that says which these are is a constant of the class (`JinsiGather.interrupted`).

mod find;
mod held;
mod tell;
