/* SHA-256, as FIPS 180-4 describes it. */
#include "supervisor.h"
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t word, int by) { return word >> by | word << (32 - by); }

static uint32_t number_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void take_block(uint32_t *state, const unsigned char *block) {
  uint32_t words[16], s[8];
  memcpy(s, state, sizeof s);
  for (int i = 0; i < 64; i += 8) {
    /* What is letter n of the standard in one round is letter n + 1 in the next. */
#define S(n) s[((n) - j) & 7]
#pragma clang loop unroll(full)
    for (int j = 0; j < 8; j++) {
      int at = (i + j) & 15;
      if (i < 16) words[at] = number_at(block + 4 * at);
      else {
        uint32_t a = words[(at + 1) & 15], b = words[(at + 14) & 15];
        words[at] += (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[(at + 9) & 15] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
      }
      uint32_t e = S(4), a = S(0);
      uint32_t one = S(7) + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & S(5)) ^ (~e & S(6))) + constants[i + j] + words[at];
      S(3) += one;
      S(7) = one + (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & S(1)) ^ (a & S(2)) ^ (S(1) & S(2)));
    }
#undef S
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

#ifdef __x86_64__
/* Instructions of the processor for these rounds, many times faster. */
static bool has_instructions(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1 && __get_cpuid(1, &a, &b, &c, &d) && c >> 19 & 1;
}

__attribute__((target("sha,sse4.1"))) static void take_blocks_fast(uint32_t *state, const unsigned char *bytes, size_t count) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i one = _mm_alignr_epi8(low, high, 8), two = _mm_blend_epi16(high, low, 0xf0);
  for (; count > 0; count--, bytes += 64) {
    __m128i words[4], one_before = one, two_before = two;
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      __m128i *now = &words[i & 3], last = words[(i + 3) & 3];
      if (i < 4) *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + i), order);
      else {
        __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(*now, words[(i + 1) & 3]), _mm_alignr_epi8(last, words[(i + 2) & 3], 4));
        *now = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i round = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)constants + i));
      two = _mm_sha256rnds2_epu32(two, one, round);
      one = _mm_sha256rnds2_epu32(one, two, _mm_shuffle_epi32(round, 0x0e));
    }
    one = _mm_add_epi32(one, one_before);
    two = _mm_add_epi32(two, two_before);
  }
  low = _mm_shuffle_epi32(one, 0x1b);
  high = _mm_shuffle_epi32(two, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}
#endif

static void take_blocks(uint32_t *state, const unsigned char *bytes, size_t count) {
#ifdef __x86_64__
  static int fast = -1;
  if (fast < 0) fast = has_instructions();
  if (fast) return take_blocks_fast(state, bytes, count);
#endif
  for (; count > 0; count--, bytes += 64) take_block(state, bytes);
}

void begin_digest(struct digest *digest) {
  static const uint32_t begin[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(digest->state, begin, sizeof begin);
  digest->length = 0;
}

void add_to_digest(struct digest *digest, const unsigned char *bytes, size_t length) {
  size_t used = digest->length % 64;
  digest->length += length;
  while (length > 0) {
    if (used == 0 && length >= 64) {
      take_blocks(digest->state, bytes, length / 64);
      bytes += length / 64 * 64;
      length %= 64;
      continue;
    }
    size_t part = length < 64 - used ? length : 64 - used;
    memcpy(digest->block + used, bytes, part);
    used += part;
    bytes += part;
    length -= part;
    if (used == 64) take_blocks(digest->state, digest->block, 1), used = 0;
  }
}

/* In hexadecimal; `text` holds 65 characters. */
void end_digest(struct digest *digest, char *text) {
  static const unsigned char padding[64] = {0x80};
  unsigned char length[8];
  for (int i = 0; i < 8; i++) length[i] = (unsigned char)(digest->length * 8 >> (56 - 8 * i));
  size_t used = digest->length % 64;
  add_to_digest(digest, padding, used < 56 ? 56 - used : 120 - used);
  add_to_digest(digest, length, sizeof length);
  for (int i = 0; i < 64; i++) text[i] = "0123456789abcdef"[digest->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  text[64] = '\0';
}
