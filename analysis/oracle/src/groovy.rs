//! Methods that Groovy's compiler and Spock's put between the code and what it calls.

use jinsi_trace::model::MemberRef;

/// Records the parts of a condition for its error.
pub(crate) const RECORDER: &str = "org/spockframework/runtime/ValueRecorder";
/// Operators of Groovy's.
pub(crate) const GROOVY: &str = "org/codehaus/groovy/runtime/ScriptBytecodeAdapter";
/// Calls by `invokedynamic`.
pub(crate) const INDY: &str = "org/codehaus/groovy/vmplugin/v8/IndyInterface";

/// Does a call of the method only hand on what it is given?
pub(crate) fn hands_on(member: &MemberRef) -> bool {
    member.owner == RECORDER || member.owner == INDY && member.name == "cast"
}

/// May the method call another one, which it is given?
pub(crate) fn calls_on(member: &MemberRef) -> bool {
    member.owner == INDY && member.name != "cast"
        || member.owner == GROOVY && member.name.starts_with("invoke")
}
