package classgraph366;

import io.github.classgraph.ClassGraph;
import io.github.classgraph.PackageInfo;
import io.github.classgraph.ScanResult;

/** Counts the classes of packages that a scan accepted. */
public class Classgraph366 {
    private Classgraph366() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        try (ScanResult result = new ClassGraph().enableClassInfo().ignoreClassVisibility().whitelistPackages("classgraph366").scan()) {
            for (String name : new String[] {"org.example.rogue", "classgraph366", ""}) {
                PackageInfo found = result.getPackageInfo(name);
                System.out.println(name + ": " + (found == null ? "not scanned" : found.getClassInfoRecursive().size()));
            }
        }
    }
}
