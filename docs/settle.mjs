// Settles every round of an export (`punto export`) again and adds up every account, with this page alone. The table of
// play and the pay tables are written out below from the five rulebooks. So a mistake in a rule of Punto shows here, where
// `punto verify` would repeat it. Hashes and signatures are checked by check.mjs.
// Run: node docs/settle.mjs export.jsonl, or: punto export | node docs/settle.mjs
// Exit code 0: all agrees. 1: each difference has a line. 2: the input is damaged or is no export.
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

// ---- Cards and the table of play [BAC 3.3 to 3.9, the same in all five books; READING 43]
// A card is two characters, rank and suit. The cards of a round are in the order in which they left the shoe.

const FRENCH = { ranks: 'A23456789TJQK', suits: 'CDHS' };
const ELEMENTS = { ranks: 'A23456789TSLF', suits: '12345' };
const points = (card) => ('TJQKSLF'.includes(card[0]) ? 0 : card[0] === 'A' ? 1 : Number(card[0]));
const total = (cards) => cards.reduce((sum, card) => sum + points(card), 0) % 10;

/** Whether Banker draws, by its total and the points of Player's third card [BAC 3.9.4]. */
const bankerDraws = (banker, third) =>
  banker < 3 ||
  (banker === 3 && third !== 8) ||
  (banker === 4 && third >= 2 && third <= 7) ||
  (banker === 5 && third >= 4 && third <= 7) ||
  (banker === 6 && (third === 6 || third === 7));

/** The slot of the next card, such as P3 for the third card of Player; null when the deal is complete. */
const nextSlot = (cards) => {
  if (cards.length < 4) return ['P1', 'B1', 'P2', 'B2'][cards.length];
  const [player, banker] = [total([cards[0], cards[2]]), total([cards[1], cards[3]])];
  if (player > 7 || banker > 7) return null;
  if (player > 5) return cards.length === 4 && banker < 6 ? 'B3' : null;
  if (cards.length === 4) return 'P3';
  return cards.length === 5 && bankerDraws(banker, points(cards[4])) ? 'B3' : null;
};

/** The two hands of a complete deal. In a tie, both have the same total. */
const dealOf = (cards) => {
  const handOf = (side) => {
    const own = cards.filter((_, index) => nextSlot(cards.slice(0, index)).startsWith(side));
    return { cards: own, firstTwo: own.slice(0, 2), total: total(own), isNatural: own.length === 2 && total(own) > 7 };
  };
  const [player, banker] = [handOf('P'), handOf('B')];
  const lead = player.total - banker.total;
  const winner = lead > 0 ? 'player' : lead < 0 ? 'banker' : 'tie';
  return { player, banker, tie: player, winner, margin: Math.abs(lead) };
};

// ---- The pay tables. A line has a wager, conditions with their odds, and the clauses that define and pay the wager. The
// first condition that holds settles the wager; where none holds, it loses. 8 is 8 to 1, and 1/2 is 1 to 2. `less 1/20`
// is the commission: 0.95 to 1 is even money less 5 %, kept apart [READING 42]. `player on 6` is a win with a total of
// six, `with 3` by three cards, `player by 9` by nine points, `player natural` with a natural. A pair and a colour are
// those of the first two cards of a side.

const HALF_ON_SIX = 'banker on 6: 1/2; banker: 1';
const LESS_COMMISSION = 'banker: 1 less 1/20';
/** Player, Banker and Tie. In every game a tie gives back the stakes on Player and Banker. */
const main = (banker, winner, tie, pay) => `
  player             tie: push; player: 1                                      [${winner}, ${pay}]
  banker             tie: push; ${banker}  [${winner}, ${pay}]
  tie                tie: 8                                                    [${tie}, ${pay}]`;
const pairs = (pair, pay) => `
  player-pair        player pair: 11                                           [${pair}, ${pay}]
  banker-pair        banker pair: 11                                           [${pair}, ${pay}]`;
/** A wager for each side [READING 7], which pays its highest line alone [SUP 4.2, FAB 4.2]. */
const preciousPair = (side) => `
  ${side}-precious-pair  ${side} diamond fours: 30; ${side} fours: 15; ${side} diamonds: 12; ${side} pair: 9 [1.1.6, 4.2]`;
const PRECIOUS_PAIRS = preciousPair('player') + preciousPair('banker');
/** A wager for each total from `first` on. */
const winsOn = (side, first, clauses, ...odds) => {
  const line = (each, index) =>
    `\n  ${side}-wins-on-${first + index}  ${side} on ${first + index}: ${each} [${clauses}]`;
  return odds.map(line).join('');
};
/** A natural win pays even money by any margin; of ties only that of naturals pushes [READINGS 5, 6]. */
const dragonBonus = (side, clauses) => `
  ${side}-dragon-bonus  tie natural: push; ${side} natural: 1; ${side} by 9: 30; ${side} by 8: 10; ${side} by 7: 6; \
${side} by 6: 4; ${side} by 5: 2; ${side} by 4: 1 [${clauses}]`;
const DRAGON_BONUSES = dragonBonus('player', '1.1.9, 4.6') + dragonBonus('banker', '1.1.1, 4.5');
/** Tiger Pair pays its highest line alone [READINGS 2, 3]; the other four are wagers of their own [READING 4]. */
const TIGERS = `
  tiger              banker on 6 with 2: 12; banker on 6 with 3: 20            [1.1.18, 4.10]
  small-tiger        banker on 6 with 2: 22                                    [1.1.14, 4.10]
  big-tiger          banker on 6 with 3: 50                                    [1.1.2, 4.10]
  tiger-tie          tie on 6: 35                                              [1.1.20, 4.10]
  tiger-pair         both the same pair: 100; both a pair: 20; either pair: 4  [1.1.19, 4.9]`;

