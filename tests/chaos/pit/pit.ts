import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { demoPin } from '../../../src/runtime/staff/initialStaff.ts';
import { type TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { dealerAction, oneIn, supervisorAction } from './tableActions.ts';
import { StaffPort, type StaffPortOptions } from './staffPort.ts';
import { PhysicalCards } from './physicalCards.ts';
import { cashierRequest, handPayRequest } from './cageRequests.ts';
import { type Workplace, type NewRequest, StaffMember, isSignInResult } from './staffMember.ts';

type PitOptions = StaffPortOptions & {
  readonly randomFor: (of: string) => RandomSource;
  /** Attended tables. */
  readonly tables: readonly string[];
  /** Lost tickets. */
  readonly tickets: readonly string[];
};

const minute = 60_000;
const wrongPin = '135791';

/** Staff of a floor under faults: they deal, rule, decide and pay, and also err, sign out and disagree. */
export class Pit {
  readonly #options: PitOptions & { readonly port: StaffPort };
  readonly #random: RandomSource;
  readonly #felts: ReadonlyMap<string, PhysicalCards>;
  readonly #dealers: StaffMember[];
  readonly #staff: StaffMember[];
  /** Numbers and roles to be enrolled during the run. */
  readonly #toEnrol = [
    ['D-3', 'dealer'],
    ['D-4', 'dealer'],
    ['C-2', 'cage'],
  ] as [number: string, role: string][];
  #isFinishing = false;

  constructor(options: PitOptions) {
    const { tables, randomFor } = options;
    this.#options = { ...options, port: new StaffPort(options) };
    this.#random = randomFor('pit');
    this.#felts = new Map(tables.map((table) => [table, new PhysicalCards(randomFor(`felt ${table}`))]));
    this.#dealers = ['D-1', 'D-2'].map((number, workplace) => this.#createDealer(number, demoPin, tables[workplace]));
    const others = (['S-1', 'S-2', 'M-1', 'G-1'] as const).map((number) => this.#createSupervisor(number));
    const cashier = this.#createStaff('C-1', consoleOf('cage'), () => this.#cashierRequest());
    const administrator = this.#createStaff('N-1', 'click', (member) => this.#administratorRequest(member));
    this.#staff = [...this.#dealers, ...others, cashier, administrator];
    this.#tryWrongPins();
  }

  /** From now on the staff finish what is open and make no errors. */
  finish(): void {
    this.#isFinishing = true;
  }

  /** True when no table and no staff member waits for anything. */
  get isIdle(): boolean {
    const { port, tables } = this.#options;
    const isTableIdle = (table: TableRuntime | undefined): boolean => {
      const { phase, pendingSettlements: jobs, openIrregularities, referrals } = table!.table;
      return phase === 'idle' && [jobs, openIrregularities, referrals].every((list) => list.length === 0);
    };
    const floor = port.floor;
    return (
      floor !== undefined &&
      this.#staff.every(({ hasPending }) => !hasPending) &&
      tables.every((id) => isTableIdle(floor.tables.get(id)))
    );
  }

  #createStaff(
    number: string,
    workplace: Workplace | undefined,
    nextRequest: (member: StaffMember) => NewRequest | undefined,
    pin = demoPin,
  ): StaffMember {
    const { port, time, randomFor } = this.#options;
    return new StaffMember(
      number,
      pin,
      workplace,
      { port, time, random: randomFor(number), isFinishing: () => this.#isFinishing },
      nextRequest,
    );
  }

  #createDealer(number: string, pin: string, table: string | undefined): StaffMember {
    return this.#createStaff(
      number,
      table === undefined ? undefined : consoleAt(table),
      (member) => this.#dealerRequest(member),
      pin,
    );
  }

  #createSupervisor(number: 'S-1' | 'S-2' | 'M-1' | 'G-1'): StaffMember {
    const rank = { S: 1, M: 2, G: 3 }[number[0] as 'S' | 'M' | 'G'];
    return this.#createStaff(number, 'click', (member) => this.#supervisorRequest(member, rank));
  }

  // Requests by role.

  #situationOf(table: string, random: RandomSource) {
    const state = this.#options.port.floor?.tables.get(table);
    if (!state?.isOpen) return undefined;
    const now = this.#options.time.now;
    return { table: state.table, felt: this.#felts.get(table)!, random, now, isFinishing: this.#isFinishing };
  }

  #dealerRequest(member: StaffMember): NewRequest | undefined {
    const { random, workplace, role } = member;
    if (role === 'supervisor') return this.#supervisorRequest(member, 1);
    if (workplace === undefined || workplace === 'click') return undefined;
    const table = workplace.table!;
    const situation = this.#situationOf(table, random);
    if (situation === undefined) return undefined;
    if (!this.#isFinishing && oneIn(random, 60) && this.#relieve(member, workplace)) return undefined;
    const { proposal } = situation.table;
    const isOwn = proposal !== null && 'person' in proposal.actor && proposal.actor.person === member.person;
    if (isOwn && oneIn(random, 3)) {
      const { id, hash } = proposal;
      const number = ['S-1', 'S-2', 'M-1', 'G-1', member.number][random.below(5)]!;
      return { type: 'consent', table, proposal: id, hash, number, pin: oneIn(random, 8) ? wrongPin : demoPin };
    }
    const request = dealerAction(situation);
    return request && ({ type: 'command', table, request } as NewRequest);
  }

  /** A free dealer takes over by relief. */
  #relieve(member: StaffMember, workplace: Workplace): boolean {
    const { random, credentials } = member;
    const free = this.#dealers.find((dealer) => dealer.workplace === undefined && dealer.pin !== '');
    if (free === undefined || credentials === undefined) return false;
    const pin = oneIn(random, 6) ? wrongPin : free.pin;
    member.request(
      (staffState) => staffState.signIns.relieve(credentials.session, { number: free.number, pin }),
      (answer) => {
        if (!isSignInResult(answer) || free.workplace !== undefined) return;
        free.takeOver({ token: answer.token, session: answer.session.id }, workplace);
        member.leave();
      },
    );
    return true;
  }

  #supervisorRequest(member: StaffMember, rank: number): NewRequest | undefined {
    const { tables, port } = this.#options;
    const { random } = member;
    const floor = port.floor!;
    if (!this.#isFinishing && rank > 1 && oneIn(random, 30)) return this.#actingRoleRequest(floor, rank);
    if (rank === 1 && oneIn(random, this.#isFinishing ? 40 : 6)) {
      const signed = handPayRequest(floor, random, oneIn(random, 8) ? wrongPin : demoPin);
      if (signed) return signed;
    }
    const table = tables[random.below(tables.length)]!;
    const situation = this.#situationOf(table, random);
    const request = situation && supervisorAction(situation, member.person ?? '', rank);
    if (request?.type === 'Approve') {
      const { proposal, hash } = request as unknown as { readonly proposal: string; readonly hash: string };
      const pin = oneIn(random, 20) ? wrongPin : demoPin;
      return { type: 'consent', table, proposal, hash, number: member.number, pin };
    }
    return request && ({ type: 'command', table, request } as NewRequest);
  }

  /** Grants or ends an acting role. */
  #actingRoleRequest(floor: FloorRuntime, rank: number): NewRequest | undefined {
    const { time } = this.#options;
    const random = this.#random;
    const [granted] = Object.keys(floor.staff.state!.acting);
    if (granted !== undefined && oneIn(random, 2))
      return { type: 'staff', request: { type: 'EndActingRole', acting: granted } };
    const member =
      rank === 3 && oneIn(random, 2)
        ? this.#staff.find(({ number }) => number === 'S-1')!
        : this.#dealers[random.below(this.#dealers.length)]!;
    const as = member.number.startsWith('S') ? 'pit-manager' : 'supervisor';
    const from = time.now;
    // A dealer without a table uses the acting role.
    if (member.workplace === undefined && as === 'supervisor' && member.person !== undefined) {
      member.role = 'supervisor';
      member.workplace = 'click';
      time.after(4 * minute, () => {
        if (member.workplace !== 'click') return;
        member.role = undefined;
        member.leave();
      });
    }
    return {
      type: 'staff',
      request: {
        type: 'GrantActingRole',
        person: member.person ?? 'p0',
        as,
        from,
        until: from + minute + random.below(3 * minute),
      },
    };
  }

  #cashierRequest(): NewRequest | undefined {
    const { port, tickets } = this.#options;
    return cashierRequest(port.floor!, tickets, this.#random, this.#isFinishing);
  }

  /** Enrols staff and sets their PINs; then ends sessions and changes roles. */
  #administratorRequest(member: StaffMember): NewRequest | undefined {
    const { port } = this.#options;
    const { random } = member;
    const staffState = port.floor!.staff.state!;
    const [next] = this.#toEnrol;
    if (next) {
      const [number, role] = next;
      const person = staffState.numbers[number];
      if (person === undefined) return { type: 'staff', request: { type: 'EnrolPerson', number, roles: [role] } };
      if (role === 'cage') {
        this.#toEnrol.shift();
        this.#staff.push(this.#createStaff(number, 'click', () => this.#cashierRequest()));
        return undefined;
      }
      member.sendRequest({ type: 'staff', request: { type: 'SetSecret', person, kind: 'pin' } }, (answer) => {
        if (!('data' in answer) || !this.#toEnrol.includes(next)) return;
        this.#toEnrol.shift();
        const dealer = this.#createDealer(number, String(answer.data['secret']), undefined);
        this.#dealers.push(dealer);
        this.#staff.push(dealer);
      });
      return undefined;
    }
    if (this.#isFinishing || !oneIn(random, 12)) return undefined;
    const sessions = Object.keys(staffState.sessions);
    const person = staffState.numbers['S-2']!;
    const roles = staffState.members[person]!.roles[0] === 'supervisor' ? ['dealer'] : ['supervisor'];
    if (oneIn(random, 5)) return { type: 'staff', request: { type: 'EndPerson', person: member.person } };
    if (oneIn(random, 2)) return { type: 'staff', request: { type: 'ChangeRoles', person, roles } };
    const session = sessions[random.below(sessions.length)]!;
    return { type: 'staff', request: { type: 'SignOut', session, reason: 'ended' } };
  }

  /** Tries wrong PINs for another's number at a console. */
  #tryWrongPins(): void {
    const { port, time } = this.#options;
    const random = this.#random;
    time.after(minute + random.below(2 * minute), () => {
      if (this.#isFinishing) return;
      const { number } = this.#staff[random.below(this.#staff.length)]!;
      for (let n = 1 + random.below(6); n > 0; n--)
        port.request(
          (staffState) => staffState.signIns.signIn({ number, secret: wrongPin, kind: 'pin', console: 'c1' }),
          () => {},
        );
      this.#tryWrongPins();
    });
  }
}

const consoleOf = (kind: string): Workplace => ({
  console: ({ staff }) => Object.values(staff.state!.consoles).find((member) => member.kind === kind)?.console,
});
const consoleAt = (table: string): Workplace => ({
  table,
  console: ({ staff }) => Object.values(staff.state!.consoles).find((member) => member.table === table)?.console,
});
