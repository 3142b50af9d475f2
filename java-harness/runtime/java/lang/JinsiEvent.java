package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * Whole events in one call, for each sequence of up to four values, primitives as {@code long}; then {@code what}, the site and how the
 * event ends, in one number, because every byte of code counts. All are alike: the common way is {@link JinsiFast}'s, and where that does not do, the event is written as any other.
 *
 * <p>None is inlined into the program: a call costs less than what the compiler takes longer, as long as code with probes is still interpreted.
 */
public class JinsiEvent extends JinsiEdge {

    JinsiEvent() {}

    @DontInline
    public static void e(int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(long v0, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, long v1, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, long v1, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.j(v1);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, Object v1, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.a(v1);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, Object v1, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.a(v1);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, long v1, long v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, long v1, long v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, Object v1, long v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.a(v1);
        JinsiProbe.j(v2);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, Object v1, long v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.a(v1);
        JinsiProbe.j(v2);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, long v1, Object v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.a(v2);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, long v1, Object v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.j(v1);
        JinsiProbe.a(v2);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, Object v1, Object v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.a(v1);
        JinsiProbe.a(v2);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, Object v1, Object v2, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.a(v1);
        JinsiProbe.a(v2);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, long v1, long v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, long v1, long v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, Object v1, long v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.a(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, Object v1, long v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.a(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, long v1, Object v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.a(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, long v1, Object v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.j(v1);
        JinsiProbe.a(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, Object v1, Object v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.a(v1);
        JinsiProbe.a(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, Object v1, Object v2, long v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.word(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.a(v1);
        JinsiProbe.a(v2);
        JinsiProbe.j(v3);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, long v1, long v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, long v1, long v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, Object v1, long v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.a(v1);
        JinsiProbe.j(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, Object v1, long v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.word(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.a(v1);
        JinsiProbe.j(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, long v1, Object v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.a(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, long v1, Object v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.word(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.j(v1);
        JinsiProbe.a(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(v0, what);
    }

    @DontInline
    public static void e(long v0, Object v1, Object v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.word(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, null, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.a(v1);
        JinsiProbe.a(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(null, what);
    }

    @DontInline
    public static void e(Object v0, Object v1, Object v2, Object v3, int what) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, what);
            if (at != 0 && (at = JinsiFast.reference(at, v0)) != 0 && (at = JinsiFast.reference(at, v1)) != 0 && (at = JinsiFast.reference(at, v2)) != 0 && (at = JinsiFast.reference(at, v3)) != 0) {
                JinsiFast.end(buffer, at, v0, what);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.a(v0);
        JinsiProbe.a(v1);
        JinsiProbe.a(v2);
        JinsiProbe.a(v3);
        JinsiFast.endSlowly(v0, what);
    }
}
