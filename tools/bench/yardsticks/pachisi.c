/* Pachisi written by hand: the German edition with random players, in C. */

#include "yardstick.h"

enum {
    ARM = 8,
    QUARTER = 2 * ARM + 1,
    LOOP = 4 * QUARTER,
    GOAL = 2 * ARM + LOOP,
    MOST_THROWS = 99,
    MOST_ROUNDS = 500,
    CLOSED = -1
};

static const int STICK[4] = {1, 2, 5, 6};

/* The groups of four pawns in the order of options: by size, then by members. */
static const int GROUPS[15] = {1, 2, 4, 8, 3, 5, 9, 6, 10, 12, 7, 11, 13, 14, 15};

static struct {
    int players;
    int place[4][4];
    int arm[4], team[4];
    int throws[4];
    int begun[4];
    Luck bot[4], stick[3];
    int decisions, rounds;
} game;

static int lost[GOAL + 1];     /* a pawn here never comes home */
static int open_at[GOAL + 1];  /* steps on the open loop, or CLOSED */
static int prepared;

static void prepare(void) {
    for (int place = GOAL; place >= 0; place--) {
        int hopeful = place == GOAL;
        for (int n = 0; n < 64 && !hopeful; n++) {
            int to = place + STICK[n & 3] + STICK[n >> 2 & 3] + STICK[n >> 4];
            hopeful = to <= GOAL && !lost[to];
        }
        lost[place] = !hopeful;
        int steps = place - ARM, within = (steps + QUARTER) % QUARTER;
        int outside = steps < 0 || steps > LOOP;
        int fort = within == 0 || within == 4 || within == QUARTER - 4;
        open_at[place] = outside || fort ? CLOSED : steps;
    }
    prepared = 1;
}

static inline int square(int seat, int place) {
    if (open_at[place] == CLOSED) return CLOSED;
    int square = open_at[place] + QUARTER * game.arm[seat];
    return square >= LOOP ? square - LOOP : square;
}

static inline int decide(int seat, int options) {
    game.decisions++;
    return (int)below(&game.bot[seat], (uint32_t)options);
}

static inline int finished(int seat) {
    for (int nr = 0; nr < 4; nr++)
        if (game.place[seat][nr] != GOAL) return 0;
    return 1;
}

static int team_is_home(int team) {
    for (int seat = 0; seat < game.players; seat++)
        if (game.team[seat] == team && !finished(seat)) return 0;
    return 1;
}

static int hopeless(void) {
    int stuck = 0;
    for (int seat = 0; seat < game.players; seat++)
        for (int nr = 0; nr < 4; nr++)
            if (lost[game.place[seat][nr]]) stuck |= 1 << game.team[seat];
    for (int seat = 0; seat < game.players; seat++)
        if (!(stuck >> game.team[seat] & 1)) return 0;
    return 1;
}

/* The most enemies there may be at the end for a group to get there; none at all
 * where the road is blocked: then -1. */
static int road(int seat, int from, int to, const unsigned char *enemies) {
    for (int place = from + 1; place < to; place++) {
        int at = square(seat, place);
        if (at != CLOSED && enemies[at] >= 2) return -1;
    }
    int at = square(seat, to);
    return at == CLOSED ? 0 : enemies[at];
}

/* Finds the groups that may move, and how many of each place at most and least. */
static int walks(int seat, int steps, int shut, int *found) {
    unsigned char enemies[LOOP] = {0};
    for (int other = 0; other < game.players; other++)
        for (int nr = 0; nr < 4 && game.team[other] != game.team[seat]; nr++) {
            int at = square(other, game.place[other][nr]);
            if (at != CLOSED) enemies[at]++;
        }
    int together[4], least[4], most[4];
    for (int nr = 0; nr < 4; nr++) {
        int from = game.place[seat][nr], to = from + steps;
        together[nr] = 0;
        for (int each = 0; each < 4; each++)
            together[nr] |= (game.place[seat][each] == from) << each;
        most[nr] = 0;
        if (from == GOAL || to > GOAL || (from == 0 && shut)) continue;
        int there = road(seat, from, to, enemies);
        if (there < 0) continue;
        least[nr] = there >= 2 ? there : 1;
        most[nr] = from == 0 ? 1 : 4;
    }
    int count = 0;
    for (int n = 0; n < 15; n++) {
        int group = GROUPS[n], lead = __builtin_ctz((unsigned)group);
        int size = __builtin_popcount((unsigned)group);
        if ((group & ~together[lead]) || size > most[lead] || size < least[lead])
            continue;
        found[count++] = group;
    }
    return count;
}

