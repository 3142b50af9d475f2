//! Checks that what goes wrong does no harm: programs that are killed while they record ([`kill`]), traces with turned bits ([`flips`]),
//! programs that do harm, of which nothing may be done again ([`harm`]).

pub mod flips;
pub mod harm;
pub mod kill;
