/** An event as a record holds it: flat, with the version of its form. */
export type Recorded = { readonly type: string; readonly v: number; readonly at: number };

/** Steps from each form of an event to the next, by its type: the first brings version 1 to version 2. */
export type Upgrades = { readonly [type: string]: readonly ((event: Recorded) => Recorded)[] };

/** An event that this program cannot read. */
export class UnknownForm extends Error {}

/** An event of any form that was ever written, in the form of today. */
export function upToDate(event: Recorded, upgrades: Upgrades): Recorded {
  const steps = Object.hasOwn(upgrades, event.type) ? upgrades[event.type]! : [];
  if (!Number.isInteger(event.v) || event.v < 1 || event.v > steps.length + 1) {
    throw new UnknownForm(
      `${event.type} is of version ${event.v}, and this program knows versions up to ${steps.length + 1}`,
    );
  }
  return steps.slice(event.v - 1).reduce((older, step) => step(older), event);
}
