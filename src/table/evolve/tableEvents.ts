import { type EventAppliers } from './eventAppliers.ts';

export const tableEvents = {
  SettingChanged(table, event) {
    table.setting = event.setting;
  },
  TableClosed(table) {
    table.closed = true;
  },
  TableReopened(table) {
    table.closed = false;
  },
  Proposed(table, event) {
    table.proposals += 1;
    table.proposal = {
      id: event.proposal,
      act: event.act,
      hash: event.hash,
      since: event.at,
      who: event.who,
      expires: event.expires,
    };
  },
  Approved(table) {
    table.proposal = null;
  },
  ProposalWithdrawn(table) {
    table.proposal = null;
  },
  SupervisorCalled(table, event) {
    table.call = { at: event.at, who: event.who, reason: event.reason };
  },
  CallAnswered(table) {
    table.call = null;
  },
  NoteAdded() {
    // The state does not change.
  },
  InterruptionLogged() {
    // The state does not change.
  },
} satisfies Partial<EventAppliers>;
