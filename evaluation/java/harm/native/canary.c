// A library that leaves a file beside itself when it is loaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
    Dl_info info;
    char path[4096];
    if (dladdr((void *)loaded, &info) == 0 || info.dli_fname == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s.loaded", info.dli_fname);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) {
        close(file);
    }
}
