package numberwriter;

import java.io.IOException;

class NumberWriter {
    void setFile(String file) {
    }

    void setNumbers(int numbers) {
    }

    public void writeNumbers() throws IOException {
    }
}
