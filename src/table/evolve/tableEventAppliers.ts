import { hashOf } from '../../base/canonicalJson.ts';
import { effectsWithEarlierRound } from '../effectsWithEarlierRound.ts';
import { type EventAppliers } from './eventAppliers.ts';

export const tableEventAppliers = {
  SettingsChanged(table, event) {
    table.settings = event.settings;
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
      command: event.command,
      hash: event.hash,
      effectsHash: hashOf(effectsWithEarlierRound(event.effects, table)),
      since: event.at,
      actor: event.actor,
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
    table.call = { at: event.at, actor: event.actor, reason: event.reason };
  },
  CallAnswered(table) {
    table.call = null;
  },
  NoteAdded() {
    // A note does not change the state.
  },
  InterruptionLogged() {
    // An interruption that stops no round does not change the state.
  },
} satisfies Partial<EventAppliers>;
