import { afterAll, expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { StaffSocket, openTable, startPit, staffRequest, putShoeInPlay } from './pit.ts';

// Permissions at a table by HOUSE 2 and INDUSTRY 3.5, written independently of the program: D dealer, S supervisor, P
// pit manager, G Gaming Shift Manager. Each letter is the lowest role of the line that may be the first person; other
// roles may do nothing. Situations: an idle table; bets open; a card dealt and a foreign card reported; a settled
// round with a reported wrong number of cards; bets open at an unattended table.
const permissionTable = `
  command            | nothing | bets | card out | settled | unattended
  ChangeSettings      | P       | P    | P        | P       | P
  CloseTable         | P       | P    | P        | P       | P
  ReopenTable        | P       | P    | P        | P       | P
  BringShoe          | D       | D    | D        | D       | D
  InspectCards       | D       | D    | D        | D       | D
  CountCards         | D       | D    | D        | D       | D
  ShuffleShoe        | D       | D    | D        | D       | D
  CutShoe            | D       | D    | D        | D       | D
  CorrectCut         | D       | D    | D        | D       | D
  VerifyShoe         | D       | D    | D        | D       | D
  BurnCards          | D       | D    | D        | D       | D
  ReportCuttingCard  | D       | D    | D        | D       | D
  EndShoe            | D       | D    | D        | D       | D
  SealShoe           | D       | D    | D        | D       | D
  RecordCount        | D       | D    | D        | D       | D
  CountSealedShoe    | D       | D    | D        | D       | D
  InvestigateCount      | P       | P    | P        | P       | P
  OpenBets           | D       | D    | D        | D       | D
  ExtendBets         | D       | D    | D        | D       | D
  CallClose          | D       | D    | D        | D       | D
  CloseBets          | D       | D    | D        | D       | D
  DealCard           | D       | D    | D        | D       | D
  TakeBackCard       | D       | D    | D        | D       | D
  Settle             | D       | D    | D        | D       | D
  VoidRound          | S       | D    | D        | S       | D
  ReconstructRound   | S       | D    | D        | S       | D
  CorrectCard        | S       | D    | D        | S       | D
  RestoreOrder       | D       | D    | D        | D       | D
  EnterCard          | D       | D    | D        | D       | D
  BurnCard           | D       | D    | D        | D       | D
  DismissReport      | D       | D    | D        | S       | D
  ConfirmFelt        | D       | D    | D        | D       | D
  ConfirmRuling      | S       | S    | S        | S       | S
  DecideReferral     | G       | G    | G        | G       | G
  CollectShortfall   | S       | S    | S        | S       | S
  WriteOffShortfall  | S       | S    | S        | S       | S
  WithdrawProposal   | D       | D    | D        | D       | D
  CallSupervisor     | D       | D    | D        | D       | D
  AnswerCall         | S       | S    | S        | S       | S
  AddNote            | D       | D    | D        | D       | D
  ReportTerminals    | D       | D    | D        | D       | D
  ReportWager        | D       | D    | D        | D       | D
  ReportInterruption | D       | D    | D        | D       | D
  ReportIrregularity | D       | D    | D        | D       | D
  Refer              | D       | D    | D        | D       | D
`;

const [head, ...rows] = permissionTable
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const situations = head!.slice(1);
const ranks = 'DSPG';

/** Number, chosen role if there are several, and rank in the line. */
const personas = [
  { number: 'D-1', rank: 0 },
  { number: 'D-2', as: 'supervisor', rank: 1 },
  { number: 'D-2', as: 'pit-manager', rank: 2 },
  { number: 'D-2', as: 'gaming-shift-manager', rank: 3 },
  { number: 'S-1', rank: 1 },
  { number: 'S-2', as: 'gaming-shift-manager', rank: 3 },
  { number: 'M-1', rank: 2 },
  { number: 'G-1', rank: 3 },
  ...['C-1', 'T-1', 'A-1', 'V-1', 'N-1'].map((number) => ({ number, rank: -1 })),
] as const;

type Persona = { readonly number: string; readonly as?: string; readonly rank: number };

const table = 'tiger';
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** One socket per persona; acting roles are granted by the Gaming Shift Manager. */
async function signInAll(server: Server, time: TestScheduler): Promise<ReadonlyMap<Persona, StaffSocket>> {
  const shift = await StaffSocket.signIn(server, 'G-1');
  const { members } = server.floor.staff.state!;
  const personOf = (number: string): string => Object.values(members).find((one) => one.number === number)!.person;
  const grantActingRole = async (by: StaffSocket, number: string, as: string): Promise<void> => {
    const grant = {
      type: 'GrantActingRole',
      person: personOf(number),
      as,
      from: time.now(),
      until: time.now() + 36_000_000,
    };
    expect(await by.request({ type: 'staff', request: grant }), `${number} as ${as}`).toMatchObject({ type: 'done' });
  };
  const all = new Map<Persona, StaffSocket>();
  for (const persona of personas) {
    if ('as' in persona) await grantActingRole(shift, persona.number, persona.as);
    const isDealer = persona.rank === 0;
    const role = 'as' in persona ? { role: persona.as } : {};
    const signInBody = { number: persona.number, ...role, ...(isDealer && { table }) };
    const { cookie, body } = await staffRequest(server, 'demo', signInBody);
    expect(cookie, JSON.stringify(body)).toBeDefined();
    all.set(persona, await StaffSocket.join(server, cookie!));
  }
  shift.terminate();
  return all;
}

/** Fields of each command: well formed, and refused by the table for another reason where possible. */
const fieldsOf = (server: Server, time: TestScheduler): { readonly [command: string]: object } => {
  const { settings, round } = server.floor.tables.get(table)!.table;
  const reason = 'A test.';
  const about = round?.id ?? 'none';
  return {
    ChangeSettings: { settings: { ...settings, table: 'another' } },
    CloseTable: { reason },
    ReopenTable: { reason },
    BringShoe: { shoe: 'L9', seal: 'S9' },
    InspectCards: { match: true },
    CountCards: { cards: 1 },
    ShuffleShoe: { method: 'by hand' },
    CutShoe: { behind: 0 },
    CorrectCut: { behind: 0, reason },
    BurnCards: { card: '2C' },
    SealShoe: { seal: 'S9' },
    RecordCount: { shoe: 'L9', seen: {} },
    CountSealedShoe: { shoe: 'L9', seen: {} },
    InvestigateCount: { shoe: 'L9', reason: 'x' },
    EndShoe: { seen: {} },
    ExtendBets: { time: 1 },
    DealCard: { slot: 'B3', card: '2C' },
    VoidRound: { reason },
    ReconstructRound: { cards: ['2C'], unseen: false, reason },
    CorrectCard: { round: about, place: 5, card: '2C', reason },
    RestoreOrder: { reason },
    EnterCard: { slot: 'B3', card: '2C', reason },
    BurnCard: { card: '2C', reason },
    DismissReport: { reason },
    DecideReferral: { referral: 'R99', decision: 'void', reason },
    CollectShortfall: { terminal: 'T9', round: about, amount: 1, reason },
    WriteOffShortfall: { terminal: 'T9', round: about, amount: 1, reason },
    WithdrawProposal: { proposal: 'P99' },
    CallSupervisor: { reason },
    AddNote: { text: 'A note.' },
    ReportTerminals: { terminals: ['T9'], disconnected: true },
    ReportWager: { kind: 'late-wager', place: 'seat-1', wager: 'tie', amount: 100 },
    ReportInterruption: { since: time.now(), stateLost: false },
    ReportIrregularity: { kind: 'wrong-order' },
    Refer: { reason },
  };
};

/** A server in a situation, with the dealer at its console. */
async function startSituation(situation: string): Promise<{ readonly server: Server; readonly time: TestScheduler }> {
  const time = new TestScheduler();
  const limits = { messageBurst: 1_000, messagesPerSecond: 1_000, writeBurst: 100_000, signInBurst: 1_000 };
  const times = { bettingTime: 1_000, grace: 0, pause: 0 };
  if (situation === 'unattended') {
    const server = await startPit({ scheduler: time, limits, settings: {} });
    await time.advanceUntil(() => server.floor.tables.get(table)!.table.phase === 'betting');
    // An unattended table gets a console, so that a dealer can sign in there.
    const admin = await staffRequest(server, 'demo', { number: 'N-1' });
    await staffRequest(server, 'console', { kind: 'dealer', table }, { cookie: admin.cookie! });
    const supervisor = await StaffSocket.signIn(server, 'S-1');
    expect(await supervisor.command(table, 'Refer', { reason: 'A test.' })).toMatchObject({ type: 'done' });
    supervisor.terminate();
    return { server, time };
  }
  const server = await startPit({ scheduler: time, limits, times });
  await openTable(server, table);
  const dealer = await StaffSocket.signIn(server, 'D-1', table);
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  const submit = async (type: string, fields: object = {}): Promise<void> =>
    expect(await dealer.command(table, type, fields), type).toMatchObject({ type: 'done' });
  const deals = async (...cards: readonly (readonly [string, string])[]): Promise<void> => {
    for (const [slot, card] of cards) await submit('DealCard', { slot, card });
  };
  if (situation !== 'nothing') {
    supervisor.send({ type: 'watch', table, as: 'supervisor' });
    await supervisor.receive('supervisor');
    await putShoeInPlay(dealer, supervisor, table);
    await submit('OpenBets');
  }
  if (situation === 'card out' || situation === 'settled') {
    await submit('CallClose');
    await time.advanceUntil(() => server.floor.tables.get(table)!.table.phase === 'dealing');
    await deals(['P1', '9D']);
  }
  if (situation === 'settled') {
    await deals(['B1', '2C'], ['P2', 'KH'], ['B2', '5S']);
    await time.advance(10);
    await submit('Settle');
  }
  if (situation === 'nothing' || situation === 'bets') await submit('Refer', { reason: 'A test.' });
  else await submit('ReportIrregularity', { kind: situation === 'settled' ? 'wrong-number' : 'foreign-card' });
  dealer.terminate();
  supervisor.terminate();
  return { server, time };
}

test('every staff command of a table is listed', async () => {
  const { tableCommands } = await import('../../../src/table/schema/commands.ts');
  // An approval needs number and PIN, so it has its own message.
  const unasked = new Set(['Approve', 'OpenTable', 'CommitShoe', 'ChooseCutPosition', 'SetSlip', 'PostSettlement']);
  expect(rows.map(([name]) => String(name)).toSorted()).toEqual(
    Object.keys(tableCommands)
      .filter((name) => !unasked.has(name))
      .toSorted(),
  );
});

test.each(situations)(
  '[HOUSE 2] roles may send their commands only, acting or not, over real sockets: %s',
  async (situation) => {
    const { server, time } = await startSituation(situation);
    servers.push(server);
    const all = await signInAll(server, time);
    const fields = fieldsOf(server, time);
    const column = situations.indexOf(situation) + 1;
    const problems: string[] = [];
    for (const [command, ...roles] of rows) {
      const lowest = ranks.indexOf(roles[column - 1]!);
      // Personas without permission come first, so that they change nothing.
      for (const [persona, staff] of [...all].toSorted(([one], [otherStaff]) => one.rank - otherStaff.rank)) {
        const answer = await staff.command(table, command!, fields[command!]);
        const isAllowed = !(answer.type === 'refused' && answer.code === 'not-your-role');
        const label = `${command} by ${persona.number}${persona.as ? ` as ${persona.as}` : ''}`;
        if (answer.type === 'refused' && unrelatedCodes.has(answer.code))
          problems.push(`${label}: ${answer.code} ${answer.message}`);
        if (isAllowed !== persona.rank >= lowest) problems.push(`${label}: ${JSON.stringify(answer)}`);
      }
    }
    expect(problems).toEqual([]);
    for (const staff of all.values()) staff.terminate();
  },
);

/** Codes that show nothing about roles: the request itself was wrong. */
const unrelatedCodes: ReadonlySet<string> = new Set([
  'bad-request',
  'unknown-field',
  'unknown-message',
  'other-console',
  'unknown-table',
  'too-many-messages',
  'session-over',
  'broken',
]);

test.each([
  ['card out', 'VoidRound', 'S-1', 'S'],
  ['card out', 'DismissReport', 'D-1', 'S'],
  ['settled', 'VoidRound', 'S-1', 'G'],
  ['settled', 'DismissReport', 'S-1', 'G'],
  ['settled', 'CloseTable', 'M-1', 'G'],
])('[HOUSE 2] in situation %s the approval of %s by %s needs %s', async (situation, command, first, second) => {
  const { server, time } = await startSituation(situation);
  servers.push(server);
  const all = await signInAll(server, time);
  const by = [...all].find(([persona]) => persona.number === first)![1];
  if (command === 'CloseTable') {
    const dismissed = [...all].find(([persona]) => persona.number === 'S-1')![1];
    await dismissed.command(table, 'DismissReport', { reason: 'A test.' });
    const shift = [...all].find(([persona]) => persona.number === 'G-1')![1];
    expect(await shift.approve(table, server.floor.tables.get(table)!.table.proposal!, 'G-1')).toMatchObject({
      type: 'done',
    });
  }
  expect(await by.command(table, command, { reason: 'A test.' })).toMatchObject({
    type: 'done',
    events: ['Proposed'],
  });
  const proposal = server.floor.tables.get(table)!.table.proposal!;
  const lowest = ranks.indexOf(second);
  const problems: string[] = [];
  for (const [persona, staff] of [...all].toSorted(([one], [otherStaff]) => one.rank - otherStaff.rank)) {
    const answer = await staff.approve(table, proposal, persona.number);
    // With number and PIN the highest role of the person counts, acting or not.
    const rank = Math.max(...personas.filter((one) => one.number === persona.number).map((one) => one.rank));
    const expected =
      rank < 0 ? 'not-your-role' : persona.number === first ? 'same-person' : rank < lowest ? 'not-your-role' : 'done';
    const code = answer.type === 'refused' ? answer.code : answer.type;
    if (code !== expected) problems.push(`${persona.number} ${persona.as ?? ''}: ${code}, not ${expected}`);
    if (code === 'done') break;
  }
  expect(problems).toEqual([]);
  for (const staff of all.values()) staff.terminate();
});
