import { type Table } from '../../../table/state.ts';
import { buildDealerView } from '../../../table/views/dealerView.ts';
import { buildSupervisorView } from '../../../table/views/supervisorView.ts';
import { type DealerView, type SupervisorView } from '../../../wire/staff/views.ts';
import { type ScanFormat } from '../../../rules/scanFormat.ts';
import { terminalOfSession } from '../../../terminal/state.ts';
import { type Recent } from './recentEvents.ts';

type Actor = NonNullable<DealerView['dealer']>;
type Unnumbered = {
  readonly person: string;
  readonly number: null;
  readonly post: string;
  readonly acting: string | null;
};

/** What the server knows of a table besides the table itself. */
export type TableInfo = {
  readonly at: number;
  readonly numberOf: (person: string) => string | null;
  /** Who is signed in at its console. */
  readonly dealer: Actor | null;
  readonly trouble: DealerView['trouble'];
  readonly scanner: ScanFormat;
  readonly recent: Recent;
  /** Whether the link to a terminal is lost at this moment. */
  readonly isAway: (terminal: string) => boolean;
};

/** A table as its dealer sees it. */
export const dealerSees = (table: Table, known: TableInfo): DealerView => ({
  ...withNumbers(buildDealerView(table, known.at), known),
  ...added(known),
});

/** A table as a supervisor sees it. */
export function supervisorSees(table: Table, known: TableInfo): SupervisorView {
  const view = buildSupervisorView(table, known.at);
  const terminalsAway = Object.keys(table.round?.slips ?? {}).filter((session) =>
    known.isAway(terminalOfSession(session)),
  );
  const decided = view.decided.map(({ from, ...one }) => ({
    ...one,
    from: from && { ...from, number: known.numberOf(from.person) },
  }));
  return { ...withNumbers(view, known), ...added(known), decided, terminalsAway, events: known.recent.events };
}

const added = ({ recent, dealer, trouble, scanner }: TableInfo) => ({
  messages: recent.messages,
  dealer,
  trouble,
  scanner,
});

type Shown = ReturnType<typeof buildDealerView>;

/** Whoever did something is known by a number. */
function withNumbers<V extends Shown>(view: V, { numberOf }: TableInfo) {
  const named = (actor: Unnumbered): Actor => ({ ...actor, number: numberOf(actor.person) });
  const orNobody = (actor: Unnumbered | null): Actor | null => actor && named(actor);
  const { stopped, referred, proposal, called, round } = view;
  return {
    ...view,
    round: round && {
      ...round,
      cards: round.cards.map((card) => ({ ...card, dealer: card.dealer && (numberOf(card.dealer) ?? card.dealer) })),
    },
    stopped: stopped && { ...stopped, reporter: orNobody(stopped.reporter) },
    referred: referred.map((one) => ({ ...one, from: orNobody(one.from) })),
    proposal: proposal && { ...proposal, from: named(proposal.from) },
    called: called && { ...called, from: named(called.from) },
  };
}
