import { type CommandResult } from '../../runtime/stream/pendingCommand.ts';
import {
  type FinalRefusal,
  asFinalRefusal,
  resultUnknownRefusal,
  secretRevokedRefusal,
} from '../../runtime/stream/refusals.ts';
import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { type TerminalState, noSessionLimits } from '../../terminal/state.ts';
import { type SessionLimitsView } from '../../wire/sessionLimits.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';
import {
  type ServerRefusal,
  notSeatedRefusal,
  serverClosingRefusal,
  tooManyWritesRefusal,
} from '../refusals/serverRefusals.ts';

export type ResponsibleGamingSettings = Pick<SessionLimitsView, 'realityCheckMs' | 'help'>;

export const defaultResponsibleGamingSettings: ResponsibleGamingSettings = { realityCheckMs: 3_600_000, help: null };

export const buildSessionLimitsView = (
  session: Pick<TerminalState, 'limits'> | undefined,
  settings: ResponsibleGamingSettings,
): SessionLimitsView => ({
  ...(session?.limits ?? noSessionLimits()),
  ...settings,
});

type LimitCommand = { readonly type: 'LimitSession' | 'PauseSession'; readonly [field: string]: unknown };

type SessionLimitsDependencies = {
  readonly terminals: Terminals;
  readonly slips: SlipQueue;
  /** Credit of a new demo terminal, in minor units; null where money is real. */
  readonly demoCredit: number | null;
  readonly isClosing: () => boolean;
  readonly warn: (subject: string, error: unknown) => void;
};

/** Handles session limits and breaks of patrons. Limits can only be lowered. */
export class SessionLimitsAndBreaksHandler {
  readonly #dependencies: SessionLimitsDependencies;

  constructor(dependencies: SessionLimitsDependencies) {
    this.#dependencies = dependencies;
  }

  async limit(connection: DeviceConnection, { id, stake, loss }: ClientMessageOf<'limit'>): Promise<void> {
    if (stake === undefined && loss === undefined) {
      connection.refuse(noLimit, id);
      return;
    }
    const limits = { ...(stake !== undefined && { stake }), ...(loss !== undefined && { loss }) };
    await this.#submit(connection, id, { type: 'LimitSession', ...limits });
  }

  pause(connection: DeviceConnection, { id, minutes }: ClientMessageOf<'pause'>): Promise<void> {
    return this.#submit(connection, id, { type: 'PauseSession', minutes });
  }

  async #submit(connection: DeviceConnection, id: string, command: LimitCommand): Promise<void> {
    const result = await this.#result(connection, id, command).catch((error: unknown): CommandResult => {
      this.#dependencies.warn('a limit', error);
      // The limit may be stored; a resend with the same id gets its result.
      return resultUnknownRefusal;
    });
    if (isRefused(result)) connection.refuse(result, id);
    else connection.send({ type: 'limited', id });
  }

  async #result(connection: DeviceConnection, id: string, command: LimitCommand): Promise<CommandResult> {
    const { terminals, slips } = this.#dependencies;
    const { terminal, address } = connection;
    if (terminal === undefined) return notSeatedRefusal;
    if (!slips.takeWrite(address)) return tooManyWritesRefusal;
    // The terminal is part of the command id, so that terminals cannot use each other's ids.
    const commandId = `${id}/${terminal}`;
    const refusal = await this.#refusalFor(connection, terminal);
    return refusal
      ? terminals.refuse(terminal, commandId, command, refusal)
      : terminals.submit(terminal, commandId, command);
  }

  async #refusalFor({ secretHash }: DeviceConnection, terminal: string): Promise<ServerRefusal | undefined> {
    const { terminals, demoCredit, isClosing } = this.#dependencies;
    if (isClosing()) return serverClosingRefusal;
    if (terminals.session(terminal) === undefined) await terminals.open(terminal);
    if (!terminals.isNew(terminal)) return undefined;
    if (demoCredit === null) {
      // Another node may have loaded the first credit of this terminal.
      await terminals.refresh(terminal);
      return terminals.isNew(terminal) ? noSession : undefined;
    }
    // In a demo the first command of a terminal starts its session, with demo credit.
    if (terminals.terminalOf(secretHash!) !== terminal) return secretRevokedRefusal;
    const seated = await terminals.begin(terminal, demoCredit);
    return typeof seated === 'string' ? undefined : seated;
  }
}

const noLimit: FinalRefusal = asFinalRefusal(
  refuse<'bad-request'>('bad-request', 'The limit is missing. Send "stake", "loss" or both.'),
);

const noSession = refuse<'no-session'>('no-session', 'No session is open. Add credit first.');
