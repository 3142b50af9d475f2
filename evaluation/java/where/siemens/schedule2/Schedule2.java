package siemens.schedule2;

/** The same scheduler in another way: stacks of singly linked processes, each command with a status. */
final class Schedule2 {
    static final int LEVELS = 3;
    static final int OK = 0;
    static final int BAD_PRIORITY = -1;
    static final int BAD_RATIO = -2;
    static final int NOTHING = -3;

    /** A process. */
    static final class Process {
        final int number;
        int priority;
        Process next;

        Process(int number, int priority) {
            this.number = number;
            this.priority = priority;
        }
    }

    private final Process[] heads = new Process[LEVELS + 1];
    private final int[] lengths = new int[LEVELS + 1];
    private final StringBuilder out = new StringBuilder();
    private Process running;
    private int next;

    int enqueue(int level, Process process) {
        if (level < 0 || level > LEVELS) {
            return BAD_PRIORITY;
        }
        process.next = null;
        if (heads[level] == null) {
            heads[level] = process;
        } else {
            Process at = heads[level];
            while (at.next != null) {
                at = at.next;
            }
            at.next = process;
        }
        lengths[level]++;
        reschedule(level);
        return OK;
    }

    /** Takes the process at a share of a level out of it. */
    Process take(int level, int percent) {
        if (percent < 0 || percent > 100 || lengths[level] == 0) {
            return null;
        }
        int steps = lengths[level] * percent / 100;
        if (steps >= lengths[level]) {
            steps = lengths[level] - 1;
        }
        Process before = null;
        Process at = heads[level];
        while (steps > 0) {
            before = at;
            at = at.next;
            steps--;
        }
        if (before == null) {
            heads[level] = at.next;
        } else {
            before.next = at.next;
        }
        at.next = null;
        lengths[level]--;
        return at;
    }

    /** The process that runs is put back if one of a higher level came. */
    void reschedule(int level) {
        if (running != null && level > running.priority) {
            Process other = running;
            running = null;
            Process at = heads[other.priority];
            other.next = at;
            heads[other.priority] = other;
            lengths[other.priority]++;
        }
    }

    Process current() {
        if (running == null) {
            for (int level = LEVELS; level > 0; level--) {
                running = take(level, 0);
                if (running != null) {
                    return running;
                }
            }
        }
        return running;
    }

    int create(int priority) {
        if (priority <= 0 || priority > LEVELS) {
            return BAD_PRIORITY;
        }
        Process process = new Process(next, priority);
        next++;
        return enqueue(priority, process);
    }

    int upgrade(int priority, int percent) {
        if (priority < 1 || priority > LEVELS) {
            return BAD_PRIORITY;
        }
        if (priority == LEVELS) {
            return OK;
        }
        Process process = take(priority, percent);
        if (process == null) {
            return NOTHING;
        }
        process.priority = priority + 1;
        return enqueue(process.priority, process);
    }

    int block() {
        Process process = current();
        if (process == null) {
            return NOTHING;
        }
        running = null;
        return enqueue(0, process);
    }

    int unblock(int percent) {
        Process process = take(0, percent);
        if (process == null) {
            return NOTHING;
        }
        return enqueue(process.priority, process);
    }

    int expire() {
        Process process = current();
        if (process == null) {
            return NOTHING;
        }
        running = null;
        return enqueue(process.priority, process);
    }

    int finish() {
        Process process = current();
        if (process == null) {
            return NOTHING;
        }
        running = null;
        out.append(process.number).append(' ');
        return OK;
    }

    int flush() {
        while (finish() == OK) {
            // Until none is left.
        }
        return OK;
    }

    String run(int[] commands) {
        for (int level = LEVELS; level > 0; level--) {
            for (int count = commands[level - 1]; count > 0; count--) {
                create(level);
            }
        }
        int at = 3;
        while (at < commands.length) {
            int status = OK;
            int command = commands[at++];
            switch (command) {
                case 1:
                    status = create(commands[at++]);
                    break;
                case 2:
                    status = upgrade(commands[at], commands[at + 1]);
                    at += 2;
                    break;
                case 3:
                    status = block();
                    break;
                case 4:
                    status = unblock(commands[at++]);
                    break;
                case 5:
                    status = expire();
                    break;
                case 6:
                    status = finish();
                    break;
                case 7:
                    status = flush();
                    break;
                default:
                    status = BAD_RATIO;
                    break;
            }
            if (status != OK) {
                out.append('!').append(status).append(' ');
            }
        }
        flush();
        return out.toString();
    }
}
