//! What a query wants of a table, as far as is known before a row is made.

use std::collections::BTreeMap;

use datafusion::logical_expr::{Between, BinaryExpr, Expr, Operator};
use datafusion::scalar::ScalarValue;

use crate::cell::Cell;
use crate::schema::Table;

/// Bounds of columns. A row that lies outside of one is not wanted; one that lies within may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    numbers: BTreeMap<String, Bounds>,
    texts: BTreeMap<String, String>,
}

/// Which numbers of a column are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The least and the greatest; none if the one is greater than the other.
    pub(crate) low: i64,
    pub(crate) high: i64,
    /// And NULL?
    pub(crate) or_null: bool,
}

impl Bounds {
    const ALL: Bounds = Bounds {
        low: i64::MIN,
        high: i64::MAX,
        or_null: true,
    };
    const NULL: Bounds = Bounds {
        low: i64::MAX,
        high: i64::MIN,
        or_null: true,
    };

    fn both(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            or_null: self.or_null && other.or_null,
        }
    }

    fn either(self, other: Bounds) -> Bounds {
        let or_null = self.or_null || other.or_null;
        let (low, high) = match (self.low > self.high, other.low > other.high) {
            (true, _) => (other.low, other.high),
            (_, true) => (self.low, self.high),
            _ => (self.low.min(other.low), self.high.max(other.high)),
        };
        Bounds { low, high, or_null }
    }
}

impl Wanted {
    /// By the conditions of a query, all of which must hold.
    pub(crate) fn new(filters: &[Expr]) -> Self {
        let mut wanted = Self::default();
        filters.iter().for_each(|filter| _ = wanted.add(filter));
        wanted
    }

    /// Does this condition say something?
    pub(crate) fn knows(filter: &Expr) -> bool {
        Self::default().add(filter)
    }

