// Settles every round of an export (`punto export`) once more and adds up every account, with nothing but this page.
// The pay tables and the table of play are written out below from the five rulebooks, so that a mistake in the rules of
// Punto, which `punto verify` would repeat, shows here. Hashes and signatures are the business of check.mjs.
// Run: node docs/settle.mjs export.jsonl, or: punto export | node docs/settle.mjs
// Exit code 0: all agrees. 1: each difference has a line. 2: the input is damaged or is no export.
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

// ---- Cards and the table of play [BAC 3.3 to 3.9, the same in all five books; READING 43]

/** Ten and the picture cards count zero: J, Q, K, and S, L, F of Sands Elements. */
const points = (card) => (/^[TJQKSLF]/.test(card) ? 0 : card[0] === 'A' ? 1 : Number(card[0]));
const total = (cards) => cards.reduce((sum, card) => sum + points(card), 0) % 10;
const INITIAL_SLOTS = ['P1', 'B1', 'P2', 'B2'];

/** Whether Banker draws after a third card of Player with so many points [BAC 3.9.4]. */
const bankerDraws = (banker, third) =>
  banker < 3 ||
  (banker === 3 && third !== 8) ||
  (banker === 4 && third >= 2 && third <= 7) ||
  (banker === 5 && third >= 4 && third <= 7) ||
  (banker === 6 && (third === 6 || third === 7));

/** The slot of the next card, or null when the deal is complete. Cards are in the order in which they were dealt. */
const nextSlot = (cards) => {
  if (cards.length < 4) return INITIAL_SLOTS[cards.length];
  const [player, banker] = [total([cards[0], cards[2]]), total([cards[1], cards[3]])];
  if (player > 7 || banker > 7) return null;
  if (player > 5) return cards.length === 4 && banker < 6 ? 'B3' : null;
  if (cards.length === 4) return 'P3';
  return cards.length === 5 && bankerDraws(banker, points(cards[4])) ? 'B3' : null;
};

/** Deals a list of cards in the order in which they left the shoe; what no slot asks for is surplus [READING 18]. */
const replay = (cards) => {
  let count = 0;
  while (count < cards.length && nextSlot(cards.slice(0, count)) !== null) count++;
  return { dealt: cards.slice(0, count), surplus: cards.slice(count) };
};

/** The tier of a precious pair [SUP 1.1.6, FAB 1.1.6]: the highest alone counts. */
const tierOf = ([a, b]) => {
  if (a[0] !== b[0]) return 'none';
  const areDiamonds = a[1] === 'D' && b[1] === 'D';
  if (a[0] === '4') return areDiamonds ? 'diamond-fours' : 'fours';
  return areDiamonds ? 'diamonds' : 'other';
};
/** One side of a finished deal. A pair is two cards of one rank [ETG 1.1.11; READING 1]. */
const handOf = (cards) => {
  const initial = cards.slice(0, 2);
  const red = initial.filter((card) => /[DH]$/.test(card)).length;
  return {
    total: total(cards),
    size: cards.length,
    isNatural: cards.length === 2 && total(cards) > 7,
    rank: initial[0][0],
    isPair: initial[0][0] === initial[1][0],
    tier: tierOf(initial),
    colour: ['black', 'mixed', 'red'][red],
  };
};
const dealOf = (cards) => {
  const hands = { P: [], B: [] };
  for (const [index, card] of cards.entries()) hands[nextSlot(cards.slice(0, index))[0]].push(card);
  const [player, banker] = [handOf(hands.P), handOf(hands.B)];
  const margin = player.total - banker.total;
  return { player, banker, margin: Math.abs(margin), winner: margin > 0 ? 'player' : margin < 0 ? 'banker' : 'tie' };
};

// ---- The pay tables. A wager has lines; the first that holds settles it, and where none holds it loses by its clause.

const NO_COMMISSION = [0, 1];
const pays = (odds, clause, holds, commission = NO_COMMISSION) => {
  return { result: 'win', odds: odds.split(' to ').map(Number), commission, clause, holds };
};
const pushes = (clause, holds) => ({ result: 'push', odds: [0, 1], commission: NO_COMMISSION, clause, holds });
const loses = (clause) => ({ result: 'lose', odds: [0, 1], commission: NO_COMMISSION, clause });
const wager = (clause, ...lines) => ({ lose: loses(clause), lines, isInitial: false });
/** A wager that the first four cards decide. */
const initialWager = (clause, ...lines) => ({ ...wager(clause, ...lines), isInitial: true });

const isTie = (deal) => deal.winner === 'tie';
const wins = (side, on) => (deal) => deal.winner === side && (on === undefined || deal[side].total === on);
const winsWithCards = (side, on, size) => (deal) => wins(side, on)(deal) && deal[side].size === size;

/** Player, Banker and Tie. A tie is a push of the first two in every game. Banker's lines differ between the games. */
const mainWagers = ({ winner, push, tie, pay }, bankerLines, playerLines = [pays('1 to 1', pay, wins('player'))]) => ({
  player: wager(winner, pushes(push, isTie), ...playerLines),
  banker: wager(winner, pushes(push, isTie), ...bankerLines),
  tie: wager(tie, pays('8 to 1', pay, isTie)),
});
/** 0.95 to 1: even money less a commission of 5 %, which is kept apart [BAC 1.1.1, 4.1; ETG 1.1.3, 4.7; READING 42]. */
const withCommission = (pay) => [pays('1 to 1', pay, wins('banker'), [1, 20])];
const halfOnSix = (pay) => [pays('1 to 2', pay, wins('banker', 6)), pays('1 to 1', pay, wins('banker'))];

