import { type CommandResult, type Brought, type Denied } from '../../runtime/stream/pendingCommand.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type RefusedScan } from '../../runtime/ports/clusterPort.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { nextSlot } from '../../rules/play.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { refuse } from '../../base/refusal.ts';
import { type Scan, parseScan } from '../../rules/cardScan.ts';
import { type StoredRequest, type StoredEntry } from '../../store/store.ts';
import { resolveSettings } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { type ClientMessageOf, type ServerMessageOf } from '../../wire/messages.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { type Due, dueOf } from '../tables/nextCard.ts';
import { notEnrolled } from '../money/creditTransferHandler.ts';
import { closing } from '../tables/slipQueue.ts';

type Refused = { readonly refused: string; readonly message: string; readonly by?: string | null };
type Scanned = ServerMessageOf<'scanned'>;

/** What a reader of cards needs to know of those who deal, and tells them. */
export type CardReaderPort = {
  /** Who is signed in at a table and deals there, with what a command of theirs brings; undefined where nobody is. */
  readonly dealerAt: (table: string) => { readonly person: string; readonly brought: Brought } | undefined;
  /** A card that the table refused stays on the dealer's screen. */
  readonly refusedScan: (table: string, scan: RefusedScan) => void;
  /** Two cards were scanned so soon after one another that they may have come out together. */
  readonly scannedTogether: (table: string, scans: { readonly at: number; readonly texts: readonly string[] }) => void;
};

/** Nobody draws two cards one after the other within so many milliseconds. */
const together = 300;

type Parts = {
  readonly clock: () => number;
  readonly gauges: Metrics;
  readonly scanner: ScanFormat;
  readonly pit: () => CardReaderPort;
  readonly isClosing: () => boolean;
};

/** Readers of cards: each gives cards to its table, in the name of the dealer who is signed in there, and nothing else. */
export class CardReaders {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  readonly #of = new Map<string, Set<Connection>>();
  /** Scans of a table are taken one after the other, since each is for the slot that the one before left. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** What is being recorded: sent again meanwhile, it has the same answer. */
  readonly #underWay = new Map<string, Promise<Scanned | Refused>>();
  readonly #last = new Map<string, { readonly at: number; readonly text: string }>();
  readonly #told = new Map<string, string>();

  constructor(parts: Parts, floor: FloorRuntime) {
    this.#parts = parts;
    this.#floor = floor;
  }

  /** A reader has said hello by the key that leads to its table. */
  know(reader: Connection, table: string): void {
    reader.role = 'shoe';
    reader.serves = table;
  }

  /** A reader was welcomed: it is told at once where the next card goes. */
  come(reader: Connection): void {
    const { serves } = reader;
    if (serves === undefined) return;
    this.#of.set(serves, (this.#of.get(serves) ?? new Set()).add(reader));
    const table = this.#floor.tables.get(serves);
    const due = table?.isOpen ? dueOf(table.table) : { table: serves, slot: null, burn: false, shoe: null };
    reader.tell({ type: 'due', ...due });
  }

  left(reader: Connection): void {
    const others = this.#of.get(reader.serves!);
    others?.delete(reader);
    if (others?.size === 0) this.#of.delete(reader.serves!);
  }

