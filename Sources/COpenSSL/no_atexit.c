#include <openssl/crypto.h>

// libcrypto would take itself apart in exit(), while other threads still use it or are just ending:
// then the program dies in free(), after its work. Threads of a pool, which Swift's tasks run on, can
// be neither joined nor asked. The first call in a process decides (OPENSSL_init_crypto(3)), and
// libcurl makes one, too: hence before everything else.
__attribute__((constructor)) static void gatebook_no_atexit(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
