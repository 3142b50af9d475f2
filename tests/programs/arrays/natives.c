/* Native methods of arrays.Main and arrays.Natives. */
#include <jni.h>

static void fill(JNIEnv *env, jintArray array, jint value) {
    jsize length = (*env)->GetArrayLength(env, array);
    for (jsize i = 0; i < length; i++) {
        jint element = value + i;
        (*env)->SetIntArrayRegion(env, array, i, 1, &element);
    }
}

JNIEXPORT void JNICALL Java_arrays_Main_fill(JNIEnv *env, jclass class, jintArray array, jint value) {
    fill(env, array, value);
}

JNIEXPORT void JNICALL Java_arrays_Natives_fill(JNIEnv *env, jclass class, jintArray array, jint value) {
    fill(env, array, value);
}

JNIEXPORT jintArray JNICALL Java_arrays_Natives_made(JNIEnv *env, jclass class, jint length) {
    jintArray array = (*env)->NewIntArray(env, length);
    fill(env, array, 50);
    return array;
}
