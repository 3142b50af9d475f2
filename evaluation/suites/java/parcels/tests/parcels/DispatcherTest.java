package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A collaborator that is mocked. */
class DispatcherTest {
    private final Courier courier = mock(Courier.class);

    @BeforeEach
    void goesToUlm() {
        when(courier.takes("Ulm")).thenReturn(true);
    }

    @Test
    void allTaken() {
        Parcel parcel = new Parcel("A1", "Ulm", 100);
        assertEquals(1, new Dispatcher(courier).send(List.of(parcel)));
        verify(courier).hand(parcel);
    }

    @Test
    void oneLeft() {
        Dispatcher dispatcher = new Dispatcher(courier);
        List<Parcel> parcels = List.of(new Parcel("A1", "Ulm", 100), new Parcel("A2", "Bern", 200));
        assertEquals(1, dispatcher.send(parcels));
        assertEquals(1, dispatcher.left());
    }
}
