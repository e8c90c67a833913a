import { type CommandResult, type CommandContext } from '../../runtime/stream/pendingCommand.ts';
import { storedResultOrRefusal } from '../../runtime/stream/commandLookup.ts';
import { type CommandRefusal, type FinalRefusal, resultUnknownRefusal } from '../../runtime/stream/refusals.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type RefusedScan } from '../../runtime/ports/clusterPort.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { nextSlot } from '../../rules/play.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { refuse } from '../../base/refusal.ts';
import { type CardScan, parseScan } from '../../rules/cardScan.ts';
import { type StoredPayload, type StoredEntry } from '../../store/store.ts';
import { gameAndRulebookOf } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { type ClientMessageOf, type ServerMessageOf } from '../../wire/messages.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type NextCardMessageFields, nextCardMessageFieldsOf } from '../tables/nextCardMessage.ts';
import { type ServerRefusal, notEnrolledRefusal, serverClosingRefusal } from '../refusals/serverRefusals.ts';

type Scanned = ServerMessageOf<'scanned'>;

/**
 * Port through which card readers reach the dealers. It gives the dealer of a table, and shows scans on the screen of
 * that dealer.
 */
export type CardReaderDealerPort = {
  /**
   * Gives the dealer who is signed in at a table, and the context for the commands of that dealer; undefined if no
   * dealer is signed in there.
   */
  readonly dealerAt: (table: string) => { readonly person: string; readonly context: CommandContext } | undefined;
  readonly showRefusedScan: (table: string, scan: RefusedScan) => void;
  /** Warns the dealer that two cards may have been drawn together. `scans` are the two scans. */
  readonly showSimultaneousScans: (
    table: string,
    scans: { readonly at: number; readonly texts: readonly string[] },
  ) => void;
};

/** If two cards are scanned within this many milliseconds, they may have been drawn together. */
const simultaneousMs = 300;

type CardReadersDependencies = {
  readonly clock: () => number;
  readonly metrics: Metrics;
  readonly scanFormat: ScanFormat;
  readonly port: () => CardReaderDealerPort;
  readonly isClosing: () => boolean;
  readonly warn: (subject: string, error: unknown) => void;
};

/**
 * Handles the scans of card readers. A card reader deals only at its own table, in the name of the dealer who is signed
 * in there.
 */
export class CardReaderScanHandler {
  readonly #dependencies: CardReadersDependencies;
  readonly #floor: FloorRuntime;
  readonly #byTable = new Map<string, Set<DeviceConnection>>();
  /**
   * Keyed mutex by table. The scans of a table are handled in order, because each card is dealt to the slot after the
   * previous card.
   */
  readonly #queues = new Map<string, Promise<unknown>>();
  /** Scans in progress, by command id. If such a scan arrives again, it gets the same result. */
  readonly #pending = new Map<string, Promise<Scanned | FinalRefusal>>();
  readonly #lastScan = new Map<string, { readonly at: number; readonly text: string }>();
  readonly #lastSent = new Map<string, string>();

  constructor(dependencies: CardReadersDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
  }

  bindReader(reader: DeviceConnection, table: string): void {
    reader.deviceKind = 'shoe';
    reader.readerTable = table;
  }

  /** Adds a card reader after its welcome, and sends it the slot of the next card. */
  add(reader: DeviceConnection): void {
    const { readerTable } = reader;
    if (readerTable === undefined) return;
    this.#byTable.set(readerTable, (this.#byTable.get(readerTable) ?? new Set()).add(reader));
    const table = this.#floor.tables.get(readerTable);
    const nextCard = table?.isOpen
      ? nextCardMessageFieldsOf(table.table)
      : { table: readerTable, slot: null, burn: false, shoe: null };
    reader.send({ type: 'due', ...nextCard });
  }

  remove(reader: DeviceConnection): void {
    const others = this.#byTable.get(reader.readerTable!);
    others?.delete(reader);
    if (others?.size === 0) this.#byTable.delete(reader.readerTable!);
  }