const pairWagers = (clause, pay) => ({
  'player-pair': initialWager(
    clause,
    pays('11 to 1', pay, (deal) => deal.player.isPair),
  ),
  'banker-pair': initialWager(
    clause,
    pays('11 to 1', pay, (deal) => deal.banker.isPair),
  ),
});
/** Each on its own side [READING 7]. */
const preciousPairs = (clause, pay) => {
  const tiers = Object.entries({ 'diamond-fours': '30 to 1', fours: '15 to 1', diamonds: '12 to 1', other: '9 to 1' });
  const on = (side) =>
    initialWager(clause, ...tiers.map(([tier, odds]) => pays(odds, pay, (deal) => deal[side].tier === tier)));
  return { 'player-precious-pair': on('player'), 'banker-precious-pair': on('banker') };
};
/** Banker wins with six: 12 to 1 with two cards, 20 to 1 with three. */
const sixByCards = (clause, pay) =>
  wager(
    clause,
    pays('12 to 1', pay, winsWithCards('banker', 6, 2)),
    pays('20 to 1', pay, winsWithCards('banker', 6, 3)),
  );

/** Both of the first two cards of the side have the colour [SUP 3.13, 3.14; READING 8]. */
const colourWagers = (clause, pay) => {
  const on = (side, colour) =>
    initialWager(
      clause,
      pays('2 to 1', pay, (deal) => deal[side].colour === colour),
    );
  return {
    'player-red': on('player', 'red'),
    'player-black': on('player', 'black'),
    'banker-red': on('banker', 'red'),
    'banker-black': on('banker', 'black'),
  };
};
/** SUP 4.3 to 4.5: the odds to one, from a total of `first` on. */
const winsOn = (side, first, clause, pay, odds) => {
  const totalOf = (deal) => deal[side === 'tie' ? 'player' : side].total;
  const on = (each, index) =>
    wager(
      clause,
      pays(`${each} to 1`, pay, (deal) => deal.winner === side && totalOf(deal) === first + index),
    );
  return Object.fromEntries(odds.map((each, index) => [`${side}-wins-on-${first + index}`, on(each, index)]));
};
/** A natural win pays even money by any margin; only a tie of naturals pushes [ETG 4.5, 4.6; READINGS 5, 6]. */
const dragonBonus = (side, clause, pay) => {
  const naturalTie = (deal) => isTie(deal) && deal.player.isNatural;
  const margins = Object.entries({ 9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1 });
  const byMargin = ([margin, odds]) =>
    pays(`${odds} to 1`, pay, (deal) => wins(side)(deal) && deal.margin === Number(margin));
  const byNatural = pays('1 to 1', pay, (deal) => wins(side)(deal) && deal[side].isNatural);
  return wager(clause, pushes(pay, naturalTie), byNatural, ...margins.map(byMargin));
};
const dragonBonuses = () => ({
  'player-dragon-bonus': dragonBonus('player', 'ETG 1.1.9', 'ETG 4.6'),
  'banker-dragon-bonus': dragonBonus('banker', 'ETG 1.1.1', 'ETG 4.5'),
});
/** Tiger Pair pays its highest tier alone [READINGS 2, 3]; the other four are wagers of their own [READING 4]. */
const tigerWagers = () => {
  const isDouble = ({ player, banker }) => player.isPair && banker.isPair;
  return {
    tiger: sixByCards('ETG 1.1.18', 'ETG 4.10'),
    'small-tiger': wager('ETG 1.1.14', pays('22 to 1', 'ETG 4.10', winsWithCards('banker', 6, 2))),
    'big-tiger': wager('ETG 1.1.2', pays('50 to 1', 'ETG 4.10', winsWithCards('banker', 6, 3))),
    'tiger-tie': wager(
      'ETG 1.1.20',
      pays('35 to 1', 'ETG 4.10', (deal) => isTie(deal) && deal.player.total === 6),
    ),
    'tiger-pair': initialWager(
      'ETG 1.1.19',
      pays('100 to 1', 'ETG 4.9', (deal) => isDouble(deal) && deal.player.rank === deal.banker.rank),
      pays('20 to 1', 'ETG 4.9', isDouble),
      pays('4 to 1', 'ETG 4.9', ({ player, banker }) => player.isPair || banker.isPair),
    ),
  };
};

const FRENCH = { ranks: 'A 2 3 4 5 6 7 8 9 T J Q K'.split(' '), suits: 'C D H S'.split(' ') };
const ELEMENTS = { ranks: 'A 2 3 4 5 6 7 8 9 T S L F'.split(' '), suits: '1 2 3 4 5'.split(' ') };
const BAC = { winner: 'BAC 3.10', push: 'BAC 3.10.1', tie: 'BAC 1.1.8', pay: 'BAC 4.1' };
const SUP = { winner: 'SUP 3.10', push: 'SUP 3.11', tie: 'SUP 1.1.12', pay: 'SUP 4.1' };
const ELM = { winner: 'ELM 3.10', push: 'ELM 3.10.1', tie: 'ELM 1.1.8', pay: 'ELM 4.1' };
const FAB = { winner: 'FAB 3.9', push: 'FAB 3.9.1', tie: 'FAB 1.1.9', pay: 'FAB 4.1' };
const etg = (pay) => ({ winner: 'ETG 3.9', push: 'ETG 3.9.1', tie: 'ETG 1.1.17', pay });
const etgPairs = (pay) => pairWagers('ETG 1.1.11', pay);
const fabulousFour = (side, odds, clause) => wager(clause, pays(odds, 'FAB 4.1', wins(side, 4)));
const hasSix = ({ player, banker, winner }) => (winner === 'banker' ? banker : player).total === 6;
const fabulousLines = (side, onFour) => [
  onFour,
  pays('2 to 1', 'FAB 4.1', wins(side, 1)),
  pays('1 to 1', 'FAB 4.1', wins(side)),
];

