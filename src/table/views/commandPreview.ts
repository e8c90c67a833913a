import { isRefused } from '../../base/refusal.ts';
import { type Actor } from '../../access/actor.ts';
import { type TableCommand } from '../schema/commands.ts';
import { type PreviewedEvent } from '../schema/events.ts';
import { type AmountsByTerminal, type SlipsByTerminal } from '../schema/fieldTypes.ts';
import { type TableRefusal } from '../schema/refusals.ts';
import { decide } from '../decide/decide.ts';
import { type ProposableCommand, isProposable, toPreviewedEvents } from '../decide/proposals.ts';
import { type Table } from '../state.ts';
import { requiredRoles } from './irregularityView.ts';
import { type CreditLookup, type TableProposalEffects, proposalEffectsOfCommand } from './proposalEffects.ts';
import { type RulingMatrix, rulingMatrix } from './rulingMatrix.ts';

export type PreviewRequest = { readonly type: ProposableCommand['type']; readonly [field: string]: unknown };

/**
 * Context of a preview: actor, time, the slips of an earlier round, and balances by terminal if money is taken back.
 */
export type PreviewContext = {
  readonly actor: Actor;
  readonly at?: number;
  readonly slips?: SlipsByTerminal;
  readonly credits?: AmountsByTerminal;
};

/**
 * Preview of a command. `effects`: events that it would give. `second`: role that must approve; null if no approval is
 * needed. `proposal`: what its proposal would show; null for a command that is never proposed.
 */
export type CommandPreview = {
  readonly effects: readonly PreviewedEvent[];
  readonly second: string | null;
  readonly proposal: TableProposalEffects | null;
  readonly rulings: RulingMatrix | null;
};

/**
 * True when a command about an earlier round needs the slips of that round. A decision on a referral needs them only if
 * it is a void.
 */
export const needsSlipsOfEarlierRound = ({
  type,
  ...fields
}: {
  readonly type: string;
  readonly [field: string]: unknown;
}): boolean => type !== 'DecideReferral' || fields['decision'] === 'void';

/** Decides a command without carrying it out, and returns its preview or refusal. */
export function previewCommand(
  request: PreviewRequest,
  table: Table,
  { actor, at = table.at, slips, credits }: PreviewContext,
  creditOf?: CreditLookup,
): CommandPreview | TableRefusal {
  const command = {
    ...request,
    ...(slips && needsSlipsOfEarlierRound(request) && { slips }),
    ...(credits && { credits }),
  };
  const decision = decide({ ...command, at, actor } as unknown as TableCommand, table);
  if (isRefused(decision)) return decision;
  const proposed = decision.find((event) => event.type === 'Proposed');
  const effects = proposed === undefined ? toPreviewedEvents(decision) : proposed.effects;
  return {
    effects,
    second: proposed === undefined ? null : requiredRoles(request.type, table, { ...command, actor }).second,
    proposal: isProposable(command as unknown as TableCommand)
      ? proposalEffectsOfCommand(command, effects, table, creditOf)
      : null,
    rulings: rulingMatrix(table, { command, effects }, slips),
  };
}
