package math305;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.commons.math.stat.clustering.EuclideanIntegerPoint;
import org.apache.commons.math.stat.clustering.KMeansPlusPlusClusterer;

/** Clusters points, one of them far away. */
public class Math305 {
    private Math305() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        List<EuclideanIntegerPoint> points = new ArrayList<EuclideanIntegerPoint>();
        for (int[] point : new int[][] {{1, 2}, {3, 1}, {40, 50}, {41, 49}}) {
            points.add(new EuclideanIntegerPoint(point));
        }
        KMeansPlusPlusClusterer<EuclideanIntegerPoint> clusterer =
            new KMeansPlusPlusClusterer<EuclideanIntegerPoint>(new Random(1));
        System.out.println(clusterer.cluster(points, 2, 10).size());
        points.add(new EuclideanIntegerPoint(new int[] {1959, 325100}));
        System.out.println(clusterer.cluster(points, 1, 10).size());
    }
}
