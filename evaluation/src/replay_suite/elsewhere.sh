#!/bin/sh
# A java that runs the replay worker elsewhere: another zone, language, character set, user and home, and no network. What replay
# answers must not depend on any of them. @JAVA@, @NETWORK@ and @WATCH@ are put in by whoever writes this file.
case " $* " in
*" jinsi.replay.Worker"*) ;;
*) exec @JAVA@ "$@" ;;
esac
for word in "$@"; do
    shift
    case "$word" in
    -Duser.timezone=*) word=-Duser.timezone=Pacific/Auckland ;;
    -Duser.language=*) word=-Duser.language=tr ;;
    -Duser.country=*) word=-Duser.country=TR ;;
    -Dfile.encoding=*) word=-Dfile.encoding=ISO-8859-1 ;;
    jinsi.replay.Worker) set -- "$@" -Duser.name=somebody -Duser.home=/nowhere -Djava.io.tmpdir=/nowhere ;;
    esac
    set -- "$@" "$word"
done
TZ=Pacific/Auckland LANG=tr_TR LC_ALL=tr_TR USER=somebody HOME=/nowhere
export TZ LANG LC_ALL USER HOME
exec @NETWORK@ @WATCH@ @JAVA@ "$@"
