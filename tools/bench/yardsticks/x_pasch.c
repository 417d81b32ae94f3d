/* X-Pasch written by hand: the basic game with random players, in C.
 *
 * A set of companies is a word with a bit for each of the 55. */

#include "yardstick.h"

enum {
    WINNING_SCORE = 120,
    OPENING_HAND = 3,
    HAND_LIMIT = 5,
    TRIPLET_MARKERS = 5,
    MARKER_SUPPLY = 34,
    MOST_ROUNDS = 400,
    COMPANIES = 55
};

enum { FOUNDING, PLACING, SLIDING, DRAWING, EXCHANGING };

typedef uint64_t Set;

typedef struct {
    int number, pasch, any_pasch, income, bonus;
} Company;

static const Company COMPANY[COMPANIES] = {
    {1, 0, 0, 5, 2},  {2, 0, 0, 4, 2},  {3, 0, 0, 3, 2},  {3, 0, 0, 3, 2},
    {4, 0, 0, 2, 2},  {4, 0, 0, 2, 2},  {5, 0, 0, 2, 2},  {5, 0, 0, 2, 2},
    {5, 0, 0, 2, 2},  {6, 0, 0, 2, 2},  {6, 0, 0, 2, 2},  {6, 0, 0, 2, 2},
    {7, 0, 0, 4, 3},  {7, 0, 0, 4, 3},  {7, 0, 0, 4, 3},  {8, 0, 0, 4, 3},
    {8, 0, 0, 2, 3},  {8, 0, 0, 4, 3},  {9, 0, 0, 5, 3},  {9, 0, 0, 5, 3},
    {9, 0, 0, 5, 3},  {10, 0, 0, 5, 3}, {10, 0, 0, 5, 3}, {10, 0, 0, 5, 3},
    {11, 0, 0, 6, 3}, {11, 0, 0, 6, 3}, {12, 0, 0, 6, 3}, {12, 0, 0, 6, 3},
    {13, 0, 0, 7, 5}, {14, 0, 0, 8, 5}, {15, 0, 0, 8, 5}, {16, 0, 0, 9, 6},
    {17, 0, 0, 9, 6}, {18, 0, 0, 9, 6}, {18, 0, 0, 9, 6}, {0, 0, 1, 4, 3},
    {0, 0, 1, 4, 3},  {0, 0, 1, 4, 3},  {0, 0, 1, 4, 3},  {0, 1, 0, 7, 4},
    {0, 2, 0, 7, 4},  {0, 3, 0, 7, 4},  {0, 4, 0, 7, 4},  {0, 5, 0, 7, 4},
    {0, 6, 0, 7, 4},  {13, 1, 0, 6, 4}, {16, 1, 0, 7, 4}, {11, 2, 0, 5, 4},
    {14, 2, 0, 7, 4}, {10, 3, 0, 6, 4}, {16, 3, 0, 7, 4}, {15, 4, 0, 5, 4},
    {12, 5, 0, 6, 4}, {13, 5, 0, 6, 4}, {14, 6, 0, 7, 4},
};

/* Dice that are used together, in the order of options: by size, then by members. */
static const int USES[7] = {1, 2, 4, 3, 5, 6, 7};

static Set by_sum[19];     /* companies that a sum makes */
static Set by_pair[7];     /* companies that a pair makes */
static Set by_income[10];  /* companies that pay so much or less */
static uint32_t ways[64][6]; /* ways[m][n]: to spread n pieces over m members */
static int prepared;

static struct {
    int players;
    int score[MOST_SEATS], supply[MOST_SEATS];
    Set hand[MOST_SEATS];
    Set owned[MOST_SEATS]; /* companies with markers of a player */
    signed char markers[COMPANIES][MOST_SEATS];
    Set table;
    unsigned char deck[COMPANIES]; /* a ring; the top is at the end */
    int bottom, size;
    Luck bot[MOST_SEATS], dice[3], second[3];
    int decisions, rounds;
} game;

static struct {
    int me, step, exchanged;
    int face[3];
    int tray; /* a bit for each die */
    Set drawn;
    Set settled;              /* companies with markers that may slide */
    signed char old[COMPANIES]; /* how many of them */
    Set made[8];              /* by the dice used: what they make */
} turn;

