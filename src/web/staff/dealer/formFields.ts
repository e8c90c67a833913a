import { fields } from './state.ts';

export type Spec = {
  readonly name: string;
  readonly takes: 'digits' | 'money' | 'number' | 'text';
  readonly most: number;
};

const allowed = {
  digits: /^\d$/,
  money: /^[\d.]$/,
  number: /^[A-Za-z0-9-]$/,
  text: /^[\p{L}\p{N} ./#-]$/u,
} as const;

/** Types into the active field; characters that the field does not allow are ignored. */
export function typeInto(specs: readonly Spec[], char: string): void {
  const { on, values } = fields.value;
  const spec = specs.find(({ name }) => name === on) ?? specs[0];
  if (spec === undefined || !allowed[spec.takes].test(char)) return;
  const before = values[spec.name] ?? '';
  if (before.length >= spec.most) return;
  const letter = spec.takes === 'number' ? char.toUpperCase() : char;
  fields.value = { on: spec.name, values: { ...values, [spec.name]: before + letter } };
}

/** True when there was a character to delete. */
export function deleteLetter(specs: readonly Spec[]): boolean {
  const { on, values } = fields.value;
  const name = on === '' ? (specs[0]?.name ?? '') : on;
  const before = values[name] ?? '';
  if (before === '') return false;
  fields.value = { on: name, values: { ...values, [name]: before.slice(0, -1) } };
  return true;
}

/** Activates the next or previous field. */
export function moveIn(specs: readonly Spec[], by: 1 | -1): void {
  const { on, values } = fields.value;
  const at = specs.findIndex(({ name }) => name === on);
  const to = specs[(Math.max(0, at) + by + specs.length) % specs.length];
  if (to !== undefined) fields.value = { on: to.name, values };
}

/** Activates the first empty field. True when there is one. */
export function toEmpty(specs: readonly Spec[]): boolean {
  const { values } = fields.value;
  const empty = specs.find(({ name }) => (values[name] ?? '') === '');
  if (empty !== undefined) fields.value = { on: empty.name, values };
  return empty !== undefined;
}

/** Fills the active field with a whole text, as a scanner gives it, and moves on. */
export function fillIn(specs: readonly Spec[], text: string): void {
  const { on, values } = fields.value;
  const spec = specs.find(({ name }) => name === on) ?? specs[0];
  if (spec === undefined) return;
  fields.value = { on: spec.name, values: { ...values, [spec.name]: text.slice(0, spec.most) } };
  toEmpty(specs);
}

export function focusOn(name: string): void {
  fields.value = { ...fields.value, on: name };
}
