/* What every yardstick in C has: random numbers as docs/language/random.md lays
 * them down, what is told of one game, and the program around the games. */

#ifndef YARDSTICK_H
#define YARDSTICK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- random numbers */

typedef struct {
    uint64_t state, increment;
} Luck;

static inline uint64_t mixed(uint64_t x) {
    uint64_t z = x + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline Luck luck_of(uint64_t seed, uint64_t game, const char *tag) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *tag; tag++) hash = (hash ^ (unsigned char)*tag) * 0x100000001B3u;
    uint64_t key = mixed(mixed(seed) ^ game) ^ hash;
    return (Luck){mixed(key), mixed(key + 0x9E3779B97F4A7C15u) | 1};
}

static inline uint32_t word(Luck *luck) {
    uint64_t state = luck->state;
    luck->state = state * 6364136223846793005u + luck->increment;
    uint32_t bits = (uint32_t)(((state >> 18) ^ state) >> 27);
    unsigned turn = (unsigned)(state >> 59);
    return (bits >> turn) | (bits << (-turn & 31));
}

/* A number from 0 to n - 1, each alike; one possibility draws nothing. */
static inline uint32_t below(Luck *luck, uint32_t n) {
    if (n == 1) return 0;
    uint64_t product = (uint64_t)word(luck) * n;
    if ((uint32_t)product < n) {
        uint32_t least = -n % n;
        while ((uint32_t)product < least) product = (uint64_t)word(luck) * n;
    }
    return (uint32_t)(product >> 32);
}

static inline Luck bot_luck(uint64_t seed, uint64_t game, int seat) {
    char tag[] = "bot/0";
    tag[4] = (char)('0' + seat);
    return luck_of(seed, game, tag);
}

/* ---- one game */

enum { MOST_SEATS = 6, MOST_NUMBERS = 512 };

typedef struct {
    int winners; /* a bit for each seat; none: the game stalled */
    int decisions, rounds;
    int scores[MOST_SEATS];
} Result;

/* Each game gives these two: `play` a whole game, and `lay_out` the last position
 * of the game that was played last, as numbers in a fixed order. */
static Result play(uint64_t seed, uint64_t number, int players);
static int lay_out(int *numbers);

/* ---- the program: SEED FIRST GAMES PLAYERS, and `--quiet REPEATS` for totals */

static inline void print_game(uint64_t number, const Result *result, int players) {
    printf("%llu ", (unsigned long long)number);
    const char *before = "won:";
    for (int seat = 0; seat < players; seat++) {
        if (!(result->winners >> seat & 1)) continue;
        printf("%s%d", before, seat);
        before = ",";
    }
    printf("%s %d %d ", result->winners ? "" : "stalled:round", result->decisions,
           result->rounds);
    for (int seat = 0; seat < players; seat++)
        printf("%s%d", seat ? "," : "", result->scores[seat]);
    int numbers[MOST_NUMBERS], count = lay_out(numbers);
    for (int n = 0; n < count; n++) printf("%s%d", n ? "," : " ", numbers[n]);
    printf("\n");
}

/* Prints: games, decisions, rounds, scores in all, and seconds of CPU time. */
static inline void measure(uint64_t seed, uint64_t first, int games, int players,
                           int repeats) {
    long long decisions = 0, rounds = 0, scores = 0;
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (int repeat = 0; repeat < repeats; repeat++) {
        for (int game = 0; game < games; game++) {
            Result result = play(seed, first + (uint64_t)game, players);
            decisions += result.decisions;
            rounds += result.rounds;
            for (int seat = 0; seat < players; seat++) scores += result.scores[seat];
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) +
                     (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%lld %lld %lld %lld %.9f\n", (long long)games * repeats, decisions,
           rounds, scores, seconds);
}

int main(int argc, char **argv) {
    if (argc != 5 && !(argc == 7 && strcmp(argv[5], "--quiet") == 0)) {
        fprintf(stderr, "usage: %s SEED FIRST GAMES PLAYERS [--quiet REPEATS]\n",
                argv[0]);
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10), first = strtoull(argv[2], NULL, 10);
    int games = atoi(argv[3]), players = atoi(argv[4]);
    if (argc == 7) {
        measure(seed, first, games, players, atoi(argv[6]));
        return 0;
    }
    for (int game = 0; game < games; game++) {
        uint64_t number = first + (uint64_t)game;
        Result result = play(seed, number, players);
        print_game(number, &result, players);
    }
    return 0;
}

#endif
