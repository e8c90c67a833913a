import { tableDecider } from '../../../deciders/deciders.ts';
import { type StoredEntry } from '../../../store/store.ts';
import { type EventName, type EventOf, type TableEvent } from '../../../table/schema/events.ts';
import { type PromptView } from '../../../wire/staff/viewParts.ts';
import { type TableStaffMessage } from '../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../wire/staff/supervisorView.ts';

type Actor = NonNullable<TableStaffMessage['from']>;
type RecentEvent = SupervisorView['events'][number];

const maxEvents = 30;
const maxMessages = 5;

/** Events that are left out of the list: they are too frequent, or only confirm another event of the list. */
const hiddenEvents: ReadonlySet<string> = new Set(['SlipSet', 'SettlementPosted', 'Approved']);

/** The last events of a table: a list for supervisors, and messages for the dealer. */
export class RecentEventsAndMessages {
  #events: readonly RecentEvent[] = [];
  #messages: readonly TableStaffMessage[] = [];
  #sequence = 0;
  /** The open proposal. When another proposal replaces it, the dealer gets a message. */
  #openProposal: EventOf<'Proposed'> | undefined;

  /** Adds the events of entries. Entries that were added before are skipped. */
  add(entries: readonly StoredEntry[], numberOf: (person: string) => string | null): void {
    for (const { event, sequence, at } of entries) {
      if (sequence <= this.#sequence) continue;
      this.#sequence = sequence;
      const parsed = tableDecider.parseEvent(event);
      const from = actorIn(parsed, numberOf);
      const message = this.#replacedProposal(parsed) ?? messageOf(parsed);
      if (message) this.#messages = [{ at, ...message, from }, ...this.#messages].slice(0, maxMessages);
      if (hiddenEvents.has(parsed.type)) continue;
      const prompt = eventPrompt(parsed);
      this.#events = [{ sequence, at, prompt, from }, ...this.#events].slice(0, maxEvents);
    }
  }

  /** Gives the message about a proposal that was replaced; undefined if the event replaces no open proposal. */
  #replacedProposal(event: TableEvent): Message | undefined {
    const before = this.#openProposal;
    if (event.type === 'Approved' || event.type === 'ProposalWithdrawn') this.#openProposal = undefined;
    if (event.type !== 'Proposed') return undefined;
    this.#openProposal = event;
    return before !== undefined && event.at <= before.expires
      ? urgent(promptFor('proposal-replaced', null))
      : undefined;
  }

  get events(): readonly RecentEvent[] {
    return this.#events;
  }

  get messages(): readonly TableStaffMessage[] {
    return this.#messages;
  }
}

/**
 * Gives the actor of an event by staff number and role; null for the system and for a terminal. For `ShoeVerified` this
 * is the second person, if there is one.
 */
function actorIn(
  { actor: first, second, type }: TableEvent,
  numberOf: (person: string) => string | null,
): Actor | null {
  const who = type === 'ShoeVerified' ? (second ?? first) : first;
  if (!('person' in who)) return null;
  const { person, role, acting = null } = who;
  return { person, number: numberOf(person), role, acting };
}

const promptFor = (
  code: string,
  by: string | null,
  what: { readonly [name: string]: string | number } = {},
): PromptView => ({
  code,
  with: Object.fromEntries(Object.entries(what).map(([name, value]) => [name, String(value)])),
  by,
});

type Message = Pick<TableStaffMessage, 'prompt' | 'isUrgent'>;
const normal = (prompt: PromptView): Message => ({ prompt, isUrgent: false });
const urgent = (prompt: PromptView): Message => ({ prompt, isUrgent: true });

/** Messages for the dealer by event name. No message names a terminal. */
const dealerMessages: { readonly [N in EventName]?: (event: EventOf<N>) => Message | undefined } = {
  NoteAdded: ({ to, text }) => (to === 'dealer' ? urgent(promptFor('note', null, { text })) : undefined),
  SupervisorCalled: ({ reason }) => normal(promptFor('supervisor-called', null, { reason })),
  CallAnswered: () => normal(promptFor('call-answered', null)),
  TerminalsDisconnected: ({ terminals }) => normal(promptFor('terminals-lost', null, { count: terminals.length })),
  TerminalsReconnected: ({ terminals }) => normal(promptFor('terminals-back', null, { count: terminals.length })),
  ShoeVerified: ({ shoe }) => normal(promptFor('shoe-verified', null, { shoe })),
  ShoeLocked: ({ shoe, by }) => urgent(promptFor('shoe-locked', by, { shoe })),
  IrregularityFound: ({ kind, by }) => urgent(promptFor(kind, by)),
  Referred: ({ by }) => urgent(promptFor('referred', by)),
  ReferralDecided: ({ by, decision }) => urgent(promptFor('referral-decided', by, { decision })),
  RoundVoided: ({ by }) => urgent(promptFor('round-voided', by)),
  ProposalWithdrawn: () => urgent(promptFor('proposal-withdrawn', null)),
  SettingsChanged: () => normal(promptFor('setting-changed', null)),
};

const messageOf = (event: TableEvent): Message | undefined =>
  (dealerMessages[event.type] as ((event: TableEvent) => Message | undefined) | undefined)?.(event);

/**
 * Makes the prompt of an event. Its code is the name of the event. Its values are the texts and numbers among the
 * fields of the event.
 */
function eventPrompt(event: TableEvent): PromptView {
  const { type, v: _v, at: _at, ...fields } = event as TableEvent & { readonly [field: string]: unknown };
  const plain = Object.entries(fields).filter(
    ([name, value]) => name !== 'by' && (typeof value === 'string' || typeof value === 'number'),
  ) as [string, string | number][];
  const by = 'by' in event && typeof event.by === 'string' ? event.by : null;
  return promptFor(type, by, { ...Object.fromEntries(plain), ...(event.type === 'ShoeCounted' && differences(event)) });
}

/** Lists the cards of which a count found too many (`extra`) or too few (`missing`), as texts such as "AC 1, KD 2". */
const differences = ({ extra, missing }: EventOf<'ShoeCounted'>): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries({ extra, missing }).flatMap(([name, counts]) => {
      const cards = Object.entries(counts).map(([card, times]) => `${card} ${times}`);
      return cards.length === 0 ? [] : [[name, cards.join(', ')]];
    }),
  );
