package spatial4j44;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.spatial4j.core.context.jts.JtsSpatialContext;
import com.spatial4j.core.shape.Circle;
import com.spatial4j.core.shape.Point;
import com.vividsolutions.jts.geom.Coordinate;
import com.vividsolutions.jts.geom.Envelope;
import com.vividsolutions.jts.geom.Geometry;

/** Converts shapes to geometries. */
public class Spatial4j44 {
    private Spatial4j44() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        JtsSpatialContext context = JtsSpatialContext.GEO;
        Point point = context.makePoint(0, 0);
        assertEquals(new Coordinate(0, 0), context.getGeometryFrom(point).getCoordinate());
        Circle circle = context.makeCircle(0, 0, 1);
        Geometry geometry = context.getGeometryFrom(circle);
        Envelope envelope = geometry.getEnvelopeInternal();
        assertEquals(1, envelope.getMaxX(), 1e-6);
        assertEquals(-1, envelope.getMinX(), 1e-6);
        assertEquals(1, envelope.getMaxY(), 1e-6);
        assertEquals(-1, envelope.getMinY(), 1e-6);
    }
}
