import { randomUUID } from 'node:crypto';
import { type CommandResult, type CommandContext } from '../../../runtime/stream/pendingCommand.ts';
import { asFinalRefusal } from '../../../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type SecondPersonConsent } from '../../../runtime/staff/secondPersonConsent.ts';
import { type TableRuntime, type UncheckedTableSettings } from '../../../runtime/tables/tableRuntime.ts';
import { type SignInSession } from '../../../staff/state.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type StoredPayload, type Store } from '../../../store/store.ts';
import { type TableSettings, parseSettings } from '../../../table/schema/settings.ts';
import { effectiveRole, highestAuthority } from '../../../staff/roleGrants.ts';
import { type StaffTableCommandName, requiredRoles } from '../../../table/views/irregularityView.ts';
import { needsSlipsOfEarlierRound } from '../../../table/views/commandPreview.ts';
import { type StaffClientMessageOf } from '../../../wire/staff/messages.ts';
import { recordSecondPersonConsent } from './secondPerson.ts';
import { mayActAtTable } from './viewPermissions.ts';
import { earlierRoundOfCommand, readEarlierSlips } from './earlierSlips.ts';
import { type ServerRefusal, consoleNotAtTableRefusal, unknownTableRefusal } from '../../refusals/serverRefusals.ts';

type StaffCommandsDependencies = {
  readonly store: Store;
  /** Table settings of the property file, by table. */
  readonly settings: ReadonlyMap<string, UncheckedTableSettings>;
  /** Gives the refusal of every command while the session is locked or the server closes; undefined at other times. */
  readonly sessionRefusal: (session: SignInSession) => ServerRefusal | undefined;
};

/** Carries out staff commands on tables. The actor comes from the sign-in session, the role from the staff stream. */
export class TableCommandHandler {
  readonly #dependencies: StaffCommandsDependencies;
  readonly #floor: FloorRuntime;
  /**
   * Number of refused staff commands since the start of the server, by table and error code. Refusals are not in the
   * event log.
   */
  readonly refusals = new Map<string, Map<string, number>>();

  constructor(dependencies: StaffCommandsDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
  }

