package demo.spring;

import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

/** A context with component scan, a {@code @Configuration} class that CGLIB subclasses, and beans behind CGLIB proxies. */
public final class Main {
    private Main() {
    }

    /** Takes no arguments; ends by an exception out of a proxied bean. */
    public static void main(String[] args) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Settings.class);
        Settings settings = context.getBean(Settings.class);
        // A method of the configuration gives the bean, not a new object: CGLIB's subclass answers.
        System.out.println(settings.journal() == context.getBean(Journal.class));
        System.out.println(settings.getClass() == Settings.class);
        Shop shop = context.getBean(Shop.class);
        System.out.println(AopUtils.isCglibProxy(shop) + " " + shop.buy("tea", 3) + " " + shop.buy("cup", 1));
        System.out.println(context.getBean(Ticket.class).number + " " + context.getBean(Ticket.class).number);
        context.publishEvent(new Sold(shop));
        System.out.println(context.getBean(Journal.class).lines);
        System.out.println(context.getBeanNamesForType(Object.class).length > 10);
        try {
            shop.buy("nothing", 0);
        } finally {
            context.close();
        }
    }

    /** The configuration. */
    @Configuration
    @ComponentScan(basePackageClasses = Main.class)
    public static class Settings {
        /** A bean that others share. */
        @Bean
        public Journal journal() {
            return new Journal();
        }

        /** A bean that takes another by calling its method. */
        @Bean
        public MethodInterceptor timing() {
            return new Writing(journal());
        }

        /** Puts beans behind proxies that subclass them. */
        @Bean
        public static BeanNameAutoProxyCreator proxies() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("shop");
            creator.setInterceptorNames("timing");
            creator.setProxyTargetClass(true);
            return creator;
        }

        /** A new one each time. */
        @Bean
        @Scope("prototype")
        public Ticket ticket(Journal journal) {
            return new Ticket(++journal.tickets);
        }
    }

    /** What happened. */
    public static class Journal {
        private final List<String> lines = new ArrayList<>();
        private int tickets;

        /** Called for the event. */
        @EventListener
        public void hear(Sold event) {
            lines.add("sold by " + (event.getSource() instanceof Shop));
        }
    }

    /** A number. */
    public static class Ticket {
        private final int number;

        Ticket(int number) {
            this.number = number;
        }
    }

    /** An event. */
    public static class Sold extends ApplicationEvent {
        private static final long serialVersionUID = 1;

        Sold(Object source) {
            super(source);
        }
    }

    /** Notes every call of a proxied bean. */
    public static class Writing implements MethodInterceptor {
        private final Journal journal;

        Writing(Journal journal) {
            this.journal = journal;
        }

        @Override
        public Object invoke(MethodInvocation invocation) throws Throwable {
            journal.lines.add("before " + invocation.getMethod().getName());
            try {
                return invocation.proceed();
            } finally {
                journal.lines.add("after");
            }
        }
    }

    /** Found by the scan, proxied. */
    @Service("shop")
    public static class Shop {
        private final Stock stock;
        @Value("#{2 * 21}")
        private int limit;

        /** Gets the stock injected. */
        @Autowired
        public Shop(@Lazy Stock stock) {
            this.stock = stock;
        }

        /** Sells. */
        public String buy(String what, int count) {
            if (count <= 0 || count > limit) {
                throw new IllegalArgumentException("cannot sell " + count + " of " + what);
            }
            return count + " " + what + " at " + stock.price(what);
        }
    }

    /** Found by the scan. */
    @Component
    public static class Stock {
        /** What it costs. */
        public int price(String what) {
            return what.length() * 10;
        }
    }
}
