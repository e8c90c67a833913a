/* Player, Banker and Tie by full enumeration over unordered pairs of values, eight decks, in 64-bit integers. Prints
   microseconds of CPU time for one enumeration. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int draws(int b, int third) {
  if (b <= 2) return 1;
  if (b == 3) return third != 8;
  if (b == 4) return third >= 2 && third <= 7;
  if (b == 5) return third >= 4 && third <= 7;
  if (b == 6) return third == 6 || third == 7;
  return 0;
}

static void count(int64_t won[3], int p, int b, int64_t ways) { won[p > b ? 0 : p < b ? 1 : 2] += ways; }

static void enumerate(int64_t won[3], volatile int64_t *fresh) {
  int64_t n[10], size = 0;
  won[0] = won[1] = won[2] = 0;
  for (int v = 0; v < 10; v++) size += n[v] = fresh[v];
  for (int a = 0; a < 10; a++) for (int c = a; c < 10; c++) {
    int64_t first = a == c ? n[a] * (n[a] - 1) : 2 * n[a] * n[c];
    n[a]--; n[c]--;
    int p = (a + c) % 10;
    for (int x = 0; x < 10; x++) for (int y = x; y < 10; y++) {
      int64_t four = first * (x == y ? n[x] * (n[x] - 1) : 2 * n[x] * n[y]);
      int b = (x + y) % 10;
      n[x]--; n[y]--;
      if (p >= 8 || b >= 8 || (p >= 6 && b >= 6)) count(won, p, b, four * (size - 4) * (size - 5));
      else if (p >= 6) for (int v = 0; v < 10; v++) count(won, p, (b + v) % 10, four * n[v] * (size - 5));
      else for (int v = 0; v < 10; v++) {
        int64_t five = four * n[v];
        if (!draws(b, v)) { count(won, (p + v) % 10, b, five * (size - 5)); continue; }
        n[v]--;
        for (int w = 0; w < 10; w++) count(won, (p + v) % 10, (b + w) % 10, five * n[w]);
        n[v]++;
      }
      n[x]++; n[y]++;
    }
    n[a]++; n[c]++;
  }
}

int main(int argc, char **argv) {
  volatile int64_t fresh[10] = {128, 32, 32, 32, 32, 32, 32, 32, 32, 32};
  int64_t won[3];
  int times = argc > 1 ? atoi(argv[1]) : 2000;
  clock_t start = clock();
  for (int i = 0; i < times; i++) enumerate(won, fresh);
  double micros = 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / times;
  fprintf(stderr, "player %lld banker %lld tie %lld\n", (long long)won[0], (long long)won[1], (long long)won[2]);
  printf("%.3f\n", micros);
  return 0;
}
