//! What builds are made of, and what does not go together.

/// Releases of Maven, as they are published on Maven Central.
pub(super) const MAVENS: [&str; 4] = ["3.6.3", "3.8.8", "3.9.16", "4.0.0-rc-4"];

/// Releases of Surefire and Failsafe.
pub(super) const SUREFIRES: [&str; 4] = ["2.12.4", "2.22.2", "3.0.0", "3.6.1"];

/// A test framework in a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Framework {
    JUnit3,
    JUnit4Old,
    JUnit4,
    JUnit5,
    JUnit6,
    TestNg6,
    TestNg7,
    Spock,
    Kotest,
}

impl Framework {
    pub(super) const ALL: [Framework; 9] = [
        Framework::JUnit3,
        Framework::JUnit4Old,
        Framework::JUnit4,
        Framework::JUnit5,
        Framework::JUnit6,
        Framework::TestNg6,
        Framework::TestNg7,
        Framework::Spock,
        Framework::Kotest,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Framework::JUnit3 => "junit-3.8.2",
            Framework::JUnit4Old => "junit-4.11",
            Framework::JUnit4 => "junit-4.13.2",
            Framework::JUnit5 => "junit-5.10.2",
            Framework::JUnit6 => "junit-6.0.3",
            Framework::TestNg6 => "testng-6.14.3",
            Framework::TestNg7 => "testng-7.10.2",
            Framework::Spock => "spock-2.4",
            Framework::Kotest => "kotest-5.9.1",
        }
    }

    /// Does it run on the JUnit Platform?
    pub(super) fn is_on_platform(self) -> bool {
        matches!(
            self,
            Framework::JUnit5 | Framework::JUnit6 | Framework::Spock | Framework::Kotest
        )
    }

    pub(super) fn is_testng(self) -> bool {
        matches!(self, Framework::TestNg6 | Framework::TestNg7)
    }
}

/// What is special about a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Switch {
    Nothing,
    Skipped,
    OwnArguments,
    LateArguments,
    EarlyArguments,
    ArgumentsOfCommandLine,
    NoFork,
    TwoForks,
    ForkEach,
    Parallel,
    Failsafe,
    Modules,
    Threads,
    Toolchain,
    ModulePath,
    BuildCache,
    Offline,
    NoCacheDirectory,
    OtherPlatform,
    OtherJvm,
}

impl Switch {
    pub(super) const ALL: [Switch; 20] = [
        Switch::Nothing,
        Switch::Skipped,
        Switch::OwnArguments,
        Switch::LateArguments,
        Switch::EarlyArguments,
        Switch::ArgumentsOfCommandLine,
        Switch::NoFork,
        Switch::TwoForks,
        Switch::ForkEach,
        Switch::Parallel,
        Switch::Failsafe,
        Switch::Modules,
        Switch::Threads,
        Switch::Toolchain,
        Switch::ModulePath,
        Switch::BuildCache,
        Switch::Offline,
        Switch::NoCacheDirectory,
        Switch::OtherPlatform,
        Switch::OtherJvm,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Switch::Nothing => "plain",
            Switch::Skipped => "jinsi.skip",
            Switch::OwnArguments => "own argLine",
            Switch::LateArguments => "argLine with @{argLine}",
            Switch::EarlyArguments => "argLine with ${argLine}",
            Switch::ArgumentsOfCommandLine => "-DargLine",
            Switch::NoFork => "no fork",
            Switch::TwoForks => "two forks",
            Switch::ForkEach => "a fork for each class",
            Switch::Parallel => "parallel tests",
            Switch::Failsafe => "failsafe",
            Switch::Modules => "modules",
            Switch::Threads => "modules with -T 2C",
            Switch::Toolchain => "toolchain",
            Switch::ModulePath => "module path",
            Switch::BuildCache => "build cache",
            Switch::Offline => "offline",
            Switch::NoCacheDirectory => "no cache directory",
            Switch::OtherPlatform => "other platform",
            Switch::OtherJvm => "JVM that takes no agent",
        }
    }

    /// Can the failed test be recorded?
    pub(super) fn is_recorded(self) -> bool {
        !matches!(
            self,
            Switch::Skipped | Switch::NoFork | Switch::OtherPlatform | Switch::OtherJvm
        )
    }
}

/// One build.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) maven: &'static str,
    pub(super) surefire: &'static str,
    pub(super) framework: Framework,
    /// Feature release of the JDK.
    pub(super) jdk: u32,
    pub(super) switch: Switch,
}

impl Choice {
    /// All values, for people and for `--only`.
    pub(super) fn name(&self) -> String {
        format!(
            "maven-{} surefire-{} {} jdk-{} {}",
            self.maven,
            self.surefire,
            self.framework.name(),
            self.jdk,
            self.switch.name()
        )
    }

