//! The bytes of a grammar.
//!
//! All numbers are LEB128 varints (seven bits a byte, low bits first), in their shortest form:
//!
//! ```text
//! size of the alphabet, then its symbols rising: the first, then each as distance to the one before, less one
//! number of rules behind the start rule
//! for each rule, the start rule first: number of nodes, then for each node
//!     code << 1          run-length 1
//!     code << 1 | 1, n   run-length n + 2
//! ```
//!
//! with `code` = place in the alphabet `<< 1`, or `distance << 1 | 1` for the rule that many numbers behind the next one. So a
//! rule can only reference later rules, and a cycle cannot be written down.

use super::symbol::{MAX_SYMBOLS, Sym};
use super::{Grammar, Node};
use crate::varint::{self, VarintError, write};

/// Why bytes are not a grammar. Offsets count from the grammar's first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GrammarError {
    /// The bytes end within the grammar.
    #[error("the grammar is cut off after {at} bytes")]
    Truncated {
        /// How many bytes there were.
        at: usize,
    },
    /// A number does not fit 64 bits, or is not in its shortest form.
    #[error("malformed number at byte {at} of the grammar")]
    Number {
        /// Where the number begins.
        at: usize,
    },
    /// A count is larger than the rest of the bytes could hold.
    #[error("impossible count {count} at byte {at} of the grammar")]
    Count {
        /// The count read.
        count: u64,
        /// Where it begins.
        at: usize,
    },
    /// The alphabet is not a rising sequence of 64-bit symbols.
    #[error("alphabet of the grammar overflows at byte {at}")]
    Alphabet {
        /// Where the symbol begins.
        at: usize,
    },
    /// A node names a rule or a terminal that does not exist.
    #[error("reference to a missing symbol at byte {at} of the grammar")]
    Reference {
        /// Where the node begins.
        at: usize,
    },
    /// A rule stands for fewer than two symbols or nodes. The builder makes no such rule, and rows of them would make
    /// walking slow.
    #[error("rule {rule} of the grammar stands for nothing")]
    Useless {
        /// The rule.
        rule: usize,
    },
    /// The sequence is longer than the caller allows.
    #[error("the grammar unfolds to more than {limit} symbols")]
    TooLong {
        /// The caller's limit.
        limit: u64,
    },
}

impl Grammar {
    /// Appends the serialized grammar to `out`.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        write(out, self.alphabet.len() as u64);
        let mut least = 0;
        for &symbol in &self.alphabet {
            write(out, symbol - least);
            least = symbol.wrapping_add(1);
        }
        write(out, self.ends.len() as u64 - 1);
        for rule in 0..self.ends.len() {
            let nodes = &self.nodes[self.right_side(rule)];
            write(out, nodes.len() as u64);
            for node in nodes {
                let code = match node.sym.is_rule() {
                    true => (node.sym.index() - rule - 1) << 1 | 1,
                    false => node.sym.index() << 1,
                };
                write(out, (code as u64) << 1 | u64::from(node.run > 1));
                if node.run > 1 {
                    write(out, node.run - 2);
                }
            }
        }
    }

    /// Reads a grammar from the beginning of `bytes`; what follows it is left alone. Returns it with the number of bytes it
    /// took. Total on every input: memory is at most 40 bytes a byte read, and 40 bytes for each of `max_len`; time is
    /// linear in the bytes, however long the sequence is.
    ///
    /// # Errors
    /// [`GrammarError`] if the bytes are no grammar, or unfold to more than `max_len` symbols.
    pub fn read_from(bytes: &[u8], max_len: u64) -> Result<(Self, usize), GrammarError> {
        let mut reader = Reader {
            bytes,
            at: 0,
            max_len,
        };
        let alphabet = reader.alphabet()?;
        let rules = reader.count()?;
        let rules = reader.within(rules)?.saturating_add(1);
        let mut grammar = Grammar {
            alphabet,
            nodes: Vec::new(),
            ends: Vec::new(),
            len: 0,
        };
        for rule in 0..rules {
            reader.right_side(&mut grammar, rule, rules)?;
        }
        grammar.len = grammar
            .expanded_len(max_len)
            .ok_or(GrammarError::TooLong { limit: max_len })?;
        Ok((grammar, reader.at))
    }
}

