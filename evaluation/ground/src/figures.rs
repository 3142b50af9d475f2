//! Sums of many figures.

/// The middle one; of an even number the mean of the two in the middle. 0 of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

/// The middle one; of an even number the greater one of the two in the middle. For ranks and counts, of which there is no half.
pub fn upper_median<T: PartialOrd>(values: impl IntoIterator<Item = T>) -> Option<T> {
    let mut all: Vec<T> = values.into_iter().collect();
    all.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let middle = all.len() / 2;
    all.into_iter().nth(middle)
}

/// The mean; 0 of none.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let values = values.into_iter();
    let (sum, count) = values.fold((0.0, 0), |(sum, count), each| (sum + each, count + 1));
    sum / f64::from(count.max(1))
}

/// Which part some of all are; 0 of none.
pub fn rate(some: usize, all: usize) -> f64 {
    some as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(upper_median([9, 1, 2, 3]), Some(3));
        assert_eq!(upper_median([0.5]), Some(0.5));
        assert_eq!(upper_median([0; 0]), None);
    }

    #[test]
    fn nothing_has_no_mean_and_is_no_part() {
        assert_eq!((mean([]), mean([1.0, 2.0])), (0.0, 1.5));
        assert_eq!((rate(0, 0), rate(1, 4)), (0.0, 0.25));
    }
}
