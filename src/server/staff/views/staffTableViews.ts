import { type Table } from '../../../table/state.ts';
import { type CreditLookup } from '../../../table/views/proposalEffects.ts';
import { buildDealerView } from '../../../table/views/dealerView.ts';
import { buildSupervisorView } from '../../../table/views/supervisorView.ts';
import { type DealerView } from '../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../wire/staff/supervisorView.ts';
import { type ScanFormat } from '../../../rules/scanFormat.ts';
import { terminalOfSession } from '../../../terminal/state.ts';
import { type RecentEventsAndMessages } from './recentEventsAndMessages.ts';

type Actor = NonNullable<DealerView['dealer']>;
type Unnumbered = {
  readonly person: string;
  readonly number: null;
  readonly role: string;
  readonly acting: string | null;
};

/** Facts that a staff view of a table needs and the table state lacks. */
export type TableViewFacts = {
  readonly at: number;
  readonly numberOf: (person: string) => string | null;
  readonly dealer: Actor | null;
  readonly fault: DealerView['fault'];
  readonly scanFormat: ScanFormat;
  readonly recent: RecentEventsAndMessages;
  readonly isDisconnected: (terminal: string) => boolean;
  readonly creditOf: CreditLookup;
};

export const buildDealerViewWithFacts = (table: Table, info: TableViewFacts): DealerView => ({
  ...withNumbers(buildDealerView(table, info.at, info.creditOf), info),
  ...infoFields(info),
});

export function buildSupervisorViewWithFacts(table: Table, info: TableViewFacts): SupervisorView {
  const view = buildSupervisorView(table, info.at, info.creditOf);
  const terminalsAway = Object.keys(table.round?.slips ?? {}).filter((session) =>
    info.isDisconnected(terminalOfSession(session)),
  );
  const decided = view.decided.map(({ from, ...one }) => ({
    ...one,
    from: from && { ...from, number: info.numberOf(from.person) },
  }));
  return { ...withNumbers(view, info), ...infoFields(info), decided, terminalsAway, events: info.recent.events };
}

const infoFields = ({ recent, dealer, fault, scanFormat }: TableViewFacts) => ({
  messages: recent.messages,
  dealer,
  fault,
  scanner: scanFormat,
});

type Shown = ReturnType<typeof buildDealerView>;

function withNumbers<V extends Shown>(view: V, { numberOf }: TableViewFacts) {
  const withNumber = (actor: Unnumbered): Actor => ({ ...actor, number: numberOf(actor.person) });
  const orNull = (actor: Unnumbered | null): Actor | null => actor && withNumber(actor);
  const { stopped, referred, proposal, called, round } = view;
  return {
    ...view,
    round: round && {
      ...round,
      cards: round.cards.map((card) => ({ ...card, dealer: card.dealer && (numberOf(card.dealer) ?? card.dealer) })),
    },
    stopped: stopped && { ...stopped, reporter: orNull(stopped.reporter) },
    referred: referred.map((one) => ({ ...one, from: orNull(one.from) })),
    proposal: proposal && { ...proposal, from: withNumber(proposal.from) },
    called: called && { ...called, from: withNumber(called.from) },
  };
}
