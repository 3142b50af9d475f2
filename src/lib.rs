//! Agent entry points of `libjinsi.so`.