static inline Set bit(int company) { return (Set)1 << company; }
static inline int size(Set set) { return __builtin_popcountll(set); }
static inline int dice(int use) { return __builtin_popcount((unsigned)use); }
static inline int lowest(Set set) { return __builtin_ctzll(set); }

/* The member number n of a set, from 0. */
static inline int member(Set set, int n) {
    while (n--) set &= set - 1;
    return lowest(set);
}

static void prepare(void) {
    for (int n = 0; n < COMPANIES; n++) {
        by_sum[COMPANY[n].number] |= bit(n);
        for (int face = 1; face <= 6; face++)
            if (COMPANY[n].any_pasch || COMPANY[n].pasch == face)
                by_pair[face] |= bit(n);
        for (int income = COMPANY[n].income; income < 10; income++)
            by_income[income] |= bit(n);
    }
    by_sum[0] = 0;
    for (int n = 0; n < 6; n++) ways[1][n] = 1;
    for (int m = 2; m < 64; m++)
        for (int n = 0; n < 6; n++)
            ways[m][n] = ways[m - 1][n] + (n ? ways[m][n - 1] : 0);
    prepared = 1;
}

static inline uint32_t decide(uint32_t options) {
    game.decisions++;
    return below(&game.bot[turn.me], options);
}

static inline void put(int count, int company) {
    int me = turn.me;
    if (count > game.supply[me]) count = game.supply[me];
    if (!count) return;
    game.supply[me] -= count;
    game.markers[company][me] += (signed char)count;
    game.owned[me] |= bit(company);
}

static inline int finished(void) {
    for (int seat = 0; seat < game.players; seat++)
        if (game.score[seat] >= WINNING_SCORE) return 1;
    return 0;
}

static void collect(int me) {
    for (Set left = game.owned[me]; left; left &= left - 1) {
        int company = lowest(left), mine = game.markers[company][me], most = 1;
        for (int seat = 0; seat < game.players; seat++)
            most &= seat == me || game.markers[company][seat] < mine;
        game.score[me] += most * COMPANY[company].income;
    }
}

/* ---- what the dice can do */

static void look_at_dice(void) {
    for (int n = 0; n < 7; n++) {
        int use = USES[n], sum = 0, pair = 0;
        for (int die = 0; die < 3; die++)
            if (use >> die & 1) sum += turn.face[die];
        for (int face = 1; face <= 6 && dice(use) == 2; face++)
            if (sum == 2 * face && turn.face[__builtin_ctz((unsigned)use)] == face)
                pair = face;
        turn.made[use] = by_sum[sum] | (pair ? by_pair[pair] : 0);
    }
}

static inline int is_triplet(int use) {
    return use == 7 && turn.face[0] == turn.face[1] && turn.face[1] == turn.face[2];
}

static inline Set founded_by(int use) {
    return is_triplet(use) ? ~(Set)0 : turn.made[use];
}

static inline Set slides_from(int origin) {
    Set lower = by_income[COMPANY[origin].income];
    return game.owned[turn.me] & lower & ~bit(origin);
}

static int count_matches(Set among, int founding) {
    int count = 0;
    for (int n = 0; n < 7; n++) {
        int use = USES[n];
        if (use & ~turn.tray) continue;
        count += size(among & (founding ? founded_by(use) : turn.made[use]));
    }
    return count;
}

static int count_slides(void) {
    int count = 0;
    for (Set left = turn.settled; left; left &= left - 1)
        count += size(slides_from(lowest(left)));
    return count * dice(turn.tray);
}

/* ---- doing it */

static inline void spend(int use, int step) {
    turn.tray &= ~use;
    turn.step = step;
}

static inline void take_card(void) {
    int top = game.bottom + --game.size;
    int company = game.deck[top >= COMPANIES ? top - COMPANIES : top];
    game.hand[turn.me] |= bit(company);
    turn.drawn |= bit(company);
}

static inline int die_number(int n) { return 1 << member((Set)turn.tray, n); }

