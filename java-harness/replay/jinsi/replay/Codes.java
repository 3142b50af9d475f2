package jinsi.replay;

/**
 * Numbers of the session file (java-harness/SESSION.md) and of the worker's protocol (java-harness/README.md). This is the one table of
 * them: {@code analysis/replay/build.rs} makes constants for Rust of it, so each has a line of its own and is a number or a character.
 *
 * <p>Where an enum has the numbers as places of its constants, a test compares the two.
 */
final class Codes {
    /** Version of the session file. */
    static final int SESSION_VERSION = 8;
    /** Version of the worker's protocol. */
    static final int PROTOCOL_VERSION = 9;

    // Session file.

    /** A level that is replayed. */
    static final int SESSION_LEVEL = 0;
    /** A written test. */
    static final int SESSION_SCRIPT = 1;
    /** A level that is run for real. */
    static final int SESSION_DIRECT = 2;
    /** A level that is replayed once, a stretch at a time. */
    static final int SESSION_STRETCHES = 3;

    static final int SETTING_TIME_ZONE = 0;
    static final int SETTING_LOCALE = 1;
    static final int SETTING_PROPERTY = 2;

    /** Its code runs. */
    static final int CLASS_CODE = 0;
    /** Every method is a trap. */
    static final int CLASS_ENVIRONMENT = 1;
    /** Empty, and used only if the JDK has none of this name. */
    static final int CLASS_PLACEHOLDER = 2;

    /** In S: its code runs. */
    static final int PART_OBSERVED = 0;
    /** Not in S: its code runs on observed objects. */
    static final int PART_INHERITED = 1;
    /** It runs untouched. */
    static final int PART_NATURAL = 2;
    /** It is answered for. */
    static final int PART_ENVIRONMENT = 3;
    /** Classes that are not in S inherit from it. */
    static final int PART_OF_OTHERS = 1;
    /** Of its code, only what ran on observed objects was recorded. */
    static final int PART_ONLY_INHERITED = 2;
    /** ... its static fields are set, so its initializer does not run. */
    static final int PART_INITIALIZED = 4;

    static final int OP_CONSTRUCT = 0;
    static final int OP_CALL = 1;
    static final int OP_CALL_STATIC = 2;
    static final int OP_GET_FIELD = 3;
    static final int OP_PUT_FIELD = 4;
    static final int OP_GET_STATIC = 5;
    static final int OP_PUT_STATIC = 6;

    static final int OUTCOME_OPEN = 0;
    static final int OUTCOME_NOTHING = 1;
    static final int OUTCOME_VALUE = 2;
    static final int OUTCOME_THREW = 3;

    static final int CONTENT_NONE = 0;
    static final int CONTENT_ARRAY = 1;
    static final int CONTENT_ELEMENTS = 2;
    static final int CONTENT_ENTRIES = 3;
    static final int CONTENT_TEXT = 4;
    static final int CONTENT_TOO_LARGE = 5;
    static final int CONTENT_FIELDS = 6;

    static final int EFFECT_CONTENT = 1;
    static final int EFFECT_STORE = 2;
    static final int EFFECT_NATURAL = 3;

    static final int ROLE_OBSERVED = 0;
    static final int ROLE_MOCK = 1;
    static final int ROLE_ARRAY = 2;
    static final int ROLE_NATURAL = 3;
    static final int ROLE_TEXT = 4;
    static final int ROLE_THROWABLE = 5;
    static final int ROLE_HIDDEN = 6;
    static final int ROLE_RESTORED = 7;
    static final int ROLE_FUNCTION = 8;
    static final int ROLE_GIVEN = 9;

    /** What stands before a value that is no primitive; before one of those stands its letter in descriptors. */
    static final int VALUE_NULL = '0';
    static final int VALUE_STRING = 's';
    static final int VALUE_BOX = 'b';
    static final int VALUE_CLASS = 'c';
    static final int VALUE_OBJECT = 'o';

    // Worker's protocol: requests.

    static final int REQUEST_LOAD = 'L';
    static final int REQUEST_TEST = 'T';
    static final int REQUEST_VARY = 'V';
    static final int REQUEST_WATCH = 'W';
    static final int REQUEST_QUIT = 'Q';

    static final int MODE_STRICT = 0;
    static final int MODE_RESYNCHRONIZING = 1;

    static final int CHANGE_ARGUMENT = 1;
    static final int CHANGE_CONTENT = 2;

    static final int WATCH_NOTHING = 0;
    static final int WATCH_RESULT = 1;
    static final int WATCH_STATE = 2;
    static final int WATCH_OUTPUT = 3;
    static final int WATCH_EXIT = 4;
    static final int WATCH_STEPS = 5;
    static final int WATCH_PREDICATE = 6;
    static final int WATCH_CLASS = 7;
    static final int WATCH_FLIP = 8;
    /** Of what is watched then: below the number of the jump, in so many bits, which time it is turned. */
    static final int FLIP_SITE_SHIFT = 40;

    // Worker's protocol: replies.

    static final int REPLY_HELLO = 'h';
    static final int REPLY_DONE = 'k';
    static final int REPLY_REFUSED = 'e';
    static final int REPLY_RESULT = 'r';

    static final int RESULT_FAILING = 0;
    static final int RESULT_PASSING = 1;
    static final int RESULT_UNRESOLVED = 2;

    static final int WHY_NONE = 0;
    static final int WHY_OTHER_EXCEPTION = 1;
    static final int WHY_RECEIVER_MISSING = 2;
    static final int WHY_ARGUMENT_MISSING = 3;
    static final int WHY_NEVER_RECORDED = 4;
    static final int WHY_NO_ALTERNATIVE = 5;
    static final int WHY_NULL_RECEIVER = 6;
    static final int WHY_OTHER_RECEIVER = 7;
    static final int WHY_OTHER_ARRAY = 8;
    static final int WHY_HARNESS = 9;
    static final int WHY_BUDGET = 10;
    static final int WHY_DIVERGENCE = 11;

    private Codes() {}
}