    fn add(&mut self, filter: &Expr) -> bool {
        match filter {
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
                Operator::And => {
                    let one = self.add(left);
                    self.add(right) || one
                }
                Operator::Or => self.add_either(left, right),
                _ => match (literal(left), literal(right)) {
                    (None, Some(value)) => self.compare(left, *op, &value),
                    (Some(value), None) => match op.swap() {
                        Some(op) => self.compare(right, op, &value),
                        None => false,
                    },
                    _ => false,
                },
            },
            Expr::Between(Between {
                expr,
                negated: false,
                low,
                high,
            }) => match (literal(low), literal(high)) {
                (Some(low), Some(high)) => {
                    let one = self.compare(expr, Operator::GtEq, &low);
                    self.compare(expr, Operator::LtEq, &high) || one
                }
                _ => false,
            },
            Expr::IsNull(expr) => match expr.as_ref() {
                Expr::Column(column) => {
                    self.bound(&column.name, Bounds::NULL);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// One of two conditions: what both bound is bounded.
    fn add_either(&mut self, one: &Expr, other: &Expr) -> bool {
        let (mut left, mut right) = (Self::default(), Self::default());
        if !(left.add(one) && right.add(other)) {
            return false;
        }
        let mut is_known = false;
        for (name, bounds) in &left.numbers {
            if let Some(others) = right.numbers.get(name) {
                self.bound(name, bounds.either(*others));
                is_known = true;
            }
        }
        is_known
    }

    fn bound(&mut self, column: &str, bounds: Bounds) {
        let known = self.numbers.entry(column.to_owned());
        let known = known.or_insert(Bounds::ALL);
        *known = known.both(bounds);
    }

    fn compare(&mut self, column: &Expr, op: Operator, value: &Cell<'_>) -> bool {
        let Expr::Column(column) = column else {
            return false;
        };
        let name = column.name.clone();
        match value {
            Cell::Int(value) => {
                let (low, high) = match op {
                    Operator::Eq => (*value, *value),
                    Operator::Lt => (i64::MIN, value.saturating_sub(1)),
                    Operator::LtEq => (i64::MIN, *value),
                    Operator::Gt => (value.saturating_add(1), i64::MAX),
                    Operator::GtEq => (*value, i64::MAX),
                    _ => return false,
                };
                let or_null = false;
                self.bound(&name, Bounds { low, high, or_null });
                true
            }
            Cell::Text(value) if op == Operator::Eq => {
                self.texts.insert(name, value.clone().into_owned());
                true
            }
            _ => false,
        }
    }

    /// Is there a bound of the column?
    pub(crate) fn is_about(&self, column: &str) -> bool {
        self.numbers.contains_key(column) || self.texts.contains_key(column)
    }

    /// The bounds of a column of numbers.
    pub(crate) fn bounds(&self, column: &str) -> Bounds {
        let known = self.numbers.get(column).copied();
        known.unwrap_or(Bounds::ALL)
    }

    /// May a row with this number be wanted?
    pub(crate) fn has(&self, column: &str, number: i64) -> bool {
        let Bounds { low, high, .. } = self.bounds(column);
        low <= number && number <= high
    }

    /// May a row with this text be wanted?
    pub(crate) fn has_text(&self, column: &str, text: &str) -> bool {
        self.texts.get(column).is_none_or(|wanted| wanted == text)
    }

    /// May the row be wanted?
    pub(crate) fn admits(&self, table: Table, cells: &[Cell<'_>]) -> bool {
        let cell = |name: &str| table.column(name).and_then(|at| cells.get(at));
        let number = |(name, bounds): (&String, &Bounds)| match cell(name) {
            Some(Cell::Int(value)) => bounds.low <= *value && *value <= bounds.high,
            Some(Cell::Null) => bounds.or_null,
            _ => true,
        };
        let text = |(name, wanted): (&String, &String)| match cell(name) {
            Some(Cell::Text(value)) => value == wanted,
            Some(Cell::Null) => false,
            _ => true,
        };
        self.numbers.iter().all(number) && self.texts.iter().all(text)
    }
}

fn literal(expr: &Expr) -> Option<Cell<'static>> {
    let Expr::Literal(value, ..) = expr else {
        return None;
    };
    Some(match value {
        ScalarValue::Int64(Some(value)) => Cell::Int(*value),
        ScalarValue::Int32(Some(value)) => Cell::Int((*value).into()),
        ScalarValue::UInt32(Some(value)) => Cell::Int((*value).into()),
        ScalarValue::Utf8(Some(value))
        | ScalarValue::Utf8View(Some(value))
        | ScalarValue::LargeUtf8(Some(value)) => Cell::Text(value.clone().into()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::{col, lit};

    use super::*;

    #[test]
    fn conditions_become_bounds() {
        let wanted = Wanted::new(&[
            col("thread").eq(lit(3i64)),
            lit(10i64)
                .lt(col("moment"))
                .and(col("moment").lt_eq(lit(20i64))),
            col("class").eq(lit("a.B")),
            col("line").gt(lit(5i64)).or(col("line").lt(lit(2i64))),
        ]);
        let range = |column| {
            let Bounds { low, high, or_null } = wanted.bounds(column);
            (low, high, or_null)
        };
        assert_eq!(range("thread"), (3, 3, false));
        assert_eq!(range("moment"), (11, 20, false));
        assert!(wanted.has("line", 3) && !wanted.has("moment", 10));
        assert!(wanted.has_text("class", "a.B") && !wanted.has_text("class", "a.C"));
    }

    #[test]
    fn one_of_two_conditions_bounds_what_both_bound() {
        let open = col("ended").is_null().or(col("ended").gt(lit(7i64)));
        let wanted = Wanted::new(&[open, col("call").lt(lit(7i64))]);
        let (low, high, or_null) = (8, i64::MAX, true);
        assert_eq!(wanted.bounds("ended"), Bounds { low, high, or_null });
        assert!(!wanted.bounds("call").or_null);
        let other = col("ended").gt(lit(7i64)).or(col("call").gt(lit(7i64)));
        assert!(!Wanted::knows(&other));
        let half = col("ended").gt(lit(7i64)).or(col("ended").eq(col("call")));
        assert!(!Wanted::knows(&half));
    }

    #[test]
    fn what_is_not_understood_bounds_nothing() {
        assert!(!Wanted::knows(&col("class").like(lit("a%"))));
        assert!(!Wanted::knows(&col("a").eq(col("b"))));
        assert!(Wanted::knows(&col("moment").between(lit(1i64), lit(2i64))));
    }
}
