#!/bin/sh
# Arguments: the root directory, the JDK's, and a command. Runs the command in that root, which sees the JDK, its own processes, and devices.
set -eu
root=$1 jdk=$2
shift 2
mount --bind "$jdk" "$root$jdk"
# Debian's JDK has its settings there.
for settings in /etc/java*; do
    if [ -d "$settings" ]; then
        mkdir -p "$root$settings"
        mount --bind "$settings" "$root$settings"
    fi
done
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH="$jdk/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$@"