    /// Why there is no such build, whether with jinsi or without.
    pub(super) fn impossible(&self) -> Option<&'static str> {
        let surefire = SUREFIRES.iter().position(|s| *s == self.surefire);
        let surefire = surefire.unwrap_or_default();
        let framework = self.framework;
        let rules = [
            (
                matches!(framework, Framework::JUnit3 | Framework::JUnit4Old) && surefire == 3,
                "Surefire 3.6 runs JUnit since 4.12",
            ),
            (
                framework.is_on_platform() && surefire == 0,
                "Surefire runs the JUnit Platform since 2.22",
            ),
            (
                matches!(
                    framework,
                    Framework::JUnit6 | Framework::Kotest | Framework::Spock
                ) && surefire < 2,
                "Surefire 2.22 brings a launcher of its own, which is too old for these engines",
            ),
            (
                framework.is_testng() && surefire == 0 && framework == Framework::TestNg7,
                "Surefire 2.12 calls methods of TestNG that 7 does not have",
            ),
            (
                self.switch == Switch::LateArguments && surefire == 0,
                "Surefire knows @{…} since 2.17",
            ),
            (
                self.switch == Switch::TwoForks && surefire == 0,
                "Surefire has forkCount since 2.14",
            ),
            (
                self.switch == Switch::Parallel
                    && matches!(
                        framework,
                        Framework::JUnit3 | Framework::Spock | Framework::Kotest
                    ),
                "JUnit 3 runs no tests in parallel, and Spock and Kotest are not informed of it by Surefire",
            ),
            (
                self.switch == Switch::ModulePath
                    && (surefire == 0
                        || !matches!(
                            framework,
                            Framework::JUnit4 | Framework::JUnit5 | Framework::JUnit6
                        )),
                "Surefire takes the module path since 2.21; the others are no modules",
            ),
            (
                self.switch == Switch::BuildCache && !self.maven.starts_with("3.9"),
                "the build cache is an extension of Maven 3.9",
            ),
            (
                self.maven.starts_with('4') && surefire == 0,
                "Maven 4 has not what Surefire 2.12 is made with",
            ),
        ];
        rules
            .iter()
            .find(|(applies, _)| *applies)
            .map(|(_, why)| *why)
    }
}

/// Builds that have every possible pair of values in them, on JDKs of these releases.
pub(super) fn chosen(jdks: &[u32]) -> Vec<Choice> {
    let sizes = [
        MAVENS.len(),
        SUREFIRES.len(),
        Framework::ALL.len(),
        jdks.len(),
        Switch::ALL.len(),
    ];
    let choice = |numbers: &[usize]| Choice {
        maven: MAVENS[numbers[0]],
        surefire: SUREFIRES[numbers[1]],
        framework: Framework::ALL[numbers[2]],
        jdk: jdks[numbers[3]],
        switch: Switch::ALL[numbers[4]],
    };
    let possible = |numbers: &[usize]| choice(numbers).impossible().is_none();
    super::pairs::covering(&sizes, possible)
        .iter()
        .map(|numbers| choice(numbers))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_build_is_impossible_and_every_value_is_there() {
        let chosen = chosen(&[17, 25]);
        assert!(chosen.iter().all(|c| c.impossible().is_none()));
        let has = |wanted: &dyn Fn(&Choice) -> bool| chosen.iter().any(wanted);
        assert!(MAVENS.iter().all(|v| has(&|c| c.maven == *v)));
        assert!(SUREFIRES.iter().all(|v| has(&|c| c.surefire == *v)));
        assert!(Framework::ALL.iter().all(|v| has(&|c| c.framework == *v)));
        assert!(Switch::ALL.iter().all(|v| has(&|c| c.switch == *v)));
        assert!(has(&|c| c.framework == Framework::JUnit6 && c.jdk == 25));
    }

    #[test]
    fn the_rules() {
        let choice = Choice {
            maven: "3.9.16",
            surefire: "2.12.4",
            framework: Framework::JUnit3,
            jdk: 17,
            switch: Switch::BuildCache,
        };
        assert_eq!(choice.impossible(), None);
        let of = |change: &dyn Fn(&mut Choice)| {
            let mut other = choice.clone();
            change(&mut other);
            other.impossible()
        };
        assert!(of(&|c| c.framework = Framework::JUnit5).is_some());
        assert!(of(&|c| c.surefire = "3.6.1").is_some());
        assert!(of(&|c| c.switch = Switch::LateArguments).is_some());
        assert!(of(&|c| c.maven = "4.0.0-rc-4").is_some());
        assert!(of(&|c| c.switch = Switch::Parallel).is_some());
        assert!(of(&|c| c.switch = Switch::ModulePath).is_some());
    }
}
