package java.lang;

/**
 * Numbers of the raw form, which is described in {@code trace/events/src/raw.rs}; kinds of events are those of {@code trace/events/src/model.rs}. A test
 * of the agent's compares all of them with those.
 */
final class JinsiRaw {
    static final int KIND_ENTER = 1;
    static final int KIND_THIS = 2;
    static final int KIND_EXIT = 3;
    static final int KIND_CATCH = 5;
    static final int KIND_GET_FIELD = 8;
    static final int KIND_PUT_FIELD = 9;
    static final int KIND_GET_STATIC = 10;
    static final int KIND_PUT_STATIC = 11;
    static final int KIND_DEFINE = 14;
    static final int KIND_CONTENT = 15;
    static final int KIND_UNCAUGHT = 16;
    static final int KIND_ORDER = 17;
    static final int KIND_MARK = 18;
    static final int KIND_RUN = 20;

    /** Bits of a tag in the word of a reference. */
    static final int TAG_BITS = 3;
    static final int TAG_OBJECT = 1;
    static final int TAG_STRING = 2;
    static final int TAG_CLASS = 3;
    static final int TAG_BOX = 4;
    static final int TAG_PRIM = 5;

    static final int FORM_PRIMITIVES = 1;
    static final int FORM_ARRAY = 2;
    static final int FORM_ELEMENTS = 3;
    static final int FORM_ENTRIES = 4;
    static final int FORM_TEXT = 5;
    static final int FORM_TOO_LARGE = 6;
    static final int FORM_FIELDS = 7;
    static final int FORM_PATCHED = 8;

    static final int PHASE_BEGIN = 0;
    static final int PHASE_END = 1;
    static final int PHASE_FAILED = 2;

    static final int HEADER_BYTES = 64;
    static final int OFFSET_CURSOR = 0;
    static final int OFFSET_LIMIT = 8;
    static final int OFFSET_ORDINAL = 24;
    static final int OFFSET_SCRATCH = 40;

    static final int LONG_EVENT = 0xffff;
    static final int REPEATS_BIT = 40;
    static final int MET_BIT = 40;
    static final int MEETINGS_BIT = 41;
    static final int TAIL_BYTES = 512;
    static final int USUAL_BYTES = 512 << 10;

    private JinsiRaw() {}
}