/** The ten games by the name and version that `BetsOpened` gives. */
const PAY_TABLES = {
  'baccarat@7': { ...mainWagers(BAC, withCommission('BAC 4.1')), ...pairWagers('BAC 1.1.5', 'BAC 4.1') },
  'sands-super@2017-07-28': {
    ...mainWagers(SUP, halfOnSix('SUP 4.1')),
    ...colourWagers('SUP 1.1.9', 'SUP 4.1'),
    'sands-six': wager('SUP 1.1.11', pays('6 to 1', 'SUP 4.1', hasSix)),
    ...preciousPairs('SUP 1.1.6', 'SUP 4.2'),
    ...winsOn('player', 1, 'SUP 1.1.7', 'SUP 4.3', [150, 80, 50, 50, 30, 11, 8, 6, 5]),
    ...winsOn('banker', 1, 'SUP 1.1.1', 'SUP 4.4', [150, 80, 50, 25, 15, 11, 8, 6, 5]),
    ...winsOn('tie', 0, 'SUP 1.1.13', 'SUP 4.5', [100, 150, 150, 150, 100, 80, 35, 35, 50, 50]),
  },
  'sands-elements@2': {
    ...mainWagers(ELM, halfOnSix('ELM 4.1')),
    ...pairWagers('ELM 1.1.5', 'ELM 4.1'),
    'fortune-six': sixByCards('ELM 1.1.1', 'ELM 4.1'),
  },
  'fabulous-4@3': {
    ...mainWagers(
      FAB,
      fabulousLines('banker', pushes('FAB 4.1', wins('banker', 4))),
      fabulousLines('player', pays('1 to 2', 'FAB 4.1', wins('player', 4))),
    ),
    'player-fabulous-4': fabulousFour('player', '50 to 1', 'FAB 1.1.5'),
    'banker-fabulous-4': fabulousFour('banker', '25 to 1', 'FAB 1.1.1'),
    ...preciousPairs('FAB 1.1.6', 'FAB 4.2'),
  },
  'super-six@2021-10-28': {
    ...mainWagers(etg('ETG 4.1'), halfOnSix('ETG 4.1')),
    ...etgPairs('ETG 4.1'),
    'super-six': wager('ETG 1.1.15', pays('15 to 1', 'ETG 4.1', wins('banker', 6))),
  },
  'fortune-six@2021-10-28': {
    ...mainWagers(etg('ETG 4.2'), halfOnSix('ETG 4.2')),
    ...etgPairs('ETG 4.2'),
    'fortune-six': sixByCards('ETG 1.1.4', 'ETG 4.2'),
    ...dragonBonuses(),
  },
  'super-6@2021-10-28': {
    ...mainWagers(etg('ETG 4.3'), halfOnSix('ETG 4.3')),
    ...etgPairs('ETG 4.3'),
    'super-6': wager('ETG 1.1.15', pays('15 to 1', 'ETG 4.3', wins('banker', 6))),
    ...dragonBonuses(),
  },
  'no-commission@2021-10-28': { ...mainWagers(etg('ETG 4.4'), halfOnSix('ETG 4.4')), ...etgPairs('ETG 4.4') },
  'tiger@2021-10-28': { ...mainWagers(etg('ETG 4.7'), withCommission('ETG 4.7')), ...tigerWagers() },
  'tiger-no-commission@2021-10-28': { ...mainWagers(etg('ETG 4.8'), halfOnSix('ETG 4.8')), ...tigerWagers() },
};
/** Per book: the clause of the table of play, and the one that forbids stakes after the close. */
const CLAUSES = {
  BAC: { draw: 'BAC 3.9', late: 'BAC 5.6' },
  SUP: { draw: 'SUP 3.9', late: 'SUP 5.6' },
  ELM: { draw: 'ELM 3.9', late: 'ELM 5.6' },
  FAB: { draw: 'FAB 3.8', late: 'FAB 5.6' },
  ETG: { draw: 'ETG 3.8', late: 'ETG 5.5' },
};
const gameOf = ([name, wagers]) => {
  const book = wagers.tie.lose.clause.slice(0, 3);
  return [
    name,
    { name, deck: book === 'ELM' ? ELEMENTS : FRENCH, wagers: new Map(Object.entries(wagers)), ...CLAUSES[book] },
  ];
};
const GAMES = new Map(Object.entries(PAY_TABLES).map(gameOf));
const settleWager = ({ lines, lose }, deal) => lines.find(({ holds }) => holds(deal)) ?? lose;

/** Clauses and house procedures that give stakes back; every void names one. */
const VOIDING =
  /^(?:(?:BAC|SUP|ELM|FAB) 5\.(?:1(?:\.1)?|[2-5])|ETG (?:5\.(?:1(?:\.1)?|2|3|8\.1|9\.1)|6\.1)|HOUSE (?:[1456789]|12))$/;
/** Those that depend on the cards alone: void only while no wager on offer has won or lost [ETG 5.9.1, HOUSE 6]. */
const INTERRUPTION = new Set(['ETG 5.9.1', 'HOUSE 6']);

/** Every way in which a deal may go on, any card being possible [READING 11]. */
function* continuations(cards, deck) {
  if (nextSlot(cards) === null) yield cards;
  else for (const card of deck) yield* continuations([...cards, card], deck);
}
/** Which of these wagers win, or lose, in every one of the deals; a push is neither [ETG 5.9, HOUSE 6]. */
const decidedIn = (deals, wagers) => {
  const seen = new Map(wagers.map(([name]) => [name, new Set()]));
  const isOpen = (results) => results.size > 1 || results.has('push');
  for (const cards of deals) {
    const deal = dealOf(cards);
    for (const [name, rules] of wagers) seen.get(name).add(settleWager(rules, deal).result);
    if ([...seen.values()].every(isOpen)) return [];
  }
  return [...seen].filter(([, results]) => !isOpen(results)).map(([name, [result]]) => [name, result]);
};
/** What is decided with these cards out. Suits matter to the first four cards alone, so two searches do. */
const decidedBy = ({ deck: { ranks, suits }, wagers }, offered, cards) => {
  if (cards.length === 0) return [];
  const [initial, final] = [true, false].map((isInitial) =>
    offered.map((name) => [name, wagers.get(name)]).filter(([, rules]) => rules.isInitial === isInitial),
  );
  const everyCard = ranks.flatMap((rank) => suits.map((suit) => rank + suit));
  const everyValue = ranks.filter((rank) => /[A2-9T]/.test(rank)).map((rank) => rank + suits[0]);
  const finish = (four) => continuations([...four, ...cards.slice(4)], everyValue).next().value;
  function* initialDeals(four) {
    if (four.length === 4) yield finish(four);
    else for (const card of everyCard) yield* initialDeals([...four, card]);
  }
  return [
    ...decidedIn(initialDeals(cards.slice(0, 4)), initial),
    ...decidedIn(continuations(cards, everyValue), final),
  ];
};

// ---- Money: transfers, and what is due to a slip. Amounts are whole minor units.

