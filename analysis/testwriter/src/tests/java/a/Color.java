package a;

public enum Color {
    RED {
        @Override
        void warm() {
        }
    };

    abstract void warm();
}
