import { type StoredRequest, type Store } from '../../store/store.ts';
import { type Brought, type Denied } from '../stream/pendingCommand.ts';
import { type SeatLocation, type Presence } from './presence.ts';

/** A command for whoever drives a table, and how far the asking node has read other streams: so far they are read first. */
export type ForwardedCommand = {
  readonly id: string;
  readonly asked: StoredRequest;
  readonly brought: Brought;
  readonly seen: { readonly [stream: string]: number };
};

/** Where the answer stands in the stream of the table, or why nothing happened. */
export type AnsweredThere = { readonly from: number; readonly to: number } | Denied;

/** A session at another node has lost its link, or is there again. */
export type LinkTold = { readonly session: string; readonly seated: boolean; readonly lost: boolean };

/** A card that a table did not take, as it was read, with the reason. */
export type RefusedScan = {
  readonly at: number;
  readonly text: string;
  readonly code: string;
  readonly message: string;
  readonly by: string | null;
};

/** What a floor needs of the others where several programs are on its record. */
export type ClusterPort = {
  /** The record as whoever drives a table writes to it: only while its lease is sure, in the epoch that it was taken by. */
  readonly storeOf: (stream: string) => Store;
  /** Asks whoever drives a table, and the next who does, until it is answered or nobody can know. */
  readonly ask: (stream: string, asking: ForwardedCommand) => Promise<AnsweredThere>;
  /** Tells whoever drives a table of a link at this node. */
  readonly link: (stream: string, told: LinkTold) => void;
  /** Something was written to a stream: the others are told of it soon. */
  readonly moved: (stream: string, sequence: number) => void;
  /** Something was written beside the chain: the others are told of it soon. */
  readonly aside: (kind: string, id: string) => void;
  /** A terminal is at this node, has another place there, or is gone: the others are told of it soon. */
  readonly there: (terminal: string, place: SeatLocation) => void;
  /** The terminals that are at other nodes. */
  readonly presence: Presence;
  /** A reader of cards is at this node, and the console of its table may be at another. */
  readonly scanned: (table: string, scan: RefusedScan) => void;
};
