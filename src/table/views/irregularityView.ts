import { type Effect, type Ruling } from '../../games/irregularities.ts';
import { wagerStatuses } from '../../rules/wagerStatus.ts';
import { isRefused } from '../../base/refusal.ts';
import { type StaffActor, type Actor } from '../../access/actor.ts';
import { type TableCommand, type CommandName, commands } from '../schema/commands.ts';
import { rulingCommands } from '../schema/rulingCommands.ts';
import { resolveSettings } from '../schema/settings.ts';
import { referClause } from '../decide/decision.ts';
import { isFeltUnconfirmed, computedRuling } from '../decide/irregularities/interruptions.ts';
import { type ProposableCommand, approvalRuleFor, effectsOf } from '../decide/proposals.ts';
import { irregularityRule } from '../decide/irregularities/reports.ts';
import { isDismissible } from '../irregularities.ts';
import { type OpenIrregularity, type Table } from '../state.ts';
import { type Prompt } from './prompt.ts';

/** Who did something, by person and post; staff are known by their numbers, which the table does not know. */
export type ActorView = {
  readonly person: string;
  readonly number: null;
  readonly post: string;
  readonly acting: string | null;
};

/** Null where it was a terminal or a part of the system. */
export const actorView = (who: Actor): ActorView | null => ('person' in who ? staffActorView(who) : null);

export const staffActorView = ({ person, post, acting }: StaffActor): ActorView => ({
  person,
  number: null,
  post,
  acting: acting ?? null,
});

/** One way out of what stopped the table. */
export type RulingOption = Pick<Effect, 'by' | 'round' | 'money' | 'shoe'> & {
  readonly ruling: Ruling | 'felt';
  readonly command: CommandName;
  readonly first: string;
  readonly second: string | null;
  /** Why it cannot be now, by its code; null where it can. */
  readonly not: string | null;
};

/** A matter with its ways out. */
export const irregularityView = (irregularity: OpenIrregularity, table: Table) => ({
  kind: irregularity.kind,
  by: irregularity.by,
  round: irregularity.round,
  note: irregularity.note,
  since: irregularity.since,
  reporter: actorView(irregularity.who),
  place: irregularity.place ?? null,
  ways: rulingOptions(irregularity, table),
  mayDismiss: isDismissible(irregularity, table),
  computed: computedView(irregularity, table),
});

/** What a clause computes after an interruption, and why; null before felt and record agree. [READING 61] */
function computedView(irregularity: OpenIrregularity, table: Table) {
  if (irregularity.kind !== 'interruption' || isFeltUnconfirmed(irregularity, table)) return null;
  const { ruling, by } = computedRuling(table);
  const { game } = resolveSettings(table.setting);
  const decided = wagerStatuses(game, table.setting.offered, table.round!.cards).map(({ wager, result, why }) => ({
    wager,
    result,
    why: { ...why, by } satisfies Prompt,
  }));
  return { ruling, by, decided } as const;
}

/** The ways out in the order of the book, and last the one that is always there. */
export function rulingOptions(irregularity: OpenIrregularity, table: Table): readonly RulingOption[] {
  const { rulings } = irregularityRule(table, irregularity.kind);
  const options = (irregularity.rulings as readonly Ruling[])
    .filter((ruling) => ruling !== 'refer')
    .map((ruling) => rulingOption(ruling, rulings[ruling]!, irregularity, table));
  return [...options, ...feltOption(irregularity, table), referOption(irregularity.round, table)];
}

function rulingOption(
  ruling: Ruling,
  { by, round, money, shoe }: Effect,
  irregularity: OpenIrregularity,
  table: Table,
): RulingOption {
  const command = commandForRuling(ruling, irregularity);
  return {
    ruling,
    command,
    by,
    round,
    money,
    shoe,
    ...requiredRoles(command, table),
    not: unavailableCode(ruling, command, irregularity, table),
  };
}

const commandForRuling = (ruling: Ruling, { kind }: OpenIrregularity): StaffCommandName =>
  kind === 'interruption' && ruling !== 'enter'
    ? 'ConfirmRuling'
    : rulingCommands[ruling as keyof typeof rulingCommands];

/** At a live shoe two persons look at the felt before anything is computed. */
function feltOption(irregularity: OpenIrregularity, table: Table): readonly RulingOption[] {
  if (!isFeltUnconfirmed(irregularity, table)) return [];
  const { by } = irregularity;
  const roles = requiredRoles('ConfirmFelt', table);
  return [
    {
      ruling: 'felt',
      command: 'ConfirmFelt',
      by,
      round: 'none',
      money: 'unchanged',
      shoe: 'goes on',
      ...roles,
      not: null,
    },
  ];
}

const referOption = (about: string | null, table: Table): RulingOption => ({
  ruling: 'refer',
  command: 'Refer',
  by: referClause(table, about),
  round: 'frozen',
  money: 'unchanged',
  shoe: 'goes on',
  ...requiredRoles('Refer', table),
  not: null,
});

/** What a person may ask at all. */
export type StaffCommandName = Exclude<CommandName, 'SetSlip'>;

/** Whoever may give a command at all, so that only what it does is asked. */
export const previewActor: StaffActor = { person: 'nobody', post: 'gaming-shift-manager' };

/** The post that a command takes as things stand, and the second one where it takes two. */
export function requiredRoles(
  command: StaffCommandName,
  table: Table,
  fields: { readonly [field: string]: unknown } = {},
): { readonly first: string; readonly second: string | null } {
  const tableCommand = {
    type: command,
    at: table.at,
    who: previewActor,
    round: table.round?.id,
    ...fields,
  } as unknown as TableCommand;
  const { first, second } = approvalRuleFor(tableCommand, commands[command].duty, table);
  return { first, second: second ?? null };
}

/** Why a way is not open now, as far as it can be told before cards are named. */
function unavailableCode(
  ruling: Ruling,
  command: CommandName,
  irregularity: OpenIrregularity,
  table: Table,
): string | null {
  if (ruling === 'enter') return table.phase === 'dealing' ? null : 'deal-complete';
  if (command === 'ConfirmRuling' && !isFeltUnconfirmed(irregularity, table)) {
    return computedRuling(table).ruling === ruling ? null : 'not-computed';
  }
  if (command !== 'ConfirmRuling' && ruling !== 'void') return null;
  const stamp = { v: 1, at: table.at, who: previewActor } as const;
  const effects = effectsOf(
    { type: command, ...stamp, reason: '-' } as unknown as ProposableCommand,
    stamp,
    table,
    undefined,
  );
  return isRefused(effects) ? effects.refused : null;
}
