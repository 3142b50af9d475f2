package siemens.schedule;

/** A scheduler with three priorities: processes in linked lists, and commands that move them. */
final class Schedule {
    static final int HIGHEST = 3;

    /** A process, as an element of a list. */
    static final class Process {
        Process next;
        Process previous;
        int number;
        int priority;
    }

    /** A list of processes. */
    static final class Queue {
        Process first;
        Process last;
        int length;

        void append(Process process) {
            process.next = null;
            process.previous = last;
            if (last == null) {
                first = process;
            } else {
                last.next = process;
            }
            last = process;
            length++;
        }

        /** The one at this place, from 1; null if there is none. */
        Process find(int place) {
            if (place < 1) {
                return null;
            }
            Process process = first;
            for (int at = 1; process != null && at < place; at++) {
                process = process.next;
            }
            return process;
        }

        void remove(Process process) {
            if (process.next == null) {
                last = process.previous;
            } else {
                process.next.previous = process.previous;
            }
            if (process.previous == null) {
                first = process.next;
            } else {
                process.previous.next = process.next;
            }
            length--;
        }
    }

    private final Queue[] ready = new Queue[HIGHEST + 1];
    private final Queue blocked = new Queue();
    private final StringBuilder out = new StringBuilder();
    private Process current;
    private int numbers;

    Schedule() {
        for (int priority = 0; priority <= HIGHEST; priority++) {
            ready[priority] = new Queue();
        }
    }

    void start(int priority, int count) {
        for (int done = 0; done < count; done++) {
            addNew(priority);
        }
    }

    void addNew(int priority) {
        Process process = new Process();
        process.number = numbers;
        process.priority = priority;
        numbers++;
        ready[priority].append(process);
    }

    /** Who has the processor: the first of the highest priority. */
    void choose() {
        current = null;
        for (int priority = HIGHEST; priority > 0; priority--) {
            if (ready[priority].length > 0) {
                current = ready[priority].find(1);
                ready[priority].remove(current);
                return;
            }
        }
    }

    void finish() {
        choose();
        if (current != null) {
            out.append(current.number).append(' ');
        }
    }

    void block() {
        choose();
        if (current != null) {
            blocked.append(current);
        }
    }

    void expire() {
        choose();
        if (current != null) {
            ready[current.priority].append(current);
        }
    }

    /** The place that a share of the list stands for. */
    int placeOf(Queue queue, int percent) {
        int place = queue.length * percent / 100 + 1;
        if (place > queue.length) {
            place = queue.length;
        }
        return place;
    }

    void unblock(int percent) {
        if (blocked.length > 0) {
            int place = placeOf(blocked, percent);
            Process process = blocked.find(place);
            if (process != null) {
                blocked.remove(process);
                ready[process.priority].append(process);
            }
        }
    }

    void upgrade(int priority, int percent) {
        if (priority >= HIGHEST) {
            return;
        }
        Queue from = ready[priority];
        Queue to = ready[priority + 1];
        if (from.length > 0) {
            int place = placeOf(from, percent);
            Process process = from.find(place);
            if (process != null) {
                from.remove(process);
                process.priority = priority + 1;
                to.append(process);
            }
        }
    }

    void flush() {
        for (int priority = HIGHEST; priority > 0; priority--) {
            while (ready[priority].length > 0) {
                finish();
            }
        }
    }

    String run(int[] commands) {
        start(3, commands[2]);
        start(2, commands[1]);
        start(1, commands[0]);
        int at = 3;
        while (at < commands.length) {
            int command = commands[at];
            at++;
            if (command == 1) {
                addNew(commands[at]);
                at++;
            } else if (command == 2) {
                upgrade(commands[at], commands[at + 1]);
                at += 2;
            } else if (command == 3) {
                block();
            } else if (command == 4) {
                unblock(commands[at]);
                at++;
            } else if (command == 5) {
                expire();
            } else if (command == 6) {
                finish();
            } else if (command == 7) {
                flush();
            }
        }
        flush();
        return out.toString();
    }
}