static void exchange(int company, int die) {
    spend(die, EXCHANGING);
    turn.exchanged = 1;
    game.hand[turn.me] &= ~bit(company);
    game.bottom = game.bottom ? game.bottom - 1 : COMPANIES - 1;
    game.deck[game.bottom] = (unsigned char)company;
    game.size++;
    take_card();
}

/* Takes the match number n: founds a company, or places markers on one. */
static void match(Set among, int n, int founding) {
    for (Set left = among;; left &= left - 1) {
        int company = lowest(left);
        for (int u = 0; u < 7; u++) {
            int use = USES[u];
            Set made = founding ? founded_by(use) : turn.made[use];
            if ((use & ~turn.tray) || !(made & bit(company)) || n--) continue;
            spend(use, founding ? FOUNDING : PLACING);
            if (founding) {
                game.hand[turn.me] &= ~bit(company);
                game.table |= bit(company);
            }
            put(founding ? COMPANY[company].bonus : dice(use), company);
            return;
        }
    }
}

static void slide(int n) {
    int left_dice = dice(turn.tray), pair = n / left_dice, me = turn.me;
    Set origins = turn.settled;
    while (pair >= size(slides_from(lowest(origins)))) {
        pair -= size(slides_from(lowest(origins)));
        origins &= origins - 1;
    }
    int origin = lowest(origins), target = member(slides_from(origin), pair);
    spend(die_number(n % left_dice), SLIDING);
    if (!--turn.old[origin]) turn.settled &= ~bit(origin);
    if (!--game.markers[origin][me]) game.owned[me] &= ~bit(origin);
    game.markers[target][me]++;
}

static void spread(void) {
    int amount = game.supply[turn.me], members = size(game.table);
    if (amount > TRIPLET_MARKERS) amount = TRIPLET_MARKERS;
    spend(7, PLACING);
    if (!amount) return;
    uint32_t index = members > 1 ? decide(ways[members][amount]) : 0;
    for (Set left = game.table; left; left &= left - 1) {
        int here = amount, behind = --members;
        while (behind && index >= ways[behind][amount - here])
            index -= ways[behind][amount - here--];
        put(here, lowest(left));
        amount -= here;
    }
}

/* Chooses one of all options and takes it; says whether the turn goes on. */
static int act(void) {
    int me = turn.me, tray = dice(turn.tray), held = size(game.hand[me]);
    Set older = game.hand[me] & ~turn.drawn;
    int draws = 0, exchanges = 0, founds = 0, places = 0, slides = 0, spreads = 0;
    if (turn.step <= DRAWING && held < HAND_LIMIT && game.size) draws = tray;
    if (!turn.exchanged && held == HAND_LIMIT && game.size)
        exchanges = size(older) * tray;
    if (turn.step == FOUNDING) founds = count_matches(game.hand[me], 1);
    if (turn.step <= PLACING) {
        places = count_matches(game.table, 0);
        spreads = turn.tray == 7 && is_triplet(7) && game.table;
    }
    if (turn.step <= SLIDING) slides = count_slides();
    int count = draws + exchanges + founds + places + slides + spreads;
    if (!count) return 0;
    int choice = (int)decide((uint32_t)count + 1);
    if (choice == count) return 0;
    if (choice < draws) {
        spend(die_number(choice), DRAWING);
        take_card();
    } else if ((choice -= draws) < exchanges) {
        exchange(member(older, choice / tray), die_number(choice % tray));
    } else if ((choice -= exchanges) < founds) {
        match(game.hand[me], choice, 1);
    } else if ((choice -= founds) < places) {
        match(game.table, choice, 0);
    } else if ((choice -= places) < slides) {
        slide(choice);
    } else {
        spread();
    }
    return 1;
}

static void take_turn(int me, int rerolls) {
    turn.me = me;
    turn.step = FOUNDING;
    turn.exchanged = 0;
    turn.tray = 7;
    turn.drawn = 0;
    turn.settled = game.owned[me];
    for (Set left = turn.settled; left; left &= left - 1)
        turn.old[lowest(left)] = game.markers[lowest(left)][me];
    for (int die = 0; die < 3; die++)
        turn.face[die] = 1 + (int)below(&game.dice[die], 6);
    if (rerolls) {
        uint32_t die = decide(4);
        if (die < 3) turn.face[die] = 1 + (int)below(&game.second[die], 6);
    }
    look_at_dice();
    while (act()) continue;
}

