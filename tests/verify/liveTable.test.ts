import { describe, expect, test } from 'vitest';
import {
  requestOf,
  honestStreams,
  withoutField,
  entryMessage,
  expectRecord,
  commandRecord,
  verifyProblem,
  tiger,
  withEvent,
} from './forgedStore.ts';
import {
  type RequestSource,
  type StaffRequest,
  type Forged,
  approve,
  withContext,
  changeEvent,
  dealer,
  entriesFor,
  replaceEntry,
  manager,
  supervisor,
} from './staffCommands.ts';
import { type StoredPayload } from '../../src/store/store.ts';

// An attended table.

const honestLog = await honestStreams();
const firstEvent = honestLog[tiger]![0]!.event;

/** A live table with its staff, from its opening to the cutting card. */
const settings = {
  ...(firstEvent['settings'] as object),
  table: 'live',
  dealing: 'keyed',
  attended: true,
  behind: 14,
};
const ready: readonly RequestSource[] = [
  { type: 'OpenTable', actor: { person: 'p1', role: 'pit-manager' }, second: manager, settings },
  { type: 'BringShoe', actor: dealer, shoe: 'L1', seal: 'S1' },
  { type: 'CountCards', actor: dealer, cards: 416 },
  { type: 'ShuffleShoe', actor: dealer, method: 'by hand' },
  { type: 'CutShoe', actor: dealer, behind: 14 },
  { type: 'VerifyShoe', actor: dealer },
  approve,
  { type: 'OpenBets', actor: dealer },
];
const live = entriesFor(
  [],
  firstEvent.at,
  ...ready,
  { type: 'CallClose', actor: dealer, notice: 60_000 },
  { type: 'CloseBets', actor: dealer, delayMs: 61_000 },
  { type: 'DealCard', actor: dealer, slot: 'P1', card: 'KD', keyed: true },
  { type: 'ReportCuttingCard', actor: dealer },
  { type: 'DealCard', actor: dealer, slot: 'B1', card: '3D' },
);

const deals = (...cards: readonly string[]): readonly RequestSource[] =>
  cards.map((one, entryIndex) => ({
    type: 'DealCard',
    actor: dealer,
    slot: ['P1', 'B1', 'P2', 'B2'][entryIndex],
    card: one,
  }));

/** A settled round that is reopened and dealt on, since its cards left the shoe in another order. */
const reopened = entriesFor(
  [],
  firstEvent.at,
  ...ready,
  ({ round }) => ({
    type: 'SetSlip',
    actor: { terminal: 'T1.1' },
    round: round!.id,
    slip: { player: 1000 },
    credit: 5000,
  }),
  { type: 'CallClose', actor: dealer },
  { type: 'CloseBets', actor: dealer, delayMs: 61_000 },
  ...deals('3D', 'AD', '4C', '6C'),
  { type: 'Settle', actor: dealer, delayMs: 2_000 },
  { type: 'ReportIrregularity', actor: dealer, kind: 'wrong-order' },
  { type: 'ReconstructRound', actor: supervisor, cards: ['3D', '4C', 'AD', '6C'], unseen: false, reason: 'Seen.' },
  ({ proposal }) => ({ type: 'Approve', actor: manager, proposal: proposal!.id, hash: proposal!.hash }),
);

/** A settled round with one of two slips paid that is reopened, dealt on and settled again. */
const slipOf =
  (terminal: string): RequestSource =>
  ({ round }) => ({
    type: 'SetSlip',
    actor: { terminal },
    round: round!.id,
    slip: { player: 1000 },
    credit: 5000,
  });
const [opening, ...setup] = ready;
const resumedRound = entriesFor(
  [],
  firstEvent.at,
  { ...(opening as StaffRequest), settings: { ...settings, chunk: 1 } },
  ...setup,
  slipOf('T1.1'),
  slipOf('T2.1'),
  { type: 'CallClose', actor: dealer },
  { type: 'CloseBets', actor: dealer, delayMs: 61_000 },
  ...deals('9S', '2C', '9H', '4D'),
  { type: 'Settle', actor: dealer, delayMs: 2_000 },
  ({ round }) => ({ type: 'CorrectCard', actor: supervisor, round: round!.id, place: 1, card: '2S', reason: 'A two.' }),
  ({ proposal }) => ({ type: 'Approve', actor: manager, proposal: proposal!.id, hash: proposal!.hash }),
  { type: 'DealCard', actor: dealer, slot: 'P3', card: '3S' },
  { type: 'Settle', actor: dealer, delayMs: 2_000, credits: { 'T1.1': 90_000, 'T2.1': 90_000 } },
  { type: 'PostSettlement', actor: { system: 'floor' }, credits: { 'T1.1': 90_000, 'T2.1': 90_000 } },
);

test('verify accepts a resumed round cut between any two commands', async () => {
  const ends = [...resumedRound.keys()].filter(
    (entryIndex) => resumedRound[entryIndex]!.command.id !== resumedRound[entryIndex + 1]?.command.id,
  );
  for (const end of ends.slice(-8)) {
    expect(
      await verifyProblem({ ...honestLog, 'demo/table/live': resumedRound.slice(0, end + 1) }),
      `${end}`,
    ).toBeUndefined();
  }
});

/** A round that staff void after an interruption. */
const confirmed = entriesFor(
  [],
  firstEvent.at,
  ...ready,
  { type: 'ReportInterruption', actor: dealer, since: 0, stateLost: true },
  { type: 'ConfirmRuling', actor: supervisor },
);

test.each([
  ['a settled round that is dealt on', reopened, 'RoundReconstructed'],
  ['a ruling that is confirmed', confirmed, 'RoundVoided'],
] as const)('%s verifies', async (_, entries, type) => {
  expect(entries.some(({ event }) => event.type === type)).toBe(true);
  const credit = entries === reopened ? honestLog : {};
  expect(await verifyProblem({ ...credit, 'demo/table/live': entries })).toBeUndefined();
});

test('verify accepts commands of staff at a live table', async () => {
  expect(await verifyProblem({ ...honestLog, 'demo/table/live': live })).toBeUndefined();
});

/** The table, opened without a second person. */
const byOne = withoutField(requestOf(live[0]!), 'second') as StoredPayload;
const alone = { ...live[0]!, command: commandRecord('forged', byOne, { context: expectRecord(live[0]!).context }) };

describe('verify finds a forgery at a live table', () => {
  const ofLive: readonly (readonly [what: string, forged: Forged, found: RegExp])[] = [
    [
      'a card that was scanned and not keyed',
      changeEvent(live, 'CardDealt', { keyed: true }),
      /has keyed true where .* left out/,
    ],
    [
      'a keyed card marked as scanned',
      replaceEntry(live, 11, withEvent(live[11]!, { keyed: undefined })),
      /has keyed left out where its command leads to true/,
    ],
    ['a table opened by one person', replaceEntry(live, 0, alone), /has a command that is refused now: /],
    [
      'a shoe verified by one person',
      withContext(live, 'Approved', { authority: { role: 'auditor' } }),
      /has a command that is refused now: /,
    ],
    ['another card', changeEvent(live, 'CardDealt', { card: '9D' }), /has card "9D" where its command leads to "3D"/],
  ];
  test.each(ofLive)('%s', async (_, { entries, bad }, found) => {
    expect(await verifyProblem({ ...honestLog, 'demo/table/live': entries })).toMatch(
      entryMessage('demo/table/live', bad, found),
    );
  });
});
