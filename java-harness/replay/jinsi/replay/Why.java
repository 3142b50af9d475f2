package jinsi.replay;

/** Why a test is unresolved. Their places are those of {@link Codes}. */
enum Why {
    /** It is not. */
    NONE,
    /** An exception that is neither the failure nor the recorded one. */
    OTHER_EXCEPTION,
    /** The receiver of an incoming interaction does not exist, because its constructor call was left out. */
    RECEIVER_MISSING,
    /** An observed object that is needed as argument or answer does not exist. */
    ARGUMENT_MISSING,
    /** Nothing of the kind was recorded in this context. */
    NEVER_RECORDED,
    /** It was recorded in this context, but its answers are used up or passed. */
    NO_ALTERNATIVE,
    /** The receiver is null, and the recorded answer is no exception. */
    NULL_RECEIVER,
    /** It was recorded for another receiver only. */
    OTHER_RECEIVER,
    /** Access to another array than recorded. */
    OTHER_ARRAY,
    /** Replay itself could not go on: not the program's doing. */
    HARNESS,
    /** Too many backward branches. */
    BUDGET,
    /** Strict replay did something else than what was recorded next. */
    DIVERGENCE
}
