import { isRefused } from '../../base/refusal.ts';
import { type Actor } from '../../access/actor.ts';
import { type TableCommand } from '../schema/commands.ts';
import { type ProposedEvent } from '../schema/events.ts';
import { type Amounts, type Slips } from '../schema/fieldTypes.ts';
import { type TableRefusal } from '../schema/refusals.ts';
import { decide } from '../decide/decide.ts';
import { type ProposableCommand, previewEffects } from '../decide/proposals.ts';
import { type Table } from '../state.ts';
import { requiredRoles } from './irregularityView.ts';
import { type RulingMatrix, rulingMatrix } from './rulingMatrix.ts';

/** What somebody is about to ask, without time and sender. */
export type PreviewRequest = { readonly type: ProposableCommand['type']; readonly [field: string]: unknown };

/** Who is about to ask, when if not at once, and what is brought: slips of a round before the last, and credits where money is taken back. */
export type PreviewContext = {
  readonly who: Actor;
  readonly at?: number;
  readonly slips?: Slips;
  readonly credits?: Amounts;
};

/** What a command would do, and for whom; `second` is the post whose consent it takes. */
export type CommandPreview = {
  readonly effects: readonly ProposedEvent[];
  readonly second: string | null;
  readonly rulings: RulingMatrix | null;
};

/** Whether a command takes the slips of a round before the last: no decision but a void moves its money. */
export const takesSlips = ({
  type,
  ...fields
}: {
  readonly type: string;
  readonly [field: string]: unknown;
}): boolean => type !== 'DecideReferral' || fields['decision'] === 'void';

/** What a command that may take two would do, before it is proposed; or why it would be refused. */
export function previewCommand(
  request: PreviewRequest,
  table: Table,
  { who, at = table.at, slips, credits }: PreviewContext,
): CommandPreview | TableRefusal {
  const command = { ...request, ...(slips && takesSlips(request) && { slips }), ...(credits && { credits }) };
  const decision = decide({ ...command, at, who } as unknown as TableCommand, table);
  if (isRefused(decision)) return decision;
  const proposed = decision.find((event) => event.type === 'Proposed');
  const effects = proposed === undefined ? previewEffects(decision) : proposed.effects;
  return {
    effects,
    second: proposed === undefined ? null : requiredRoles(request.type, table, { ...command, who }).second,
    rulings: rulingMatrix(table, { act: command, effects }, slips),
  };
}
