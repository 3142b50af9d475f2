//! What is asked about many runs.

use super::{CLASS, METHOD, Named};

macro_rules! many {
    ($name:literal, $parameters:expr, $says:literal, $sql:literal) => {
        Named {
            name: $name,
            number: "",
            parameters: $parameters,
            says: $says,
            sql: $sql,
            of_many: true,
        }
    };
}

pub(super) const ALL: &[Named] = &[
    many!(
        "same_failures",
        &[],
        "failed runs by the root cause and where that was thrown, the most first; with a trace to go on with",
        "select count(*) as runs, cause, cause_place, min(failure) as failure, count(distinct test) as tests, count(distinct minimal_test) as minimal_tests, min(run) as run, min(file) as file\nfrom runs where outcome = 'failed' group by cause, cause_place order by runs desc, cause, cause_place"
    ),
    many!(
        "same_minimal_tests",
        &[],
        "failed runs by the minimal test that is left of them, the most first: of those that were minimized",
        "select count(*) as runs, minimal_test, min(cause) as cause, count(distinct cause_place) as places, count(distinct test) as tests, min(run) as run, min(file) as file\nfrom runs where outcome = 'failed' and minimal_test is not null group by minimal_test order by runs desc, minimal_test"
    ),
    many!(
        "failure_versions",
        &[],
        "for each failure the versions that have it: the first by when it was recorded, and the last",
        "select cause, cause_place, count(*) as runs, first_value(version order by started_ms) as first, last_value(version order by started_ms) as last\nfrom runs where outcome = 'failed' group by cause, cause_place order by runs desc, cause, cause_place"
    ),
    many!(
        "outcomes",
        &[],
        "runs by version, test and outcome",
        "select version, test, outcome, count(*) as runs from runs group by version, test, outcome order by version, test, outcome"
    ),
    many!(
        "values_of_failing",
        &[CLASS, METHOD],
        "results of a method that failing runs have and passing ones never had",
        "with given as (select r.outcome, coalesce(c.result, c.ending) as result, c.run from calls c join runs r on r.run = c.run\n  where c.class = $class and c.method = $method)\nselect g.result, count(distinct g.run) as runs, min(g.run) as run from given g\nleft join (select distinct result from given where outcome = 'passed') p on p.result = g.result\nwhere g.outcome = 'failed' and p.result is null group by g.result order by runs desc, g.result"
    ),
    many!(
        "calls_of_failing",
        &[],
        "methods that only failing runs called, by how many of them did",
        "with called as (select distinct c.run, c.class, c.method, c.descriptor, r.outcome from calls c join runs r on r.run = c.run)\nselect f.class, f.method, f.descriptor, count(*) as runs, min(f.run) as run from called f\nleft join (select distinct class, method, descriptor from called where outcome = 'passed') p\n  on p.class = f.class and p.method = f.method and p.descriptor = f.descriptor\nwhere f.outcome = 'failed' and p.class is null group by f.class, f.method, f.descriptor order by runs desc, f.class, f.method"
    ),
    many!(
        "suspicious_calls",
        &[],
        "methods by how much failing runs call them and passing ones do not: Ochiai's coefficient, from 1 on down",
        "with ran as (select distinct t.class, t.method, t.descriptor, t.run, r.outcome from calls t join runs r on r.run = t.run),\n  counted as (select class, method, descriptor, count(*) filter (where outcome = 'failed') as failed, count(*) filter (where outcome = 'passed') as passed from ran group by class, method, descriptor),\n  every as (select count(*) as failed from runs where outcome = 'failed')\nselect x.class, x.method, x.descriptor, x.failed, x.passed, x.failed / sqrt(cast(e.failed as double) * (x.failed + x.passed)) as suspicion from counted x cross join every e\nwhere x.failed > 0 order by suspicion desc, x.class, x.method, x.descriptor"
    ),
    many!(
        "suspicious_lines",
        &[],
        "lines in the same way: of recordings that have them",
        "with ran as (select distinct t.class, t.file, t.line, t.run, r.outcome from lines t join runs r on r.run = t.run),\n  counted as (select class, file, line, count(*) filter (where outcome = 'failed') as failed, count(*) filter (where outcome = 'passed') as passed from ran group by class, file, line),\n  every as (select count(*) as failed from runs where outcome = 'failed')\nselect x.class, x.file, x.line, x.failed, x.passed, x.failed / sqrt(cast(e.failed as double) * (x.failed + x.passed)) as suspicion from counted x cross join every e\nwhere x.failed > 0 order by suspicion desc, x.class, x.file, x.line"
    ),
    many!(
        "longer_calls",
        &[],
        "methods by how many events a call of them takes in each version, those first that differ most: recordings have no clock for each call",
        "with cost as (select r.version, c.class, c.method, c.descriptor, avg(c.ended - c.call) as events from calls c\n  join runs r on r.run = c.run where c.recorded and c.ended is not null group by r.version, c.class, c.method, c.descriptor)\nselect a.class, a.method, a.descriptor, a.version as version, b.version as other, a.events as events, b.events as others, b.events / a.events as ratio\nfrom cost a join cost b on b.class = a.class and b.method = a.method and b.descriptor = a.descriptor and a.version < b.version\nwhere a.events > 0 order by ratio desc, a.class, a.method"
    ),
];
