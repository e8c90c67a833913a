import { randomUUID } from 'node:crypto';
import { type CommandResult, type CommandContext } from '../../../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type Consent } from '../../../runtime/staff/consent.ts';
import { type TableRuntime, type UncheckedTableSettings } from '../../../runtime/tables/tableRuntime.ts';
import { type SignInSession } from '../../../staff/state.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type StoredPayload, type Store } from '../../../store/store.ts';
import { parseSettings } from '../../../table/schema/settings.ts';
import { takesEarlierSlips } from '../../../table/views/commandPreview.ts';
import { type StaffClientMessageOf } from '../../../wire/staff/messages.ts';
import { mayActAtTable } from './viewPermissions.ts';
import { earlierRoundOfCommand, readEarlierSlips } from './earlierSlips.ts';
import { type ServerRefusal, consoleNotAtTableRefusal, unknownTableRefusal } from '../../shared/refusals.ts';

type StaffCommandsDependencies = {
  readonly store: Store;
  /** Table settings of the property file, by table. */
  readonly settings: ReadonlyMap<string, UncheckedTableSettings>;
};

type TableCommandResult = CommandResult | ServerRefusal;

/** Carries out staff commands on tables. The actor comes from the sign-in session, the role from the staff stream. */
export class TableCommandHandler {
  readonly #dependencies: StaffCommandsDependencies;
  readonly #floor: FloorRuntime;
  /** Number of refused staff commands by table and code, since the start; the event log has no refusals. */
  readonly refusals = new Map<string, Map<string, number>>();

  constructor(dependencies: StaffCommandsDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
  }

  async command(
    session: SignInSession,
    message: StaffClientMessageOf<'command'>,
    at: number,
  ): Promise<TableCommandResult> {
    const { id, table: name, request } = message;
    return this.#withTable(name, (table) =>
      this.#submit(table, { id, at, by: session }, { ...request, actor: { person: session.person } }),
    );
  }

  /** Approves a proposal in the name of a second person at the console of the first. */
  async consent(
    session: SignInSession,
    message: StaffClientMessageOf<'consent'>,
    at: number,
  ): Promise<TableCommandResult> {
    const { id, table: name, proposal, hash, number, pin } = message;
    return this.#withTable(name, async (table) => {
      const { staff } = this.#floor;
      // A stored approval keeps its result, even if the PIN of the resend is wrong.
      const person = staff.personOf(number);
      const request = { type: 'Approve', actor: { person }, proposal, hash };
      const recorded = person === undefined ? undefined : await table.findResult(`${id}/${person}`, request);
      if (recorded) return recorded;
      if (!mayActAtTable(session, name, at)) return consoleNotAtTableRefusal(name);
      const consent = await staff.signIns.consent({
        number,
        pin,
        table: name,
        proposal,
        hash,
        console: session.console,
      });
      if (isRefused(consent)) return consent;
      return this.#submit(table, { id, at, by: consent }, request);
    });
  }

  /** Opens a table with the settings of the property file, in the name of two persons. [HOUSE 2] */
  async open(session: SignInSession, message: StaffClientMessageOf<'open'>, at: number): Promise<TableCommandResult> {
    const { id, table: name, hash, number, pin } = message;
    return this.#withTable(name, async (table) => {
      const { staff } = this.#floor;
      const opening = this.openingSettings(name, at);
      if (isRefused(opening)) return opening;
      const person = staff.personOf(number);
      const request = {
        type: 'OpenTable',
        actor: { person: session.person },
        settings: opening.settings,
        second: { person },
      };
      const recorded = person === undefined ? undefined : await table.findResult(`${id}/${session.person}`, request);
      if (recorded) return recorded;
      if (!mayActAtTable(session, name, at)) return consoleNotAtTableRefusal(name);
      if (opening.hash !== hash) return settingsChanged;
      const credentials = { number, pin, table: name, proposal: 'open', hash, console: session.console };
      const consent = await staff.signIns.consent(credentials);
      if (isRefused(consent)) return consent;
      const second = staff.contextFor(consent, at);
      if (isRefused(second)) return second;
      return this.#submit(table, { id, at, by: session }, request, secondPersonContext(second));
    });
  }

  /**
   * Makes a function that withdraws the open proposals of a session. The context is made at once, while the session is
   * still open.
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

  /** Settings with which a table is opened, and the hash of them that the second person approves. */
  openingSettings(
    name: string,
    at: number,
  ): { readonly settings: UncheckedTableSettings; readonly hash: string } | ServerRefusal {
    const setting = this.#dependencies.settings.get(name);
    if (setting === undefined) return unknownTableRefusal(name);
    const settings = parseSettings(setting, at);
    return isRefused(settings) ? settings : { settings: setting, hash: hashOf(settings) };
  }

  async #withTable(
    name: string,
    run: (table: TableRuntime) => Promise<TableCommandResult>,
  ): Promise<TableCommandResult> {
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
  ): Promise<TableCommandResult> {
    // The person is part of the command id, so that people cannot use each other's ids.
    const commandId = `${id}/${by.person}`;
    // A stored command keeps its result, even if it would be refused now.
    const recorded = await table.findResult(commandId, request);
    if (recorded) return recorded;
    if ('id' in by && !mayActAtTable(by, table.id, at)) return consoleNotAtTableRefusal(table.id);
    const context = this.#floor.staff.contextFor(by, at);
    if (isRefused(context)) return context;
    const slips = await this.#slipsFor(request, table);
    return table.submit(commandId, request, at, { ...context, ...extraContext, ...slips });
  }

  /** Context with the slips of an earlier round, if the command needs them. */
  async #slipsFor(request: StoredPayload, table: TableRuntime): Promise<CommandContext> {
    const round = table.isOpen && takesEarlierSlips(request) ? earlierRoundOfCommand(request, table.table) : undefined;
    return round === undefined ? {} : { slips: await readEarlierSlips(this.#dependencies.store, table.stream, round) };
  }
}

type RequestOrigin = { readonly id: string; readonly at: number; readonly by: SignInSession | Consent };

/** Context fields of the second person, made from the context of that person. */
export const secondPersonContext = ({ authority, grant }: CommandContext): CommandContext => ({
  secondAuthority: authority,
  secondGrant: grant,
});

const settingsChanged = refuse<'changed-proposal'>(
  'changed-proposal',
  'The settings have changed since you saw them. Check them and open the table again.',
);