/// Takes the parts of a grammar off the front of some bytes.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    max_len: u64,
}

impl Reader<'_> {
    fn alphabet(&mut self) -> Result<Vec<u64>, GrammarError> {
        let size = self.count()?;
        let size = self.within(size)?;
        let mut alphabet = Vec::with_capacity(size);
        let mut least = Some(0u64);
        for _ in 0..size {
            let at = self.at;
            let distance = self.number()?;
            let symbol = least
                .and_then(|least| least.checked_add(distance))
                .ok_or(GrammarError::Alphabet { at })?;
            alphabet.push(symbol);
            least = symbol.checked_add(1);
        }
        Ok(alphabet)
    }

    /// Reads the right side of `rule`, one of `rules`, to the end of `grammar`.
    fn right_side(
        &mut self,
        grammar: &mut Grammar,
        rule: usize,
        rules: usize,
    ) -> Result<(), GrammarError> {
        let at = self.at;
        let count = self.count()?;
        if grammar.nodes.len() + count > MAX_SYMBOLS {
            return Err(GrammarError::Count {
                count: count as u64,
                at,
            });
        }
        self.within(grammar.nodes.len() + count)?;
        for _ in 0..count {
            let node = self.node(grammar.alphabet.len(), rule, rules)?;
            if rule > 0 && count == 1 && node.run == 1 {
                return Err(GrammarError::Useless { rule });
            }
            grammar.nodes.push(node);
        }
        if rule > 0 && count == 0 {
            return Err(GrammarError::Useless { rule });
        }
        grammar.ends.push(grammar.nodes.len() as u32);
        Ok(())
    }

    fn node(&mut self, terminals: usize, rule: usize, rules: usize) -> Result<Node, GrammarError> {
        let at = self.at;
        let word = self.number()?;
        let (repeated, is_rule, index) = (word & 1 == 1, word & 2 == 2, word >> 2);
        let (index, limit) = match is_rule {
            true => (index + rule as u64 + 1, rules),
            false => (index, terminals),
        };
        if index >= limit as u64 {
            return Err(GrammarError::Reference { at });
        }
        let sym = if is_rule {
            Sym::rule(index as u32)
        } else {
            Sym::terminal(index as u32)
        };
        let at = self.at;
        let run = match repeated {
            true => self
                .number()?
                .checked_add(2)
                .ok_or(GrammarError::Number { at })?,
            false => 1,
        };
        Ok(Node { sym, run })
    }

    /// A number of symbols, rules or nodes; no grammar has more of them than its sequence is long.
    fn within(&self, count: usize) -> Result<usize, GrammarError> {
        let limit = self.max_len;
        match count as u64 <= limit {
            true => Ok(count),
            false => Err(GrammarError::TooLong { limit }),
        }
    }

    /// A number of things of at least one byte each, which must fit the rest of the bytes and the numbering of symbols.
    fn count(&mut self) -> Result<usize, GrammarError> {
        let at = self.at;
        let count = self.number()?;
        let most = (self.bytes.len() - self.at).min(MAX_SYMBOLS - 1);
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= most)
            .ok_or(GrammarError::Count { count, at })
    }

    fn number(&mut self) -> Result<u64, GrammarError> {
        let at = self.at;
        let rest = &self.bytes[at..];
        match varint::read(rest) {
            Ok((value, size)) if size == 1 || rest[size - 1] != 0 => {
                self.at += size;
                Ok(value)
            }
            Err(VarintError::Cut) => Err(GrammarError::Truncated {
                at: self.bytes.len(),
            }),
            _ => Err(GrammarError::Number { at }),
        }
    }
}
