import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type CommandResult } from '../../runtime/stream/pendingCommand.ts';
import {
  type CommandRefusal,
  type FinalRefusal,
  asFinalRefusal,
  resultUnknownRefusal,
  secretRevokedRefusal,
} from '../../runtime/stream/refusals.ts';
import { storedResultOrRefusal } from '../../runtime/stream/commandLookup.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { hasSameStakes } from '../../rules/stakes.ts';
import { creditDependentErrorCodes } from '../../table/schema/refusals.ts';
import { terminalOfSession } from '../../terminal/state.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { KeyedTokenBuckets } from '../limits/tokenBucket.ts';
import { type ServerRefusal, serverClosingRefusal } from '../refusals/serverRefusals.ts';

type SlipQueueDependencies = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly demoCredit: number | null;
  readonly metrics: Metrics;
  readonly isClosing: () => boolean;
  readonly warn: (subject: string, error: unknown) => void;
};

/**
 * A slip that has no result yet. `senders` are the connections that have sent it: several if it was sent again on
 * another connection.
 */
type SlipRequest = {
  readonly message: ClientMessageOf<'slip'>;
  readonly table: TableRuntime;
  readonly terminal: string;
  readonly secretHash: string;
  readonly arrivedAt: number;
  readonly senders: DeviceConnection[];
};

/**
 * Slips of one terminal in one round of a table. They are decided one at a time, in the order in which they arrived.
 */
type TerminalSlips = {
  /** Resolves when all slips so far have a result. */
  last: Promise<void>;
  readonly ids: Set<string>;
  /** Slips without a result, by id. */
  readonly waiting: Map<string, SlipRequest>;
};

/**
 * Queue of slips for each terminal. It keeps slips in order and applies limits. A slip that is sent again gets its
 * first result.
 */
export class SlipQueue {
  readonly #dependencies: SlipQueueDependencies;
  readonly #floor: FloorRuntime;
  readonly #writeLimit: KeyedTokenBuckets;
  /** The current round of each table, and the slips of each terminal in that round. */
  readonly #rounds = new Map<
    string,
    { readonly round: string | undefined; readonly byTerminal: Map<string, TerminalSlips> }
  >();

  constructor(dependencies: SlipQueueDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
    this.#writeLimit = new KeyedTokenBuckets(dependencies.limits.writeBurst, dependencies.limits.writesPerSecond);
  }

  enqueue(
    connection: DeviceConnection,
    message: ClientMessageOf<'slip'>,
    table: TableRuntime,
    arrivedAt: number,
  ): void {
    const { address } = connection;
    const request = slipRequest(connection, message, table, arrivedAt);
    if (connection.table !== table.id) return this.refuse(connection, message, table, arrivedAt, notSeatedThere);
    const slips = this.#terminalSlips(request);
    // A slip for another round than the current one is refused, unless the slip was stored earlier.
    if (slips === undefined) return void this.#reply(request, () => this.#submit(request));
    const first = slips.waiting.get(message.id);
    if (first && hasSameStakes(first.message.slip, message.slip)) {
      first.senders.push(connection);
      return undefined;
    }
    if (!slips.ids.has(message.id)) {
      const { maxSlipsPerRound } = this.#dependencies.limits;
      if (slips.ids.size >= maxSlipsPerRound) return connection.refuse(tooManyIn(maxSlipsPerRound), message.id);
      if (!this.takeWrite(address)) return connection.refuse(tooManyFrom, message.id);
      slips.ids.add(message.id);
    }
    if (first === undefined) slips.waiting.set(message.id, request);
    slips.last = this.#processAfter(slips.last, request, slips);
    return undefined;
  }

