package flights;

import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

public interface FlightMapper {
    @Select("select * from flight where origin = #{origin} and target = #{target} order by departs")
    List<Flight> between(@Param("origin") String origin, @Param("target") String target);
}
