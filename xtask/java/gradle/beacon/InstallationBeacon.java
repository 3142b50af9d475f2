package org.gradle.internal.installation.beacon;

/** By the place of this class Gradle knows where it is installed. */
public final class InstallationBeacon {
    private InstallationBeacon() {
    }
}