const stakeOn = (slip) => Object.values(slip).reduce((sum, stake) => sum + stake, 0);
const transfer = (from, to, amount, label = {}) => ({ ...label, from, to, amount });
const reversed = (each) => ({ ...each, from: each.to, to: each.from });
const keyOf = ({ from, to, amount }) => `${from}>${to}>${amount}`;
/** What is in the first list alone; a transfer that is there twice counts twice. */
const without = (transfers, others) => {
  const counts = new Map();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return transfers.filter((each) => {
    const count = counts.get(keyOf(each)) ?? 0;
    counts.set(keyOf(each), count - 1);
    return count <= 0;
  });
};
const netOf = (transfers) => {
  const net = new Map();
  const add = (account, amount) => net.set(account, (net.get(account) ?? 0) + amount);
  for (const { from, to, amount } of transfers) {
    add(from, -amount);
    add(to, amount);
  }
  return net;
};

/** What a slip gets, wager by wager; where the round is void there is no deal, and every stake goes back [READING 27]. */
const transfersOf = (slip, { game, deal, by }, { stakes, house, commission, terminal }) =>
  Object.entries(slip).flatMap(([name, stake]) => {
    const line = deal ? settleWager(game.wagers.get(name), deal) : pushes(by);
    const label = { wager: name, clause: line.clause };
    if (line.result === 'lose') return [transfer(stakes, house, stake, label)];
    const back = transfer(stakes, terminal, stake, label);
    if (line.result === 'push') return [back];
    const gross = (stake * line.odds[0]) / line.odds[1];
    const kept = (gross * line.commission[0]) / line.commission[1];
    const won = transfer(house, terminal, gross, label);
    return kept === 0 ? [back, won] : [back, won, transfer(terminal, commission, kept, label)];
  });

/** Compares postings with what is due, account by account, and names terminal and wager of what differs. */
const compare = (due, postings, report) => {
  if (due.length === 0 && postings.length === 0) return;
  const [dueNet, postedNet] = [netOf(due), netOf(postings)];
  const accounts = [...new Set([...dueNet.keys(), ...postedNet.keys()])];
  if (accounts.every((name) => (dueNet.get(name) ?? 0) === (postedNet.get(name) ?? 0))) return;
  const unexpected = without(postings, due);
  for (const { from, to, amount, ...label } of without(due, postings)) {
    const index = unexpected.findIndex((each) => each.from === from && each.to === to);
    const recorded = index < 0 ? 0 : unexpected.splice(index, 1)[0].amount;
    report({ ...label, what: `${from} to ${to}`, expected: amount, recorded });
  }
  for (const { from, to, amount } of unexpected) report({ what: `${from} to ${to}`, expected: 0, recorded: amount });
};

// ---- Accounts, by the balances and numbers that their postings carry.

const NEVER_BELOW_ZERO = new Set(['terminal', 'stakes', 'hand-pay', 'ticket']);
const MOMENT_MS = 60_000;
/** Another stream may have paid in or taken out at that very moment (docs/record.md). */
const isDisturbed = (moves, index) =>
  moves.some(({ stream, at }) => stream !== moves[index].stream && Math.abs(at - moves[index].at) <= MOMENT_MS);

class Ledger {
  #accounts = new Map();
  #report;
  constructor(report) {
    this.#report = report;
  }

  add({ from, to, amount, ...rest }, entry) {
    this.#move(from, rest.fromBefore, rest.fromAfter, -amount, rest.fromVersion, entry);
    this.#move(to, rest.toBefore, rest.toAfter, amount, rest.toVersion, entry);
  }
  #move(name, before, after, change, version, { stream, sequence, at }) {
    const account = this.#accounts.get(name) ?? { moves: [], emptied: [] };
    this.#accounts.set(name, account);
    account.moves.push({ version, before, after, change, stream, sequence, at });
  }

  /** COLLECT, a payment of the cage, a redeemed ticket and a shortfall leave nothing in the account. */
  expectEmpty(name, { stream, sequence }) {
    this.#accounts.get(name)?.emptied.push({ stream, sequence });
  }

  /** How many accounts add up. An export of one stream lacks postings of others; what it cannot add up is not counted. */
  check({ isWhole }) {
    let count = 0;
    for (const [name, { moves, emptied }] of this.#accounts) {
      moves.sort((a, b) => a.version - b.version);
      const isCut = moves.some(({ version }, index) => version !== index + 1);
      if (isCut && !isWhole) continue;
      count++;
      this.#checkMoves(name, moves);
      for (const entry of emptied) this.#checkEmpty(name, moves, entry);
    }
    return count;
  }
  #checkMoves(name, moves) {
    const kind = name.split('/')[2];
    let balance = 0;
    for (const [index, { version, before, after, change, stream, sequence }] of moves.entries()) {
      const expect = (what, expected, recorded) => {
        if (expected !== recorded)
          this.#report({ stream, sequence, what: `account ${name}, ${what}`, expected, recorded });
      };
      expect('number of the posting', index + 1, version);
      if (version !== index + 1) return;
      expect('balance before', balance, before);
      balance += change;
      expect('balance after', balance, after);
      if (NEVER_BELOW_ZERO.has(kind)) expect('is not below zero', true, balance >= 0);
      if (kind === 'shortfall') expect('is not above zero', true, balance <= 0);
    }
  }
  #checkEmpty(name, moves, { stream, sequence }) {
    const index = moves.findLastIndex((move) => move.stream === stream && move.sequence === sequence);
    if (index < 0 || moves[index].after === 0 || isDisturbed(moves, index)) return;
    const recorded = moves[index].after;
    this.#report({ stream, sequence, what: `account ${name}, balance after`, expected: 0, recorded });
  }
}

// ---- A table: follows its entries, and says of each what it has to post.

const isRatio = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
const isSameRatio = ([a, b], [c, d]) => a * d === b * c;
const isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);
const isSameSlip = (left, right) =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([name, stake]) => right[name] === stake);
const byText = (a, b) => (a < b ? -1 : 1);
const namesOf = (list) => list.toSorted(byText).join(' ') || 'none';
const resultText = (result, [win, per], [kept, of]) =>
  result === 'win' ? `win ${win} to ${per}${kept > 0 ? ` less ${kept}/${of}` : ''}` : result;

