package siemens.tcas;

/** Collision avoidance: which way an aircraft that another one comes near to should go. */
final class Tcas {
    static final int UNRESOLVED = 0;
    static final int UPWARD = 1;
    static final int DOWNWARD = 2;

    private final int slowestClimb;
    private final int farthestLayer;
    private final int leastDistance;
    private final int bias;
    private final int noIntent;
    private final int upwardAdvice;
    private final int downwardAdvice;
    private final int[] limits;

    private final int verticalDistance;
    private final boolean confident;
    private final boolean reportsAgree;
    private final int ownAltitude;
    private final int ownRate;
    private final int otherAltitude;
    private final int layer;
    private final int upSeparation;
    private final int downSeparation;
    private final int otherAdvice;
    private final int otherCapability;
    private final boolean climbInhibited;

    Tcas(int[] in) {
        slowestClimb = 600;
        farthestLayer = 600;
        leastDistance = 300;
        bias = 100;
        noIntent = 0;
        upwardAdvice = UPWARD;
        downwardAdvice = DOWNWARD;
        limits = new int[4];
        limits[0] = 400;
        limits[1] = 500;
        limits[2] = 640;
        limits[3] = 740;
        verticalDistance = in[0];
        confident = in[1] != 0;
        reportsAgree = in[2] != 0;
        ownAltitude = in[3];
        ownRate = in[4];
        otherAltitude = in[5];
        layer = in[6];
        upSeparation = in[7];
        downSeparation = in[8];
        otherAdvice = in[9];
        otherCapability = in[10];
        climbInhibited = in[11] != 0;
    }

    int limit() {
        return limits[layer];
    }

    int biasedClimb() {
        if (climbInhibited) {
            return upSeparation + bias;
        }
        return upSeparation;
    }

    boolean isBelow() {
        return ownAltitude < otherAltitude;
    }

    boolean isAbove() {
        return otherAltitude < ownAltitude;
    }

    boolean mayClimb() {
        boolean result;
        boolean upwardPreferred = biasedClimb() > downSeparation;
        if (upwardPreferred) {
            result = !isBelow()
                    || isBelow() && !(downSeparation >= limit());
        } else {
            result = isAbove()
                    && verticalDistance >= leastDistance
                    && upSeparation >= limit();
        }
        return result;
    }

    boolean mayDescend() {
        boolean result;
        boolean upwardPreferred = biasedClimb() > downSeparation;
        if (upwardPreferred) {
            result = isBelow()
                    && verticalDistance >= leastDistance
                    && downSeparation >= limit();
        } else {
            result = !isAbove()
                    || isAbove() && upSeparation >= limit();
        }
        return result;
    }

    int advise() {
        boolean enabled = confident
                && ownRate <= slowestClimb
                && verticalDistance > farthestLayer;
        boolean equipped = otherCapability == 1;
        boolean intentUnknown = reportsAgree && otherAdvice == noIntent;
        int advice = UNRESOLVED;
        if (enabled && (equipped && intentUnknown || !equipped)) {
            boolean upward = mayClimb() && isBelow();
            boolean downward = mayDescend() && isAbove();
            if (upward && downward) {
                advice = UNRESOLVED;
            } else if (upward) {
                advice = upwardAdvice;
            } else if (downward) {
                advice = downwardAdvice;
            } else {
                advice = UNRESOLVED;
            }
        }
        return advice;
    }
}
