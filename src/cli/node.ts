import { existsSync } from 'node:fs';
import { Member } from '../nodes/member.ts';
import { type Store } from '../store/store.ts';
import { type Kept, openDatabase } from './data.ts';
import { Stop } from './stop.ts';

type Told = {
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
  /** Told to end. */
  readonly stop: AbortSignal;
  /** What the floor is called. */
  readonly floor: string;
  readonly say: (text: string) => void;
  readonly print: (line: string) => void;
};

/** One of several programs on a database: drives the floor whenever no other does, until it is told to end. */
export async function asNode(wants: Wants, run: Life): Promise<void> {
  const { address, kept, lasts, stop, floor, say, print } = wants;
  let isAway = false;
  const member = await Member.on({
    store: address,
    lasts,
    far: (by) => say(by === undefined ? near : far(by)),
    trouble: (error) => {
      if (!isAway) say(`the database does not answer: ${(error as Error).message}`);
      isAway = true;
    },
    answered: () => {
      if (isAway) say('the database answers again.');
      isAway = false;
    },
  });
  try {
    for (;;) {
      const { holder } = member;
      if (holder) {
        refuseUnready(kept);
        const at = holder.address === '' ? '' : ` at ${holder.address}`;
        print(`${floor} is run by node ${holder.node}${at}; this one, node ${member.id}, waits to take over.`);
      }
      if (!(await member.taken(stop))) return;
      const opened = await openDatabase(address, kept);
      let lose: (error: unknown) => void = () => {};
      const store = await member.drives(opened, (error) => lose(error));
      if (store === undefined) {
        await opened.close();
        continue;
      }
      try {
        await run(store, {
          opened: (where) => void (member.address = where),
          isLost: (hear) => void (lose = hear),
        });
        return;
      } catch (error) {
        if (error instanceof Stop || stop.aborted || !(await member.isTakenOver())) throw error;
        say(`another node drives the floor by now (${(error as Error).message.replace(/\.$/, '')}).`);
      }
    }
  } finally {
    await member.leave();
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
