import { type Denied } from '../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { type SeatLocations } from '../runtime/ports/presence.ts';
import {
  type AnsweredThere,
  type ForwardedCommand,
  type LinkTold,
  type RefusedScan,
} from '../runtime/ports/clusterPort.ts';

/** What a floor does for the others on the record, and is told by them. */
export type NodeHandlers = {
  /** The lease of a table was taken, and its epoch raised: it is read and driven. It was last driven at that time, if ever. */
  readonly drive: (stream: string, since: number | undefined) => Promise<Denied | undefined>;
  /** It is driven no more; what waits is asked of the next. */
  readonly follow: (stream: string) => Promise<void>;
  /** Whether a table can change hands now: between rounds, or, where that did not come for long, with nothing waiting. */
  readonly canRest: (stream: string, isLate: boolean) => boolean;
  /** Another node asks whoever drives a table. */
  readonly answer: (stream: string, asking: ForwardedCommand) => Promise<AnsweredThere | 'moved'>;
  readonly linkTold: (stream: string, from: string, told: LinkTold) => void;
  /** Streams have got so far, by a hint or by the record. */
  readonly heard: (heads: ReadonlyMap<string, number>) => Promise<void>;
  /** The streams in memory, whose heads are looked at each second. */
  readonly followed: () => readonly string[];
  /** Something beside the chain was written by another node. */
  readonly asideHeard: (kind: string, id: string) => void;
  /** Terminals are at another node; tables at which another number sits by that. */
  readonly placed: (node: string, places: SeatLocations, tables: Iterable<string>) => void;
  /** Nothing is heard of a node any more, where those terminals were. */
  readonly parted: (node: string, places: SeatLocations) => void;
  /** A reader of cards at another node gave a card that its table did not take. */
  readonly scanned: (table: string, scan: RefusedScan) => void;
  /** This node signs how far the record has got, or another one does. */
  readonly keeps: (isKeeper: boolean) => void;
};

/** The streams of all tables of a floor. */
export const streamsOf = ({ tables }: Pick<FloorRuntime, 'tables'>): readonly string[] =>
  [...tables.values()].map(({ stream }) => stream);

type Told = Pick<NodeHandlers, 'keeps'> & { readonly trouble: (what: string, error: unknown) => void };

/** A floor as the others on its record see it: it knows tables by their ids, and they by their streams. */
export function callsOf(floor: FloorRuntime, { keeps, trouble }: Told): NodeHandlers {
  const tableOf = (stream: string): string => stream.slice(`${floor.owner.property}/table/`.length);
  return {
    drive: (stream, since) => floor.drive(tableOf(stream), since),
    follow: (stream) => floor.follow(tableOf(stream)),
    canRest: (stream, isLate) => floor.canRest(tableOf(stream), isLate),
    answer: (stream, asking) => floor.answer(stream, asking),
    linkTold: (stream, from, told) => floor.linkTold(stream, from, told),
    heard: (heads) => floor.heard(heads),
    followed: () => floor.followed(),
    asideHeard: (kind, id) => {
      floor.asideHeard(kind, id).catch((error: unknown) => trouble('nodes', error));
    },
    placed: (node, places, tables) => floor.placed(node, places, tables),
    parted: (node, places) => floor.parted(node, places),
    scanned: (table, scan) => floor.scanTold(table, scan),
    keeps,
  };
}
