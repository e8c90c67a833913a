import { secretRevokedRefusal } from '../../runtime/stream/refusals.ts';
import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { type TerminalState, noSessionLimits } from '../../terminal/state.ts';
import { type SessionLimitsView } from '../../wire/sessionLimits.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type ClientConnection } from '../socket/clientConnection.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';
import {
  type ServerRefusal,
  notSeatedRefusal,
  serverClosingRefusal,
  tooManyWritesRefusal,
} from '../shared/refusals.ts';

/** Interval of reality checks in milliseconds, and the text that says where patrons find help. */
export type ResponsibleGamingSettings = Pick<SessionLimitsView, 'realityCheckMs' | 'help'>;

export const defaultResponsibleGamingSettings: ResponsibleGamingSettings = { realityCheckMs: 3_600_000, help: null };

export const sessionLimitsView = (
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
};

/** Handles session limits and breaks of patrons. Limits can only be lowered. */
export class SessionLimitsHandler {
  readonly #dependencies: SessionLimitsDependencies;

  constructor(dependencies: SessionLimitsDependencies) {
    this.#dependencies = dependencies;
  }

  async limit(connection: ClientConnection, { id, stake, loss }: ClientMessageOf<'limit'>): Promise<void> {
    if (stake === undefined && loss === undefined) {
      connection.refuse(
        refuse<'bad-request'>('bad-request', 'The limit is missing. Send "stake", "loss" or both.'),
        id,
      );
      return;
    }
    const limits = { ...(stake !== undefined && { stake }), ...(loss !== undefined && { loss }) };
    await this.#submit(connection, id, { type: 'LimitSession', ...limits });
  }

  pause(connection: ClientConnection, { id, minutes }: ClientMessageOf<'pause'>): Promise<void> {
    return this.#submit(connection, id, { type: 'PauseSession', minutes });
  }

  async #submit(connection: ClientConnection, id: string, command: LimitCommand): Promise<void> {
    const { terminal } = connection;
    const refusal = terminal === undefined ? notSeatedRefusal : await this.#refusalFor(connection, terminal);
    if (refusal) return connection.refuse(refusal, id);
    // The terminal is part of the command id, so that terminals cannot use each other's ids.
    const result = await this.#dependencies.terminals.submit(terminal!, `${id}/${terminal}`, command);
    return isRefused(result) ? connection.refuse(result, id) : connection.send({ type: 'limited', id });
  }

  async #refusalFor({ secretHash, address }: ClientConnection, terminal: string): Promise<ServerRefusal | undefined> {
    const { terminals, slips, demoCredit, isClosing } = this.#dependencies;
    if (isClosing()) return serverClosingRefusal;
    if (!slips.takeWrite(address)) return tooManyWritesRefusal;
    if (terminals.session(terminal) === undefined) await terminals.open(terminal);
    if (!terminals.isNew(terminal)) return undefined;
    if (demoCredit === null) return noSession;
    // In a demo the first command starts the session with credit.
    if (terminals.terminalOf(secretHash!) !== terminal) return secretRevokedRefusal;
    const seated = await terminals.seat(secretHash!, demoCredit);
    return typeof seated === 'string' ? undefined : seated;
  }
}

const noSession = refuse<'no-session'>('no-session', 'There is is open. Add credit first.');
