// A table driven to a void and back, with every event, clause and posting. In a checkout: npm run example table
import { versionedGameId, orThrow, slots, tiger, wagerIdsOf } from 'punto';
import { applyEventsWithPostings, tableDecider } from 'punto/ledger';
import { parseTableCommand, decide } from 'punto/table';

const profile = { name: 'demo', version: '1', approved: [versionedGameId(tiger)], timeZone: 'UTC', dayStartHour: 6 };
const limits = Object.fromEntries(wagerIdsOf(tiger).map((wager) => [wager, [100, 100_000]]));
const settings = { property: 'p', table: 'T', currency: 'SGD', profile, game: 'tiger', limits, dealing: 'keyed' };
let [table, at] = [undefined, 1_700_006_400_000];
const by = (role) => ({ person: role, role });
function ask(actor, type, more) {
  const decided = orThrow(decide(orThrow(parseTableCommand({ type, at: (at += 10_000), actor, ...more })), table));
  const { entries, state } = applyEventsWithPostings(tableDecider, decided, table);
  for (const { event, postings } of entries) console.log(event.type, event.by ?? '', ...postings);
  table = state;
  if (table.proposal) ask(by('supervisor'), 'Approve', { proposal: table.proposal.id, hash: table.proposal.hash });
}
const deal = (type, more) => ask(by('dealer'), type, more);
ask(by('pit-manager'), 'OpenTable', { second: by('gaming-shift-manager'), settings });
const shoe = { BringShoe: { shoe: 'S1', seal: '17' }, CountCards: { cards: 416 }, ShuffleShoe: { method: 'machine' } };
for (const [type, more] of Object.entries({ ...shoe, CutShoe: { behind: 14 }, VerifyShoe: {} })) deal(type, more);
for (const cards of [['2C', 'KD'], '9H 7S KC TD'.split(' ')]) {
  deal('OpenBets');
  ask({ terminal: 'T1' }, 'SetSlip', { round: table.round.id, slip: { player: 5_000 }, credit: 100_000 });
  for (const type of ['CallClose', 'CloseBets']) deal(type);
  for (const [n, card] of cards.entries()) deal('DealCard', { slot: slots[n], card });
  if (cards.length === 2) deal('ReportIrregularity', { kind: 'drawn-together', note: 'the order was not seen' });
  deal(...(cards.length === 2 ? ['VoidRound', { reason: 'the order was not seen' }] : ['Settle']));
}
