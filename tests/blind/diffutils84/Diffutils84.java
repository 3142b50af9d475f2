package diffutils84;

import com.github.difflib.unifieddiff.UnifiedDiff;
import com.github.difflib.unifieddiff.UnifiedDiffFile;
import com.github.difflib.unifieddiff.UnifiedDiffReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Lists the files of patches, at last of one with a new file. */
public class Diffutils84 {
    private static final String NEW = "src/test/resources-noncompilable/com/puppycrawl/tools/checkstyle/grammar/java14/"
            + "InputJava14InstanceofWithPatternMatching.java";

    private static final String CHANGE = String.join("\n",
            "diff --git a/config/ant-phase-verify.xml b/config/ant-phase-verify.xml",
            "index d27ffef..e0285ce 100644",
            "--- a/config/ant-phase-verify.xml",
            "+++ b/config/ant-phase-verify.xml",
            "@@ -148,6 +148,8 @@",
            "          <exclude name=\"**/InputMainFrameModelIncorrectClass.java\"/>",
            "          <exclude name=\"**/InputBeforeExecutionExclusionFileFilterIncorrectClass.java\"/>",
            "          <exclude name=\"**/InputJavaParser.java\"/>",
            "+         <!-- until https://github.com/checkstyle/checkstyle/issues/7290 -->",
            "+         <exclude name=\"**/InputJava14InstanceofWithPatternMatching.java\"/>",
            "          <!-- Cannot parse until Java 14 support -->",
            "          <exclude name=\"**/InputJava14Records.java\"/>",
            "         </fileset>",
            "");

    private static final String PATCH = String.join("\n",
            "From b53e612a2ab5ff15d14860e252f84c0f343fe93a Mon Sep 17 00:00:00 2001",
            "From: nmancus1 <nmancus1",
            "Date: Thu, 4 Jun 2020 11:46:34 -0400",
            "Subject: [PATCH] minor: Add input file for Java14 instanceof with pattern",
            " matching (#7290)",
            "",
            "---",
            " config/ant-phase-verify.xml                        |  2 +",
            " .../InputJava14InstanceofWithPatternMatching.java  | 76 ++++++++++++++++++++++",
            " 2 files changed, 78 insertions(+)",
            " create mode 100644 " + NEW,
            "",
            CHANGE + "diff --git a/" + NEW + " b/" + NEW,
            "new file mode 100644",
            "index 0000000..8fa3eba",
            "--- /dev/null",
            "+++ b/" + NEW,
            "@@ -0,0 +1,76 @@",
            "+//non-compiled with javac: Compilable with Java14",
            "+package com.puppycrawl.tools.checkstyle.grammar.java14;",
            "+",
            "+import java.util.Arrays;",
            "+import java.util.Locale;",
            "+ ...... I removed it\n".repeat(68) + "+        }",
            "+    }",
            "+}",
            "--",
            "2.7.4");

    private Diffutils84() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        for (String patch : new String[] {CHANGE, PATCH}) {
            UnifiedDiff diff = UnifiedDiffReader.parseUnifiedDiff(new ByteArrayInputStream(patch.getBytes(StandardCharsets.UTF_8)));
            for (UnifiedDiffFile file : diff.getFiles()) {
                System.out.println(file.getFromFile() + " " + file.getPatch().getDeltas().size());
            }
        }
    }
}
