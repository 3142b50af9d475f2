package jinsi.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Model;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.Test;

class ReactorClassesTest {
    private static MavenProject module(String name, String... dependencies) {
        MavenProject module = new MavenProject(new Model());
        module.setGroupId("g");
        module.setArtifactId(name);
        module.setVersion("1");
        for (String other : dependencies) {
            Dependency dependency = new Dependency();
            dependency.setGroupId("g");
            dependency.setArtifactId(other);
            module.getModel().addDependency(dependency);
        }
        return module;
    }

    @Test
    void aModuleAndThoseItDependsOn() {
        MavenProject money = module("money", "library");
        MavenProject bill = module("bill", "money", "junit");
        MavenProject shop = module("shop", "bill");
        MavenProject other = module("other", "money");
        Iterable<MavenProject> found = ReactorClasses.modules(shop, Arrays.asList(money, bill, shop, other));
        assertEquals(new LinkedHashSet<>(Arrays.asList(shop, bill, money)), found);
        assertEquals(Collections.singleton(money), ReactorClasses.modules(money, Arrays.asList(money, bill, shop, other)));
    }
}
