#pragma once
#include <curl/curl.h>
#include <dlfcn.h>

/* The type-checking macros of curl.h would capture the table's fields of the same names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

/* libcurl, opened on first use: one line per function, its type taken from curl.h itself. */
#define CURL_FUNCTIONS(F) \
  F(curl_global_init) \
  F(curl_version_info) \
  F(curl_easy_init) \
  F(curl_easy_setopt) \
  F(curl_easy_getinfo) \
  F(curl_easy_cleanup) \
  F(curl_easy_pause) \
  F(curl_easy_strerror) \
  F(curl_multi_init) \
  F(curl_multi_setopt) \
  F(curl_multi_add_handle) \
  F(curl_multi_remove_handle) \
  F(curl_multi_socket_action) \
  F(curl_multi_info_read) \
  F(curl_multi_cleanup) \
  F(curl_share_init) \
  F(curl_share_setopt) \
  F(curl_share_cleanup) \
  F(curl_slist_append) \
  F(curl_slist_free_all)

typedef struct {
#define F(name) __typeof__(&name) name;
  CURL_FUNCTIONS(F)
#undef F
} curl_functions;

/* Fills the table; NULL, or the dynamic linker's reason. The library is never closed again:
   OpenSSL below it registers handlers that run when the process ends. */
static inline const char *curl_functions_open(curl_functions *f, const char *soname) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define F(name) if (!(f->name = (__typeof__(&name))dlsym(library, #name))) return dlerror();
  CURL_FUNCTIONS(F)
#undef F
  return 0;
}

/* What of libssl and libcrypto judges a certificate within the handshake of libcurl. Looked up through
   libcurl itself: never another copy than the one that it uses. */
typedef struct {
  void (*SSL_CTX_set_cert_verify_callback)(void *, int (*)(void *, void *), void *);
  void (*SSL_CTX_set_cert_cb)(void *, int (*)(void *, void *), void *);
  int (*SSL_CTX_set_ex_data)(void *, int, void *);
  void *X509_verify_cert;
} curl_tls_functions;

/* Fills the table; 0 when libcurl was built with another TLS library. */
static inline int curl_tls_functions_open(curl_tls_functions *f, const char *soname) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define F(name) if (!(f->name = (__typeof__(f->name))dlsym(library, #name))) return 0;
  F(SSL_CTX_set_cert_verify_callback)
  F(SSL_CTX_set_cert_cb)
  F(SSL_CTX_set_ex_data)
  F(X509_verify_cert)
#undef F
  return 1;
}

/* Variadic functions cannot be called from Swift: one inline per type of argument. */
typedef size_t (*curl_receiver)(char *, size_t, size_t, void *);
static inline CURLcode curl_set_long(
    const curl_functions *f, CURL *h, CURLoption o, long v) { return f->curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_size(
    const curl_functions *f, CURL *h, CURLoption o, curl_off_t v) { return f->curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_pointer(
    const curl_functions *f, CURL *h, CURLoption o, const void *v) { return f->curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_receiver(
    const curl_functions *f, CURL *h, CURLoption o, curl_receiver v) { return f->curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_prerequest(
    const curl_functions *f, CURL *h, curl_prereq_callback v) {
  return f->curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, v);
}
static inline CURLcode curl_set_tls_start(
    const curl_functions *f, CURL *h, curl_ssl_ctx_callback v) {
  return f->curl_easy_setopt(h, CURLOPT_SSL_CTX_FUNCTION, v);
}
static inline CURLcode curl_get_long(
    const curl_functions *f, CURL *h, CURLINFO i, long *v) { return f->curl_easy_getinfo(h, i, v); }
static inline CURLMcode curl_multi_set_long(
    const curl_functions *f, CURLM *m, CURLMoption o, long v) { return f->curl_multi_setopt(m, o, v); }
static inline CURLMcode curl_multi_hear_sockets(
    const curl_functions *f, CURLM *m, void *listener, curl_socket_callback v) {
  f->curl_multi_setopt(m, CURLMOPT_SOCKETDATA, listener);
  return f->curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, v);
}
static inline CURLMcode curl_multi_hear_timer(
    const curl_functions *f, CURLM *m, void *listener, curl_multi_timer_callback v) {
  f->curl_multi_setopt(m, CURLMOPT_TIMERDATA, listener);
  return f->curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, v);
}
static inline CURLSHcode curl_share_data(
    const curl_functions *f, CURLSH *s, curl_lock_data v) {
  return f->curl_share_setopt(s, CURLSHOPT_SHARE, (int)v);
}

/* The result lies in a union; NULL for a message that is not about the end of a transfer. */
static inline CURL *curl_message_end(const CURLMsg *m, CURLcode *result) {
  if (m->msg != CURLMSG_DONE) return 0;
  *result = m->data.result;
  return m->easy_handle;
}
