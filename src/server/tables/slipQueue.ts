import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type CommandResult } from '../../runtime/stream/pendingCommand.ts';
import { type CommandRefusal } from '../../runtime/stream/refusals.ts';
import { commandReusedRefusal, secretRevokedRefusal, resultUnknownRefusal } from '../../runtime/stream/refusals.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { areSameStakes } from '../../rules/stakes.ts';
import { terminalOfSession } from '../../terminal/state.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type ClientConnection } from '../socket/clientConnection.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { TokenBuckets } from '../limits/tokenBucket.ts';
import { type ServerRefusal, serverClosingRefusal } from '../shared/refusals.ts';

type SlipQueueDependencies = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly demoCredit: number | null;
  readonly metrics: Metrics;
  readonly isClosing: () => boolean;
  readonly warn: (subject: string, error: unknown) => void;
};

/** A slip that has no result yet. `senders` has several connections if the slip was sent again. */
type SlipRequest = {
  readonly message: ClientMessageOf<'slip'>;
  readonly table: TableRuntime;
  readonly terminal: string;
  readonly secretHash: string;
  readonly arrivedAt: number;
  readonly senders: ClientConnection[];
};

/**
 * Slips of one terminal in one round of a table. One slip is decided at a time; of the slips that arrive meanwhile only
 * the last is kept.
 */
type TerminalSlips = {
  isBusy: boolean;
  next: SlipRequest | undefined;
  /** Ids of all slips of the terminal in this round. */
  readonly ids: Set<string>;
  /** Ids of the slips that a later slip has replaced. */
  readonly superseded: Set<string>;
  /** Ids of empty slips that arrived before the first bet of the terminal; nothing is stored for them. */
  readonly empty: Set<string>;
};

/**
 * Queue of slips for each terminal: it applies limits, replaces slips that wait, and gives a resend the first result.
 */
export class SlipQueue {
  readonly #dependencies: SlipQueueDependencies;
  readonly #floor: FloorRuntime;
  readonly #writeLimit: TokenBuckets;
  /** The current round of each table, and the slips of each terminal in it. */
  readonly #rounds = new Map<
    string,
    { readonly round: string | undefined; readonly byTerminal: Map<string, TerminalSlips> }
  >();

  constructor(dependencies: SlipQueueDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
    this.#writeLimit = new TokenBuckets(dependencies.limits.writeBurst, dependencies.limits.writesPerSecond);
  }

  enqueue(
    connection: ClientConnection,
    message: ClientMessageOf<'slip'>,
    table: TableRuntime,
    arrivedAt: number,
  ): void {
    const { terminal, secretHash, address } = connection;
    const request = { message, table, terminal: terminal!, secretHash: secretHash!, arrivedAt, senders: [connection] };
    if (connection.table !== table.id) return this.#refuse(request, notThere);
    // A slip for an earlier round is refused, unless it has a stored result.
    const slips = this.#terminalSlips(request);
    if (slips === undefined) return void this.#process(request);
    if (slips.superseded.has(message.id)) return this.#refuse(request, superseded);
    if (slips.ids.has(message.id)) return this.#resend(request, slips);
    const { maxSlipsPerRound } = this.#dependencies.limits;
    if (slips.ids.size >= maxSlipsPerRound) return this.#refuse(request, tooManyIn(maxSlipsPerRound));
    if (!this.takeWrite(address)) return this.#refuse(request, tooManyFrom);
    slips.ids.add(message.id);
    if (!slips.isBusy) return void this.#drain(slips, request);
    const replaced = slips.next;
    slips.next = request;
    if (replaced === undefined) return undefined;
    slips.superseded.add(replaced.message.id);
    return this.#refuse(replaced, superseded);
  }

  /** Takes one token of the rate limit of writes of an address; returns false if there is none. */
  takeWrite(address: string): boolean {
    return this.#writeLimit.take(address, this.#dependencies.clock());
  }