const PAY_TABLES = `
BAC baccarat@7${main(LESS_COMMISSION, '3.10', '1.1.8', '4.1')}${pairs('1.1.5', '4.1')}
SUP sands-super@2017-07-28${main(HALF_ON_SIX, '3.10', '1.1.12', '4.1')}
  player-red         player red: 2                                             [1.1.9, 4.1]
  player-black       player black: 2                                           [1.1.9, 4.1]
  banker-red         banker red: 2                                             [1.1.9, 4.1]
  banker-black       banker black: 2                                           [1.1.9, 4.1]
  sands-six          player on 6: 6; banker on 6: 6; tie on 6: 6               [1.1.11, 4.1]${PRECIOUS_PAIRS}
${winsOn('player', 1, '1.1.7, 4.3', 150, 80, 50, 50, 30, 11, 8, 6, 5)}
${winsOn('banker', 1, '1.1.1, 4.4', 150, 80, 50, 25, 15, 11, 8, 6, 5)}
${winsOn('tie', 0, '1.1.13, 4.5', 100, 150, 150, 150, 100, 80, 35, 35, 50, 50)}
ELM sands-elements@2${main(HALF_ON_SIX, '3.10', '1.1.8', '4.1')}${pairs('1.1.5', '4.1')}
  fortune-six        banker on 6 with 2: 12; banker on 6 with 3: 20            [1.1.1, 4.1]
FAB fabulous-4@3
  player             tie: push; player on 4: 1/2; player on 1: 2; player: 1    [3.9, 4.1]
  banker             tie: push; banker on 4: push; banker on 1: 2; banker: 1   [3.9, 4.1]
  tie                tie: 8                                                    [1.1.9, 4.1]
  player-fabulous-4  player on 4: 50                                           [1.1.5, 4.1]
  banker-fabulous-4  banker on 4: 25                                           [1.1.1, 4.1]${PRECIOUS_PAIRS}
ETG super-six@2021-10-28${main(HALF_ON_SIX, '3.9', '1.1.17', '4.1')}${pairs('1.1.11', '4.1')}
  super-six          banker on 6: 15                                           [1.1.15, 4.1]
ETG fortune-six@2021-10-28${main(HALF_ON_SIX, '3.9', '1.1.17', '4.2')}${pairs('1.1.11', '4.2')}
  fortune-six        banker on 6 with 2: 12; banker on 6 with 3: 20            [1.1.4, 4.2]${DRAGON_BONUSES}
ETG super-6@2021-10-28${main(HALF_ON_SIX, '3.9', '1.1.17', '4.3')}${pairs('1.1.11', '4.3')}
  super-6            banker on 6: 15                                           [1.1.15, 4.3]${DRAGON_BONUSES}
ETG no-commission@2021-10-28${main(HALF_ON_SIX, '3.9', '1.1.17', '4.4')}${pairs('1.1.11', '4.4')}
ETG tiger@2021-10-28${main(LESS_COMMISSION, '3.9', '1.1.17', '4.7')}${TIGERS}
ETG tiger-no-commission@2021-10-28${main(HALF_ON_SIX, '3.9', '1.1.17', '4.8')}${TIGERS}`;

/** What the first two cards of a side may show. A pair is two cards of one rank [ETG 1.1.11; READING 1]. */
const isPair = ([one, other]) => one[0] === other[0];
const FIRST_TWO = {
  pair: isPair,
  diamonds: (cards) => isPair(cards) && cards.every((card) => card[1] === 'D'),
  fours: (cards) => cards.every((card) => card[0] === '4'),
  'diamond fours': (cards) => cards.every((card) => card === '4D'),
  // Both cards have the colour [READING 8].
  red: (cards) => cards.every((card) => 'DH'.includes(card[1])),
  black: (cards) => cards.every((card) => 'CS'.includes(card[1])),
};
const FIRST_FOUR = {
  'both the same pair': (player, banker) => isPair(player) && isPair(banker) && isPair([player[0], banker[0]]),
  'both a pair': (player, banker) => isPair(player) && isPair(banker),
  'either pair': (player, banker) => isPair(player) || isPair(banker),
};
/** A condition on the side that wins, or on a tie. */
const OF_WINNER = /^(player|banker|tie)(?: on (\d))?(?: with (\d))?(?: by (\d))?( natural)?$/;
const isOrOpen = (wanted, value) => wanted === undefined || Number(wanted) === value;
/** A condition of a pay table as a test of a deal. */
const conditionOf = (text) => {
  const [, winner, sum, size, margin, natural] = OF_WINNER.exec(text) ?? [];
  if (winner) {
    return (deal) =>
      deal.winner === winner &&
      isOrOpen(sum, deal[winner].total) &&
      isOrOpen(size, deal[winner].cards.length) &&
      isOrOpen(margin, deal.margin) &&
      (!natural || deal[winner].isNatural);
  }
  if (FIRST_FOUR[text]) return ({ player, banker }) => FIRST_FOUR[text](player.firstTwo, banker.firstTwo);
  const [, side, shown] = /^(player|banker) (.+)$/.exec(text);
  return (deal) => FIRST_TWO[shown](deal[side].firstTwo);
};

