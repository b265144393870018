#pragma once
#include <dlfcn.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>

/* libpq, opened on first use: one line per function, its type taken from libpq-fe.h itself. */
#define PQ_FUNCTIONS(F) \
  F(PQconninfoParse) \
  F(PQconninfoFree) \
  F(PQconninfo) \
  F(PQconnectStartParams) \
  F(PQconnectPoll) \
  F(PQstatus) \
  F(PQsocket) \
  F(PQerrorMessage) \
  F(PQsetErrorVerbosity) \
  F(PQconnectionNeedsPassword) \
  F(PQencryptPasswordConn) \
  F(PQserverVersion) \
  F(PQsetnonblocking) \
  F(PQsetNoticeProcessor) \
  F(PQfinish) \
  F(PQgetCancel) \
  F(PQcancel) \
  F(PQfreeCancel) \
  F(PQsendQuery) \
  F(PQsendQueryParams) \
  F(PQsetSingleRowMode) \
  F(PQflush) \
  F(PQconsumeInput) \
  F(PQisBusy) \
  F(PQgetResult) \
  F(PQputCopyData) \
  F(PQputCopyEnd) \
  F(PQgetCopyData) \
  F(PQfreemem) \
  F(PQresultStatus) \
  F(PQresultErrorField) \
  F(PQntuples) \
  F(PQgetvalue) \
  F(PQgetlength) \
  F(PQgetisnull) \
  F(PQcmdTuples) \
  F(PQclear)

typedef struct {
#define F(name) __typeof__(&name) name;
  PQ_FUNCTIONS(F)
#undef F
} pq_functions;

/* Fills the table; NULL, or the dynamic linker's reason. The library is never closed again: OpenSSL
   below it registers handlers that run when the process ends. */
static inline const char *pq_functions_open(pq_functions *f, const char *soname) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define F(name) if (!(f->name = (__typeof__(&name))dlsym(library, #name))) return dlerror();
  PQ_FUNCTIONS(F)
#undef F
  return 0;
}

/* Waits until a socket can be read (1), written (2) or either (3); returns which, 0 after the time. */
static inline int pq_wait(int socket, int events, int milliseconds) {
  struct pollfd one = {socket, (short)((events & 1 ? POLLIN : 0) | (events & 2 ? POLLOUT : 0)), 0};
  if (poll(&one, 1, milliseconds) <= 0) return 0;
  int came = (one.revents & POLLOUT ? 2 : 0) | (one.revents & POLLIN ? 1 : 0);
  return came ? came : events; /* An error is what the next call of libpq reports. */
}

/* Notices of the server are for nobody: what counts is in results. */
static inline void pq_ignore_notice(void *nobody, const char *message) {
  (void)nobody;
  (void)message;
}