/* ---- a game */

static void begin(uint64_t seed, uint64_t number, int players) {
    memset(&game, 0, sizeof game);
    game.players = players;
    game.size = COMPANIES;
    for (int n = 0; n < COMPANIES; n++) game.deck[n] = (unsigned char)n;
    Luck dealing = luck_of(seed, number, "dealing");
    for (int last = COMPANIES - 1; last > 0; last--) {
        uint32_t other = below(&dealing, (uint32_t)last + 1);
        unsigned char kept = game.deck[last];
        game.deck[last] = game.deck[other];
        game.deck[other] = kept;
    }
    for (int seat = 0; seat < players; seat++) {
        game.supply[seat] = MARKER_SUPPLY;
        game.bot[seat] = bot_luck(seed, number, seat);
        for (int n = 0; n < OPENING_HAND; n++)
            game.hand[seat] |= bit(game.deck[--game.size]);
    }
    game.dice[0] = luck_of(seed, number, "rolling/red");
    game.dice[1] = luck_of(seed, number, "rolling/green");
    game.dice[2] = luck_of(seed, number, "rolling/blue");
    game.second[0] = luck_of(seed, number, "reroll.again/red");
    game.second[1] = luck_of(seed, number, "reroll.again/green");
    game.second[2] = luck_of(seed, number, "reroll.again/blue");
}

static int first_seat(uint64_t seed, uint64_t number) {
    Luck opening[3] = {luck_of(seed, number, "throwing/red"),
                       luck_of(seed, number, "throwing/green"),
                       luck_of(seed, number, "throwing/blue")};
    int high = (1 << game.players) - 1;
    while (high & (high - 1)) {
        int most = 0, best = 0;
        for (int seat = 0; seat < game.players; seat++) {
            if (!(high >> seat & 1)) continue;
            int sum = 3;
            for (int die = 0; die < 3; die++) sum += (int)below(&opening[die], 6);
            if (sum > most) most = sum, best = 0;
            if (sum == most) best |= 1 << seat;
        }
        high = best;
    }
    return __builtin_ctz((unsigned)high);
}

/* The seat that is alone in last place, or -1. */
static int last_player(void) {
    int last = 0, alone = 1;
    for (int seat = 1; seat < game.players; seat++) {
        if (game.score[seat] == game.score[last]) alone = 0;
        if (game.score[seat] < game.score[last]) last = seat, alone = 1;
    }
    return alone ? last : -1;
}

static Result play(uint64_t seed, uint64_t number, int players) {
    if (!prepared) prepare();
    begin(seed, number, players);
    int first = first_seat(seed, number);
    for (int round = 0; round < MOST_ROUNDS && !finished(); round++) {
        int last = last_player();
        for (int n = 0; n < players; n++) {
            int me = (first + n) % players;
            collect(me);
            if (!finished()) take_turn(me, me == last);
        }
        game.rounds++;
    }
    Result result = {.decisions = game.decisions, .rounds = game.rounds};
    int most = 0;
    for (int seat = 0; seat < players; seat++) {
        result.scores[seat] = game.score[seat];
        if (game.score[seat] > most) most = game.score[seat];
    }
    for (int seat = 0; seat < players && finished(); seat++)
        result.winners |= (game.score[seat] == most) << seat;
    return result;
}

static int lay_set(int *numbers, Set set) {
    int count = 0;
    for (; set; set &= set - 1) numbers[count++] = lowest(set);
    return count;
}

static int lay_out(int *numbers) {
    int count = 0;
    for (int n = 0; n < game.size; n++)
        numbers[count++] = game.deck[(game.bottom + n) % COMPANIES];
    count += lay_set(numbers + count, game.table);
    for (int seat = 0; seat < game.players; seat++) {
        count += lay_set(numbers + count, game.hand[seat]);
        numbers[count++] = game.supply[seat];
        for (int n = 0; n < COMPANIES; n++)
            numbers[count++] = game.markers[n][seat];
    }
    return count;
}
