#include "seal.h"

#include <openssl/rand.h>
#include <string.h>

#include "measure.h"

void random_bytes(void *bytes, size_t count) {
  static uint8_t pool[1280];
  static size_t used = sizeof pool;
  if (used + count > sizeof pool) {
    if (RAND_bytes(pool, sizeof pool) != 1) fail("libcrypto", "no random bytes");
    used = 0;
  }
  memcpy(bytes, pool + used, count);
  used += count;
}

EVP_CIPHER_CTX *make_key(void) {
  static EVP_CIPHER *cipher;
  if (!cipher) cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
  uint8_t key[KEY_SIZE];
  random_bytes(key, sizeof key);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (EVP_EncryptInit_ex2(context, cipher, key, NULL, NULL) != 1) fail("libcrypto", "no cipher");
  return context;
}

void seal(EVP_CIPHER_CTX *key, Bytes content, Bytes associated, Buffer *sealed) {
  uint8_t nonce[NONCE_SIZE], tag[TAG_SIZE], output[512];
  int written, rest;
  random_bytes(nonce, sizeof nonce);
  EVP_EncryptInit_ex2(key, NULL, NULL, nonce, NULL);
  EVP_EncryptUpdate(key, NULL, &written, associated.start, (int)associated.count);
  EVP_EncryptUpdate(key, output, &written, content.start, (int)content.count);
  EVP_EncryptFinal_ex(key, output + written, &rest);
  EVP_CIPHER_CTX_ctrl(key, EVP_CTRL_AEAD_GET_TAG, TAG_SIZE, tag);
  clear(sealed);
  add_byte(sealed, 0x01);
  add_bytes(sealed, nonce, sizeof nonce);
  add_bytes(sealed, output, content.count);
  add_bytes(sealed, tag, sizeof tag);
}