  async command(session: SignInSession, message: StaffClientMessageOf<'command'>, at: number): Promise<CommandResult> {
    const { id, table: name, request } = message;
    return this.#withTable(name, (table) =>
      this.#submit(table, { id, at, by: session }, { ...request, actor: { person: session.person } }),
    );
  }

  /**
   * Approves a proposal in the name of a second person, who enters staff number and PIN at the console of the first
   * person.
   */
  async consent(session: SignInSession, message: StaffClientMessageOf<'consent'>, at: number): Promise<CommandResult> {
    const { id, table: name, proposal, hash, number, pin } = message;
    return this.#withTable(name, async (table) => {
      const { staff } = this.#floor;
      // If the approval was stored earlier, the sender gets its result, even if the PIN is wrong this time.
      const person = await staff.findPerson(number);
      const request = { type: 'Approve', actor: { person }, proposal, hash };
      const recorded = person === undefined ? undefined : await table.findResult(`${id}/${person}`, request);
      if (recorded) return recorded;
      const refuseCommand = async (refusal: ServerRefusal): Promise<CommandResult> =>
        person === undefined ? asFinalRefusal(refusal) : table.refuse(`${id}/${person}`, request, refusal);
      const refusal = this.#refusalFor(session, name, at);
      if (refusal) return refuseCommand(refusal);
      if (this.#isDealerElsewhere(table, person, at)) return refuseCommand(dealerElsewhereRefusal(name));
      const signed = { table: name, proposal, hash };
      const second = await recordSecondPersonConsent(this.#floor, session, { number, pin }, signed, at);
      if (isRefused(second)) return refuseCommand(second);
      return this.#submit(table, { id, at, by: second.consent }, request);
    });
  }

  /**
   * True if two conditions hold: the open proposal needs the dealer of this table as second person, and `person` is a
   * dealer who is not signed in at this table.
   */
  #isDealerElsewhere({ id, isOpen, table }: TableRuntime, person: string | undefined, at: number): boolean {
    const { staff } = this.#floor;
    if (person === undefined || !isOpen || table.proposal === null) return false;
    const { command, actor } = table.proposal;
    const needsDealer =
      requiredRoles(command.type as StaffTableCommandName, table, { ...command, actor }).second === 'dealer';
    const authority = highestAuthority(staff.state!, person, at);
    const isDealer = authority !== undefined && effectiveRole(authority) === 'dealer';
    return needsDealer && isDealer && !staff.sessions().some((one) => one.person === person && one.table === id);
  }

  /** Opens a table with the settings of the property file, in the name of two persons. [HOUSE 2] */
  async open(session: SignInSession, message: StaffClientMessageOf<'open'>, at: number): Promise<CommandResult> {
    const { id, table: name, hash, number, pin } = message;
    return this.#withTable(name, async (table) => {
      const { staff } = this.#floor;
      const opening = this.openingSettings(name, at);
      if (isRefused(opening)) return asFinalRefusal(opening);
      const person = await staff.findPerson(number);
      const request = {
        type: 'OpenTable',
        actor: { person: session.person },
        settings: opening.settings,
        second: { person },
      };
      const commandId = `${id}/${session.person}`;
      const recorded = person === undefined ? undefined : await table.findResult(commandId, request);
      if (recorded) return recorded;
      const refuseCommand = async (refusal: ServerRefusal): Promise<CommandResult> =>
        person === undefined ? asFinalRefusal(refusal) : table.refuse(commandId, request, refusal);
      const refusal = this.#refusalFor(session, name, at);
      if (refusal) return refuseCommand(refusal);
      if (opening.hash !== hash) return refuseCommand(settingsChanged);
      const signed = { table: name, proposal: 'open', hash };
      const second = await recordSecondPersonConsent(this.#floor, session, { number, pin }, signed, at);
      if (isRefused(second)) return refuseCommand(second);
      return this.#submit(table, { id, at, by: session }, request, secondPersonContextOf(second.context));
    });
  }

  /**
   * Makes a function that withdraws the open proposals of the person who is signed in. The command context is made now,
   * since the session may have ended when the function is called.
   */
  withdrawalOnLeave(session: SignInSession, at: number): () => Promise<void> {
    const context = this.#floor.staff.contextFor(session, at);
    return async () => {
      if (isRefused(context)) return;
      for (const table of this.#floor.tables.values()) {
        const proposal = table.isOpen ? table.table.proposal : null;
        if (proposal === null || !('person' in proposal.actor) || proposal.actor.person !== session.person) continue;
        const request = { type: 'WithdrawProposal', actor: { person: session.person }, proposal: proposal.id };
        await table.submit(randomUUID(), request, at, context);
      }
    };
  }

  /**
   * Gives the settings with which a table would be opened now, and their hash. The second person approves this hash.
   */
  openingSettings(
    name: string,
    at: number,
  ):
    | { readonly settings: UncheckedTableSettings; readonly parsed: TableSettings; readonly hash: string }
    | ServerRefusal {
    const setting = this.#dependencies.settings.get(name);
    if (setting === undefined) return unknownTableRefusal(name);
    const parsed = parseSettings(setting, at);
    return isRefused(parsed) ? parsed : { settings: setting, parsed, hash: hashOf(parsed) };
  }

  async #withTable(name: string, run: (table: TableRuntime) => Promise<CommandResult>): Promise<CommandResult> {
    const table = this.#floor.tables.get(name);
    if (table === undefined) return unknownTableRefusal(name);
    const result = await run(table);
    if (isRefused(result)) this.#countRefusal(name, result.refused);
    return result;
  }

  #countRefusal(table: string, code: string): void {
    const codes = this.refusals.get(table) ?? new Map<string, number>();
    this.refusals.set(table, codes.set(code, (codes.get(code) ?? 0) + 1));
  }

  async #submit(
    table: TableRuntime,
    { id, at, by }: RequestOrigin,
    request: StoredPayload,
    extraContext: CommandContext = {},
  ): Promise<CommandResult> {
    // The person is part of the command id, so that staff cannot use each other's ids.
    const commandId = `${id}/${by.person}`;
    // If the command was stored earlier, the sender gets its result, even if the command would be refused now.
    const recorded = await table.findResult(commandId, request);
    if (recorded) return recorded;
    const refusal = 'id' in by ? this.#refusalFor(by, table.id, at) : undefined;
    if (refusal) return table.refuse(commandId, request, refusal);
    const context = this.#floor.staff.contextFor(by, at);
    if (isRefused(context)) return table.refuse(commandId, request, context);
    const slips = await this.#slipsFor(request, table);
    return table.submit(commandId, request, at, { ...context, ...extraContext, ...slips });
  }

  #refusalFor(session: SignInSession, table: string, at: number): ServerRefusal | undefined {
    return (
      this.#dependencies.sessionRefusal(session) ??
      (mayActAtTable(session, table, at) ? undefined : consoleNotAtTableRefusal(table))
    );
  }

  async #slipsFor(request: StoredPayload, table: TableRuntime): Promise<CommandContext> {
    const round =
      table.isOpen && needsSlipsOfEarlierRound(request) ? earlierRoundOfCommand(request, table.table) : undefined;
    return round === undefined ? {} : { slips: await readEarlierSlips(this.#dependencies.store, table.stream, round) };
  }
}

type RequestOrigin = { readonly id: string; readonly at: number; readonly by: SignInSession | SecondPersonConsent };

export const secondPersonContextOf = ({ authority, grant }: CommandContext): CommandContext => ({
  secondAuthority: authority,
  secondGrant: grant,
});

const dealerElsewhereRefusal = (table: string): ServerRefusal => ({
  ...refuse<'other-console'>(
    'other-console',
    `Only the dealer at table ${table}, or a higher role, may approve this. Enter the staff number of one of them.`,
  ),
  by: 'HOUSE 2',
});

const settingsChanged = refuse<'changed-proposal'>(
  'changed-proposal',
  'The settings have changed since you saw them. Check them and open the table again.',
);