static void walk(int seat, int group, int steps) {
    int at = CLOSED;
    for (int nr = 0; nr < 4; nr++)
        if (group >> nr & 1) {
            game.place[seat][nr] += steps;
            at = square(seat, game.place[seat][nr]);
        }
    game.begun[seat] = 1;
    if (at == CLOSED) return;
    for (int other = 0; other < game.players; other++)
        for (int nr = 0; nr < 4 && game.team[other] != game.team[seat]; nr++)
            if (square(other, game.place[other][nr]) == at) game.place[other][nr] = 0;
}

/* Throws and moves, or gives one of them up; says whether a throw is due. */
static int take_turn(int seat) {
    if (decide(seat, 2) == 1) return 0;
    int face[3];
    for (int die = 0; die < 3; die++) face[die] = STICK[below(&game.stick[die], 4)];
    game.throws[seat]++;
    int steps = face[0] + face[1] + face[2];
    int triple = face[0] == face[1] && face[1] == face[2];
    int further = face[0] == face[1] || face[1] == face[2] || face[0] == face[2];
    int found[15], wise[15], wise_ones = 0;
    int count = walks(seat, steps, game.begun[seat] && !triple, found);
    if (!count) return further;
    for (int n = 0; n < count; n++) {
        int from = game.place[seat][__builtin_ctz((unsigned)found[n])];
        if (lost[from] || !lost[from + steps]) wise[wise_ones++] = found[n];
    }
    int choice = decide(seat, 1 + wise_ones);
    if (choice == 0) return 0;
    walk(seat, wise[choice - 1], steps);
    return further;
}

static int first_seat(Luck *opening) {
    int high = (1 << game.players) - 1;
    while (high & (high - 1)) {
        int most = 0, best = 0;
        for (int seat = 0; seat < game.players; seat++) {
            if (!(high >> seat & 1)) continue;
            int face = STICK[below(opening, 4)];
            if (face > most) most = face, best = 0;
            if (face == most) best |= 1 << seat;
        }
        high = best;
    }
    return __builtin_ctz((unsigned)high);
}

static void begin(uint64_t seed, uint64_t number, int players) {
    memset(&game, 0, sizeof game);
    game.players = players;
    for (int seat = 0; seat < players; seat++) {
        game.arm[seat] = players == 2 ? 2 * seat : (4 - seat) % 4;
        game.team[seat] = players == 4 ? seat % 2 : seat;
        game.bot[seat] = bot_luck(seed, number, seat);
    }
    game.stick[0] = luck_of(seed, number, "cast.roll/a");
    game.stick[1] = luck_of(seed, number, "cast.roll/b");
    game.stick[2] = luck_of(seed, number, "cast.roll/c");
}

static Result result(void) {
    Result result = {.decisions = game.decisions, .rounds = game.rounds};
    for (int seat = 0; seat < game.players; seat++) {
        result.winners |= team_is_home(game.team[seat]) << seat;
        for (int other = 0; other < game.players; other++)
            for (int nr = 0; nr < 4 && game.team[other] == game.team[seat]; nr++)
                result.scores[seat] += game.place[other][nr];
    }
    return result;
}

static Result play(uint64_t seed, uint64_t number, int players) {
    if (!prepared) prepare();
    begin(seed, number, players);
    Luck opening = luck_of(seed, number, "throwing_for_start/a");
    int first = first_seat(&opening);
    do {
        game.rounds++;
        memset(game.throws, 0, sizeof game.throws);
        for (int n = 0; n < players; n++) {
            int seat = (first + n) % players, again = 1;
            while (again && !finished(seat))
                again = take_turn(seat) && game.throws[seat] < MOST_THROWS;
            if (team_is_home(game.team[seat])) return result();
        }
    } while (game.rounds < MOST_ROUNDS && !hopeless());
    return result();
}

static int lay_out(int *numbers) {
    for (int n = 0; n < 4 * game.players; n++) numbers[n] = game.place[n / 4][n % 4];
    return 4 * game.players;
}