class Table {
  #context;
  #settings;
  #accounts;
  #rounds = new Map();
  #round;
  #proposals = new Map();
  #approved;
  #decidedVoid;
  #hasCarriedCard = false;
  /** What a terminal still owes of a round. */
  #owed = new Map();

  constructor(context) {
    this.#context = context;
  }

  handle(entry) {
    const { event } = entry;
    if (!this.#settings && event.type !== 'TableOpened') damaged(`${entry.stream} has entries before it was opened`);
    if (this.#decidedVoid && this.#decidedVoid.command.id !== entry.command.id) this.#missVoid();
    // A carried card opens the next round; whether it is still there after one of these the log does not say.
    if (/^(?:Shoe|RoundVoided|CardBurned|FeltConfirmed)/.test(event.type)) this.#hasCarriedCard = false;
    const due = TABLE_EVENTS.get(event.type)?.(this, entry) ?? [];
    compare(due, entry.postings, (difference) => this.#report(entry, difference));
  }

  /** The last round may be in play where the log ends. */
  finish() {
    if (this.#decidedVoid) this.#missVoid();
    for (const round of this.#rounds.values()) if (round !== this.#round) this.#checkFinished(round);
    this.#context.counts.rounds += [...this.#rounds.values()].filter(({ last }) => last).length;
  }

  #report(entry, difference) {
    this.#context.report({ ...entry, round: entry.event.round, ...difference });
  }
  #expect(entry, what, expected, recorded, label = {}) {
    if (!isSame(expected, recorded)) this.#report(entry, { ...label, what, expected, recorded });
  }

  set({ event: { settings } }) {
    const own = (kind) => `${settings.property}/${settings.currency}/${kind}/${settings.table}`;
    this.#accounts = { stakes: own('stakes'), house: own('house'), commission: own('commission') };
    this.#settings = settings;
  }
  #accountsOf(terminal) {
    const own = (kind) => `${this.#settings.property}/${this.#settings.currency}/${kind}/${terminal}`;
    return { ...this.#accounts, terminal: own('terminal'), shortfall: own('shortfall') };
  }
  #roundOf({ event }) {
    return this.#rounds.get(event.round) ?? damaged(`round ${event.round} was never opened`);
  }

  openBets(entry) {
    const { round: id, game: name } = entry.event;
    if (this.#round) this.#checkFinished(this.#round);
    const game = GAMES.get(name) ?? damaged(`the game ${name} is none of the ten`);
    const { stream, sequence } = entry;
    this.#round = { id, game, stream, sequence, cards: [], slips: new Map(), paid: new Map() };
    Object.assign(this.#round, { settlements: new Map(), voidedSlips: new Map() });
    this.#rounds.set(id, this.#round);
  }
  /** When the next round opens, a round is settled by its cards as they lie, or void, and posted to the last slip. */
  #checkFinished(round) {
    const { id, stream, sequence, cards, settlements, last } = round;
    const settlement = settlements.get(last);
    const expect = (what, isSo) => {
      if (isSo || round.isUnfinished) return;
      round.isUnfinished = true;
      this.#context.report({ stream, sequence, round: id, what, expected: 'yes', recorded: 'no' });
    };
    expect('settled or void before the next opens', settlement !== undefined);
    expect('settled by its cards', !settlement?.deal || isSame(settlement.cards, cards));
    expect('posted to the last slip', !settlement || settlement.done >= settlement.order.length);
  }
  closeBets(entry) {
    this.#roundOf(entry).isClosed = true;
  }
  /** A report between rounds names none. */
  report({ event }) {
    const round = this.#rounds.get(event.round);
    if (round) round.isReported = true;
  }

  setSlip(entry) {
    const { terminal, slip, debit } = entry.event;
    const round = this.#roundOf(entry);
    for (const [name, stake] of Object.entries(slip))
      if (!round.game.wagers.has(name) || !isAmount(stake))
        damaged(`${stake} on ${name} is no stake of ${round.game.name}`);
    const isOpen = round === this.#round && !round.isClosed;
    this.#expect(entry, 'bets are open', true, isOpen, { terminal, clause: round.game.late });
    const raise = stakeOn(slip) - stakeOn(round.slips.get(terminal) ?? {});
    this.#expect(entry, 'debit', raise, debit, { terminal });
    round.slips.set(terminal, slip);
    const { terminal: credit, stakes } = this.#accountsOf(terminal);
    const moved = transfer(credit, stakes, Math.abs(raise), { terminal });
    return raise === 0 ? [] : [raise > 0 ? moved : reversed(moved)];
  }

  dealCard(entry) {
    const { slot, card, complete, carried = false } = entry.event;
    const { cards, game } = this.#roundOf(entry);
    const label = { clause: game.draw };
    checkCards([card], game);
    this.#expect(entry, 'slot of the next card', nextSlot(cards), slot, label);
    if (this.#hasCarriedCard) this.#expect(entry, 'the carried card is dealt', true, carried, { clause: 'READING 18' });
    this.#hasCarriedCard = false;
    if (nextSlot(cards) !== null) cards.push(card);
    this.#expect(entry, 'the deal is complete', nextSlot(cards) === null, complete, label);
  }
  takeBackCard(entry) {
    this.#expect(entry, 'card taken back', this.#roundOf(entry).cards.pop(), entry.event.card);
  }

  propose({ event }) {
    this.#proposals.set(event.proposal, event.command);
  }
  approve({ event }) {
    this.#approved = this.#proposals.get(event.proposal);
  }

  /** The list that two persons gave, in the order in which the cards left the shoe, goes through the table of play. */
  reconstruct(entry) {
    const { before, after, burned, surplus } = entry.event;
    const isGiven = this.#approved?.type === 'ReconstructRound' && Array.isArray(this.#approved.cards);
    const given = isGiven ? this.#approved.cards : [...after, ...burned];
    this.#expect(entry, 'cards before', this.#roundOf(entry).cards, before);
    this.#replay(entry, given);
    this.#hasCarriedCard = surplus === 'carried';
  }
  correctCard(entry) {
    const { place, was, card } = entry.event;
    const { cards } = this.#roundOf(entry);
    this.#expect(entry, 'card that is corrected', cards[place - 1], was);
    this.#replay(
      entry,
      cards.map((each, index) => (index === place - 1 ? card : each)),
    );
  }
  /** What no slot asks for is surplus: seen, it is burned [READINGS 18, 66]. */
  #replay(entry, given) {
    const round = this.#roundOf(entry);
    checkCards(given, round.game);
    const { dealt, surplus } = replay(given);
    this.#expect(entry, 'cards after', dealt, entry.event.after, { clause: entry.event.by });
    this.#expect(entry, 'cards burned', surplus, entry.event.burned, { clause: entry.event.by });
    round.cards = dealt;
  }

  confirmFelt(entry) {
    this.#expect(entry, 'cards on the felt', this.#roundOf(entry).cards, entry.event.cards);
  }
  resume(entry) {
    const { won, lost, by } = entry.event;
    const { game, cards } = this.#roundOf(entry);
    const decided = decidedBy(game, this.#settings.offered, cards);
    const among = (result) => namesOf(decided.filter((each) => each[1] === result).map(([name]) => name));
    this.#expect(entry, 'wagers won', among('win'), namesOf(won), { clause: by });
    this.#expect(entry, 'wagers lost', among('lose'), namesOf(lost), { clause: by });
    this.#expect(entry, 'an outcome is established', true, decided.length > 0, { clause: by });
  }

  decide(entry) {
    if (entry.event.decision === 'void') this.#decidedVoid = entry;
  }
  #missVoid() {
    this.#report(this.#decidedVoid, { what: 'the void that was decided', expected: 'yes', recorded: 'no' });
    this.#decidedVoid = undefined;
  }
  /** What was reported, a decision, or the dealer while bets are open [HOUSE 2, HOUSE 12; READING 51]. */
  #checkVoid(entry, { game, cards, isReported, isClosed }) {
    const { by, terminal } = entry.event;
    const isAllowed = this.#decidedVoid !== undefined || (by === 'HOUSE 12' ? !isClosed : isReported === true);
    this.#decidedVoid = undefined;
    this.#expect(entry, 'a clause that voids', true, VOIDING.test(by), { clause: by, terminal });
    this.#expect(entry, 'a reason for the void is on record', true, isAllowed, { clause: by, terminal });
    if (!INTERRUPTION.has(by)) return;
    const decided = decidedBy(game, this.#settings.offered, cards).map(([name]) => name);
    this.#expect(entry, 'wagers decided', 'none', namesOf(decided), { clause: by });
  }

  /** A settlement of the whole round, by its cards or void. A later one replaces the one before it. */
  settle(entry) {
    const { type, settlement: id, outcome, cards, results = {}, reverses, slips = {}, by } = entry.event;
    const round = this.#roundOf(entry);
    const isVoid = type === 'RoundVoided' || outcome === 'void';
    this.#expect(entry, 'settlement before this one', round.last ?? 'none', reverses ?? 'none');
    if (cards) this.#expect(entry, 'cards', round.cards, cards);
    for (const [terminal, slip] of Object.entries(slips)) this.#checkSlip(entry, round, terminal, slip);
    if (isVoid) this.#checkVoid(entry, round);
    else this.#checkResults(entry, round, results);
    const order = [...round.slips.keys()].filter((each) => stakeOn(round.slips.get(each)) > 0).toSorted(byText);
    const deal = isVoid ? undefined : dealOf(round.cards);
    round.settlements.set(id, { order, done: 0, deal, by, game: round.game, cards: round.cards.slice() });
    round.last = id;
  }
  #checkSlip(entry, round, terminal, slip) {
    const isSo = isSameSlip(round.slips.get(terminal) ?? {}, slip);
    this.#expect(entry, 'the slip is the one that was set', true, isSo, { terminal });
  }
  #checkResults(entry, { cards, game }, results) {
    if (cards.length < 4) damaged(`round ${entry.event.round} is settled with ${cards.length} cards`);
    this.#expect(entry, 'next card that is due', null, nextSlot(cards), { clause: game.draw });
    const deal = dealOf(cards);
    this.#expect(entry, 'wagers', namesOf(this.#settings.offered), namesOf(Object.keys(results)));
    for (const [name, { result, pays: odds, commission }] of Object.entries(results)) {
      if (!game.wagers.has(name) || !isRatio(odds) || !isRatio(commission))
        damaged(`${name} has no result of ${game.name}`);
      const due = settleWager(game.wagers.get(name), deal);
      const isAlike = isSameRatio(due.odds, odds) && isSameRatio(due.commission, commission);
      if (due.result === result && (result !== 'win' || isAlike)) continue;
      const expected = resultText(due.result, due.odds, due.commission);
      const recorded = resultText(result, odds, commission);
      this.#report(entry, { wager: name, clause: due.clause, what: 'result', expected, recorded });
    }
  }

