import { describe, expect, test } from 'vitest';
import { tableDecider } from '../../src/deciders/deciders.ts';
import { requestHash } from '../../src/store/commandRecord.ts';
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
    'a wrong hash of what was asked',
    more(opened, { hash: requestHash({ type: 'OpenBets', actor: { system: 'other' } }) }),
    /has another request hash than its request/,
  ],
  [
    'something else asked under the hash of the first',
    withRecord(slip, (record) => ({ ...record, request: { ...requestOf(table[slip]!), round: 'x', same: [] } })),
    /has another request hash than its request/,
  ],
  [
    'a field that is said to be in the event and is not',
    withRecord(slip, (record) => ({ ...record, request: { ...record.request, same: ['round', 'credit'] } })),
    /names fields of its event that are not there/,
  ],
  [
    'fields of the event that are not a list',
    withRecord(slip, (record) => ({ ...record, request: { ...record.request, same: 'round' } })),
    /names fields of its event that are not there/,
  ],
  [
    'no word on which fields are in the event',
    withRecord(slip, (record) => ({ ...record, request: withoutField(record.request, 'same') })),
    /names fields of its event that are not there/,
  ],
  [
    'credit that was asked for',
    requests(slip, { credit: 5 }),
    /has credit in its request, which belongs in the context/,
  ],
  [
    'a post that was asked for',
    requests(slip, { authority: { role: 'dealer' } }),
    /has authority in its request, which belongs in the context/,
  ],
  ['a time that was asked for', requests(slip, { at: 5 }), /has at in its request, which belongs in the context/],
  [
    'something brought that no table knows',
    more(slip, { context: { credit: 90_000, luck: 7 } }),
    /has luck in its context, which is a request field or unknown/,
  ],
  [
    'something brought that is asked',
    more(slip, { context: { credit: 90_000, round: 'x' } }),
    /has round in its context, which is a request field or unknown/,
  ],
  [
    'credit that was not brought',
    more(slip, { context: {} }),
    /has a request that cannot be parsed: The field "credit" is missing/,
  ],
  ['less credit than was staked', more(slip, { context: { credit: 1 } }), /is refused today: /],
  [
    'a post in the words of whoever asked',
    requests(opened, { actor: { person: 'd1', role: 'dealer' } }),
    /does not name its actor, and nothing else/,
  ],
  [
    'a post that is acted in, in the words of whoever asked',
    requests(opened, { actor: { person: 'd1', acting: 'supervisor' } }),
    /does not name its actor, and nothing else/,
  ],
  [
    'a post that says who asked',
    more(opened, { context: { authority: { person: 's1', role: 'supervisor' } } }),
    /has an authority in its context that is no role or names a person/,
  ],
  [
    'a post that is none',
    more(opened, { context: { authority: 'dealer' } }),
    /has an authority in its context that is no role or names a person/,
  ],
  [
    'a post for the system',
    more(opened, { context: { authority: { role: 'dealer' } } }),
    /has a request that cannot be parsed: The field "actor.role" is not known here/,
  ],
  [
    'a post of a second person in the words of whoever asked',
    requests(opened, { second: { person: 's1', role: 'supervisor' } }),
    /names a second person by more than an id/,
  ],
  ['a second person that is none', requests(opened, { second: 's1' }), /names a second person by more than an id/],
  [
    'a post that says who the second person is',
    more(opened, { context: { secondAuthority: { person: 's1', role: 'supervisor' } } }),
    /has an authority in its context that is no role or names a person/,
  ],
  [
    'the post of a second person where there is none',
    more(opened, { context: { secondAuthority: { role: 'supervisor' } } }),
    /has a request that cannot be parsed: The field "second" is not known here/,
  ],
  [
    'a decider of a later version',
    more(opened, { decider: `table@${version + 1}` }),
    new RegExp(`names the decider table@${version + 1}, and this program knows table up to version ${version}`),
  ],
  ...['terminal@1', 'table', 'table@', 'table@0', 'table@1.5', 'table@one'].map(
    (decider) =>
      [
        `a decider called ${decider}`,
        more(opened, { decider }),
        new RegExp(`names the decider ${decider}, and`),
      ] as const,
  ),
  [
    'another book',
    more(opened, { rulebook: 'FAB@2021-10-28' }),
    /names the rulebook FAB@2021-10-28, and the table goes by ETG@/,
  ],
  [
    'no book',
    withRecord(opened, (record) => withoutField(record, 'rulebook')),
    /names the rulebook undefined, and the table goes by ETG@/,
  ],
  ['a command that is only named', [opened, { id: 'forged' }], /does not have the request of its command/],
  [
    'a command of which nobody knows what was brought',
    withRecord(opened, (record) => withoutField(record, 'context')),
    /does not have the request of its command/,
  ],
  ['a note with a part too many', more(opened, { note: 'x' }), /does not have the request of its command/],
  [
    'a second note in the midst of a command',
    [
      second,
      commandRecord(table[second]!.command.id, { type: 'VoidRound', actor: { system: 'floor' }, reason: 'No.' }),
    ],
    /has a request in the middle of a command/,
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
      entryMessage(tiger, second, /does not have the request of its command/),
    );
  });

  test('an entry without a command', async () => {
    const store = rewrittenChain(await writeStore(honestLog), tiger, opened + 1, (entry) =>
      withoutField(entry, 'command'),
    );
    expect((await verifyStore(store)).problem).toMatch(
      entryMessage(tiger, opened + 1, /is not an entry as it must be/),
    );
  });
});
