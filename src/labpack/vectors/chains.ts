import { type DecidedEntry, applyEvents, terminalDecider } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { canonicalJson, hashOf } from '../../base/canonicalJson.ts';
import { isRefused } from '../../base/refusal.ts';
import { requestHash, compactRequest } from '../../store/commandRecord.ts';
import { hashOfBody } from '../../store/hashChain.ts';
import { planAppend, prepareAppend, emptyBalance, emptyHead } from '../../store/planAppend.ts';
import { type StoredRequest, type NewEntry, type RecordedEvent } from '../../store/store.ts';

/** Values that are easy to write in two ways, each with its one text and its hash. */
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
  // By UTF-16 units the pair of surrogates comes before the letter; by code points it would come after.
  { '\uFB33': 1, '😀': 2, ö: 3, '€': 4, '\r': 5 },
  { list: [{ z: null, y: [true, false] }], text: 'x' },
];

export function* canonicalVectors(): Generator<object> {
  for (const value of values) yield { value, text: canonicalJson(value), hash: hashOf(value) };
}

const cage = { person: 'c1', role: 'cage' };
const floor = { system: 'floor' };
const first = 1_700_000_000_000;

/** What happens at a terminal, for an ordinary chain: its own commands, with what is brought to them. */
const askedOf: readonly { readonly request: StoredRequest; readonly context: object }[] = [
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

type Link = { readonly text: string; readonly hash: string };

/** The chain of a terminal as a record writes it. */
function chainOf(stream: string): readonly Link[] {
  const entries: NewEntry[] = [];
  let state = terminalDecider.initial;
  for (const [place, { request, context }] of askedOf.entries()) {
    const command = terminalDecider.parseCommand({ ...request, ...context, at: first + place * 1000 });
    assert(!isRefused(command), 'a command of a vector is well-formed');
    const decision = terminalDecider.decide(command, state);
    assert(!isRefused(decision), 'a command of a vector is accepted');
    const after = applyEvents(terminalDecider, decision, state);
    state = after.state;
    after.entries.forEach(({ event, postings }: DecidedEntry<unknown>, n) => {
      const recorded = event as RecordedEvent;
      const id = `vector-${place + 1}`;
      const { name, version } = terminalDecider;
      const note = {
        request: compactRequest(request, recorded),
        context: { ...context },
        decider: `${name}@${version}`,
      };
      entries.push({
        event: recorded,
        postings,
        command: n > 0 ? { id } : { ...note, hash: requestHash(request), id },
      });
    });
  }
  const books = { head: () => emptyHead, balance: () => emptyBalance, existingCommands: () => new Set<string>() };
  const booked = planAppend(prepareAppend({ stream, after: 0, entries }), books);
  assert(!isRefused(booked), 'the chain of a vector can be booked');
  return booked.entries.map(({ body, hash }) => ({ text: body, hash }));
}

const spoiled = (link: Link, change: (text: string) => string, keepsHash: boolean): Link => {
  const text = change(link.text);
  return { text, hash: keepsHash ? link.hash : hashOfBody(text) };
};

const replaced = (chain: readonly Link[], place: number, link: Link): readonly Link[] => chain.with(place, link);

/** A chain that is whole, and what each way of spoiling it leads to: the first entry that a program must not accept. */
export function* chainVectors(): Generator<object> {
  const chain = chainOf('sg1/terminal/T7');
  const whole = (name: string, entries: readonly Link[]): object => ({ name, entries, whole: true, bad: null });
  const broken = (name: string, bad: number, entries: readonly Link[]): object => ({
    name,
    entries,
    whole: false,
    bad,
  });
  const dearer = (text: string): string => text.replace('12345', '12346');
  yield whole('a chain from its first entry on', chain);
  yield whole('one entry', chain.slice(0, 1));
  yield whole('no entry', []);
  yield broken('an amount is changed and its hash is not', 3, replaced(chain, 2, spoiled(chain[2]!, dearer, true)));
  yield broken(
    'an amount is changed with its hash, and the next entry follows the old one',
    4,
    replaced(chain, 2, spoiled(chain[2]!, dearer, false)),
  );
  yield broken('an entry is missing', 4, chain.toSpliced(3, 1));
  yield broken('two entries have changed places', 2, [chain[0]!, chain[2]!, chain[1]!, ...chain.slice(3)]);
  yield broken('the first entry is missing', 1, chain.slice(1));
  yield broken('an entry stands twice', 4, chain.toSpliced(3, 0, chain[2]!));
  yield broken(
    'the last entry has a space that the canonical form has not, and a hash that fits',
    chain.length,
    replaced(
      chain,
      chain.length - 1,
      spoiled(chain.at(-1)!, (text) => text.replace(',"command"', ', "command"'), false),
    ),
  );
  yield broken(
    'the last entry names another stream, and has a hash that fits',
    chain.length,
    replaced(
      chain,
      chain.length - 1,
      spoiled(chain.at(-1)!, (text) => text.replace('terminal/T7"}', 'terminal/T8"}'), false),
    ),
  );
  yield broken(
    'the last entry has another number, and a hash that fits',
    chain.length,
    replaced(
      chain,
      chain.length - 1,
      spoiled(
        chain.at(-1)!,
        (text) => text.replace(`"sequence":${chain.length}`, `"sequence":${chain.length + 1}`),
        false,
      ),
    ),
  );
}