  /** One slip leaves the round by a settlement of its own; one that the round's has not reached yet is paid by it alone. */
  voidSlip(entry) {
    const { settlement: id, terminal, slip, by } = entry.event;
    const round = this.#roundOf(entry);
    this.#checkSlip(entry, round, terminal, slip);
    this.#checkVoid(entry, round);
    const { order, done } = round.settlements.get(round.last) ?? { order: [], done: 0 };
    if (order.indexOf(terminal) >= done) order.splice(order.indexOf(terminal), 1);
    round.voidedSlips.set(id, { order: [terminal], done: 0, by, game: round.game, slip });
    round.slips.delete(terminal);
  }

  /** A chunk: to each slip what it gets by this settlement, less what earlier ones gave it. */
  postSettlement(entry) {
    const { settlement: id, from, count, last, shortfalls = {} } = entry.event;
    const { settlements, voidedSlips } = this.#roundOf(entry);
    const settlement = settlements.get(id) ?? voidedSlips.get(id) ?? damaged(`settlement ${id} was never decided`);
    const terminals = settlement.order.slice(from, from + count);
    this.#expect(entry, 'first slip of the chunk', settlement.done, from);
    this.#expect(entry, 'slips of the chunk', terminals.length, count);
    settlement.done = from + count;
    this.#expect(entry, 'the chunk is the last', settlement.done >= settlement.order.length, last);
    for (const terminal of Object.keys(shortfalls))
      this.#expect(entry, 'the shortfall is of a slip of the chunk', true, terminals.includes(terminal), { terminal });
    return terminals.flatMap((terminal) => this.#pay(entry, settlement, terminal, shortfalls[terminal] ?? 0));
  }
  #pay(entry, settlement, terminal, missing) {
    const { paid, slips } = this.#roundOf(entry);
    const accounts = this.#accountsOf(terminal);
    const before = paid.get(terminal) ?? [];
    const now = transfersOf(settlement.slip ?? slips.get(terminal) ?? {}, settlement, accounts);
    for (const { amount, wager: name } of now)
      this.#expect(entry, 'a payout of whole minor units', true, Number.isSafeInteger(amount), {
        terminal,
        wager: name,
      });
    if (settlement.slip) paid.delete(terminal);
    else paid.set(terminal, now);
    this.#context.counts.payouts++;
    const due = [...without(before, now).map(reversed), ...without(now, before)].map((each) => ({ ...each, terminal }));
    return missing === 0 ? due : [this.#owe(entry, terminal, missing, due), ...due];
  }

  /** What the session no longer has: at most what is taken back, and only once its credit is used up [READINGS 16, 60]. */
  #owe(entry, terminal, amount, due) {
    const { terminal: credit, shortfall } = this.#accountsOf(terminal);
    const takenBack = Math.max(0, -(netOf(due).get(credit) ?? 0));
    const label = { terminal, clause: 'HOUSE 10' };
    if (!isAmount(amount)) damaged(`${amount} is no shortfall`);
    this.#expect(entry, `shortfall ${amount} is at most ${takenBack}`, true, amount <= takenBack, label);
    this.#context.ledger.expectEmpty(credit, entry);
    const key = `${entry.event.round} ${terminal}`;
    this.#owed.set(key, (this.#owed.get(key) ?? 0) + amount);
    return transfer(shortfall, credit, amount, label);
  }
  /** Taken from the credit of the session, paid at the cage, or borne by the house [HOUSE 10; READINGS 57, 63]. */
  closeShortfall(entry) {
    const { type, round, terminal, amount, left } = entry.event;
    const label = { terminal, clause: 'HOUSE 10' };
    const owed = (this.#owed.get(`${round} ${terminal}`) ?? 0) - amount;
    this.#owed.set(`${round} ${terminal}`, owed);
    this.#expect(entry, 'shortfall left', owed, left, label);
    const { terminal: credit, shortfall, house } = this.#accountsOf(terminal);
    const cage = entry.postings.map(({ from }) => from).find((from) => from.split('/')[2] === 'cage');
    return [transfer(type === 'ShortfallWrittenOff' ? house : (cage ?? credit), shortfall, amount, label)];
  }
}