const ratioOf = (text) => [...text.split('/').map(Number), 1].slice(0, 2);
/** A condition with its odds: `banker: 1 less 1/20`. */
const payLineOf = (text) => {
  const [condition, pay] = text.split(': ');
  const holds = conditionOf(condition);
  if (pay === 'push') return { holds, result: 'push' };
  const [odds, commission = '0'] = pay.split(' less ');
  return { holds, result: 'win', odds: ratioOf(odds), commission: ratioOf(commission) };
};
/** A line of a pay table. `isInitial`: the first four cards decide the wager. */
const wagerOf = (book, line) => {
  const [, name, terms, clauses] = /^ +(\S+) +(.+?) *\[(.+)\]$/.exec(line);
  const isInitial = !OF_WINNER.test(terms.split(':')[0]);
  return [name, { payLines: terms.split('; ').map(payLineOf), clause: `${book} ${clauses}`, isInitial }];
};
/** Of each book: the clause of the table of play, the one that forbids late stakes, and those that void a round. */
const BOOKS = {
  BAC: ['3.9', '5.6', '5.1 5.1.1 5.2 5.3 5.4 5.5'],
  SUP: ['3.9', '5.6', '5.1 5.1.1 5.2 5.3 5.4 5.5'],
  ELM: ['3.9', '5.6', '5.1 5.1.1 5.2 5.3 5.4 5.5'],
  FAB: ['3.8', '5.6', '5.1 5.1.1 5.2 5.3 5.4 5.5'],
  ETG: ['3.8', '5.5', '5.1 5.1.1 5.2 5.3 5.8.1 5.9.1 6.1'],
};
const HOUSE_VOIDS = [1, 4, 5, 6, 7, 8, 9, 12].map((number) => `HOUSE ${number}`);
/** The ten games by the name and version that `BetsOpened` gives. */
const GAMES = new Map();
for (const table of PAY_TABLES.trim().split(/\n(?=\w)/)) {
  const [title, ...lines] = table.split(/\n+/);
  const [book, name] = title.split(' ');
  const [draw, late, voids] = BOOKS[book].map((clauses) => clauses.split(' ').map((clause) => `${book} ${clause}`));
  const wagers = new Map(lines.map((line) => wagerOf(book, line)));
  const deck = book === 'ELM' ? ELEMENTS : FRENCH;
  GAMES.set(name, { name, deck, wagers, draw: draw[0], late: late[0], voids: [...voids, ...HOUSE_VOIDS] });
}
const payLineFor = ({ payLines }, deal) => payLines.find(({ holds }) => holds(deal)) ?? { result: 'lose' };

// ---- After an interruption the round goes on if a wager is certainly won or lost, else it is void [ETG 5.9, HOUSE 6].

/** Every way in which a deal may go on up to its end, any card of the deck being possible [READING 11]. */
function* continuations(cards, deck, isEnd) {
  if (isEnd(cards)) yield cards;
  else for (const card of deck) yield* continuations([...cards, card], deck, isEnd);
}
/** Which of these wagers win, or lose, in every one of the deals; a push is neither. */
const decidedIn = (deals, wagers) => {
  const seen = new Map(wagers.map(([name]) => [name, new Set()]));
  const isOpen = (results) => results.size > 1 || results.has('push');
  for (const cards of deals) {
    const deal = dealOf(cards);
    for (const [name, wager] of wagers) seen.get(name).add(payLineFor(wager, deal).result);
    if ([...seen.values()].every(isOpen)) return [];
  }
  return [...seen].filter(([, results]) => !isOpen(results)).map(([name, [result]]) => [name, result]);
};
/** The offered wagers that these cards decide, each with its result. Suits matter to the first four cards alone. */
const decidedBy = ({ deck: { ranks, suits }, wagers }, offered, cards) => {
  if (cards.length === 0) return [];
  const offeredWith = (wanted) =>
    offered.map((name) => [name, wagers.get(name)]).filter(([, { isInitial }]) => isInitial === wanted);
  const everyCard = [...ranks].flatMap((rank) => [...suits].map((suit) => rank + suit));
  const everyValue = 'A23456789T'.split('').map((rank) => rank + suits[0]);
  const initialDeals = continuations(cards.slice(0, 4), everyCard, ({ length }) => length === 4);
  const deals = continuations(cards, everyValue, (all) => nextSlot(all) === null);
  return [...decidedIn(initialDeals, offeredWith(true)), ...decidedIn(deals, offeredWith(false))];
};

