import { type Account } from '../ledger/accounts.ts';
import { isRefused } from '../rules/refusal.ts';
import { type Row, book, entryFrom, prepared, untouched, unwritten } from './chain.ts';
import { type Balance, type Head, type KnownCommand, type Snapshot, type Store } from './store.ts';
import { lengthened, shortened } from './writing.ts';

/** The record in memory: for tests, and for a table in a terminal. What it gives out is read from text, as from a disk. */
export function memoryStore(): Store {
  const streams = new Map<string, Row[]>();
  const balances = new Map<Account, Balance>();
  const commands = new Map<string, KnownCommand>();
  const snapshots = new Map<string, Snapshot>();
  const sealed = new Map<string, Uint8Array>();
  const heads = new Map<string, Head>();
  const beats = new Map<string, number>();
  const asides = new Map<string, Map<string, string>>();

  return {
    append: async (batch) => {
      const booked = book(prepared(batch), {
        head: (stream) => heads.get(stream) ?? unwritten,
        balance: (account) => balances.get(account) ?? untouched,
        known: () => commands,
      });
      if (isRefused(booked)) return booked;
      if (booked.entries.length === 0) return { entries: [] };
      const rows = streams.get(batch.stream) ?? [];
      streams.set(batch.stream, rows);
      for (const { sequence, hash, body, command } of booked.entries) {
        rows.push({ stream: batch.stream, sequence, hash, body, command });
        if (command !== null) commands.set(command, { stream: batch.stream, sequence });
      }
      for (const [account, balance] of booked.balances) balances.set(account, balance);
      const last = booked.entries.at(-1)!;
      heads.set(batch.stream, { sequence: last.sequence, hash: last.hash, epoch: booked.epoch });
      return lengthened(batch, shortened(booked));
    },
    read: async function* (stream, after = 0, atOnce = 1000) {
      const rows = streams.get(stream) ?? [];
      for (let from = after; from < rows.length; from += atOnce) yield rows.slice(from, from + atOnce).map(entryFrom);
    },
    streams: async () => [...streams.keys()].toSorted(),
    heads: async () => new Map(heads),
    standing: async () => ({ heads: new Map(heads), balances: new Map(balances) }),
    balance: async (account) => balances.get(account) ?? untouched,
    balances: async () => new Map(balances),
    commands: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const known = commands.get(id);
          return known ? [[id, known]] : [];
        }),
      ),
    saveSnapshot: async (stream, snapshot) => void snapshots.set(stream, snapshot),
    snapshot: async (stream) => snapshots.get(stream),
    snapshots: async () => [...snapshots.keys()],
    seal: async (id, bytes) => void sealed.set(id, bytes.slice()),
    sealed: async (id) => sealed.get(id)?.slice(),
    beat: async (names, at) => {
      for (const name of names) beats.set(name, at);
    },
    aside: async (kind) => new Map(asides.get(kind)),
    putAside: async (kind, id, value) => {
      const kept = asides.get(kind) ?? new Map<string, string>();
      asides.set(kind, kept);
      if (value === undefined) kept.delete(id);
      else kept.set(id, value);
    },
    lastBeat: async (name) => beats.get(name),
    close: async () => {},
  };
}