const TABLE_EVENTS = new Map(
  Object.entries({
    TableOpened: (table, entry) => table.set(entry),
    SettingsChanged: (table, entry) => table.set(entry),
    IrregularityFound: (table, entry) => table.report(entry),
    Interrupted: (table, entry) => table.report(entry),
    BetsOpened: (table, entry) => table.openBets(entry),
    BetsClosed: (table, entry) => table.closeBets(entry),
    SlipSet: (table, entry) => table.setSlip(entry),
    CardDealt: (table, entry) => table.dealCard(entry),
    CardTakenBack: (table, entry) => table.takeBackCard(entry),
    Proposed: (table, entry) => table.propose(entry),
    Approved: (table, entry) => table.approve(entry),
    RoundReconstructed: (table, entry) => table.reconstruct(entry),
    CardCorrected: (table, entry) => table.correctCard(entry),
    FeltConfirmed: (table, entry) => table.confirmFelt(entry),
    RoundResumed: (table, entry) => table.resume(entry),
    ReferralDecided: (table, entry) => table.decide(entry),
    RoundSettled: (table, entry) => table.settle(entry),
    RoundResettled: (table, entry) => table.settle(entry),
    RoundVoided: (table, entry) => table.settle(entry),
    SlipVoided: (table, entry) => table.voidSlip(entry),
    SettlementPosted: (table, entry) => table.postSettlement(entry),
    ShortfallCollected: (table, entry) => table.closeShortfall(entry),
    ShortfallWrittenOff: (table, entry) => table.closeShortfall(entry),
  }),
);

// ---- A terminal: what each way in and out moves, and which accounts it leaves empty.

class Terminal {
  #context;
  #own;
  constructor(context) {
    this.#context = context;
  }

  handle(entry) {
    const { event, postings } = entry;
    if (event.type === 'TerminalSeated')
      this.#own = (kind, owner = event.terminal) => `${event.property}/${event.currency}/${kind}/${owner}`;
    const { due, emptied } = this.#moved(event);
    for (const account of emptied) this.#context.ledger.expectEmpty(account, entry);
    compare(due, postings, (difference) => this.#context.report({ ...entry, ...difference }));
  }
  finish() {}

  #moved({ type, method, session, ticket, amount }) {
    const own = this.#own ?? damaged('a terminal has entries before it was seated');
    const credit = `${own('terminal')}.${session}`;
    // A ticket without an id is one of another system: it has no account here, as transfers and promotions have none.
    const ways = {
      cash: own('cage'),
      bill: own('cage'),
      hand: own('hand-pay'),
      ticket: ticket && own('ticket', ticket),
    };
    const other = (Object.hasOwn(ways, method) && ways[method]) || own('external');
    const move = (from, to, ...emptied) => ({ due: amount > 0 ? [transfer(from, to, amount)] : [], emptied });
    if (type === 'CreditLoaded') return ticket ? move(other, credit, other) : move(other, credit);
    if (type === 'CreditCollected') return move(credit, other, credit);
    if (type === 'SessionPaid') return move(credit, own('cage'), credit);
    if (type === 'HandPaid') return move(own('hand-pay'), own('cage'));
    return { due: [], emptied: [] };
  }
}

