// AES-256-GCM under the data key of an account, and the random bytes that it and ids need.
#pragma once
#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

enum { KEY_SIZE = 32, NONCE_SIZE = 12, TAG_SIZE = 16 };

// Fresh random bytes out of a pool that one call of libcrypto fills.
void random_bytes(void *bytes, size_t count);

// A context that holds a random key.
EVP_CIPHER_CTX *make_key(void);

// Writes 01 ‖ nonce ‖ ciphertext ‖ tag.
void seal(EVP_CIPHER_CTX *key, Bytes content, Bytes associated, Buffer *sealed);
