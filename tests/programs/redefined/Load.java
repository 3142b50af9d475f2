package redefined;

import redefined.app.Kid;
import redefined.lib.Bean;

/** Meets each class once. */
public final class Load implements Runnable {
    @Override
    public void run() {
        Kid.Own own = new Kid.Own();
        for (int i = 0; i < 50; i++) {
            new Kid().run(new Bean(own.next()));
            new Kid.Inner().run(new Bean(i));
        }
    }
}