/** The floor and the staff register move no money. */
class Other {
  #context;
  constructor(context) {
    this.#context = context;
  }
  handle(entry) {
    compare([], entry.postings, (difference) => this.#context.report({ ...entry, ...difference }));
  }
  finish() {}
}

// ---- The export: an entry a line, stream by stream.

class DamagedExport extends Error {}
const damaged = (what) => {
  throw new DamagedExport(what);
};
const isText = (value) => typeof value === 'string';
const isInteger = (value) => Number.isSafeInteger(value);
const isAmount = (value) => isInteger(value) && value > 0;
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const checkCards = (cards, { name, deck: { ranks, suits } }) => {
  for (const card of cards)
    if (!isText(card) || card.length !== 2 || !ranks.includes(card[0]) || !suits.includes(card[1]))
      damaged(`${card} is no card of ${name}`);
};

const CHECKS = {
  text: isText,
  integer: isInteger,
  flag: (value) => typeof value === 'boolean',
  object: isObject,
  list: Array.isArray,
};
/** The fields that this page reads of each event; a field with a question mark may be left out. */
const FIELDS = new Map(
  Object.entries({
    TableOpened: 'settings:object',
    SettingsChanged: 'settings:object',
    BetsOpened: 'round:text game:text',
    SlipSet: 'terminal:text slip:object debit:integer',
    CardDealt: 'slot:text card:text complete:flag carried?:flag',
    CardTakenBack: 'card:text',
    Proposed: 'proposal:text command:object',
    Approved: 'proposal:text',
    RoundReconstructed: 'before:list after:list burned:list surplus:text',
    CardCorrected: 'place:integer was:text card:text after:list burned:list',
    FeltConfirmed: 'cards:list',
    RoundResumed: 'won:list lost:list by:text',
    RoundSettled: 'settlement:text cards:list results:object',
    RoundResettled: 'settlement:text cards:list results?:object slips?:object reverses:text by:text',
    RoundVoided: 'settlement:text by:text',
    SlipVoided: 'settlement:text terminal:text slip:object by:text',
    SettlementPosted: 'settlement:text from:integer count:integer last:flag shortfalls?:object',
    ShortfallCollected: 'terminal:text amount:integer left:integer',
    ShortfallWrittenOff: 'terminal:text amount:integer left:integer',
    TerminalSeated: 'property:text currency:text terminal:text',
    CreditLoaded: 'method:text session:integer amount:integer ticket?:text',
    CreditCollected: 'method:text session:integer amount:integer ticket?:text',
    SessionPaid: 'session:integer amount:integer',
    HandPaid: 'amount:integer',
  }),
);
const SETTINGS = 'property:text currency:text table:text offered:list';
const hasFields = (value, fields) =>
  fields.split(' ').every((field) => {
    const [name, kind] = field.split(':');
    const [key] = name.split('?');
    return CHECKS[kind](value[key]) || (name.endsWith('?') && value[key] === undefined);
  });
const POSTING =
  'from:text to:text amount:integer fromBefore:integer fromAfter:integer fromVersion:integer ' +
  'toBefore:integer toAfter:integer toVersion:integer';
const isEntry = (body) =>
  isObject(body) &&
  hasFields(body, 'stream:text sequence:integer at:integer event:object postings:list command:object') &&
  isText(body.event.type);

const entryIn = (line) => {
  let body;
  try {
    body = JSON.parse(line)?.body;
  } catch {
    damaged('a line is not JSON');
  }
  if (!isEntry(body)) damaged('a line is no entry of an event log');
  const { stream, sequence, event, postings } = body;
  const fields = FIELDS.get(event.type);
  const isRead = !fields || (hasFields(event, fields) && (!event.settings || hasFields(event.settings, SETTINGS)));
  if (!isRead) damaged(`entry ${sequence} of ${stream} lacks a field of ${event.type}`);
  if (!postings.every((each) => isObject(each) && hasFields(each, POSTING) && isAmount(each.amount)))
    damaged(`entry ${sequence} of ${stream} has a posting that is none`);
  return body;
};

const FOLLOWERS = { table: Table, terminal: Terminal };
const settleExport = async (lines, report) => {
  const context = { report, ledger: new Ledger(report), counts: { rounds: 0, payouts: 0 } };
  let [stream, sequence, streams, follower] = ['', 0, 0, undefined];
  for await (const line of lines) {
    const entry = entryIn(line);
    if (entry.stream !== stream) {
      follower?.finish();
      follower = new (FOLLOWERS[entry.stream.split('/')[1]] ?? Other)(context);
      [stream, sequence, streams] = [entry.stream, 0, streams + 1];
    }
    if (entry.sequence !== ++sequence) damaged(`entry ${sequence} of ${stream} is missing`);
    for (const posting of entry.postings) context.ledger.add(posting, entry);
    follower.handle(entry);
  }
  if (!follower) damaged('it is empty');
  follower.finish();
  return { ...context.counts, accounts: context.ledger.check({ isWhole: streams > 1 }) };
};

const lineOf = ({ stream, sequence, round, terminal, wager: name, what, expected, recorded, clause }) => {
  const named = { entry: sequence, round, terminal, wager: name };
  const place = Object.entries(named)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${value}`);
  return `${stream}, ${place.join(', ')}: ${what}: expected ${expected ?? 'none'}, recorded ${recorded ?? 'none'}${clause ? ` [${clause}]` : ''}`;
};
const counted = (count, name) => `${count} ${count === 1 ? name.slice(0, -1) : name}`;

const [file, ...others] = process.argv.slice(2);
let differences = 0;
try {
  if (others.length > 0) damaged('give one file, or none to read standard input');
  const input = file === undefined ? process.stdin : (await open(file)).createReadStream();
  const counts = await settleExport(createInterface({ input, crlfDelay: Infinity }), (difference) => {
    differences++;
    console.log(lineOf(difference));
  });
  const text = Object.entries(counts)
    .map(([name, count]) => counted(count, name))
    .join(', ');
  console.log(`${text}: ${differences === 0 ? 'all agree' : counted(differences, 'differences')}.`);
  process.exitCode = differences === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof DamagedExport) && error.syscall === undefined) throw error;
  console.error(`The export cannot be settled: ${error.message}.`);
  process.exitCode = 2;
}
