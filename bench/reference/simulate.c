/* The plainest fast program for the job: full shuffle, if/else table of play, Player, Banker and Tie counted. Prints
   rounds per second of CPU time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t s0 = 0x9e3779b97f4a7c15u, s1 = 0xbf58476d1ce4e5b9u;

static inline uint64_t turned(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static inline uint64_t word(void) {
  uint64_t a = s0, b = s1, out = turned(a + b, 17) + a;
  b ^= a;
  s0 = turned(a, 49) ^ b ^ (b << 21);
  s1 = turned(b, 28);
  return out;
}

int main(int count, char **words) {
  int decks = 8, cut = 14, cards = 52 * decks;
  long shoes = count > 1 ? atol(words[1]) : 100000, rounds = 0, won[3] = {0, 0, 0};
  uint8_t shoe[520];
  clock_t start = clock();
  for (long n = 0; n < shoes; n++) {
    for (int i = 0; i < cards; i++) shoe[i] = i % 13 < 9 ? i % 13 + 1 : 0;
    for (int i = cards - 1; i > 0; i--) {
      uint32_t j = (uint32_t)(((word() >> 32) * (uint64_t)(i + 1)) >> 32);
      uint8_t x = shoe[i];
      shoe[i] = shoe[j];
      shoe[j] = x;
    }
    int at = 0;
    while (at <= cards - cut) {
      int p = (shoe[at] + shoe[at + 2]) % 10, b = (shoe[at + 1] + shoe[at + 3]) % 10;
      at += 4;
      if (p < 8 && b < 8) {
        if (p <= 5) {
          int third = shoe[at++], draws;
          if (b <= 2) draws = 1;
          else if (b == 3) draws = third != 8;
          else if (b == 4) draws = third >= 2 && third <= 7;
          else if (b == 5) draws = third >= 4 && third <= 7;
          else if (b == 6) draws = third == 6 || third == 7;
          else draws = 0;
          p = (p + third) % 10;
          if (draws) b = (b + shoe[at++]) % 10;
        } else if (b <= 5) {
          b = (b + shoe[at++]) % 10;
        }
      }
      won[p > b ? 0 : p < b ? 1 : 2]++;
      rounds++;
    }
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  fprintf(stderr, "player %.5f banker %.5f tie %.5f\n", (double)won[0] / rounds, (double)won[1] / rounds, (double)won[2] / rounds);
  printf("%.0f\n", rounds / seconds);
  return 0;
}