  async #processAfter(before: Promise<void>, request: SlipRequest, { waiting }: TerminalSlips): Promise<void> {
    await before;
    await this.#reply(request, () => this.#submit(request));
    const { id } = request.message;
    if (waiting.get(id) === request) waiting.delete(id);
  }

  /**
   * Answers a slip that was refused now. If the slip was stored earlier, the answer is its result, otherwise the
   * refusal.
   */
  refuse(
    connection: DeviceConnection,
    message: ClientMessageOf<'slip'>,
    table: TableRuntime,
    arrivedAt: number,
    refusal: ServerRefusal,
  ): void {
    const request = slipRequest(connection, message, table, arrivedAt);
    void this.#reply(request, () => this.#refusalFor(request, refusal));
  }

  /** Takes one token from the write limit of a client address; returns false if no token is left. */
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
      slips = { last: Promise.resolve(), ids: new Set(), waiting: new Map() };
      current.byTerminal.set(terminal, slips);
    }
    return slips;
  }

  async #reply(
    { message: { id, round, slip }, terminal, arrivedAt, senders }: SlipRequest,
    resultOf: () => Promise<CommandResult>,
  ): Promise<void> {
    const { terminals } = this.#floor;
    const confirmed = async (): Promise<CommandResult> => {
      const result = await resultOf();
      return (isRefused(result) && (await terminals.unconfirmedRefusal(terminal))) || result;
    };
    const result = await confirmed().catch((error: unknown): CommandResult => {
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

  async #submit(request: SlipRequest): Promise<CommandResult> {
    const { terminals } = this.#floor;
    const { table, terminal, arrivedAt } = request;
    const session = await this.#sessionOf(request);
    // This node may not have read yet that another node has unlocked the terminal.
    if (terminals.lockedBy(terminal) !== null) await terminals.refresh(terminal);
    const locked = terminals.lockedBy(terminal);
    if (locked !== null) return this.#refusalFor(request, lockedBy(locked));
    if (this.#dependencies.isClosing()) return this.#refusalFor(request, serverClosingRefusal);
    const submit = (): Promise<CommandResult> =>
      table.submit(commandId(request), setSlipCommand(session, request), arrivedAt);
    const result = terminals.isNew(terminal) ? await this.#submitAsNew(request, session, submit) : await submit();
    return isReused(result) ? this.#refusalFor(request, result) : result;
  }

  /**
   * Submits the slip of a terminal that never had credit. Before the first slip that would be accepted, the terminal is
   * stored, with its demo credit. For a refused slip nothing is stored.
   */
  async #submitAsNew(
    request: SlipRequest,
    session: string,
    submit: () => Promise<CommandResult>,
  ): Promise<CommandResult> {
    const { terminals } = this.#floor;
    const { table, terminal, secretHash, arrivedAt } = request;
    if (terminals.terminalOf(secretHash) !== terminal) return this.#refusalFor(request, secretRevokedRefusal);
    const credit = this.#dependencies.demoCredit ?? 0;
    const preview = table.refusalOf(setSlipCommand(session, request), arrivedAt, { credit });
    // An empty slip needs no credit. The leader of the table could accept it even if another node has bound the secret
    // to another terminal. So the terminal is always stored before an empty slip is submitted.
    const needsCredit = Object.keys(request.message.slip).length > 0;
    if (needsCredit && (preview !== undefined || !table.processor.canAppend)) {
      // This node may not have read the latest entries of table and terminal. So the leader of the table decides first.
      const result = await submit();
      if (!isRefused(result) || !dependsOnCredit(result)) return result;
      if (preview !== undefined && dependsOnCredit(preview)) return this.#refusalFor(request, preview);
    }
    const begun = await terminals.begin(terminal, credit);
    return typeof begun === 'string' ? submit() : this.#refusalFor(request, begun);
  }

  #refusalFor(request: SlipRequest, refusal: ServerRefusal): Promise<CommandResult> {
    return storedResultOrRefusal(refusal, () => this.#recordedResult(request));
  }

  /** Finds the stored result of a slip. The slip may have been stored in an earlier session of the terminal. */
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

const slipRequest = (
  connection: DeviceConnection,
  message: ClientMessageOf<'slip'>,
  table: TableRuntime,
  arrivedAt: number,
): SlipRequest => ({
  message,
  table,
  terminal: connection.terminal!,
  secretHash: connection.secretHash!,
  arrivedAt,
  senders: [connection],
});

/** The terminal is part of the command id, so that terminals cannot use each other's ids. */
const commandId = ({ message, terminal }: SlipRequest): string => `${message.id}/${terminal}`;

const setSlipCommand = (session: string, { message: { round, slip } }: SlipRequest) =>
  ({ type: 'SetSlip', actor: { terminal: session }, round, slip }) as const;

const isReused = (result: CommandResult): result is FinalRefusal =>
  isRefused(result) && result.refused === 'command-reused';

const dependsOnCredit = ({ refused }: CommandRefusal): boolean => creditDependentErrorCodes.has(refused);

const notSeatedThere = refuse<'not-seated'>('not-seated', 'You are not seated at that table. Take a seat there first.');

const tooManyIn = (max: number): FinalRefusal =>
  asFinalRefusal(
    refuse<'too-many-slips'>(
      'too-many-slips',
      `You can change your bets ${max} times in a round at most. Accepted bets stay. Wait for the next round.`,
    ),
  );

const tooManyFrom = asFinalRefusal(
  refuse<'too-many-slips'>(
    'too-many-slips',
    'Too many bets from your address. Accepted bets stay. Wait a moment and try again.',
  ),
);

const lockedBy = (reason: string): ServerRefusal =>
  refuse<'terminal-locked'>('terminal-locked', `This terminal is locked (${reason}). Call staff.`);
