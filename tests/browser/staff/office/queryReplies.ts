import { games } from '../../../../src/games/registry.ts';
import { versionedGameId } from '../../../../src/rules/game.ts';
import {
  type UnclaimedCredit,
  type ListedSignInSession,
  type ListedTerminal,
  type ProposedHandPay,
  type StaffRegisterView,
  type TableSettings,
  type SignedHandPay,
  type TicketStatus,
  type TerminalList,
} from '../../../../src/wire/staff/cageTypes.ts';
import { type SupervisorView } from '../../../../src/wire/staff/supervisorView.ts';
import { type SettingsDifference } from '../../../../src/wire/staff/proposalEffects.ts';
import { settingsDifferences } from '../../../../src/table/views/settingsDifferences.ts';
import { noEffects } from '../console/effectsOfProposals.ts';
import { hash, viewOf } from '../console/dealerViews.ts';

// Fake replies to the queries of office pages: staff, terminals, money and settings.

const person = (number: string, roles: readonly string[], n: number) => ({
  person: `p${n}`,
  number,
  roles,
  ended: false,
  since: 1_700_000_000_000,
  named: n % 2 === 0,
  pin: true,
  password: n > 4,
});

export const staffList = (at: number): StaffRegisterView => ({
  staff: [
    person('G-007', ['gaming-shift-manager'], 1),
    person('M-012', ['pit-manager'], 2),
    person('S-031', ['supervisor'], 3),
    person('S-044', ['supervisor'], 4),
    ...[214, 198, 226, 231].map((number, n) => person(`D-${number}`, ['dealer'], n + 5)),
    person('C-012', ['cage'], 9),
    person('E-005', ['technician'], 10),
    person('A-002', ['auditor'], 11),
    person('N-001', ['administrator'], 12),
    { ...person('D-100', ['dealer', 'supervisor'], 13), ended: true },
  ],
  acting: [
    { acting: 'a1', person: 'p4', role: 'pit-manager', from: at - 1_000, until: at + 3_600_000, by: 'p1' },
    { acting: 'a2', person: 'p7', role: 'supervisor', from: at - 1_000, until: at + 1_800_000, by: 'p2' },
  ],
  consoles: [
    { console: 'c1', kind: 'dealer', table: 'L11' },
    { console: 'c2', kind: 'floor', table: null },
    { console: 'c3', kind: 'cage', table: null },
  ],
  locked: [{ number: 'D-231', until: at + 60_000 }],
});

const signedIn = (
  n: number,
  number: string,
  role: string,
  more: Partial<ListedSignInSession>,
): ListedSignInSession => ({
  id: `s${n}`,
  person: `p${n}`,
  number,
  role,
  acting: null,
  console: null,
  table: null,
  since: 1_700_000_000_000,
  locked: false,
  ...more,
});
export const sessions: readonly ListedSignInSession[] = [
  signedIn(2, 'M-012', 'pit-manager', { console: 'c2' }),
  signedIn(3, 'S-031', 'supervisor', { console: 'c2' }),
  signedIn(5, 'D-214', 'dealer', { console: 'c1', table: 'L11' }),
  signedIn(9, 'C-012', 'cage', { console: 'c3', locked: true }),
];

const limits = { handPay: 1_000_000, nameFrom: 1_000_000 };

const terminal = (n: number, more: Partial<ListedTerminal> = {}): ListedTerminal => ({
  terminal: `T${n}`,
  online: true,
  table: n % 3 === 0 ? 'L13' : 'L11',
  session: 3,
  since: 1_700_000_000_000,
  credit: 12_345 * n,
  staked: 0,
  disputed: 0,
  locked: null,
  owed: 0,
  signed: [],
  proposal: null,
  owedSince: null,
  ...more,
});

/** Hand-pay that a supervisor has proposed and a pit manager may approve. */
export const proposedHandPay = (at: number): ProposedHandPay => ({
  id: 'P1',
  command: 'SignHandPay',
  reason: null,
  amount: 1_240_000,
  from: { person: 'p3', number: 'S-031', role: 'supervisor', acting: null },
  second: 'pit-manager',
  hash,
  since: at,
  expires: at + 120_000,
});

export const signedHandPay = (at: number): SignedHandPay => ({
  terminal: 'T12',
  signature: 1,
  what: 'cancelled-credit',
  amount: 1_240_000,
  firstAt: at - 51_000,
  at,
  first: 'S-031',
  second: 'M-012',
});