  publishNextCard(table: string, nextCard: () => NextCardMessageFields): void {
    const readers = this.#byTable.get(table);
    if (readers === undefined) return;
    const text = JSON.stringify({ type: 'due', ...nextCard() });
    if (this.#lastSent.get(table) === text) return;
    this.#lastSent.set(table, text);
    for (const reader of readers) reader.sendText(text);
  }

  /**
   * Handles a scan and sends the reply. If the reader sends the scan again with the same id, it gets the first reply
   * again.
   */
  async scan(reader: DeviceConnection, message: ClientMessageOf<'scan'>, arrivedAt: number): Promise<void> {
    const answer = await this.#answer(reader, message, arrivedAt).catch((error: unknown): FinalRefusal => {
      this.#dependencies.warn('a scan', error);
      // The card may be stored; a resend with the same id gets its result.
      return resultUnknownRefusal;
    });
    const { clock, metrics } = this.#dependencies;
    metrics.requestAnswered('scan', 'refused' in answer, clock() - arrivedAt);
    if ('refused' in answer) reader.refuse(answer, message.id);
    else reader.send(answer);
  }

  #answer(
    reader: DeviceConnection,
    message: ClientMessageOf<'scan'>,
    arrivedAt: number,
  ): Promise<Scanned | FinalRefusal> {
    const { readerTable } = reader;
    const table = readerTable === undefined ? undefined : this.#floor.tables.get(readerTable);
    if (message.table !== readerTable || table === undefined) return Promise.resolve(notEnrolledRefusal);
    const id = `scan/${message.id}/${readerTable}`;
    const pending = this.#pending.get(id);
    if (pending) return pending;
    const previous = this.#queues.get(table.id) ?? Promise.resolve();
    const answer = previous
      .then(() => this.#process(table, id, message, arrivedAt))
      .finally(() => this.#pending.delete(id));
    this.#pending.set(id, answer);
    this.#queues.set(
      table.id,
      answer.catch(() => {}),
    );
    return answer;
  }

  async #process(
    table: TableRuntime,
    id: string,
    { id: requestId, text }: ClientMessageOf<'scan'>,
    arrivedAt: number,
  ): Promise<Scanned | FinalRefusal> {
    const storedReply = async (): Promise<Scanned | undefined> => {
      const [recorded] = await table.findEntries(id);
      return recorded && scanReply(requestId, recorded);
    };
    const stored = await storedReply();
    if (stored) return stored;
    if (this.#dependencies.isClosing()) return storedResultOrRefusal(serverClosingRefusal, storedReply);
    const result = await this.#deal(table, id, text, arrivedAt);
    if ('refused' in result) {
      // Another node may have dealt this card already. Then the command of this node names a later slot and is refused.
      // In this case the reply is made from the stored entry of the other node.
      const refusal = await storedResultOrRefusal(result, storedReply);
      if (!('refused' in refusal)) return refusal;
      const { refused: code, message, by } = refusal;
      this.#dependencies.port().showRefusedScan(table.id, { at: arrivedAt, text, code, message, by });
      return refusal;
    }
    const scanned = scanReply(requestId, result.entries[0]!);
    return scanned.card !== null && this.#isSimultaneous(table.id, text, arrivedAt)
      ? { ...scanned, together: true }
      : scanned;
  }

  /** Submits the scanned card in the name of the dealer. The table of play gives the slot of the card. */
  async #deal(
    table: TableRuntime,
    id: string,
    text: string,
    arrivedAt: number,
  ): Promise<CommandResult | ServerRefusal> {
    if (!table.isOpen) return notOpen;
    const state = table.table;
    const scan = parseScan(text, gameAndRulebookOf(state.settings).game.deck, this.#dependencies.scanFormat);
    if ('unreadable' in scan) return unreadable;
    const dealer = this.#dependencies.port().dealerAt(table.id);
    if (dealer === undefined) return noDealer;
    const { person, context } = dealer;
    return table.submit(id, commandForScan(person, scan, state), arrivedAt, context);
  }

  /**
   * Compares a scanned card with the previous scan. If both are so close in time that the cards may have been drawn
   * together, warns the dealer and returns true.
   */
  #isSimultaneous(table: string, text: string, at: number): boolean {
    const last = this.#lastScan.get(table);
    this.#lastScan.set(table, { at, text });
    if (last === undefined || at - last.at >= simultaneousMs) return false;
    this.#dependencies.port().showSimultaneousScans(table, { at, texts: [last.text, text] });
    return true;
  }
}

/** The command for a scan. If no card is due, the command names the slot P1, and the table refuses the command. */
function commandForScan(person: string, scan: Exclude<CardScan, { unreadable: true }>, table: Table): StoredPayload {
  const actor = { person };
  if ('cut' in scan) return { type: 'ReportCuttingCard', actor };
  const { card } = scan;
  if (nextCardMessageFieldsOf(table).burn) return { type: 'BurnCards', actor, card };
  const { round, phase } = table;
  const slot = (phase === 'dealing' ? nextSlot(round!.cards) : undefined) ?? 'P1';
  return { type: 'DealCard', actor, slot, card };
}

function scanReply(id: string, { event }: StoredEntry): Scanned {
  const { card = null, slot = null } = event as { readonly card?: string; readonly slot?: Scanned['slot'] };
  return { type: 'scanned', id, card, slot };
}

const unreadable = refuse<'unreadable-scan'>(
  'unreadable-scan',
  'The scan is not a card of this table. Scan the card again, or key it in.',
);

const noDealer = refuse<'no-dealer'>(
  'no-dealer',
  'No dealer is signed in at this table. Sign in at its console, then scan the card again.',
);

const notOpen: CommandRefusal = {
  refused: 'not-open',
  message: 'The table is not open yet. Open it first.',
  by: null,
};
