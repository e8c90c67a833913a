import { secretRevoked } from '../../runtime/stream/refusals.ts';
import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { type TerminalState, noSessionLimits } from '../../terminal/state.ts';
import { type SessionLimitsView } from '../../wire/sessionLimits.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type PatronConnection } from '../socket/patronConnection.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';
import { type ServerRefusal, notSeated, serverClosing, tooManyWrites } from '../shared/refusals.ts';

/** Interval of reality checks and the property's help text. */
export type ResponsibleGamingSettings = Pick<SessionLimitsView, 'realityCheckMs' | 'help'>;

export const defaultResponsibleGaming: ResponsibleGamingSettings = { realityCheckMs: 3_600_000, help: null };

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
  /** Credit of a new demo terminal; null where money is real. */
  readonly demoCredit: number | null;
  readonly isClosing: () => boolean;
};

/** Session limits and breaks. Limits can only be tightened. */
export class SessionLimitsHandler {
  readonly #dependencies: SessionLimitsDependencies;

  constructor(dependencies: SessionLimitsDependencies) {
    this.#dependencies = dependencies;
  }

  async limit(connection: PatronConnection, { id, stake, loss }: ClientMessageOf<'limit'>): Promise<void> {
    if (stake === undefined && loss === undefined) {
      connection.refuse(refuse<'bad-request'>('bad-request', 'No limit is named; give "stake", "loss" or both.'), id);
      return;
    }
    const limits = { ...(stake !== undefined && { stake }), ...(loss !== undefined && { loss }) };
    await this.#submit(connection, id, { type: 'LimitSession', ...limits });
  }

  pause(connection: PatronConnection, { id, minutes }: ClientMessageOf<'pause'>): Promise<void> {
    return this.#submit(connection, id, { type: 'PauseSession', minutes });
  }

  async #submit(connection: PatronConnection, id: string, command: LimitCommand): Promise<void> {
    const { terminal } = connection;
    const refusal = terminal === undefined ? notSeated : await this.#refusalFor(connection, terminal);
    if (refusal) return connection.refuse(refusal, id);
    // The terminal is part of the command id, so that terminals cannot use each other's ids.
    const result = await this.#dependencies.terminals.submit(terminal!, `${id}/${terminal}`, command);
    return isRefused(result) ? connection.refuse(result, id) : connection.send({ type: 'limited', id });
  }

  async #refusalFor({ secretHash, address }: PatronConnection, terminal: string): Promise<ServerRefusal | undefined> {
    const { terminals, slips, demoCredit, isClosing } = this.#dependencies;
    if (isClosing()) return serverClosing;
    if (!slips.takeWrite(address)) return tooManyWrites;
    if (terminals.session(terminal) === undefined) await terminals.open(terminal);
    if (!terminals.isNew(terminal)) return undefined;
    if (demoCredit === null) return noSession;
    // The first command starts a demo session.
    if (terminals.terminalOf(secretHash!) !== terminal) return secretRevoked;
    const seated = await terminals.seat(secretHash!, demoCredit);
    return typeof seated === 'string' ? undefined : seated;
  }
}

const noSession = refuse<'no-session'>('no-session', 'There is no session; load credit first.');
