// Requests over libcurl in C, so many at once: the same ones as GatebookBench's `transport`.
//
// One thread drives libcurl's multi interface by its sockets (curl_multi_socket_action and epoll),
// as Gatebook does. A transport is handed each request anew: so each sets its URL and its header,
// and the answer's status, header lines and body are kept. All that stays the same is set once.
//
// With the last word `apart` that thread is one of its own: each caller is another one, hands its
// request over and sleeps until it is woken with the answer. This is what any transport costs that
// callers share.
#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "measure.h"

enum { BODY_SIZE = 1024, MOST_EVENTS = 64 };

typedef struct {
  char *bytes;
  size_t count;
} Text;

typedef struct Request {
  CURL *easy;
  struct curl_slist *lines;
  Text header, body;
  double begun;
  // Of a caller on a thread of its own.
  struct Request *next;
  pthread_cond_t answered;
  bool isAnswered;
} Request;

typedef struct {
  CURLM *multi;
  int sockets;
  // When libcurl wants to be called although nothing has happened; below 0 never.
  double alarm;
  const char *url, *authorization;
  long begun, ended;
  Latencies latencies;
  // Where callers on threads of their own put their requests; the bell wakes the loop.
  pthread_mutex_t lock;
  Request *handed;
  int bell;
  bool isAsleep;
  long share;
} Loop;

static size_t keep(char *bytes, size_t size, size_t count, void *place) {
  Text *text = place;
  text->bytes = realloc(text->bytes, text->count + size * count);
  if (!text->bytes) fail("requests", "out of memory");
  memcpy(text->bytes + text->count, bytes, size * count);
  text->count += size * count;
  return size * count;
}

static void forget(Text *text) {
  free(text->bytes);
  *text = (Text){0};
}

static int watch(CURL *easy, curl_socket_t socket, int wanted, void *place, void *known) {
  (void)easy;
  Loop *loop = place;
  struct epoll_event event = {.data.fd = socket};
  if (wanted & CURL_POLL_IN) event.events |= EPOLLIN;
  if (wanted & CURL_POLL_OUT) event.events |= EPOLLOUT;
  if (wanted == CURL_POLL_REMOVE) {
    epoll_ctl(loop->sockets, EPOLL_CTL_DEL, socket, &event);
  } else {
    epoll_ctl(loop->sockets, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    curl_multi_assign(loop->multi, socket, loop);
  }
  return 0;
}

static int set_alarm(CURLM *multi, long milliseconds, void *place) {
  (void)multi;
  ((Loop *)place)->alarm = milliseconds < 0 ? -1 : now() + (double)milliseconds * 1e-3;
  return 0;
}

static void begin(Loop *loop, Request *request) {
  request->begun = now();
  curl_easy_setopt(request->easy, CURLOPT_URL, loop->url);
  request->lines = curl_slist_append(NULL, loop->authorization);
  request->lines = curl_slist_append(request->lines, "Accept:");
  curl_easy_setopt(request->easy, CURLOPT_HTTPHEADER, request->lines);
  if (curl_multi_add_handle(loop->multi, request->easy)) fail("requests", "not taken");
  loop->begun++;
}

static void end(Loop *loop, Request *request, CURLcode result) {
  long status = 0;
  curl_easy_getinfo(request->easy, CURLINFO_RESPONSE_CODE, &status);
  if (result || status != 200 || request->body.count != BODY_SIZE) fail("requests", "no answer");
  curl_multi_remove_handle(loop->multi, request->easy);
  curl_slist_free_all(request->lines);
  forget(&request->header);
  forget(&request->body);
  loop->ended++;
  add_latency(&loop->latencies, now() - request->begun);
}

static void act(Loop *loop, curl_socket_t socket, int state) {
  int running = 0;
  if (curl_multi_socket_action(loop->multi, socket, state, &running)) fail("requests", "libcurl");
}

static void act_if_due(Loop *loop) {
  if (loop->alarm < 0 || loop->alarm > now()) return;
  loop->alarm = -1;
  act(loop, CURL_SOCKET_TIMEOUT, 0);
}

// Begins what other threads have handed over.
static void take(Loop *loop) {
  pthread_mutex_lock(&loop->lock);
  Request *request = loop->handed;
  loop->handed = NULL;
  loop->isAsleep = false;
  pthread_mutex_unlock(&loop->lock);
  while (request) {
    Request *next = request->next;
    double begun = request->begun;
    begin(loop, request);
    request->begun = begun;
    request = next;
  }
}

static void turn(Loop *loop) {
  struct epoll_event events[MOST_EVENTS];
  int patience = -1;
  if (loop->alarm >= 0) {
    double rest = loop->alarm - now();
    patience = rest > 0 ? (int)(rest * 1e3) + 1 : 0;
  }
  int count = epoll_wait(loop->sockets, events, MOST_EVENTS, patience);
  if (count < 0 && errno != EINTR) fail("requests", strerror(errno));
  for (int index = 0; index < count; index++) {
    if (events[index].data.fd == loop->bell) {
      uint64_t rung;
      if (read(loop->bell, &rung, sizeof rung) < 0) fail("requests", strerror(errno));
      continue;
    }
    int state = 0;
    if (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) state |= CURL_CSELECT_IN;
    if (events[index].events & EPOLLOUT) state |= CURL_CSELECT_OUT;
    act(loop, events[index].data.fd, state);
  }
  act_if_due(loop);
}

// Returns how many have ended; each is followed by another one until there were enough.
static int collect(Loop *loop, long many) {
  int left = 0, count = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(loop->multi, &left))) {
    Request *request;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request);
    end(loop, request, message->data.result);
    if (loop->begun < many) begin(loop, request);
    count++;
  }
  return count;
}

