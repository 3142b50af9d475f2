//! The cause-effect chain of a failure that does not crash: from the wrong output or value back to where the state first goes wrong
//! (Burger 2011, Algorithm 5, repaired: the old predicate stays until a new one is found, and the first object is minimized alone, too).
//!
//! The window of observed classes begins with the one that shows the failure, and grows along the object dependences, nearest first, until in a minimal
//! run a *new* object has another state than in a passing neighbour of that run. What differs becomes a predicate on that object, which takes the place of
//! the failure, and the window shrinks to its class.

pub mod literal;
pub mod objects;
pub mod state;