// ---- Money. A transfer moves whole minor units from one account to another. Accounts are property/currency/kind/owner.

const stakeOn = (slip) => Object.values(slip ?? {}).reduce((sum, stake) => sum + stake, 0);
/** `label` names terminal, wager and clause of a difference. */
const transfer = (from, to, amount, label = {}) => ({ ...label, from, to, amount });
/** What the transfers bring to an account. */
const netTo = (account, transfers) =>
  transfers.reduce((sum, { from, to, amount }) => sum + amount * ((to === account) - (from === account)), 0);
const reversed = (each) => ({ ...each, from: each.to, to: each.from });
/** The transfers of the first list that the second lacks; one that is there twice counts twice. */
const without = (transfers, others) => {
  const keyOf = ({ from, to, amount }) => `${from} ${to} ${amount}`;
  const left = new Map();
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1);
  return transfers.filter((each) => {
    const count = left.get(keyOf(each)) ?? 0;
    left.set(keyOf(each), count - 1);
    return count <= 0;
  });
};
/** What a stake gets. Where the round is void there is no deal, and every stake goes back [READING 27]. */
const transfersOf = (name, stake, { game, deal, by }, { stakes, house, commission, terminal }) => {
  const wager = game.wagers.get(name);
  const line = deal ? payLineFor(wager, deal) : { result: 'push' };
  const label = { wager: name, clause: deal ? wager.clause : by };
  if (line.result === 'lose') return [transfer(stakes, house, stake, label)];
  const back = transfer(stakes, terminal, stake, label);
  if (line.result === 'push') return [back];
  const gross = (stake * line.odds[0]) / line.odds[1];
  const kept = (gross * line.commission[0]) / line.commission[1];
  const won = transfer(house, terminal, gross, label);
  return kept === 0 ? [back, won] : [back, won, transfer(terminal, commission, kept, label)];
};

// ---- Accounts, by the balances and numbers that their postings carry.

const NEVER_BELOW_ZERO = new Set(['terminal', 'stakes', 'hand-pay', 'ticket']);
const MOMENT_MS = 60_000;

class Ledger {
  #accounts = new Map();

  add({ from, to, amount, ...rest }, { stream, sequence, at }) {
    const move = (name, change, version, before, after) => {
      if (!this.#accounts.has(name)) this.#accounts.set(name, { moves: [], emptiedBy: [] });
      this.#accounts.get(name).moves.push({ stream, sequence, at, change, version, before, after });
    };
    move(from, -amount, rest.fromVersion, rest.fromBefore, rest.fromAfter);
    move(to, amount, rest.toVersion, rest.toBefore, rest.toAfter);
  }
  /** COLLECT, a payment of the cage, a redeemed ticket and a shortfall leave nothing in the account. */
  expectEmpty(name, { stream, sequence }) {
    this.#accounts.get(name)?.emptiedBy.push({ stream, sequence });
  }

  /** How many accounts add up. An export of one stream lacks postings of others; what it cannot add up is not counted. */
  check(isWhole, report) {
    let count = 0;
    for (const [name, { moves, emptiedBy }] of this.#accounts) {
      const expect = (move, what, expected, recorded) => {
        if (expected !== recorded) report(move, { what: `account ${name}, ${what}`, expected, recorded });
      };
      moves.sort((one, other) => one.version - other.version);
      const gap = moves.findIndex(({ version }, index) => version !== index + 1);
      if (gap >= 0 && !isWhole) continue;
      count++;
      this.#checkBalances(name.split('/')[2], gap < 0 ? moves : moves.slice(0, gap), expect);
      if (gap >= 0) expect(moves[gap], 'number of the posting', gap + 1, moves[gap].version);
      for (const { stream, sequence } of emptiedBy) {
        const last = moves.findLast((move) => move.stream === stream && move.sequence === sequence);
        // Another stream may have paid in or taken out at that very moment (docs/record.md).
        const isDisturbed = moves.some((move) => move.stream !== stream && Math.abs(move.at - last?.at) <= MOMENT_MS);
        if (last && !isDisturbed) expect(last, 'balance after', 0, last.after);
      }
    }
    return count;
  }
  #checkBalances(kind, moves, expect) {
    let balance = 0;
    for (const move of moves) {
      expect(move, 'balance before', balance, move.before);
      balance += move.change;
      expect(move, 'balance after', balance, move.after);
      if (NEVER_BELOW_ZERO.has(kind)) expect(move, 'is not below zero', true, balance >= 0);
      if (kind === 'shortfall') expect(move, 'is not above zero', true, balance <= 0);
    }
  }
}

// ---- A stream: the life of one table or terminal. Each event has to post what is due, and nothing else.

