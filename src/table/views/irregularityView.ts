import { type RulingEffect, type RulingKind } from '../../games/irregularities.ts';
import { wagerStatuses } from '../../rules/wagerStatus.ts';
import { type StaffActor, type Actor } from '../../access/actor.ts';
import { approverRole } from '../../access/approvalRules.ts';
import { type TableCommand, type CommandName, tableCommands } from '../schema/commands.ts';
import { commandByRuling } from '../schema/commandByRuling.ts';
import { gameAndRulebookOf } from '../schema/settings.ts';
import { referralClauseOf } from '../decide/decision.ts';
import { computedInterruptionRuling } from '../decide/irregularities/interruptions.ts';
import { approvalRuleFor } from '../decide/proposals.ts';
import { type RulingCommandName, rulingRefusal } from '../decide/irregularities/rulingRefusal.ts';
import { irregularityRule } from '../decide/irregularities/reports.ts';
import { currentRulingEffect } from '../decide/irregularities/rulings.ts';
import { isFeltUnconfirmed } from '../irregularities.ts';
import { type OpenIrregularity, type Table } from '../state.ts';
import { type Prompt } from './prompt.ts';

/** A staff member in views. `number` is null here; the server fills in the staff number. */
export type StaffActorView = {
  readonly person: string;
  readonly number: null;
  readonly role: string;
  readonly acting: string | null;
};

/** The view of an actor; null for a terminal or the system. */
export const actorViewIfStaff = (actor: Actor): StaffActorView | null =>
  'person' in actor ? staffActorView(actor) : null;

export const staffActorView = ({ person, role, acting }: StaffActor): StaffActorView => ({
  person,
  number: null,
  role,
  acting: acting ?? null,
});

/** A ruling that the rulebook allows, with its command, its effects and the roles that it needs. */
export type RulingOption = Pick<RulingEffect, 'by' | 'round' | 'money' | 'shoe'> & {
  readonly ruling: RulingKind | 'felt';
  readonly command: CommandName;
  readonly first: string;
  readonly second: string | null;
  /** Error code of the refusal if the ruling is not available now; null if it is available. */
  readonly not: string | null;
};

export const irregularityView = (irregularity: OpenIrregularity, table: Table) => ({
  kind: irregularity.kind,
  by: irregularity.by,
  round: irregularity.round,
  note: irregularity.note,
  since: irregularity.since,
  reporter: actorViewIfStaff(irregularity.actor),
  place: irregularity.place ?? null,
  options: rulingOptions(irregularity, table),
  dismiss: rulingRefusal('DismissReport', table) === undefined ? requiredRoles('DismissReport', table) : null,
  computed: computedView(irregularity, table),
});

/**
 * The computed ruling after an interruption, with the status of each wager. Null for any other irregularity, and
 * before the felt is confirmed. [READING 61]
 */
function computedView(irregularity: OpenIrregularity, table: Table) {
  if (irregularity.kind !== 'interruption' || isFeltUnconfirmed(irregularity, table)) return null;
  const { ruling, by } = computedInterruptionRuling(table);
  const { game } = gameAndRulebookOf(table.settings);
  const decided = wagerStatuses(game, table.settings.offered, table.round!.cards).map(({ wager, result, why }) => ({
    wager,
    result,
    why: { ...why, by } satisfies Prompt,
  }));
  return { ruling, by, decided } as const;
}

/** Ruling options in the order of the rulebook. The last option is a referral, which is always available. */
export function rulingOptions(irregularity: OpenIrregularity, table: Table): readonly RulingOption[] {
  const { rulings } = irregularityRule(table, irregularity.kind);
  const options = (irregularity.rulings as readonly RulingKind[])
    .filter((ruling) => ruling !== 'refer')
    .map((ruling) =>
      rulingOption(ruling, currentRulingEffect(rulings[ruling]!, irregularity, table), irregularity, table),
    );
  return [...options, ...feltOption(irregularity, table), referOption(irregularity.round, table)];
}

function rulingOption(
  ruling: RulingKind,
  { by, round, money, shoe }: RulingEffect,
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
    not: unavailableCode(ruling, command, table),
  };
}

const commandForRuling = (ruling: RulingKind, { kind }: OpenIrregularity): RulingCommandName =>
  kind === 'interruption' && ruling !== 'enter'
    ? 'ConfirmRuling'
    : commandByRuling[ruling as keyof typeof commandByRuling];

/**
 * The option to confirm the cards on the felt, as a list of at most one. After an interruption at a live shoe, the
 * cards must be confirmed before a ruling is computed.
 */
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
      not: unavailableCode('felt', 'ConfirmFelt', table),
    },
  ];
}

const referOption = (about: string | null, table: Table): RulingOption => ({
  ruling: 'refer',
  command: 'Refer',
  by: referralClauseOf(table, about),
  round: 'frozen',
  money: 'unchanged',
  shoe: 'goes on',
  ...requiredRoles('Refer', table),
  not: null,
});

export type StaffTableCommandName = Exclude<CommandName, 'SetSlip'>;

/** Actor of previews: it has the highest pit role, so that no preview is refused for lack of a role. */
export const previewActor: StaffActor = { person: 'preview', role: 'gaming-shift-manager' };

/**
 * The role that may send a command in the present state, and the role that must approve the command (null for none).
 */
export function requiredRoles(
  command: StaffTableCommandName,
  table: Table,
  fields: { readonly [field: string]: unknown } = {},
): { readonly first: string; readonly second: string | null } {
  const tableCommand = {
    type: command,
    at: table.at,
    actor: previewActor,
    round: table.round?.id,
    ...fields,
  } as unknown as TableCommand;
  const rule = approvalRuleFor(tableCommand, tableCommands[command].approvalRule, table);
  // If the proposer is known, `second` is the role that may still sign. Otherwise it is the second role of the rule.
  const second = 'actor' in fields ? approverRole(rule, tableCommand.actor, table.at) : rule.second;
  return { first: rule.first, second: second ?? null };
}

/** Error code if a ruling would be refused now, whatever cards its command gives; null if it is available. */
function unavailableCode(ruling: RulingKind | 'felt', command: RulingCommandName, table: Table): string | null {
  const refusal = rulingRefusal(command, table);
  if (refusal !== undefined) return refusal.refused;
  return command === 'ConfirmRuling' && computedInterruptionRuling(table).ruling !== ruling ? 'not-computed' : null;
}
