#pragma once
#include <libpsl.h>
#include <dlfcn.h>

/* libpsl, opened on first use: one line per function, its type taken from libpsl.h itself. */
#define PSL_FUNCTIONS(F) \
  F(psl_latest) \
  F(psl_builtin) \
  F(psl_is_public_suffix2) \
  F(psl_free)

typedef struct {
#define F(name) __typeof__(&name) name;
  PSL_FUNCTIONS(F)
#undef F
} psl_functions;

/* Fills the table; NULL, or the dynamic linker's reason. */
static inline const char *psl_functions_open(psl_functions *f, const char *soname) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define F(name) if (!(f->name = (__typeof__(&name))dlsym(library, #name))) return dlerror();
  PSL_FUNCTIONS(F)
#undef F
  return 0;
}

/* A composed macro. */
static inline int psl_type_any(void) { return PSL_TYPE_ANY; }
