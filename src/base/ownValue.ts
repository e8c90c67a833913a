/** The value of an own property; inherited names such as `constructor` give undefined. */
export const ownValue = <T>(record: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
