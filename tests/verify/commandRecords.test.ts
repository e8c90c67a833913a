import { describe, expect, test } from 'vitest';
import { tableDecider } from '../../src/deciders/deciders.ts';
import { payloadHash } from '../../src/store/commandRecord.ts';
import { type CommandRecord } from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import {
  type UnwrittenEntry,
  requestOf,
  honestStreams,
  withoutField,
  entryMessage,
  expectRecord,
  commandRecord,
  verifyProblem,
  rewrittenChain,
  tiger,
  withRequest,
  writeStore,
} from './forgedStore.ts';

// The command record of an entry: request, hash, context and decider.

const { version } = tableDecider;
const honestLog = await honestStreams();
const table = honestLog[tiger]!;
const indexOfEvent = (type: string): number => table.findLastIndex(({ event }) => event.type === type);
const opened = indexOfEvent('BetsOpened');
const slip = indexOfEvent('SlipSet');
/** The second entry of a command. */
const second = indexOfEvent('RoundVoided');

type Forged = readonly [place: number, command: UnwrittenEntry['command']];

const withRecord = (entryIndex: number, change: (record: CommandRecord) => object): Forged => [
  entryIndex,
  change(expectRecord(table[entryIndex]!)) as CommandRecord,
];
const more = (entryIndex: number, fields: object): Forged =>
  withRecord(entryIndex, (record) => ({ ...record, ...fields }));
const requests = (entryIndex: number, fields: object): Forged => [
  entryIndex,
  withRequest(table[entryIndex]!, fields).command,
];

const forgeries: readonly (readonly [what: string, forged: Forged, found: RegExp])[] = [
  [
    'a wrong hash of the request',
    more(opened, { hash: payloadHash({ type: 'OpenBets', actor: { system: 'other' } }) }),
    /has a payload hash that does not match its payload/,
  ],
  [
    'another request with the hash of the first',
    withRecord(slip, (record) => ({ ...record, request: { ...requestOf(table[slip]!), round: 'x', same: [] } })),
    /has a payload hash that does not match its payload/,
  ],
  [
    'a shared field that the event does not have',
    withRecord(slip, (record) => ({ ...record, request: { ...record.request, same: ['round', 'credit'] } })),
    /refers in its payload to fields that its event does not have/,
  ],
  [
    'shared fields that are not a list',
    withRecord(slip, (record) => ({ ...record, request: { ...record.request, same: 'round' } })),
    /refers in its payload to fields that its event does not have/,
  ],
  [
    'no list of shared fields',
    withRecord(slip, (record) => ({ ...record, request: withoutField(record.request, 'same') })),
    /refers in its payload to fields that its event does not have/,
  ],
  [
    'credit in the request',
    requests(slip, { credit: 5 }),
    /has the field credit in its payload, where it does not belong/,
  ],
  [
    'a role in the request',
    requests(slip, { authority: { role: 'dealer' } }),
    /has the field authority in its payload, where it does not belong/,
  ],
  ['a time in the request', requests(slip, { at: 5 }), /has the field at in its payload, where it does not belong/],
  [
    'an unknown context field',
    more(slip, { context: { credit: 90_000, luck: 7 } }),
    /has the field luck in its context, where it does not belong/,
  ],
  [
    'a request field in the context',
    more(slip, { context: { credit: 90_000, round: 'x' } }),
    /has the field round in its context, where it does not belong/,
  ],
  [
    'credit missing from the context',
    more(slip, { context: {} }),
    /has a command that cannot be parsed: The field "credit" is missing/,
  ],
  ['less credit than was staked', more(slip, { context: { credit: 1 } }), /has a command that is refused now: /],
  [
    'the role of the actor in the request',
    requests(opened, { actor: { person: 'd1', role: 'dealer' } }),
    /does not name its actor by exactly one id/,
  ],
  [
    'the acting role of the actor in the request',
    requests(opened, { actor: { person: 'd1', acting: 'supervisor' } }),
    /does not name its actor by exactly one id/,
  ],
  [
    'a role with the id of the actor',
    more(opened, { context: { authority: { person: 's1', role: 'supervisor' } } }),
    /has an authority in its context with a field other than role, acting and until/,
  ],
  [
    'an invalid role',
    more(opened, { context: { authority: 'dealer' } }),
    /has an authority in its context with a field other than role, acting and until/,
  ],
  [
    'a role of the system',
    more(opened, { context: { authority: { role: 'dealer' } } }),
    /has a command that cannot be parsed: The field "actor.role" is not known here/,
  ],
  [
    'the role of the second person in the request',
    requests(opened, { second: { person: 's1', role: 'supervisor' } }),
    /names a second person by more than an id/,
  ],
  ['an invalid second person', requests(opened, { second: 's1' }), /names a second person by more than an id/],
  [
    'a role with the id of the second person',
    more(opened, { context: { secondAuthority: { person: 's1', role: 'supervisor' } } }),
    /has an authority in its context with a field other than role, acting and until/,
  ],
  [
    'the role of a missing second person',
    more(opened, { context: { secondAuthority: { role: 'supervisor' } } }),
    /has a command that cannot be parsed: The field "second" is not known here/,
  ],
  [
    'a decider of a later version',
    more(opened, { decider: `table@${version + 1}` }),
    new RegExp(`names the decider table@${version + 1}, but this program has table up to version ${version}`),
  ],
  ...['terminal@1', 'table', 'table@', 'table@0', 'table@1.5', 'table@one'].map(
    (decider) =>
      [
        `a decider called ${decider}`,
        more(opened, { decider }),
        new RegExp(`names the decider ${decider}, but`),
      ] as const,
  ),
  [
    'another rulebook',
    more(opened, { rulebook: 'FAB@2021-10-28' }),
    /names the rulebook FAB@2021-10-28, but the table uses ETG@/,
  ],
  [
    'no book',
    withRecord(opened, (record) => withoutField(record, 'rulebook')),
    /names the rulebook undefined, but the table uses ETG@/,
  ],
  ['a command with its id only', [opened, { id: 'forged' }], /lacks the payload of its command/],
  [
    'a command without context',
    withRecord(opened, (record) => withoutField(record, 'context')),
    /lacks the payload of its command/,
  ],
  ['a command record with a surplus field', more(opened, { note: 'x' }), /lacks the payload of its command/],
  [
    'a second command record within a command',
    [
      second,
      commandRecord(table[second]!.command.id, { type: 'VoidRound', actor: { system: 'floor' }, reason: 'No.' }),
    ],
    /has a payload, but is not the first entry of its command/,
  ],
];

describe('verify finds a forged command record', () => {
  test.each(forgeries)('%s', async (_, [entryIndex, command], found) => {
    const entries = [...table.slice(0, entryIndex), { ...table[entryIndex]!, command }];
    expect(await verifyProblem({ ...honestLog, [tiger]: entries })).toMatch(entryMessage(tiger, entryIndex + 1, found));
  });

  test('a command without its first entry', async () => {
    const entries = [...table.slice(0, second - 1), table[second]!];
    expect(await verifyProblem({ ...honestLog, [tiger]: entries })).toMatch(
      entryMessage(tiger, second, /lacks the payload of its command/),
    );
  });

  test('an entry without a command', async () => {
    const store = rewrittenChain(await writeStore(honestLog), tiger, opened + 1, (entry) =>
      withoutField(entry, 'command'),
    );
    expect((await verifyStore(store)).problem).toMatch(entryMessage(tiger, opened + 1, /is not a well-formed entry/));
  });
});