  #terminalSlips(request: SlipRequest): TerminalSlips | undefined {
    const { table, terminal } = request;
    const round = table.table.round?.id;
    let current = this.#rounds.get(table.id);
    if (current === undefined || current.round !== round) {
      current = { round, byTerminal: new Map() };
      this.#rounds.set(table.id, current);
    }
    if (!isForCurrentRound(request)) return undefined;
    let slips = current.byTerminal.get(terminal);
    if (slips === undefined) {
      slips = { isBusy: false, next: undefined, ids: new Set(), superseded: new Set(), empty: new Set() };
      current.byTerminal.set(terminal, slips);
    }
    return slips;
  }

  /**
   * Handles a slip that was sent again. It joins the first if that waits; else the result is found by the command id.
   */
  #resend(request: SlipRequest, { next, empty }: TerminalSlips): void {
    const { id, slip } = request.message;
    const isWaiting = next?.message.id === id && areSameStakes(next.message.slip, slip);
    if (isWaiting) next.senders.push(...request.senders);
    else if (empty.has(id)) void this.#reply(request, async () => (isEmpty(slip) ? emptyResult : commandReusedRefusal));
    else void this.#process(request);
  }

  async #drain(slips: TerminalSlips, first: SlipRequest): Promise<void> {
    slips.isBusy = true;
    for (let current: SlipRequest | undefined = first; current !== undefined; current = slips.next) {
      slips.next = undefined;
      await this.#process(current);
    }
    slips.isBusy = false;
  }

  #process(request: SlipRequest): Promise<void> {
    return this.#reply(request, () => this.#submit(request));
  }

  /** Refuses a slip. If it was accepted before, the stored result is sent instead. */
  #refuse(request: SlipRequest, refusal: ServerRefusal): void {
    void this.#reply(request, async () => (await this.#recordedResult(request)) ?? refusal);
  }

  async #reply(
    { message: { id, round, slip }, arrivedAt, senders }: SlipRequest,
    resultOf: () => Promise<CommandResult | ServerRefusal>,
  ): Promise<void> {
    const result = await resultOf().catch((error: unknown): ServerRefusal => {
      this.#dependencies.warn('a slip', error);
      // The slip may be stored; a resend with the same id gets its result.
      return resultUnknownRefusal;
    });
    const { clock, metrics } = this.#dependencies;
    metrics.requestAnswered('slip', isRefused(result), clock() - arrivedAt);
    for (const sender of senders) {
      if (isRefused(result)) sender.refuse(result, id);
      else sender.send({ type: 'accepted', id, round, slip });
    }
  }

  async #submit(request: SlipRequest): Promise<CommandResult | ServerRefusal> {
    const { terminals } = this.#floor;
    const { table, terminal, arrivedAt } = request;
    const session = await this.#sessionOf(request);
    const locked = terminals.lockedBy(terminal);
    const refusal =
      locked !== null ? lockedBy(locked) : this.#dependencies.isClosing() ? serverClosingRefusal : undefined;
    if (refusal) return (await this.#recordedResult(request)) ?? refusal;
    const earlyResult = terminals.isNew(terminal) ? await this.#beginTerminal(request, session) : undefined;
    if (earlyResult) return earlyResult;
    const result = await table.submit(commandId(request), setSlipCommand(session, request), arrivedAt);
    return isReused(result) ? ((await this.#recordedResult(request)) ?? result) : result;
  }

  /**
   * Creates the terminal in the event store at its first accepted bet; nothing is stored for a refused or empty slip.
   * Returns the result of the slip if it is decided already.
   */
  async #beginTerminal(request: SlipRequest, session: string): Promise<CommandResult | undefined> {
    const { terminals } = this.#floor;
    const { message, table, terminal, secretHash, arrivedAt } = request;
    // In these cases the table refuses the slip itself.
    if (!isForCurrentRound(request) || !table.processor.canAppend) return undefined;
    if (terminals.terminalOf(secretHash) !== terminal) return secretRevokedRefusal;
    const credit = this.#dependencies.demoCredit ?? 0;
    const refusal = table.refusalOf(setSlipCommand(session, request), arrivedAt, { credit });
    if (refusal) return refusal;
    if (isEmpty(message.slip)) {
      this.#terminalSlips(request)?.empty.add(message.id);
      return emptyResult;
    }
    const begun = await terminals.begin(terminal, credit);
    return typeof begun === 'string' ? undefined : begun;
  }

  /** Finds the stored result of a slip, also if it was sent in an earlier session of the terminal. */
  async #recordedResult(request: SlipRequest): Promise<CommandResult | undefined> {
    const { table, terminal } = request;
    const session = await this.#sessionOf(request);
    const result = await table.findResult(commandId(request), setSlipCommand(session, request));
    if (result === undefined || !isReused(result)) return result;
    const [first] = await table.findEntries(commandId(request));
    const holder = first?.event['terminal'];
    if (typeof holder !== 'string' || holder === session || terminalOfSession(holder) !== terminal) return result;
    return table.findResult(commandId(request), setSlipCommand(holder, request));
  }

  async #sessionOf({ terminal }: SlipRequest): Promise<string> {
    const { terminals } = this.#floor;
    return terminals.session(terminal) ?? terminals.open(terminal);
  }
}

const isForCurrentRound = ({ message, table }: SlipRequest): boolean => message.round === table.table.round?.id;

const isEmpty = (slip: ClientMessageOf<'slip'>['slip']): boolean => Object.keys(slip).length === 0;

/** Result of an empty slip from a terminal without bets: it is accepted, and nothing is stored. */
const emptyResult: CommandResult = { entries: [] };

/** The terminal is part of the command id, so that terminals cannot use each other's ids. */
const commandId = ({ message, terminal }: SlipRequest): string => `${message.id}/${terminal}`;

const setSlipCommand = (session: string, { message: { round, slip } }: SlipRequest) =>
  ({ type: 'SetSlip', actor: { terminal: session }, round, slip }) as const;

const isReused = (result: CommandResult): result is CommandRefusal =>
  isRefused(result) && result.refused === 'command-reused';

const notThere = refuse<'not-seated'>('not-seated', 'You are not seated at that table. Take a seat there first.');

const superseded = refuse<'superseded'>('superseded', 'Your later bet replaced this one. The later bet counts.');

const tooManyIn = (max: number): ServerRefusal =>
  refuse<'too-many-slips'>(
    'too-many-slips',
    `You can change your bets ${max} times in a round at most. Accepted bets stay. Wait for the next round.`,
  );

const tooManyFrom = refuse<'too-many-slips'>(
  'too-many-slips',
  'Too many bets from your address. Accepted bets stay. Wait a moment and try again.',
);

const lockedBy = (reason: string): ServerRefusal =>
  refuse<'terminal-locked'>('terminal-locked', `This terminal is locked (${reason}). Call staff.`);
