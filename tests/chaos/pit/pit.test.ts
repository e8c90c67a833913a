import { expect, test } from 'vitest';
import { systemRandom } from '../../../src/runtime/ports/random.ts';
import { demoSettings } from '../../runtime/demo.ts';
import { reportToSoak, times } from '../../times.ts';
import { type Ran } from '../counts.ts';
import { chaos } from '../run.ts';
import { storm } from '../faultRates.ts';

const settingOf = (game: string) => demoSettings.find(({ table }) => table === game)!;

/** A table of a game where people deal. */
const live = (game: string, more: object = {}) => ({
  ...settingOf(game),
  table: `live-${game}`,
  dealing: 'keyed',
  attended: true,
  behind: 14,
  ...more,
});

const chips = live('baccarat', { bets: 'chips' });
const pairs = [
  [live('tiger'), chips],
  [live('sands-elements'), live('tiger')],
  [live('sands-super'), chips],
];

/** One table without people beside two with them; three seeds in a row have all that there are. */
const tablesOf = (seed: number) => [settingOf('tiger'), ...pairs[seed % pairs.length]!];

/** Seeds that once failed stay here. */
const seeds = [2033, 4, 45];

/** A soak adds others by chance. */
const more = Array.from({ length: times(seeds.length) - seeds.length }, () => systemRandom.below(2 ** 32));

/** Plugs are pulled more often than where nobody has to look at the felt afterwards. */
const weather = { ...storm, life: 150 };

const ran: Ran[] = [];
const all = (counts: { readonly [name: string]: number }): number => Object.values(counts).reduce((a, b) => a + b, 0);
const sum = (of: (one: Ran) => number): number => ran.reduce((total, one) => total + of(one), 0);

for (const seed of [...seeds, ...more]) {
  test(`people in a storm, seed ${seed}: they err, sign out and quarrel while store, network and plugs fail, and all they did is in the books of a stranger`, async () => {
    const stormy = await chaos(`pit ${seed}`, 80, weather, tablesOf(seed));
    ran.push(stormy);
    expect(stormy.wrong).toEqual([]);
    const { accepted, refused, events } = stormy.staff!;
    expect(all(stormy.crashes)).toBeGreaterThan(2);
    expect(all(accepted)).toBeGreaterThan(200);
    expect(all(refused)).toBeGreaterThan(100);
    expect(events['BetsOpened']).toBeGreaterThan(8);
    expect(events['Approved']).toBeGreaterThan(15);
  });
}

test('all storms together: every role does its work and is refused other work', () => {
  const events = (name: string): number => sum(({ staff }) => staff!.events[name] ?? 0);
  const accepted = (name: string): number => sum(({ staff }) => staff!.accepted[name] ?? 0);
  const refused = (code: string): number => sum(({ staff }) => staff!.refused[code] ?? 0);
  expect(sum(({ crashes }) => all(crashes))).toBeGreaterThan(7 * ran.length);
  for (const [name, least] of Object.entries(leastEvents)) expect(events(name), name).toBeGreaterThanOrEqual(least);
  const kinds = new Set(ran.flatMap(({ staff }) => Object.keys(staff!.events).filter((name) => name.includes(': '))));
  expect(kinds.size).toBeGreaterThanOrEqual(8);
  for (const [name, least] of Object.entries(leastAccepted)) expect(accepted(name), name).toBeGreaterThanOrEqual(least);
  for (const [code, least] of Object.entries(leastRefused)) expect(refused(code), code).toBeGreaterThanOrEqual(least);
  reportToSoak(
    `people in ${ran.length} storms: ${sum(({ crashes }) => all(crashes))} plugs pulled, ${events('BetsOpened')} live rounds, ` +
      `${sum(({ staff }) => all(staff!.accepted))} commands of staff accepted and ` +
      `${sum(({ staff }) => all(staff!.refused))} refused, ${events('Approved')} proposals carried out, ` +
      `${events('TicketPaid') + events('HandPaid') + events('SessionPaid')} payments at the cage`,
  );
});

/** What happens at least, so that a storm in which nobody does anything is none. */
const leastEvents = {
  BetsOpened: 40,
  CardDealt: 150,
  RoundSettled: 20,
  RoundVoided: 10,
  RoundResettled: 3,
  CardTakenBack: 1,
  IrregularityFound: 15,
  Interrupted: 3,
  FeltConfirmed: 1,
  Referred: 20,
  ReferralDecided: 20,
  Proposed: 150,
  Approved: 80,
  ProposalWithdrawn: 30,
  ConsentGiven: 20,
  SignedIn: 150,
  SignInFailed: 60,
  SessionLocked: 20,
  SessionEnded: 100,
  RolesChanged: 10,
  ActingRoleGranted: 15,
  ActingRoleEnded: 8,
  TicketPaid: 5,
  HandPaySigned: 6,
  HandPaid: 6,
};
const leastAccepted = {
  consent: 2,
  pay: 5,
  LoadCredit: 50,
  PaySigned: 5,
  SignOut: 10,
  GrantActingRole: 15,
  EnrolPerson: 9,
};
const leastRefused = {
  'not-your-role': 20,
  'same-person': 20,
  'not-signed-in': 20,
  'session-locked': 1,
  'changed-proposal': 20,
  'unknown-proposal': 10,
  'expired-proposal': 3,
  'awaiting-decision': 10,
  'not-now': 10,
  'ticket-paid': 20,
  'other-console': 5,
  'result-unknown': 10,
  'wrong-secret': 2,
};

test('a run of staff is deterministic by its seed', async () => {
  const run = () => chaos('pit a', 20, weather, tablesOf(1));
  const [one, two] = [await run(), await run()];
  expect(two).toEqual(one);
});