static void run(Loop *loop, Request *requests, long callers, long many) {
  loop->begun = loop->ended = 0;
  for (long index = 0; index < callers; index++) begin(loop, &requests[index]);
  while (loop->ended < many) {
    // What has just begun leaves before anything is waited for.
    act_if_due(loop);
    if (!collect(loop, many)) turn(loop);
  }
}

// A loop that others hand their requests to; returns after so many.
static void serve(Loop *loop, long many) {
  for (long answered = 0; answered < many;) {
    take(loop);
    act_if_due(loop);
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(loop->multi, &left))) {
      Request *request;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request);
      end(loop, request, message->data.result);
      answered++;
      pthread_mutex_lock(&loop->lock);
      request->isAnswered = true;
      pthread_cond_signal(&request->answered);
      pthread_mutex_unlock(&loop->lock);
    }
    pthread_mutex_lock(&loop->lock);
    bool isAsleep = loop->isAsleep = !loop->handed;
    pthread_mutex_unlock(&loop->lock);
    if (isAsleep && answered < many) turn(loop);
  }
}

typedef struct {
  Loop *loop;
  Request *request;
} Caller;

static void *call(void *place) {
  Caller *caller = place;
  Loop *loop = caller->loop;
  Request *request = caller->request;
  for (long number = 0; number < loop->share; number++) {
    pthread_mutex_lock(&loop->lock);
    request->begun = now();
    request->isAnswered = false;
    request->next = loop->handed;
    loop->handed = request;
    bool isAsleep = loop->isAsleep;
    loop->isAsleep = false;
    uint64_t one = 1;
    if (isAsleep && write(loop->bell, &one, sizeof one) < 0) fail("requests", strerror(errno));
    while (!request->isAnswered) pthread_cond_wait(&request->answered, &loop->lock);
    pthread_mutex_unlock(&loop->lock);
  }
  return NULL;
}

static void run_apart(Loop *loop, Request *requests, long callers, long many) {
  pthread_t threads[callers];
  Caller made[callers];
  loop->share = many / callers;
  loop->begun = loop->ended = 0;
  for (long index = 0; index < callers; index++) {
    made[index] = (Caller){loop, &requests[index]};
    if (pthread_create(&threads[index], NULL, call, &made[index])) fail("requests", "no thread");
  }
  serve(loop, loop->share * callers);
  for (long index = 0; index < callers; index++) pthread_join(threads[index], NULL);
}

static void prepare(Request *request) {
  CURL *easy = request->easy = curl_easy_init();
  if (!easy) fail("requests", "out of memory");
  curl_easy_setopt(easy, CURLOPT_PRIVATE, request);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "gatebook/1.0");
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 15000L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, keep);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &request->header);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &request->body);
  pthread_cond_init(&request->answered, NULL);
}

int main(int count, char **words) {
  const char *usage = "requests URL TOKEN CALLERS REQUESTS [apart]";
  bool isApart = count == 6 && strcmp(words[5], "apart") == 0;
  if (count != 5 && !isApart) fail("usage", usage);
  long callers = atol(words[3]), many = atol(words[4]);
  if (callers < 1 || many < callers) fail("usage", usage);
  char authorization[256];
  snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", words[2]);
  curl_global_init(CURL_GLOBAL_ALL);
  Loop loop = {
      .multi = curl_multi_init(), .sockets = epoll_create1(EPOLL_CLOEXEC), .alarm = -1,
      .url = words[1], .authorization = authorization,
      .latencies = make_latencies((size_t)(many + many / 10 + callers)),
      .lock = PTHREAD_MUTEX_INITIALIZER, .bell = eventfd(0, EFD_CLOEXEC)};
  if (!loop.multi || loop.sockets < 0 || loop.bell < 0) {
    fail("requests", "libcurl could not be started");
  }
  struct epoll_event event = {.events = EPOLLIN, .data.fd = loop.bell};
  epoll_ctl(loop.sockets, EPOLL_CTL_ADD, loop.bell, &event);
  curl_multi_setopt(loop.multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(loop.multi, CURLMOPT_SOCKETDATA, &loop);
  curl_multi_setopt(loop.multi, CURLMOPT_TIMERFUNCTION, set_alarm);
  curl_multi_setopt(loop.multi, CURLMOPT_TIMERDATA, &loop);
  Request *requests = calloc((size_t)callers, sizeof(Request));
  if (!requests) fail("requests", "out of memory");
  for (long index = 0; index < callers; index++) prepare(&requests[index]);
  // The connections are made, and the heap has its size.
  void (*work)(Loop *, Request *, long, long) = isApart ? run_apart : run;
  work(&loop, requests, callers, many / 10 > callers ? many / 10 : callers);
  loop.latencies.count = 0;
  double start = now();
  work(&loop, requests, callers, many);
  print_rate(many, now() - start, &loop.latencies);
  for (long index = 0; index < callers; index++) curl_easy_cleanup(requests[index].easy);
  free(requests);
  curl_multi_cleanup(loop.multi);
  close(loop.sockets);
  close(loop.bell);
  curl_global_cleanup();
}
