import { revoked } from '../../runtime/stream/pendingCommand.ts';
import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { type TerminalState, noLimits } from '../../terminal/state.ts';
import { type SessionLimitsView } from '../../wire/sessionLimits.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { type SlipQueue, closing } from '../tables/slipQueue.ts';

/** What a property does for its patrons: how often they are reminded, and its own words of help. */
export type CareSetting = Pick<SessionLimitsView, 'remindEvery' | 'help'>;

/** An hour. */
export const usualCare: CareSetting = { remindEvery: 3_600_000, help: null };

/** What the patron of the session that goes on has set, and what the property does. */
export const sessionLimitsView = (
  going: Pick<TerminalState, 'limits'> | undefined,
  care: CareSetting,
): SessionLimitsView => ({
  ...(going?.limits ?? noLimits()),
  ...care,
});

type Refused = { readonly refused: string; readonly message: string; readonly by?: string | null };

/** What is asked of the terminal in its patron's name. */
type Asked = { readonly type: 'LimitSession' | 'PauseSession'; readonly [field: string]: unknown };

type Parts = {
  readonly terminals: Terminals;
  readonly slips: SlipQueue;
  /** What a new terminal of a demo begins with; null where money is real. */
  readonly credit: number | null;
  readonly isClosing: () => boolean;
};

/** What patrons set for their session: limits that only tighten, and breaks. */
export class SessionLimitsHandler {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async limit(connection: Connection, { id, stake, loss }: ClientMessageOf<'limit'>): Promise<void> {
    if (stake === undefined && loss === undefined) {
      connection.refuse(refuse<'bad-request'>('bad-request', 'No limit is named; give "stake", "loss" or both.'), id);
      return;
    }
    const limits = { ...(stake !== undefined && { stake }), ...(loss !== undefined && { loss }) };
    await this.#ask(connection, id, { type: 'LimitSession', ...limits });
  }

  pause(connection: Connection, { id, minutes }: ClientMessageOf<'pause'>): Promise<void> {
    return this.#ask(connection, id, { type: 'PauseSession', minutes });
  }

  async #ask(connection: Connection, id: string, asked: Asked): Promise<void> {
    const { terminal } = connection;
    const barred = terminal === undefined ? nowhere : await this.#barredBy(connection, terminal);
    if (barred) return connection.refuse(barred, id);
    // Ids of different terminals never meet.
    const answered = await this.#parts.terminals.submit(terminal!, `${id}/${terminal}`, asked);
    return isRefused(answered) ? connection.refuse(answered, id) : connection.tell({ type: 'limited', id });
  }

  async #barredBy({ secretHash, address }: Connection, terminal: string): Promise<Refused | undefined> {
    const { terminals, slips, credit, isClosing } = this.#parts;
    if (isClosing()) return closing;
    if (!slips.spend(address)) return tooMuch;
    if (terminals.session(terminal) === undefined) await terminals.open(terminal);
    if (!terminals.isNew(terminal)) return undefined;
    if (credit === null) return noSession;
    // A session of a demo begins with what is asked of it first.
    if (terminals.of(secretHash!) !== terminal) return revoked;
    const seated = await terminals.seat(secretHash!, credit);
    return typeof seated === 'string' ? undefined : seated;
  }
}

const nowhere = refuse<'not-seated'>('not-seated', 'You have no seat yet; sit down at a table first.');
const tooMuch = refuse<'too-many-messages'>(
  'too-many-messages',
  'Too much is written for your address; try again soon.',
);
const noSession = refuse<'no-session'>('no-session', 'No session has begun; load credit first.');
