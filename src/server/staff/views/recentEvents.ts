import { tableDecider } from '../../../deciders/deciders.ts';
import { type StoredEntry } from '../../../store/store.ts';
import { type EventName, type EventOf, type TableEvent } from '../../../table/schema/events.ts';
import { type PromptView, type StaffMessage, type SupervisorView } from '../../../wire/staff/views.ts';

type Actor = NonNullable<StaffMessage['from']>;
type Told = SupervisorView['events'][number];

/** So many are kept of a table; a dealer is told fewer. */
const mostEvents = 30;
const mostMessages = 5;

/** What patrons do all the time, and what only says that something else happened. */
const unspoken: ReadonlySet<string> = new Set(['SlipSet', 'SettlementPosted', 'Approved']);

/** What has last happened at a table, in words as data: for supervisors all of it, for the dealer what is told to one. */
export class Recent {
  #events: readonly Told[] = [];
  #messages: readonly StaffMessage[] = [];
  #sequence = 0;
  /** The proposal that is open; where another takes its place, whoever made it is told. */
  #proposed: EventOf<'Proposed'> | undefined;

  /** Takes in what was written; what it has seen already is passed over. */
  add(entries: readonly StoredEntry[], numberOf: (person: string) => string | null): void {
    for (const { event, sequence, at } of entries) {
      if (sequence <= this.#sequence) continue;
      this.#sequence = sequence;
      const happened = tableDecider.eventFrom(event);
      const from = actorIn(happened, numberOf);
      const message = this.#replaced(happened) ?? messageOf(happened);
      if (message) this.#messages = [{ at, ...message, from }, ...this.#messages].slice(0, mostMessages);
      if (unspoken.has(happened.type)) continue;
      const says = sentenceOf(happened);
      this.#events = [{ sequence, at, says, from }, ...this.#events].slice(0, mostEvents);
    }
  }

  /** What is told where a proposal takes the place of one that still waits. */
  #replaced(event: TableEvent): Message | undefined {
    const before = this.#proposed;
    if (event.type === 'Approved' || event.type === 'ProposalWithdrawn') this.#proposed = undefined;
    if (event.type !== 'Proposed') return undefined;
    this.#proposed = event;
    return before !== undefined && event.at <= before.expires ? urgently(said('proposal-replaced', null)) : undefined;
  }

  /** The newest first. */
  get events(): readonly Told[] {
    return this.#events;
  }

  /** The newest first. */
  get messages(): readonly StaffMessage[] {
    return this.#messages;
  }
}

/** Who did it; the second person where it takes two to be so. */
function actorIn({ who: first, second, type }: TableEvent, numberOf: (person: string) => string | null): Actor | null {
  const who = type === 'ShoeVerified' ? (second ?? first) : first;
  if (!('person' in who)) return null;
  const { person, post, acting = null } = who;
  return { person, number: numberOf(person), post, acting };
}

const said = (
  code: string,
  by: string | null,
  what: { readonly [name: string]: string | number } = {},
): PromptView => ({
  code,
  with: Object.fromEntries(Object.entries(what).map(([name, value]) => [name, String(value)])),
  by,
});

type Message = Pick<StaffMessage, 'says' | 'isUrgent'>;
const plainly = (says: PromptView): Message => ({ says, isUrgent: false });
const urgently = (says: PromptView): Message => ({ says, isUrgent: true });

/** What a dealer is told of, without any terminal. */
const toDealer: { readonly [N in EventName]?: (event: EventOf<N>) => Message | undefined } = {
  NoteAdded: ({ to, text }) => (to === 'dealer' ? urgently(said('note', null, { text })) : undefined),
  SupervisorCalled: ({ reason }) => plainly(said('supervisor-called', null, { reason })),
  CallAnswered: () => plainly(said('call-answered', null)),
  TerminalsLost: ({ terminals }) => plainly(said('terminals-lost', null, { count: terminals.length })),
  TerminalsBack: ({ terminals }) => plainly(said('terminals-back', null, { count: terminals.length })),
  ShoeVerified: ({ shoe }) => plainly(said('shoe-verified', null, { shoe })),
  ShoeLocked: ({ shoe, by }) => urgently(said('shoe-locked', by, { shoe })),
  IrregularityFound: ({ kind, by }) => urgently(said(kind, by)),
  Referred: ({ by }) => urgently(said('referred', by)),
  ReferralDecided: ({ by, decision }) => urgently(said('referral-decided', by, { decision })),
  RoundVoided: ({ by }) => urgently(said('round-voided', by)),
  ProposalWithdrawn: () => urgently(said('proposal-withdrawn', null)),
  SettingChanged: () => plainly(said('setting-changed', null)),
};

const messageOf = (event: TableEvent): Message | undefined =>
  (toDealer[event.type] as ((event: TableEvent) => Message | undefined) | undefined)?.(event);

/** What happened, by the name of its event; fields that are a word or a number are what it speaks of. */
function sentenceOf(event: TableEvent): PromptView {
  const { type, v: _v, at: _at, ...fields } = event as TableEvent & { readonly [field: string]: unknown };
  const plain = Object.entries(fields).filter(
    ([name, value]) => name !== 'by' && (typeof value === 'string' || typeof value === 'number'),
  ) as [string, string | number][];
  const by = 'by' in event && typeof event.by === 'string' ? event.by : null;
  return said(type, by, Object.fromEntries(plain));
}