export const terminals = (at: number): TerminalList => ({
  terminals: [
    terminal(11, {
      owed: 1_240_000,
      credit: 0,
      session: null,
      since: null,
      locked: 'hand-pay',
      owedSince: at - 185_000,
    }),
    terminal(12, {
      owed: 1_240_000,
      credit: 0,
      session: null,
      since: null,
      locked: 'hand-pay',
      signed: [signedHandPay(at)],
    }),
    terminal(13, { online: false, table: null }),
    terminal(9, { locked: 'The note acceptor is open.', session: null, since: null, credit: 0 }),
    terminal(8, { disputed: 50_000, staked: 10_000 }),
    ...Array.from({ length: 30 }, (_, n) => terminal(n + 20)),
  ],
  all: 146,
  need: 3,
  offline: 1,
  limits,
});

export const unclaimedCredits: readonly UnclaimedCredit[] = [
  { terminal: 'T5', session: 2, amount: 24_000, not: null },
  { terminal: 'T6', session: 1, amount: 5_000, not: 'credit-disputed' },
];

export const ticket = (at: number, more: Partial<TicketStatus> = {}): TicketStatus => ({
  ticket: 'a'.repeat(32),
  amount: 80_650,
  not: null,
  issued: { terminal: 'T4', at: at - 1_000_000 },
  paid: null,
  ...more,
});

const tiger = games.find(({ id }) => id === 'tiger')!;

export const setting: TableSettings = {
  property: 'demo',
  table: 'L11',
  currency: 'SGD',
  profile: {
    name: 'demo',
    version: '1',
    approved: ['tiger@2021-10-28', 'baccarat@7'],
    timeZone: 'Asia/Singapore',
    dayStartHour: 6,
  },
  game: versionedGameId(tiger),
  decks: 8,
  offered: Object.keys(tiger.wagers),
  step: 100,
  tray: [100, 500],
  limits: Object.fromEntries(Object.keys(tiger.wagers).map((wager) => [wager, [2_500, 200_000]])),
  totalMinimum: 2_500,
  bettingTime: 20_000,
  grace: 500,
  pause: 2_000,
  interruption: 10_000,
  roundsAfterCut: 0,
  behind: 16,
  burn: 'first-card',
  dealing: 'scanned',
  bets: 'terminals',
  attended: true,
  chunk: 1_000,
};

/** Settings that differ from those in use; without `proposed`, all settings in use. */
const differencesOf = (proposed?: TableSettings): SettingsDifference[] =>
  structuredClone(
    settingsDifferences(proposed === undefined ? null : setting, proposed ?? setting),
  ) as SettingsDifference[];

/** Supervisor's view of a table, with a proposal if settings are given. */
export function supervisorView(at: number, proposed?: TableSettings): SupervisorView {
  return {
    ...viewOf(at),
    currency: 'SGD',
    staked: 0,
    bettors: 0,
    totals: {},
    differences: [],
    decided: [],
    rulings: null,
    frozen: [],
    disconnected: [],
    unpaid: [],
    shortfalls: [],
    terminalsAway: [],
    events: [],
    closed: false,
    proposal: proposed
      ? {
          id: 'P1',
          command: 'ChangeSettings',
          reason: null,
          from: { person: 'p2', number: 'M-012', role: 'pit-manager', acting: null },
          second: 'gaming-shift-manager',
          hash,
          since: at - 6_000,
          expires: at + 114_000,
          effects: noEffects('ChangeSettings', {
            by: null,
            changes: [{ type: 'settings-change' }],
            settings: differencesOf(proposed),
          }),
        }
      : null,
  };
}

/** Reply to a query of an office page. */
export function queryReply(query: string, at: number): object | undefined {
  const all: { readonly [name: string]: object } = {
    staff: staffList(at),
    sessions: { sessions },
    names: { names: { p2: 'Somebody', p4: 'Somebody else' } },
    tables: { tables: ['L11', 'L12', 'L13'].map((table) => ({ table, open: table !== 'L13', refused: {} })) },
    terminals: terminals(at),
    handpays: { signed: [signedHandPay(at)], limits },
    unclaimed: { unclaimed: unclaimedCredits },
    ticket: ticket(at),
    settings: { settings: setting, wanted: setting, opening: differencesOf(), hash },
    preview: { effects: [], second: 'gaming-shift-manager', proposal: null, rulings: null },
  };
  return all[query];
}
