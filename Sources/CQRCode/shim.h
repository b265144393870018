#pragma once
#include <qrencode.h>
#include <dlfcn.h>

/* libqrencode, opened on first use: one line per function, its type taken from qrencode.h itself. */
#define QR_FUNCTIONS(F) \
  F(QRcode_encodeString8bit) \
  F(QRcode_free)

typedef struct {
#define F(name) __typeof__(&name) name;
  QR_FUNCTIONS(F)
#undef F
} qr_functions;

/* Fills the table; NULL, or the dynamic linker's reason. */
static inline const char *qr_functions_open(qr_functions *f, const char *soname) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define F(name) if (!(f->name = (__typeof__(&name))dlsym(library, #name))) return dlerror();
  QR_FUNCTIONS(F)
#undef F
  return 0;
}
