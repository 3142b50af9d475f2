//! The dependencies and plugins of a build's pom.

use super::choices::{Choice, Framework, Switch};

/// The dependencies of a framework's tests.
pub(super) fn dependencies(framework: Framework) -> String {
    let list: &[&str] = match framework {
        Framework::JUnit3 => &["junit:junit:3.8.2"],
        Framework::JUnit4Old => &["junit:junit:4.11"],
        Framework::JUnit4 => &["junit:junit:4.13.2"],
        Framework::JUnit5 => &["org.junit.jupiter:junit-jupiter:5.10.2"],
        Framework::JUnit6 => &["org.junit.jupiter:junit-jupiter:6.0.3"],
        Framework::TestNg6 => &["org.testng:testng:6.14.3"],
        Framework::TestNg7 => &["org.testng:testng:7.10.2"],
        Framework::Spock => &["org.spockframework:spock-core:2.4-groovy-4.0"],
        Framework::Kotest => &[
            "io.kotest:kotest-runner-junit5-jvm:5.9.1",
            "org.jetbrains.kotlin:kotlin-stdlib:2.2.20",
        ],
    };
    list.iter()
        .map(|coordinates| dependency(coordinates))
        .collect()
}

fn dependency(coordinates: &str) -> String {
    let [group, artifact, version] = parts(coordinates);
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version><scope>test</scope></dependency>\n"
    )
}

fn parts(coordinates: &str) -> [&str; 3] {
    let mut parts = coordinates.splitn(3, ':');
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

/// All plugins of a build; `jinsi`: with ours.
pub(super) fn all(choice: &Choice, jinsi: bool) -> String {
    const MAVEN: &str = "org.apache.maven.plugins";
    let mut text = String::new();
    if jinsi {
        let version = env!("CARGO_PKG_VERSION");
        let ours = format!("io.github.jinsi:jinsi-maven-plugin:{version}");
        text += &plugin(&ours, "<extensions>true</extensions>");
    }
    text += &plugin(&format!("{MAVEN}:maven-resources-plugin:3.3.1"), "");
    text += &plugin(&format!("{MAVEN}:maven-compiler-plugin:3.13.0"), "");
    text += &plugin(&format!("{MAVEN}:maven-jar-plugin:3.4.2"), "");
    text += match choice.framework {
        Framework::Spock => GROOVY,
        Framework::Kotest => KOTLIN,
        _ => "",
    };
    let configuration = format!("<configuration>{}</configuration>", configuration(choice));
    let tester = |name: &str, more: &str| {
        let coordinates = format!("{MAVEN}:maven-{name}-plugin:{}", choice.surefire);
        plugin(&coordinates, &format!("{configuration}{more}"))
    };
    text += &tester("surefire", "");
    if choice.switch == Switch::Failsafe {
        text += &tester(
            "failsafe",
            "<executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions>",
        );
    }
    if choice.switch == Switch::Toolchain {
        let more = format!(
            "<executions><execution><goals><goal>toolchain</goal></goals></execution></executions>\
             <configuration><toolchains><jdk><version>{}</version></jdk></toolchains></configuration>",
            choice.jdk
        );
        text += &plugin(&format!("{MAVEN}:maven-toolchains-plugin:3.2.0"), &more);
    }
    text
}

fn plugin(coordinates: &str, more: &str) -> String {
    let [group, artifact, version] = parts(coordinates);
    format!(
        "<plugin><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{more}</plugin>\n"
    )
}

/// How Surefire and Failsafe are configured.
fn configuration(choice: &Choice) -> String {
    let is_old = choice.surefire.starts_with("2.12");
    let text = match choice.switch {
        Switch::OwnArguments => "<argLine>-Xmx300m</argLine>",
        Switch::LateArguments => "<argLine>@{argLine} -Xmx300m</argLine>",
        Switch::EarlyArguments => "<argLine>${argLine} -Xmx300m</argLine>",
        Switch::NoFork if is_old => "<forkMode>never</forkMode>",
        Switch::NoFork => "<forkCount>0</forkCount>",
        Switch::TwoForks => "<forkCount>2</forkCount>",
        Switch::ForkEach if is_old => "<forkMode>always</forkMode>",
        Switch::ForkEach => "<reuseForks>false</reuseForks>",
        Switch::Parallel if choice.framework.is_on_platform() => {
            "<properties><configurationParameters>junit.jupiter.execution.parallel.enabled=true\n\
             junit.jupiter.execution.parallel.mode.default=concurrent</configurationParameters></properties>"
        }
        Switch::Parallel => "<parallel>methods</parallel><threadCount>3</threadCount>",
        Switch::OtherJvm => "<jvm>${project.basedir}/jdk/bin/java</jvm>",
        _ => "",
    };
    text.to_owned()
}

const GROOVY: &str = "<plugin><groupId>org.codehaus.gmavenplus</groupId><artifactId>gmavenplus-plugin</artifactId><version>3.0.2</version>\
<executions><execution><goals><goal>addTestSources</goal><goal>compileTests</goal></goals></execution></executions>\
<configuration><targetBytecode>17</targetBytecode></configuration></plugin>\n";

const KOTLIN: &str = "<plugin><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId><version>2.2.20</version>\
<executions><execution><id>test-compile</id><phase>test-compile</phase><goals><goal>test-compile</goal></goals>\
<configuration><sourceDirs><sourceDir>${project.basedir}/src/test/kotlin</sourceDir></sourceDirs></configuration>\
</execution></executions></plugin>\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_jinsi_nothing_is_ours() {
        let choice = Choice {
            maven: "3.9.16",
            surefire: "2.12.4",
            framework: Framework::JUnit4,
            jdk: 17,
            switch: Switch::NoFork,
        };
        let plain = all(&choice, false);
        assert!(!plain.contains("jinsi") && plain.contains("<forkMode>never</forkMode>"));
        let with = all(&choice, true);
        let ours = with
            .strip_suffix(&plain)
            .expect("ours comes before the others");
        assert!(ours.contains("jinsi-maven-plugin"));
    }
}
