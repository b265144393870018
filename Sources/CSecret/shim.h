#pragma once
#include <dlfcn.h>
#include <stddef.h>

/* libsecret and what of GLib it is used with, declared here word for word and not included: their
   headers are found through pkg-config alone, and its link flags would open four libraries at every
   start of every program. A test compiles this file behind the real headers: C refuses a second
   declaration that differs from the first. */

#ifndef __G_LIB_H__
typedef int gint;
typedef unsigned int guint;
typedef gint gboolean;
typedef char gchar;
typedef unsigned int guint32;
typedef unsigned long guint64;
typedef unsigned long gsize;
typedef signed long gssize;
typedef void *gpointer;
typedef const void *gconstpointer;
typedef guint32 GQuark;
typedef gsize GType;
typedef void (*GDestroyNotify)(gpointer data);
typedef guint (*GHashFunc)(gconstpointer key);
typedef gboolean (*GEqualFunc)(gconstpointer a, gconstpointer b);
typedef struct _GError { GQuark domain; gint code; gchar *message; } GError;
typedef struct _GList { gpointer data; struct _GList *next, *prev; } GList;
typedef struct _GHashTable GHashTable;
typedef struct _GMainContext GMainContext;
typedef struct _GCancellable GCancellable;
typedef struct _GDBusConnection GDBusConnection;
typedef int GBusType;
#define G_BUS_TYPE_SESSION 2

typedef struct _SecretService SecretService;
typedef struct _SecretCollection SecretCollection;
typedef struct _SecretItem SecretItem;
typedef struct _SecretValue SecretValue;
typedef struct _SecretSchema SecretSchema;
typedef int SecretServiceFlags;
typedef int SecretCollectionFlags;
typedef int SecretItemCreateFlags;
typedef int SecretSearchFlags;
#define SECRET_SERVICE_OPEN_SESSION (1 << 1)
#define SECRET_COLLECTION_NONE 0
#define SECRET_ITEM_CREATE_REPLACE (1 << 1)
#define SECRET_SEARCH_ALL (1 << 1)
#define SECRET_ERROR_IS_LOCKED 2
#define SECRET_ERROR_NO_SUCH_OBJECT 3
#endif

/* Names in parentheses: newer GLibs have macros of the same names. */
extern GCancellable *(g_cancellable_new)(void);
extern void (g_cancellable_cancel)(GCancellable *cancellable);
extern GDBusConnection *(g_bus_get_sync)(
    GBusType bus_type, GCancellable *cancellable, GError **error);
extern void (g_error_free)(GError *error);
extern const gchar *(g_quark_to_string)(GQuark quark);
extern GHashTable *(g_hash_table_new)(GHashFunc hash_func, GEqualFunc key_equal_func);
extern gboolean (g_hash_table_insert)(GHashTable *hash_table, gpointer key, gpointer value);
extern void (g_hash_table_unref)(GHashTable *hash_table);
extern guint (g_str_hash)(gconstpointer v);
extern gboolean (g_str_equal)(gconstpointer v1, gconstpointer v2);
extern void (g_list_free)(GList *list);
extern GMainContext *(g_main_context_new)(void);
extern void (g_main_context_push_thread_default)(GMainContext *context);
extern void (g_main_context_pop_thread_default)(GMainContext *context);
extern void (g_main_context_unref)(GMainContext *context);
extern void (g_object_unref)(gpointer object);

extern GType (secret_service_get_type)(void);
extern SecretService *(secret_service_open_sync)(
    GType service_gtype, const gchar *service_bus_name, SecretServiceFlags flags,
    GCancellable *cancellable, GError **error);
extern GList *(secret_service_search_sync)(
    SecretService *service, const SecretSchema *schema, GHashTable *attributes,
    SecretSearchFlags flags, GCancellable *cancellable, GError **error);
extern SecretCollection *(secret_collection_for_alias_sync)(
    SecretService *service, const gchar *alias, SecretCollectionFlags flags,
    GCancellable *cancellable, GError **error);
extern gboolean (secret_collection_get_locked)(SecretCollection *self);
extern SecretItem *(secret_item_create_sync)(
    SecretCollection *collection, const SecretSchema *schema, GHashTable *attributes,
    const gchar *label, SecretValue *value, SecretItemCreateFlags flags,
    GCancellable *cancellable, GError **error);
extern gboolean (secret_item_get_locked)(SecretItem *self);
extern guint64 (secret_item_get_modified)(SecretItem *self);
extern gboolean (secret_item_load_secret_sync)(
    SecretItem *self, GCancellable *cancellable, GError **error);
extern SecretValue *(secret_item_get_secret)(SecretItem *self);
extern gboolean (secret_item_delete_sync)(
    SecretItem *self, GCancellable *cancellable, GError **error);
extern SecretValue *(secret_value_new)(
    const gchar *secret, gssize length, const gchar *content_type);
extern const gchar *(secret_value_get)(SecretValue *value, gsize *length);
extern void (secret_value_unref)(gpointer value);

/* One line per function, its type taken from the declaration above. */
#define SECRET_FUNCTIONS(F) \
  F(g_cancellable_new) \
  F(g_cancellable_cancel) \
  F(g_bus_get_sync) \
  F(g_error_free) \
  F(g_quark_to_string) \
  F(g_hash_table_new) \
  F(g_hash_table_insert) \
  F(g_hash_table_unref) \
  F(g_str_hash) \
  F(g_str_equal) \
  F(g_list_free) \
  F(g_main_context_new) \
  F(g_main_context_push_thread_default) \
  F(g_main_context_pop_thread_default) \
  F(g_main_context_unref) \
  F(g_object_unref) \
  F(secret_service_get_type) \
  F(secret_service_open_sync) \
  F(secret_service_search_sync) \
  F(secret_collection_for_alias_sync) \
  F(secret_collection_get_locked) \
  F(secret_item_create_sync) \
  F(secret_item_get_locked) \
  F(secret_item_get_modified) \
  F(secret_item_load_secret_sync) \
  F(secret_item_get_secret) \
  F(secret_item_delete_sync) \
  F(secret_value_new) \
  F(secret_value_get) \
  F(secret_value_unref)

typedef struct {
#define F(name) __typeof__(&(name)) name;
  SECRET_FUNCTIONS(F)
#undef F
} secret_functions;

/* Fills the table; NULL, or the dynamic linker's reason. The library is never closed again: GLib's
   types cannot be taken back. */
static inline const char *secret_functions_open(secret_functions *f, const char *soname) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define F(name) if (!(f->name = (__typeof__(f->name))dlsym(library, #name))) return dlerror();
  SECRET_FUNCTIONS(F)
#undef F
  return NULL;
}
