#pragma once
#include <dlfcn.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* libssl, opened on first use: one line per function, its type taken from ssl.h itself. What lies
   in libcrypto is linked and called by its name. */
#define TLS_FUNCTIONS(F) \
  F(TLS_client_method) \
  F(TLS_server_method) \
  F(SSL_CTX_new) \
  F(SSL_CTX_free) \
  F(SSL_CTX_ctrl) \
  F(SSL_CTX_use_certificate) \
  F(SSL_CTX_use_PrivateKey) \
  F(SSL_CTX_check_private_key) \
  F(SSL_CTX_set1_cert_store) \
  F(SSL_CTX_add_client_CA) \
  F(SSL_CTX_set_verify) \
  F(SSL_CTX_set_num_tickets) \
  F(SSL_new) \
  F(SSL_free) \
  F(SSL_ctrl) \
  F(SSL_set1_host) \
  F(SSL_set_accept_state) \
  F(SSL_set_connect_state) \
  F(SSL_set_bio) \
  F(SSL_do_handshake) \
  F(SSL_read) \
  F(SSL_write) \
  F(SSL_shutdown) \
  F(SSL_get_error) \
  F(SSL_get_verify_result) \
  F(SSL_get_version) \
  F(SSL_get1_peer_certificate)

typedef struct {
#define F(name) __typeof__(&name) name;
  TLS_FUNCTIONS(F)
#undef F
} tls_functions;

/* Fills the table; NULL, or the dynamic linker's reason. The library is never closed again:
   OpenSSL registers handlers that run when the process ends. */
static inline const char *tls_functions_open(tls_functions *f, const char *soname) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define F(name) if (!(f->name = (__typeof__(&name))dlsym(library, #name))) return dlerror();
  TLS_FUNCTIONS(F)
#undef F
  return 0;
}

/* Composed macros of ssl.h, which would call the functions by name and so link libssl. */
static inline int tls_limit_versions(const tls_functions *f, SSL_CTX *c, int oldest, int newest) {
  return f->SSL_CTX_ctrl(c, SSL_CTRL_SET_MIN_PROTO_VERSION, oldest, NULL) == 1
      && f->SSL_CTX_ctrl(c, SSL_CTRL_SET_MAX_PROTO_VERSION, newest, NULL) == 1;
}
static inline void tls_forget_sessions(const tls_functions *f, SSL_CTX *c) {
  f->SSL_CTX_ctrl(c, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
}
static inline int tls_name_server(const tls_functions *f, SSL *s, const char *host) {
  return f->SSL_ctrl(
      s, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)host) == 1;
}

/* A macro over a variadic function. */
static inline EVP_PKEY *tls_new_key(void) { return EVP_EC_gen("P-256"); }
