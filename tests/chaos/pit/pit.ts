import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { demoPin } from '../../../src/runtime/staff/initialStaff.ts';
import { type TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { dealerAct, seldom, supervisorAct } from './acts.ts';
import { Door, type DoorParts } from './door.ts';
import { Felt } from './felt.ts';
import { cashierWish, signs } from './cage.ts';
import { type Place, type Wish, Worker, isLetIn } from './worker.ts';

type Parts = DoorParts & {
  readonly luck: (of: string) => RandomSource;
  /** The tables that people deal at. */
  readonly tables: readonly string[];
  /** Tickets that lie about. */
  readonly tickets: readonly string[];
};

const minute = 60_000;
const wrongPin = '135791';

/** The people of a floor in a storm: they deal, rule, decide and pay, and err, sign out and quarrel. */
export class Pit {
  readonly #parts: Parts & { readonly door: Door };
  readonly #chance: RandomSource;
  readonly #felts: ReadonlyMap<string, Felt>;
  readonly #dealers: Worker[];
  readonly #workers: Worker[];
  /** Who is enrolled while the storm goes on, and by which number. */
  readonly #toEnrol = [
    ['D-3', 'dealer'],
    ['D-4', 'dealer'],
    ['C-2', 'cage'],
  ] as [number: string, post: string][];
  #isCalm = false;

  constructor(parts: Parts) {
    const { tables, luck } = parts;
    this.#parts = { ...parts, door: new Door(parts) };
    this.#chance = luck('pit');
    this.#felts = new Map(tables.map((table) => [table, new Felt(luck(`felt ${table}`))]));
    this.#dealers = ['D-1', 'D-2'].map((number, place) => this.#dealer(number, demoPin, tables[place]));
    const others = (['S-1', 'S-2', 'M-1', 'G-1'] as const).map((number) => this.#somebody(number));
    const cashier = this.#worker('C-1', consoleOf('cage'), () => this.#cashes());
    const administrator = this.#worker('N-1', 'click', (worker) => this.#administers(worker));
    this.#workers = [...this.#dealers, ...others, cashier, administrator];
    this.#guess();
  }

  /** From now on everybody brings to an end what has begun, and errs no more. */
  calm(): void {
    this.#isCalm = true;
  }

  /** Nothing waits for anybody any more. */
  get isAtRest(): boolean {
    const { door, tables } = this.#parts;
    const isIdle = (table: TableRuntime | undefined): boolean => {
      const { phase, pendingSettlements: jobs, openIrregularities: held, referrals } = table!.table;
      return phase === 'idle' && [jobs, held, referrals].every((list) => list.length === 0);
    };
    const floor = door.floor;
    return (
      floor !== undefined &&
      this.#workers.every(({ isWaiting }) => !isWaiting) &&
      tables.every((id) => isIdle(floor.tables.get(id)))
    );
  }

  #worker(number: string, place: Place | undefined, wish: (worker: Worker) => Wish | undefined, pin = demoPin): Worker {
    const { door, time, luck } = this.#parts;
    return new Worker(number, pin, place, { door, time, chance: luck(number), isCalm: () => this.#isCalm }, wish);
  }

  #dealer(number: string, pin: string, table: string | undefined): Worker {
    return this.#worker(
      number,
      table === undefined ? undefined : consoleAt(table),
      (worker) => this.#deals(worker),
      pin,
    );
  }

  #somebody(number: 'S-1' | 'S-2' | 'M-1' | 'G-1'): Worker {
    const rank = { S: 1, M: 2, G: 3 }[number[0] as 'S' | 'M' | 'G'];
    return this.#worker(number, 'click', (worker) => this.#supervises(worker, rank));
  }

  // What each does.

  #sightOf(table: string, chance: RandomSource) {
    const state = this.#parts.door.floor?.tables.get(table);
    if (!state?.isOpen) return undefined;
    const now = this.#parts.time.now;
    return { table: state.table, felt: this.#felts.get(table)!, chance, now, isCalm: this.#isCalm };
  }

  #deals(worker: Worker): Wish | undefined {
    const { chance, place, role } = worker;
    if (role === 'supervisor') return this.#supervises(worker, 1);
    if (place === undefined || place === 'click') return undefined;
    const table = place.table!;
    const sight = this.#sightOf(table, chance);
    if (sight === undefined) return undefined;
    if (!this.#isCalm && seldom(chance, 60) && this.#relieved(worker, place)) return undefined;
    const { proposal } = sight.table;
    const isOwn = proposal !== null && 'person' in proposal.actor && proposal.actor.person === worker.person;
    if (isOwn && seldom(chance, 3)) {
      const { id, hash } = proposal;
      const number = ['S-1', 'S-2', 'M-1', 'G-1', worker.number][chance.below(5)]!;
      return { type: 'consent', table, proposal: id, hash, number, pin: seldom(chance, 8) ? wrongPin : demoPin };
    }
    const request = dealerAct(sight);
    return request && ({ type: 'command', table, request } as Wish);
  }

  /** Somebody who has nothing to do takes over. */
  #relieved(worker: Worker, place: Place): boolean {
    const { chance, pass } = worker;
    const free = this.#dealers.find((one) => one.place === undefined && one.pin !== '');
    if (free === undefined || pass === undefined) return false;
    const pin = seldom(chance, 6) ? wrongPin : free.pin;
    worker.request(
      (people) => people.signIns.relieve(pass.session, { number: free.number, pin }),
      (answer) => {
        if (!isLetIn(answer) || free.place !== undefined) return;
        free.takeOver({ token: answer.token, session: answer.session.id }, place);
        worker.leave();
      },
    );
    return true;
  }

  #supervises(worker: Worker, rank: number): Wish | undefined {
    const { tables, door } = this.#parts;
    const { chance } = worker;
    const floor = door.floor!;
    if (!this.#isCalm && rank > 1 && seldom(chance, 30)) return this.#posts(floor, rank);
    if (rank === 1 && seldom(chance, this.#isCalm ? 40 : 6)) {
      const signed = signs(floor, chance, seldom(chance, 8) ? wrongPin : demoPin);
      if (signed) return signed;
    }
    const table = tables[chance.below(tables.length)]!;
    const sight = this.#sightOf(table, chance);
    const request = sight && supervisorAct(sight, worker.person ?? '', rank);
    return request && ({ type: 'command', table, request } as Wish);
  }

  /** A higher post is lent for a while, or taken back. */
  #posts(floor: FloorRuntime, rank: number): Wish | undefined {
    const { time } = this.#parts;
    const chance = this.#chance;
    const [given] = Object.keys(floor.staff.state!.acting);
    if (given !== undefined && seldom(chance, 2))
      return { type: 'staff', request: { type: 'EndActingRole', acting: given } };
    const worker =
      rank === 3 && seldom(chance, 2)
        ? this.#workers.find(({ number }) => number === 'S-1')!
        : this.#dealers[chance.below(this.#dealers.length)]!;
    const as = worker.number.startsWith('S') ? 'pit-manager' : 'supervisor';
    const from = time.now;
    // Whoever stands at no table acts in it.
    if (worker.place === undefined && as === 'supervisor' && worker.person !== undefined) {
      worker.role = 'supervisor';
      worker.place = 'click';
      time.after(4 * minute, () => {
        if (worker.place !== 'click') return;
        worker.role = undefined;
        worker.leave();
      });
    }
    return {
      type: 'staff',
      request: {
        type: 'GrantActingRole',
        person: worker.person ?? 'p0',
        as,
        from,
        until: from + minute + chance.below(3 * minute),
      },
    };
  }

  #cashes(): Wish | undefined {
    const { door, tickets } = this.#parts;
    return cashierWish(door.floor!, tickets, this.#chance, this.#isCalm);
  }

  /** People are enrolled and get their PINs; then sessions are ended, and posts change hands. */
  #administers(worker: Worker): Wish | undefined {
    const { door } = this.#parts;
    const { chance } = worker;
    const people = door.floor!.staff.state!;
    const [next] = this.#toEnrol;
    if (next) {
      const [number, post] = next;
      const person = people.numbers[number];
      if (person === undefined) return { type: 'staff', request: { type: 'EnrolPerson', number, roles: [post] } };
      if (post === 'cage') {
        this.#toEnrol.shift();
        this.#workers.push(this.#worker(number, 'click', () => this.#cashes()));
        return undefined;
      }
      worker.ask({ type: 'staff', request: { type: 'SetSecret', person, kind: 'pin' } }, (answer) => {
        if (!('data' in answer) || !this.#toEnrol.includes(next)) return;
        this.#toEnrol.shift();
        const dealer = this.#dealer(number, String(answer.data['secret']), undefined);
        this.#dealers.push(dealer);
        this.#workers.push(dealer);
      });
      return undefined;
    }
    if (this.#isCalm || !seldom(chance, 12)) return undefined;
    const sessions = Object.keys(people.sessions);
    const person = people.numbers['S-2']!;
    const roles = people.members[person]!.roles[0] === 'supervisor' ? ['dealer'] : ['supervisor'];
    if (seldom(chance, 5)) return { type: 'staff', request: { type: 'EndPerson', person: worker.person } };
    if (seldom(chance, 2)) return { type: 'staff', request: { type: 'ChangeRoles', person, roles } };
    const session = sessions[chance.below(sessions.length)]!;
    return { type: 'staff', request: { type: 'SignOut', session, reason: 'ended' } };
  }

  /** Somebody at a console who tries PINs for the number of another. */
  #guess(): void {
    const { door, time } = this.#parts;
    const chance = this.#chance;
    time.after(minute + chance.below(2 * minute), () => {
      if (this.#isCalm) return;
      const { number } = this.#workers[chance.below(this.#workers.length)]!;
      for (let n = 1 + chance.below(6); n > 0; n--)
        door.request(
          (people) => people.signIns.signIn({ number, secret: wrongPin, kind: 'pin', console: 'c1' }),
          () => {},
        );
      this.#guess();
    });
  }
}

const consoleOf = (kind: string): Place => ({
  console: ({ staff }) => Object.values(staff.state!.consoles).find((one) => one.kind === kind)?.console,
});
const consoleAt = (table: string): Place => ({
  table,
  console: ({ staff }) => Object.values(staff.state!.consoles).find((one) => one.table === table)?.console,
});
