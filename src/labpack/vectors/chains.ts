import { type DecidedEntry, applyEventsWithPostings, terminalDecider } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { canonicalJson, hashOf } from '../../base/canonicalJson.ts';
import { isRefused } from '../../base/refusal.ts';
import { payloadHash, compactPayload } from '../../store/commandRecord.ts';
import { hashEntryBody } from '../../store/hashChain.ts';
import { planAppend, serializeAppend, emptyBalance, emptyHead } from '../../store/planAppend.ts';
import { type StoredPayload, type NewEntry, type RecordedEvent } from '../../store/store.ts';

/** JSON values that can be written in several ways, of which only one is canonical. */
const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  9007199254740991,
  0.1,
  1e21,
  1e-7,
  123456789.5,
  '',
  'a "quoted" \\ text / with \b\f\n\r\t and \u0001',
  '庄 闲 和',
  'é and e\u0301',
  '😀',
  [],
  {},
  [3, [2, [1]], {}],
  { b: 1, a: 2, B: 3, A: 4, '10': 5, '9': 6, '': 7 },
  // Keys are sorted by UTF-16 code units, so the surrogate pair comes before U+FB33. By code points it would come
  // after.
  { '\uFB33': 1, '😀': 2, ö: 3, '€': 4, '\r': 5 },
  { list: [{ z: null, y: [true, false] }], text: 'x' },
];

export function* canonicalJsonVectors(): Generator<object> {
  for (const value of values) yield { value, text: canonicalJson(value), hash: hashOf(value) };
}

const cage = { person: 'c1', role: 'cage' };
const floor = { system: 'floor' };
const startAt = 1_700_000_000_000;

/** Commands of a terminal with their context. The terminal decider accepts all of them. */
const commands: readonly { readonly request: StoredPayload; readonly context: object }[] = [
  { request: { type: 'SeatTerminal', actor: floor, terminal: 'T7', property: 'sg1', currency: 'SGD' }, context: {} },
  { request: { type: 'LoadCredit', actor: floor, method: 'bill', amount: 5000, bill: 5000 }, context: {} },
  { request: { type: 'LoadCredit', actor: cage, method: 'cash', amount: 12_345 }, context: {} },
  { request: { type: 'LimitSession', actor: floor, stake: 1000, loss: 20_000 }, context: {} },
  { request: { type: 'LockTerminal', actor: floor, reason: 'The door – 机门 – is "open"' }, context: {} },
  {
    request: { type: 'UnlockTerminal', actor: { person: 's1', role: 'supervisor' }, reason: 'It is closed' },
    context: {},
  },
  {
    request: { type: 'CollectCredit', actor: cage, method: 'cash' },
    context: { credit: 17_345, staked: 0, disputed: 0 },
  },
];

type ChainLink = { readonly text: string; readonly hash: string };

/** The hash chain of a terminal stream as the event store writes it. */
function chainOf(stream: string): readonly ChainLink[] {
  const entries: NewEntry[] = [];
  let state = terminalDecider.initial;
  for (const [index, { request, context }] of commands.entries()) {
    const command = terminalDecider.parseCommand({ ...request, ...context, at: startAt + index * 1000 });
    assert(!isRefused(command), 'a command of a vector is well-formed');
    const decision = terminalDecider.decide(command, state);
    assert(!isRefused(decision), 'a command of a vector is accepted');
    const applied = applyEventsWithPostings(terminalDecider, decision, state);
    state = applied.state;
    applied.entries.forEach(({ event, postings }: DecidedEntry<unknown>, n) => {
      const storedEvent = event as RecordedEvent;
      const id = `vector-${index + 1}`;
      const { name, version } = terminalDecider;
      const commandRecord = {
        request: compactPayload(request, storedEvent),
        context: { ...context },
        decider: `${name}@${version}`,
      };
      entries.push({
        event: storedEvent,
        postings,
        command: n > 0 ? { id } : { ...commandRecord, hash: payloadHash(request), id },
      });
    });
  }
  const emptyLedger = { head: () => emptyHead, balance: () => emptyBalance, existingCommands: () => new Set<string>() };
  const planned = planAppend(serializeAppend({ stream, after: 0, entries }), emptyLedger);
  assert(!isRefused(planned), 'the chain of a vector can be booked');
  return planned.entries.map(({ body, hash }) => ({ text: body, hash }));
}

const damaged = (link: ChainLink, change: (text: string) => string, keepsHash: boolean): ChainLink => {
  const text = change(link.text);
  return { text, hash: keepsHash ? link.hash : hashEntryBody(text) };
};

const replaceAt = (chain: readonly ChainLink[], index: number, link: ChainLink): readonly ChainLink[] =>
  chain.with(index, link);

/**
 * Vectors of valid and damaged hash chains. `bad` is the number of the first entry that a program must reject; null
 * for a valid chain.
 */
export function* hashChainVectors(): Generator<object> {
  const chain = chainOf('sg1/terminal/T7');
  const validChain = (name: string, entries: readonly ChainLink[]): object => ({
    name,
    entries,
    whole: true,
    bad: null,
  });
  const invalidChain = (name: string, bad: number, entries: readonly ChainLink[]): object => ({
    name,
    entries,
    whole: false,
    bad,
  });
  const raiseAmount = (text: string): string => text.replace('12345', '12346');
  yield validChain('a chain from its first entry on', chain);
  yield validChain('one entry', chain.slice(0, 1));
  yield validChain('no entry', []);
  yield invalidChain(
    'an amount is changed and its hash is not',
    3,
    replaceAt(chain, 2, damaged(chain[2]!, raiseAmount, true)),
  );
  yield invalidChain(
    'an amount is changed with its hash, and the next entry follows the old one',
    4,
    replaceAt(chain, 2, damaged(chain[2]!, raiseAmount, false)),
  );
  yield invalidChain('an entry is missing', 4, chain.toSpliced(3, 1));
  yield invalidChain('two entries have changed places', 2, [chain[0]!, chain[2]!, chain[1]!, ...chain.slice(3)]);
  yield invalidChain('the first entry is missing', 1, chain.slice(1));
  yield invalidChain('an entry stands twice', 4, chain.toSpliced(3, 0, chain[2]!));
  yield invalidChain(
    'the last entry has a space that the canonical form has not, and a hash that fits',
    chain.length,
    replaceAt(
      chain,
      chain.length - 1,
      damaged(chain.at(-1)!, (text) => text.replace(',"command"', ', "command"'), false),
    ),
  );
  yield invalidChain(
    'the last entry names another stream, and has a hash that fits',
    chain.length,
    replaceAt(
      chain,
      chain.length - 1,
      damaged(chain.at(-1)!, (text) => text.replace('terminal/T7"}', 'terminal/T8"}'), false),
    ),
  );
  yield invalidChain(
    'the last entry has another number, and a hash that fits',
    chain.length,
    replaceAt(
      chain,
      chain.length - 1,
      damaged(
        chain.at(-1)!,
        (text) => text.replace(`"sequence":${chain.length}`, `"sequence":${chain.length + 1}`),
        false,
      ),
    ),
  );
}
