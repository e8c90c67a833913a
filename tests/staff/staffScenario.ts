import { staffDecider } from '../../src/deciders/deciders.ts';
import { type StaffEvent } from '../../src/staff/events.ts';
import { type StaffRegisterRefusal } from '../../src/staff/decision.ts';
import { type StaffState } from '../../src/staff/state.ts';
import { assert } from '../../src/base/assert.ts';
import { type Refusal, isRefused } from '../../src/base/refusal.ts';
import { type Actor } from '../../src/access/actor.ts';

export const floor: Actor = { system: 'floor' };
export const mark = 'ab'.repeat(16);
export const hash = `sha256:${'0'.repeat(64)}`;

type Fields = { readonly [field: string]: unknown };

/** Staff register of a test, with a clock that the test moves. */
export class StaffScenario {
  state: StaffState | undefined;
  at = 1_000;

  /** Decides a command and applies its events, or returns the refusal. */
  submit(
    type: string,
    fields: Fields = {},
    actor: Actor = floor,
  ): readonly StaffEvent[] | StaffRegisterRefusal | Refusal {
    const command = staffDecider.parseCommand({ type, at: this.at, actor, ...fields });
    if (isRefused(command)) return command;
    const decision = staffDecider.decide(command, structuredClone(this.state));
    if (!('refused' in decision) && decision.length === 0)
      throw new Error(`${command.type} is accepted without an event`);
    if (isRefused(decision)) return decision;
    for (const event of decision) this.state = staffDecider.evolve(this.state, event);
    return decision;
  }

  /** The same, but throws on a refusal. */
  apply(type: string, fields?: Fields, who?: Actor): readonly StaffEvent[] {
    const decision = this.submit(type, fields, who);
    if (isRefused(decision)) throw new Error(`${type}: ${decision.message}`);
    return decision;
  }

  /** The code of the expected refusal. */
  refusalOf(type: string, fields?: Fields, who?: Actor): string {
    const decision = this.submit(type, fields, who);
    assert(isRefused(decision), `${type} is refused`);
    return decision.refused;
  }

  /** The types of the events. */
  types(type: string, fields?: Fields, who?: Actor): readonly string[] {
    return this.apply(type, fields, who).map((event) => event.type);
  }
}

export const admin = { person: 'p1', role: 'administrator' } as const;
export const dealer = { person: 'p2', role: 'dealer' } as const;
export const supervisor = { person: 'p3', role: 'supervisor' } as const;
export const manager = { person: 'p4', role: 'gaming-shift-manager' } as const;
/** Supervises and works at the cage. */
export const both = { person: 'p5', role: 'supervisor' } as const;

/**
 * A property with an administrator, a dealer, a supervisor, a shift manager and a person with two roles; a dealer's
 * console and a floor console.
 */
export function staffScenario(demo = false): StaffScenario {
  const one = new StaffScenario();
  one.apply('StartStaffRegister', { property: 'p', currency: 'SGD', demo });
  one.apply('EnrolPerson', { number: 'N-1', roles: ['administrator'] });
  for (const [number, ...roles] of [
    ['D-1', 'dealer'],
    ['S-1', 'supervisor'],
    ['G-1', 'gaming-shift-manager'],
    ['S-2', 'cage', 'supervisor'],
  ]) {
    one.apply('EnrolPerson', { number, roles }, admin);
  }
  one.apply('EnrolConsole', { kind: 'dealer', table: 'L1' }, admin);
  one.apply('EnrolConsole', { kind: 'floor', table: null }, admin);
  return one;
}

/** Fields of a sign-in with the right secret. */
export const signInFields = (number: string, more: Fields = {}): Fields => ({
  number,
  by: 'password',
  right: true,
  console: null,
  ...more,
});
