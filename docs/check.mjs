// Checks an export of a record (`punto export`) with nothing but this page: every chain, every card and the whole of each
// opened shoe, and the last settled round of each table, worked out from its cards. Run: node docs/check.mjs < export.jsonl
// An export that lacks its last entries cannot be told from a whole one: the heads are in the anchor.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const fail = (what) => {
  console.error(what);
  process.exit(1);
};

/** A card of a shoe is a leaf of its tree: RFC 9162, over the text shoe|index|salt|card. */
const leaf = (shoe, index, salt, card) => sha256(Buffer.of(0), Buffer.from(`${shoe}|${index}|${salt}|${card}`));
const node = (left, right) => sha256(Buffer.of(1), left, right);
const treeOf = (leaves) => {
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return node(treeOf(leaves.slice(0, split)), treeOf(leaves.slice(split)));
};
/** From a card up to the root, by its neighbours. */
const climb = (hash, index, size, proof) => {
  if (size === 1) return hash;
  let split = 1;
  while (split * 2 < size) split *= 2;
  const neighbour = Buffer.from(proof.at(-1), 'hex');
  const rest = proof.slice(0, -1);
  return index < split
    ? node(climb(hash, index, split, rest), neighbour)
    : node(neighbour, climb(hash, index - split, size - split, rest));
};

const points = (card) => (/^[TJQKSLF]/.test(card) ? 0 : card[0] === 'A' ? 1 : Number(card[0]));
const total = (cards) => cards.reduce((sum, card) => sum + points(card), 0) % 10;
/** The hands in dealing order: Player, Banker, Player, Banker, then third cards. */
const handsOf = ([p1, b1, p2, b2, ...more]) => {
  const player = [p1, p2];
  const banker = [b1, b2];
  const natural = total(player) > 7 || total(banker) > 7;
  if (!natural && total(player) < 6) player.push(more.shift());
  if (more.length > 0) banker.push(more.shift());
  return { player: total(player), banker: total(banker) };
};

/** What the results make of a slip, to the cent. */
const paidOn = (slip, results) =>
  Object.entries(slip).reduce((sum, [wager, stake]) => {
    const { result, pays, commission } = results[wager];
    const won = (stake * pays[0]) / pays[1];
    return result === 'lose' ? sum : sum + stake + won - (won * commission[0]) / commission[1];
  }, 0);
const stakeOn = (slip) => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

let stream = '';
let previous = '';
let sequence = 0;
let shoe;
let round;
let slips;
let settled;
let voided;
const counts = { entries: 0, streams: 0, cards: 0, shoes: 0, rounds: 0, slips: 0 };
/** An export that was cut off may end within a line. */
const entryIn = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return fail(`The line after entry ${sequence} of ${stream || 'nothing'} is not JSON; export the record again.`);
  }
};

for await (const line of createInterface({ input: process.stdin })) {
  const { hash, body } = entryIn(line);
  const text = line.slice(line.indexOf('"body":') + 7, -1);
  if (body.stream !== stream)
    [stream, previous, sequence, shoe] = [body.stream, `sha256:${'0'.repeat(64)}`, 0, undefined];
  if (sequence === 0) counts.streams++;
  const where = `Entry ${body.sequence} of ${stream}`;
  if (`sha256:${sha256(Buffer.from(text)).toString('hex')}` !== hash) fail(`${where} does not give its hash.`);
  if (body.previous !== previous || body.sequence !== sequence + 1) fail(`${where} does not follow the one before it.`);
  [previous, sequence] = [hash, body.sequence];
  counts.entries++;
  const { event } = body;
  if (event.type === 'ShoeCommitted') shoe = event;
  if (event.type === 'CardDealt' && event.proof) {
    const root = climb(leaf(shoe.shoe, event.index, event.salt, event.card), event.index, shoe.size, event.proof);
    if (root.toString('hex') !== shoe.root) fail(`${where} deals a card that was not committed.`);
    counts.cards++;
  }
  if (event.type === 'ShoeEnded' && event.cards && shoe) {
    const root = treeOf(event.cards.map((card, index) => leaf(shoe.shoe, index, event.salts[index], card)));
    if (root.toString('hex') !== shoe.root) fail(`${where} opens another shoe than was committed.`);
    counts.shoes++;
  }
  if (event.type === 'RoundSettled') {
    const { player, banker } = handsOf(event.cards);
    const won = player > banker ? 'player' : banker > player ? 'banker' : 'tie';
    for (const wager of ['player', 'banker', 'tie']) {
      const { result } = event.results[wager] ?? {};
      const due = wager === won ? ['win', 'push'] : won === 'tie' ? ['push'] : ['lose'];
      if (result !== undefined && !due.includes(result)) fail(`${where} settles ${wager} otherwise than its cards.`);
    }
    const order = Object.keys(slips).filter((who) => stakeOn(slips[who]) > 0);
    settled = { ...event, slips: { ...slips }, order: order.toSorted(), done: 0 };
    counts.rounds++;
  }
  if (event.type === 'RoundResettled' && settled) settled.again = true;
  if (event.type === 'BetsOpened') [round, slips, settled, voided] = [event.round, {}, undefined, {}];
  if (event.type === 'SlipSet') slips[event.terminal] = event.slip;
  // One slip is out of the round: its stakes go back, less what it was paid, by a settlement of its own; one that the
  // settlement of the round has not reached yet is paid by its own alone.
  if (event.type === 'SlipVoided' && event.round === round) {
    const { slip, terminal } = event;
    delete slips[terminal];
    const isPaid = settled?.order.slice(0, settled.done).includes(terminal);
    if (settled && !isPaid) settled.order = settled.order.filter((who) => who !== terminal);
    if (!settled?.again)
      voided[event.settlement] = [terminal, stakeOn(slip) - (isPaid ? paidOn(slip, settled.results) : 0)];
  }
  // What each patron of the chunk got is what the results make of the slip.
  if (event.type === 'SettlementPosted') {
    const dues = [];
    if (event.settlement === settled?.settlement) {
      settled.done = event.from + event.count;
      for (const who of settled.order.slice(event.from, settled.done))
        dues.push([who, paidOn(settled.slips[who], settled.results)]);
    } else if (voided[event.settlement]) dues.push(voided[event.settlement]);
    for (const [who, due] of dues) {
      const isOwn = (account) => account.endsWith(`/terminal/${who}`);
      const got = body.postings.reduce((sum, { from, to, amount }) => sum + amount * (isOwn(to) - isOwn(from)), 0);
      const owed = event.shortfalls?.[who] ?? 0;
      if (got !== due + owed) fail(`${where} gives ${who} ${got}, and its slip comes to ${due + owed}.`);
      counts.slips++;
    }
  }
}
if (counts.entries === 0) fail('There is nothing to check; give an export, as in: punto export | node docs/check.mjs');
const singular = (what) => what.replace(/ies$/, 'y').replace(/s$/, '');
console.log(
  Object.entries(counts)
    .map(([what, count]) => `${count} ${count === 1 ? singular(what) : what}`)
    .join(', '),
);
