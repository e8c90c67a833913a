import { staffDecider } from '../../src/deciders/deciders.ts';
import { type PeopleEvent, type PeopleRefusal } from '../../src/staff/commands.ts';
import { type StaffState } from '../../src/staff/state.ts';
import { assert } from '../../src/base/assert.ts';
import { type Refusal, isRefused } from '../../src/base/refusal.ts';
import { type Actor } from '../../src/access/actor.ts';

export const floor: Actor = { system: 'floor' };
export const mark = 'ab'.repeat(16);
export const hash = `sha256:${'0'.repeat(64)}`;

type Fields = { readonly [field: string]: unknown };

/** A register in the hands of a test, at a time that it moves. */
export class Made {
  people: StaffState | undefined;
  at = 1_000;

  /** What somebody asks leads to: events that are taken in, or a refusal. */
  ask(type: string, fields: Fields = {}, who: Actor = floor): readonly PeopleEvent[] | PeopleRefusal | Refusal {
    const command = staffDecider.commandFrom({ type, at: this.at, who, ...fields });
    if (isRefused(command)) return command;
    const decision = staffDecider.decide(command, structuredClone(this.people));
    if (isRefused(decision)) return decision;
    for (const event of decision) this.people = staffDecider.evolve(this.people, event);
    return decision;
  }

  /** The same where it must come to something; gives the events. */
  does(type: string, fields?: Fields, who?: Actor): readonly PeopleEvent[] {
    const done = this.ask(type, fields, who);
    if (isRefused(done)) throw new Error(`${type}: ${done.message}`);
    return done;
  }

  /** Why it comes to nothing. */
  refuses(type: string, fields?: Fields, who?: Actor): string {
    const done = this.ask(type, fields, who);
    assert(isRefused(done), `${type} is refused`);
    return done.refused;
  }

  /** The types of what it leads to. */
  types(type: string, fields?: Fields, who?: Actor): readonly string[] {
    return this.does(type, fields, who).map((event) => event.type);
  }
}

export const admin = { person: 'p1', post: 'administrator' } as const;
export const dealer = { person: 'p2', post: 'dealer' } as const;
export const supervisor = { person: 'p3', post: 'supervisor' } as const;
export const manager = { person: 'p4', post: 'gaming-shift-manager' } as const;
/** Supervises and works at the cage. */
export const both = { person: 'p5', post: 'supervisor' } as const;

/** A property with an administrator, a dealer, a supervisor, a shift manager and one of two posts; a dealer's console and one of the floor. */
export function made(demo = false): Made {
  const one = new Made();
  one.does('BeginPeople', { property: 'p', currency: 'SGD', demo });
  one.does('EnrolPerson', { number: 'N-1', posts: ['administrator'] });
  for (const [number, ...posts] of [
    ['D-1', 'dealer'],
    ['S-1', 'supervisor'],
    ['G-1', 'gaming-shift-manager'],
    ['S-2', 'cage', 'supervisor'],
  ]) {
    one.does('EnrolPerson', { number, posts }, admin);
  }
  one.does('EnrolConsole', { kind: 'dealer', table: 'L1' }, admin);
  one.does('EnrolConsole', { kind: 'floor', table: null }, admin);
  return one;
}

/** Somebody who signs in with the right secret. */
export const signs = (number: string, more: Fields = {}): Fields => ({
  number,
  by: 'password',
  right: true,
  console: null,
  ...more,
});