class Stream {
  constructor(context) {
    this.context = context;
  }
  /** The transfers that an event has to post. The floor and the staff register move no money. */
  due() {
    return [];
  }
  follow(entry) {
    this.entry = entry;
    const due = this.due(entry.event);
    const unexpected = without(entry.postings, due);
    for (const { from, to, amount, ...label } of without(due, entry.postings)) {
      const index = unexpected.findIndex((posting) => posting.from === from && posting.to === to);
      const [{ amount: recorded } = { amount: 0 }] = index < 0 ? [] : unexpected.splice(index, 1);
      this.expect(`${from} to ${to}`, amount, recorded, label);
    }
    for (const { from, to, amount } of unexpected) this.expect(`${from} to ${to}`, 0, amount);
  }
  finish() {}
  /** Reports a difference; `label` has what it is about: terminal, wager and clause. */
  expect(what, expected, recorded, label = {}) {
    if (isSame(expected, recorded)) return;
    this.context.report(this.entry, { round: this.entry.event.round, ...label, what, expected, recorded });
  }
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const byText = (one, other) => (one < other ? -1 : 1);
const namesOf = (names) => names.toSorted(byText).join(' ') || 'none';
const slipText = (slip) => namesOf(Object.entries(slip ?? {}).map((stake) => stake.join(' ')));
const resultText = ({ result, odds, commission }) =>
  result === 'win' ? `win ${odds.join(' to ')}${commission[0] > 0 ? ` less ${commission.join('/')}` : ''}` : result;
const stateOf = ({ cards, settlements, last }) => {
  if (!last) return 'neither settled nor void';
  if (last.deal && !isSame(last.cards, cards)) return 'not settled by its cards';
  const isPosted = [...settlements.values()].every((each) => each.isReplaced || each.done >= each.order.length);
  return isPosted ? 'finished' : 'not posted to the last slip';
};

/** Each event that matters to cards or money has a method of its name. */
class Table extends Stream {
  #settings;
  #rounds = new Map();
  #round;
  #proposals = new Map();
  #approved;
  #decidedVoid;
  #hasCarriedCard = false;
  /** What a terminal still owes of a round. */
  #owed = new Map();