  /** A table has moved, by what is written. */
  tell(table: string, due: () => Due): void {
    const readers = this.#of.get(table);
    if (readers === undefined) return;
    const text = JSON.stringify({ type: 'due', ...due() });
    if (this.#told.get(table) === text) return;
    this.#told.set(table, text);
    for (const reader of readers) reader.send(text);
  }

  /** Gives the one answer to a scan; sent again, the same. */
  async scan(reader: Connection, said: ClientMessageOf<'scan'>, arrived: number): Promise<void> {
    const answer = await this.#answer(reader, said, arrived);
    const { clock, gauges } = this.#parts;
    gauges.answered('scan', 'refused' in answer, clock() - arrived);
    if ('refused' in answer) reader.refuse(answer, said.id);
    else reader.tell(answer);
  }

  #answer(reader: Connection, said: ClientMessageOf<'scan'>, arrived: number): Promise<Scanned | Refused> {
    const { serves } = reader;
    const table = serves === undefined ? undefined : this.#floor.tables.get(serves);
    if (said.table !== serves || table === undefined) return Promise.resolve(notEnrolled);
    const id = `scan/${said.id}/${serves}`;
    const known = this.#underWay.get(id);
    if (known) return known;
    const before = this.#turns.get(table.id) ?? Promise.resolve();
    const answer = before.then(() => this.#take(table, id, said, arrived)).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, answer);
    this.#turns.set(
      table.id,
      answer.catch(() => {}),
    );
    return answer;
  }

  async #take(
    table: TableRuntime,
    id: string,
    { id: asked, text }: ClientMessageOf<'scan'>,
    arrived: number,
  ): Promise<Scanned | Refused> {
    const [known] = await table.recorded(id);
    if (known) return scannedBy(asked, known);
    if (this.#parts.isClosing()) return closing;
    const answered = await this.#deal(table, id, text, arrived);
    if ('refused' in answered) {
      const { refused: code, message, by = null } = answered;
      this.#parts.pit().refusedScan(table.id, { at: arrived, text, code, message, by });
      return answered;
    }
    const scanned = scannedBy(asked, answered.entries[0]!);
    return scanned.card !== null && this.#isTogether(table.id, text, arrived)
      ? { ...scanned, together: true }
      : scanned;
  }

  /** In the name of the dealer, for the slot that the table of play names. */
  async #deal(table: TableRuntime, id: string, text: string, arrived: number): Promise<CommandResult | Refused> {
    if (!table.isOpen) return notOpen;
    const state = table.table;
    const scan = parseScan(text, resolveSettings(state.setting).game.deck, this.#parts.scanner);
    if ('unreadable' in scan) return unreadable;
    const dealer = this.#parts.pit().dealerAt(table.id);
    if (dealer === undefined) return noDealer;
    const { person, brought } = dealer;
    return table.submit(id, askedBy(person, scan, state), arrived, brought);
  }

  /** Whether a card came so soon after the last one that both may have been drawn at once; whoever deals is asked. */
  #isTogether(table: string, text: string, at: number): boolean {
    const last = this.#last.get(table);
    this.#last.set(table, { at, text });
    if (last === undefined || at - last.at >= together) return false;
    this.#parts.pit().scannedTogether(table, { at, texts: [last.text, text] });
    return true;
  }
}

/** What a scan asks of the table as it stands; where no card is due, the table says so. */
function askedBy(person: string, scan: Exclude<Scan, { unreadable: true }>, table: Table): StoredRequest {
  const who = { person };
  if ('cut' in scan) return { type: 'ReportCuttingCard', who };
  const { card } = scan;
  if (dueOf(table).burn) return { type: 'BurnCards', who, card };
  const { round, phase } = table;
  const slot = (phase === 'dealing' ? nextSlot(round!.cards) : undefined) ?? 'P1';
  return { type: 'DealCard', who, slot, card };
}

/** The answer that the record gives. */
function scannedBy(id: string, { event }: StoredEntry): Scanned {
  const { card = null, slot = null } = event as { readonly card?: string; readonly slot?: Scanned['slot'] };
  return { type: 'scanned', id, card, slot };
}

const unreadable = refuse<'unreadable-scan'>(
  'unreadable-scan',
  'The scan is no card of this table in the form that the property sets; scan the card again, or key it in.',
);

const noDealer = refuse<'no-dealer'>(
  'no-dealer',
  'Nobody who deals is signed in at this table; sign in at its console, then scan the card again.',
);

const notOpen: Denied = {
  refused: 'not-open',
  message: 'The table is not open yet; open it with a setting.',
  by: null,
};
