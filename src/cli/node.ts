import { existsSync } from 'node:fs';
import { type Gauges } from '../gauges/gauges.ts';
import { openGateway } from '../nodes/gateway.ts';
import { Member } from '../nodes/member.ts';
import { type Store } from '../store/store.ts';
import { type Kept, missingIn, openDatabase, wasBegun } from './data.ts';
import { Stop } from './stop.ts';

type Told = {
  /** The port to listen at, where this program has listened there before. */
  readonly port?: number;
  /** The floor is open there. */
  readonly opened?: (address: string) => void;
  /** Given what is to be called once another drives the floor. */
  readonly isLost?: (lose: (error: unknown) => void) => void;
};

/** Runs a floor on a record from its opening to its end; what it throws is why it could not go on. */
export type Life = (store: Store, told: Told) => Promise<void>;

type Wants = {
  /** The database. */
  readonly address: string;
  readonly kept: Kept;
  /** How long a lease lasts. */
  readonly lasts: number;
  /** Whether this program may drive tables. */
  readonly mayDrive: boolean;
  /** Where it listens, and where others reach it if that is elsewhere. */
  readonly gate: {
    readonly host: string;
    readonly port: number;
    readonly furtherPorts: number;
    readonly node?: string;
  };
  /** Told to end. */
  readonly stop: AbortSignal;
  /** What the floor is called. */
  readonly floor: string;
  /** Told of each change of hands. */
  readonly leased?: Gauges['leased'];
  readonly say: (text: string) => void;
  readonly print: (line: string) => void;
};

/** One of several programs on a database: drives the floor whenever no other does, until it is told to end. */
export async function asNode(wants: Wants, run: Life): Promise<void> {
  const { address, kept, lasts, mayDrive, gate, stop, leased, say } = wants;
  let isAway = false;
  const member = await Member.on({
    store: address,
    mustExist: wasBegun(kept),
    lasts,
    mayDrive,
    far: (by) => say(by === undefined ? near : far(by)),
    trouble: (error) => {
      if (!isAway) say(`the database does not answer: ${(error as Error).message}`);
      isAway = true;
    },
    answered: () => {
      if (isAway) say('the database answers again.');
      isAway = false;
    },
  }).catch((error: unknown) => {
    throw missingIn(kept, error);
  });
  try {
    for (let port: number | undefined; ;) {
      // Of two who begin at the same moment one drives; whoever begins a record makes what all need only then.
      await member.settled(stop);
      if (member.isWaiting) port = await waited(member, wants, port);
      if (!(await member.taken(stop))) return;
      try {
        const opened = await openDatabase(address, kept);
        let lose: (error: unknown) => void = () => {};
        const store = await member
          .drives(opened, (error) => lose(error))
          .catch(async (error: unknown) => {
            await opened.close();
            throw error;
          });
        if (store === undefined) {
          await opened.close();
          continue;
        }
        leased?.('floor', 'taken');
        await run(store, {
          ...(port !== undefined && { port }),
          opened: (where) => {
            member.address = gate.node ?? where;
            port = Number(new URL(where).port);
          },
          isLost: (hear) => void (lose = hear),
        });
        leased?.('floor', 'given');
        return;
      } catch (error) {
        if (error instanceof Stop || stop.aborted || !(await member.isTakenOver())) throw error;
        leased?.('floor', 'lost');
        say(`this node does not drive the floor any more (${(error as Error).message.replace(/\.$/, '')}).`);
      }
    }
  } finally {
    await member.leave();
  }
}

/** Passes on what comes, until this program may drive the floor or is told to end; gives the port that it listened at. */
async function waited(member: Member, wants: Wants, former: number | undefined): Promise<number> {
  const { kept, mayDrive, gate, stop, floor, print } = wants;
  if (mayDrive) refuseUnready(kept);
  const gateway = await openGateway({
    host: gate.host,
    ...(former === undefined ? gate : { port: former, furtherPorts: 0 }),
    target: () => (member.holder?.address === '' ? undefined : member.holder?.address),
  });
  member.address = gate.node ?? gateway.address;
  const { holder } = member;
  const drives = holder ? `${floor} is driven by node ${holder.node}` : `Nobody drives ${floor} yet`;
  const waits = mayDrive ? ' and waits to take over' : '';
  print(`${drives}; this one, node ${member.id}, passes on what comes to ${gateway.address}${waits}.`);
  try {
    await member.taken(stop);
    return gateway.port;
  } finally {
    await gateway.close();
  }
}

/** What whoever takes over needs is looked for while there is time to bring it. */
function refuseUnready({ key, signer, anchor }: Kept): void {
  const missing = [key, signer, anchor].find((file) => !existsSync(file));
  if (missing === undefined) return;
  const message = `The file ${missing} is missing, by which this program could take over the floor; give it the key, the signer and the anchor that all programs on the database share.`;
  throw new Stop(1, 'wrong-key', message);
}

const near = 'the clock of this machine agrees with that of the database again.';

const far = (by: number): string =>
  `the clock of this machine is ${by.toLocaleString('en')} ms from that of the database; set it, as nothing is driven from here until then.`;