  due(event) {
    const { type } = event;
    // The events that open a table and change its settings have all of them.
    this.#settings = event.settings ?? this.#settings;
    if (!this.#settings) damaged('the table was never opened');
    if (this.#decidedVoid && this.#decidedVoid.command.id !== this.entry.command.id) this.#missVoid();
    // A carried card opens the next round; whether it is still there after one of these the log does not say.
    if (/^(?:Shoe|RoundVoided|CardBurned|FeltConfirmed)/.test(type)) this.#hasCarriedCard = false;
    return (/^[A-Z]/.test(type) && this[type]?.(event, this.#rounds.get(event.round))) || [];
  }
  /** The last round may be in play where the log ends. */
  finish() {
    if (this.#decidedVoid) this.#missVoid();
    for (const round of this.#rounds.values()) {
      if (round.last) this.context.counts.rounds++;
      if (round !== this.#round) this.#checkFinished(round);
      else if (stateOf(round) !== 'finished') this.context.inPlay++;
    }
  }

  #accountsOf(terminal) {
    const { property, currency, table } = this.#settings;
    const own = (kind, owner) => `${property}/${currency}/${kind}/${owner}`;
    const [stakes, house, commission] = ['stakes', 'house', 'commission'].map((kind) => own(kind, table));
    return { stakes, house, commission, terminal: own('terminal', terminal), shortfall: own('shortfall', terminal) };
  }

  BetsOpened({ round: id, game: name }) {
    if (this.#round) this.#checkFinished(this.#round);
    const game = GAMES.get(name) ?? damaged(`the game ${name} is none of the ten`);
    this.expect('game', this.#settings.game, name);
    const { offered } = this.#settings;
    const round = { id, game, offered, cards: [], slips: new Map(), paid: new Map(), settlements: new Map() };
    this.#round = round;
    this.#rounds.set(id, round);
  }
  /** Before the next round opens, a round is settled by its cards as they lie, or void, and posted to the last slip. */
  #checkFinished(round) {
    const state = stateOf(round);
    if (!round.isUnfinished) this.expect('the round before', 'finished', state, { round: round.id });
    round.isUnfinished = state !== 'finished';
  }
  BetsClosed(_, round) {
    round.isClosed = true;
  }
  /** A report between rounds names none. */
  IrregularityFound(_, round) {
    if (round) round.isReported = true;
  }
  Interrupted(event, round) {
    this.IrregularityFound(event, round);
  }

  SlipSet({ terminal, slip, debit }, round) {
    const { game, offered, slips } = round;
    for (const [wager, stake] of Object.entries(slip)) {
      if (!game.wagers.has(wager) || !isAmount(stake)) damaged(`${stake} on ${wager} is no stake of ${game.name}`);
      this.expect('the wager is offered', true, offered.includes(wager), { terminal, wager });
    }
    const isOpen = round === this.#round && !round.isClosed;
    this.expect('bets are open', true, isOpen, { terminal, clause: game.late });
    const raise = stakeOn(slip) - stakeOn(slips.get(terminal));
    this.expect('debit', raise, debit, { terminal });
    slips.set(terminal, slip);
    const { terminal: credit, stakes } = this.#accountsOf(terminal);
    const moved = transfer(credit, stakes, Math.abs(raise), { terminal });
    return raise === 0 ? [] : [raise > 0 ? moved : reversed(moved)];
  }

  CardDealt({ slot, card, complete, carried = false }, { cards, game }) {
    const label = { clause: game.draw };
    checkCards([card], game);
    this.expect('slot of the next card', nextSlot(cards), slot, label);
    if (this.#hasCarriedCard) this.expect('the carried card is dealt', true, carried, { clause: 'READING 18' });
    this.#hasCarriedCard = false;
    if (nextSlot(cards) !== null) cards.push(card);
    this.expect('the deal is complete', nextSlot(cards) === null, complete, label);
  }
  CardTakenBack({ card }, { cards }) {
    this.expect('card taken back', cards.pop(), card);
  }
  FeltConfirmed({ cards }, round) {
    this.expect('cards on the felt', round.cards, cards);
  }
  Proposed({ proposal, command }) {
    this.#proposals.set(proposal, command);
  }
  Approved({ proposal }) {
    this.#approved = this.#proposals.get(proposal);
  }
  /** The list that two persons gave, in the order in which the cards left the shoe, goes through the table of play. */
  RoundReconstructed(event, round) {
    const { before, after, burned, surplus } = event;
    const isGiven = this.#approved?.type === 'ReconstructRound' && Array.isArray(this.#approved.cards);
    this.expect('cards before', round.cards, before);
    this.#dealAgain(event, round, isGiven ? this.#approved.cards : [...after, ...burned]);
    this.#hasCarriedCard = surplus === 'carried';
  }
  CardCorrected(event, round) {
    const { place, was, card } = event;
    this.expect('card that is corrected', round.cards[place - 1], was);
    this.#dealAgain(event, round, round.cards.with(place - 1, card));
  }
  /** What no slot asks for is surplus: seen, it is burned [READINGS 18, 66]. */
  #dealAgain({ after, burned, by: clause }, round, given) {
    checkCards(given, round.game);
    let count = 0;
    while (count < given.length && nextSlot(given.slice(0, count)) !== null) count++;
    round.cards = given.slice(0, count);
    this.expect('cards after', round.cards, after, { clause });
    this.expect('cards burned', given.slice(count), burned, { clause });
  }

  RoundResumed({ won, lost, by: clause }, { game, offered, cards }) {
    const decided = decidedBy(game, offered, cards);
    const namesWith = (wanted) => namesOf(decided.filter(([, result]) => result === wanted).map(([name]) => name));
    this.expect('wagers won', namesWith('win'), namesOf(won), { clause });
    this.expect('wagers lost', namesWith('lose'), namesOf(lost), { clause });
    this.expect('an outcome is established', true, decided.length > 0, { clause });
  }
  ReferralDecided({ decision }) {
    if (decision === 'void') this.#decidedVoid = this.entry;
  }
  #missVoid() {
    const { round, sequence } = { ...this.#decidedVoid, ...this.#decidedVoid.event };
    this.expect(`the void that entry ${sequence} decided`, 'yes', 'no', { round });
    this.#decidedVoid = undefined;
  }
  /** What was reported, a decision, or the dealer while bets are open gives stakes back [HOUSE 2, 12; READING 51]. */
  #checkVoid({ by: clause, terminal }, { game, offered, cards, isReported, isClosed }) {
    const isAllowed = this.#decidedVoid !== undefined || (clause === 'HOUSE 12' ? !isClosed : isReported === true);
    this.#decidedVoid = undefined;
    this.expect('a clause that voids', true, game.voids.includes(clause), { clause, terminal });
    this.expect('a reason for the void is on record', true, isAllowed, { clause, terminal });
    if (clause !== 'ETG 5.9.1' && clause !== 'HOUSE 6') return;
    const decided = decidedBy(game, offered, cards).map(([name]) => name);
    this.expect('wagers decided', 'none', namesOf(decided), { clause });
  }

  RoundSettled(event, round) {
    if (round.cards.length < 4) damaged(`round ${round.id} is settled with ${round.cards.length} cards`);
    this.expect('next card that is due', null, nextSlot(round.cards), { clause: round.game.draw });
    const deal = dealOf(round.cards);
    this.#checkResults(event, round, deal);
    this.#settle(event, round, deal);
  }
  RoundVoided(event, round) {
    this.#checkVoid(event, round);
    this.#settle(event, round);
  }
  RoundResettled(event, round) {
    if (event.outcome === 'void') this.RoundVoided(event, round);
    else this.RoundSettled(event, round);
  }
  #checkResults({ results }, { game, offered }, deal) {
    this.expect('wagers', namesOf(offered), namesOf(Object.keys(results)));
    for (const [name, { result, pays: odds, commission }] of Object.entries(results)) {
      const wager = game.wagers.get(name);
      const [expected, recorded] = [payLineFor(wager, deal), { result, odds, commission }].map(resultText);
      this.expect('result', expected, recorded, { wager: name, clause: wager.clause });
    }
  }
  /** A settlement of the whole round, by its deal or, without one, void. It replaces the one before it. */
  #settle({ settlement: id, cards, reverses, slips = {}, by }, round, deal) {
    this.expect('settlement before this one', round.last?.id, reverses);
    if (cards) this.expect('cards', round.cards, cards);
    for (const [terminal, slip] of Object.entries(slips))
      this.expect('slip', slipText(round.slips.get(terminal)), slipText(slip), { terminal });
    if (round.last) round.last.isReplaced = true;
    const order = [...round.slips.keys()].filter((terminal) => stakeOn(round.slips.get(terminal)) > 0).toSorted(byText);
    const { game } = round;
    round.last = { id, game, by, deal, cards: [...round.cards], slips: new Map(round.slips), order, done: 0 };
    round.settlements.set(id, round.last);
  }
  /** One slip leaves the round by a settlement of its own; one that the round's has not reached yet is paid by it alone. */
  SlipVoided(event, round) {
    const { settlement: id, terminal, slip, by } = event;
    const { game } = round;
    this.expect('slip', slipText(round.slips.get(terminal)), slipText(slip), { terminal });
    this.#checkVoid(event, round);
    const { order, done } = round.last ?? { order: [] };
    if (order.indexOf(terminal) >= done) order.splice(order.indexOf(terminal), 1);
    const slips = new Map([[terminal, slip]]);
    round.settlements.set(id, { isOfSlip: true, game, by, slips, order: [terminal], done: 0 });
    round.slips.delete(terminal);
  }

  /** A chunk: to each slip what it gets by this settlement, less what earlier ones gave it. */
  SettlementPosted({ settlement: id, from, count, last, shortfalls = {} }, round) {
    const settlement = round.settlements.get(id) ?? damaged(`settlement ${id} was never decided`);
    const terminals = settlement.order.slice(from, from + count);
    this.expect('no later settlement replaced this one', true, settlement.isReplaced !== true);
    this.expect('first slip of the chunk', settlement.done, from);
    this.expect('slips of the chunk', terminals.length, count);
    settlement.done = from + count;
    this.expect('the chunk is the last', settlement.done >= settlement.order.length, last);
    for (const terminal of Object.keys(shortfalls))
      this.expect('the shortfall is of a slip of the chunk', true, terminals.includes(terminal), { terminal });
    return terminals.flatMap((terminal) => this.#pay(round, settlement, terminal, shortfalls[terminal] ?? 0));
  }
  #pay({ id, paid }, settlement, terminal, missing) {
    const accounts = this.#accountsOf(terminal);
    const due = Object.entries(settlement.slips.get(terminal)).flatMap(([wager, stake]) => {
      const [before, now] = [paid.get(terminal), settlement].map((each) =>
        each ? transfersOf(wager, stake, each, accounts) : [],
      );
      const isWhole = now.every(({ amount }) => Number.isSafeInteger(amount));
      this.expect('whole minor units', true, isWhole, { terminal, wager });
      return [...without(before, now).map(reversed), ...without(now, before)].map((each) => ({ ...each, terminal }));
    });
    if (settlement.isOfSlip) paid.delete(terminal);
    else paid.set(terminal, settlement);
    this.context.counts.payouts++;
    return missing === 0 ? due : [this.#owe(id, terminal, missing, due), ...due];
  }
  /** What the session no longer has: at most what is taken back, and only once its credit is used up [READINGS 16, 60]. */
  #owe(round, terminal, amount, due) {
    const { terminal: credit, shortfall } = this.#accountsOf(terminal);
    const takenBack = Math.max(0, -netTo(credit, due));
    const label = { terminal, clause: 'HOUSE 10' };
    if (!isAmount(amount)) damaged(`${amount} is no shortfall`);
    this.expect(`shortfall ${amount} is at most ${takenBack}`, true, amount <= takenBack, label);
    this.context.ledger.expectEmpty(credit, this.entry);
    const key = `${round} ${terminal}`;
    this.#owed.set(key, (this.#owed.get(key) ?? 0) + amount);
    return transfer(shortfall, credit, amount, label);
  }
  /** Taken from the credit of the session, or borne by the house [HOUSE 10; READINGS 57, 63]. */
  ShortfallCollected({ type, round, terminal, amount, left }) {
    const label = { terminal, clause: 'HOUSE 10' };
    const owed = (this.#owed.get(`${round} ${terminal}`) ?? 0) - amount;
    this.#owed.set(`${round} ${terminal}`, owed);
    this.expect('shortfall left', owed, left, label);
    const accounts = this.#accountsOf(terminal);
    const payer = type === 'ShortfallWrittenOff' ? accounts.house : accounts.terminal;
    return [transfer(payer, accounts.shortfall, amount, label)];
  }
  ShortfallWrittenOff(event) {
    return this.ShortfallCollected(event);
  }
}

/** A terminal: what each way in and out moves, and which accounts it leaves empty. */
class Terminal extends Stream {
  #own;

  due({ type, property, currency, terminal, method, session, ticket, amount }) {
    if (type === 'TerminalSeated') this.#own = (kind, owner = terminal) => `${property}/${currency}/${kind}/${owner}`;
    const own = this.#own ?? damaged('the terminal was never seated');
    const credit = `${own('terminal')}.${session}`;
    // A ticket without an id is one of another system: it has no account here, as transfers and promotions have none.
    const by = { cash: own('cage'), bill: own('cage'), hand: own('hand-pay'), ticket: ticket && own('ticket', ticket) };
    const other = (Object.hasOwn(by, method) && by[method]) || own('external');
    const move = (from, to, ...emptied) => {
      for (const account of emptied) this.context.ledger.expectEmpty(account, this.entry);
      return amount > 0 ? [transfer(from, to, amount)] : [];
    };
    if (type === 'CreditLoaded') return move(other, credit, ...(ticket ? [other] : []));
    if (type === 'CreditCollected') return move(credit, other, credit);
    if (type === 'SessionPaid') return move(credit, own('cage'), credit);
    if (type === 'HandPaid') return move(own('hand-pay'), own('cage'));
    return [];
  }
}

// ---- The export: an entry a line, stream by stream.

class DamagedExport extends Error {}
const damaged = (what) => {
  throw new DamagedExport(what);
};
const isAmount = (value) => Number.isSafeInteger(value) && value > 0;
const checkCards = (cards, { name, deck: { ranks, suits } }) => {
  for (const card of cards)
    if (card?.length !== 2 || !ranks.includes(card[0]) || !suits.includes(card[1]))
      damaged(`${card} is no card of ${name}`);
};

const hasTexts = (value, ...fields) => fields.every((field) => typeof value?.[field] === 'string');
const hasIntegers = (value, ...fields) => fields.every((field) => Number.isSafeInteger(value?.[field]));
const isPosting = (posting) =>
  hasTexts(posting, 'from', 'to') &&
  hasIntegers(posting, 'fromBefore', 'fromAfter', 'fromVersion', 'toBefore', 'toAfter', 'toVersion') &&
  isAmount(posting.amount);
const entryIn = (line) => {
  let entry;
  try {
    entry = JSON.parse(line)?.body;
  } catch {
    damaged('a line is not JSON');
  }
  const isEntry = hasTexts(entry, 'stream') && hasIntegers(entry, 'sequence', 'at') && hasTexts(entry.event, 'type');
  if (!isEntry || !Array.isArray(entry.postings) || !hasTexts(entry.command, 'id'))
    damaged('a line is no entry of an event log');
  if (!entry.postings.every(isPosting))
    damaged(`entry ${entry.sequence} of ${entry.stream} has a posting that is none`);
  return entry;
};

const STREAMS = { table: Table, terminal: Terminal };
const settleExport = async (lines, report) => {
  const context = { report, ledger: new Ledger(), counts: { rounds: 0, payouts: 0 }, inPlay: 0 };
  let [name, sequence, streams, stream] = ['', 0, 0, undefined];
  for await (const line of lines) {
    const entry = entryIn(line);
    if (entry.stream !== name) {
      stream?.finish();
      stream = new (STREAMS[entry.stream.split('/')[1]] ?? Stream)(context);
      [name, sequence, streams] = [entry.stream, 0, streams + 1];
    }
    if (entry.sequence !== ++sequence) damaged(`entry ${sequence} of ${name} is missing`);
    for (const posting of entry.postings) context.ledger.add(posting, entry);
    try {
      stream.follow(entry);
    } catch ({ message }) {
      damaged(`entry ${sequence} of ${name}, ${entry.event.type}, cannot be followed: ${message}`);
    }
  }
  if (!stream) damaged('it is empty');
  stream.finish();
  return { ...context, counts: { ...context.counts, accounts: context.ledger.check(streams > 1, report) } };
};

const lineOf = ({ stream, sequence }, { round, terminal, wager, what, expected, recorded, clause }) => {
  const named = Object.entries({ entry: sequence, round, terminal, wager }).filter(([, value]) => value !== undefined);
  const place = [stream, ...named.map((each) => each.join(' '))].join(', ');
  return `${place}: ${what}: expected ${expected ?? 'none'}, recorded ${recorded ?? 'none'}${clause ? ` [${clause}]` : ''}`;
};
const counted = (count, name) => `${count} ${count === 1 ? name.slice(0, -1) : name}`;

const [file, ...others] = process.argv.slice(2);
let differences = 0;
try {
  if (others.length > 0) damaged('give one file, or none to read standard input');
  const input = file === undefined ? process.stdin : (await open(file)).createReadStream();
  const { counts, inPlay } = await settleExport(
    createInterface({ input, crlfDelay: Infinity }),
    (entry, difference) => {
      differences++;
      console.log(lineOf(entry, difference));
    },
  );
  const text = Object.entries(counts).map(([name, count]) => counted(count, name));
  const end = inPlay > 0 ? `; ${counted(inPlay, 'rounds')} in play at the end` : '';
  console.log(`${text.join(', ')}: ${differences === 0 ? 'all agree' : counted(differences, 'differences')}${end}.`);
  process.exitCode = differences === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof DamagedExport) && error.syscall === undefined) throw error;
  console.error(`The export cannot be settled: ${error.message}.`);
  process.exitCode = 2;
}
