import { fields } from './state.ts';

export type FieldSpec = {
  readonly name: string;
  readonly accepts: 'digits' | 'money' | 'number' | 'text';
  readonly maxLength: number;
};

const allowed = {
  digits: /^\d$/,
  money: /^[\d.]$/,
  number: /^[A-Za-z0-9-]$/,
  text: /^[\p{L}\p{N} ./#-]$/u,
} as const;

/** Types into the active field; characters that the field does not allow are ignored. */
export function typeCharacter(specs: readonly FieldSpec[], char: string): void {
  const { active, values } = fields.value;
  const spec = specs.find(({ name }) => name === active) ?? specs[0];
  if (spec === undefined || !allowed[spec.accepts].test(char)) return;
  const before = values[spec.name] ?? '';
  if (before.length >= spec.maxLength) return;
  const character = spec.accepts === 'number' ? char.toUpperCase() : char;
  fields.value = { active: spec.name, values: { ...values, [spec.name]: before + character } };
}

/** True when there was a character to delete. */
export function deleteCharacter(specs: readonly FieldSpec[]): boolean {
  const { active, values } = fields.value;
  const name = active === '' ? (specs[0]?.name ?? '') : active;
  const before = values[name] ?? '';
  if (before === '') return false;
  fields.value = { active: name, values: { ...values, [name]: before.slice(0, -1) } };
  return true;
}

/** Activates the next or previous field. */
export function moveFocus(specs: readonly FieldSpec[], by: 1 | -1): void {
  const { active, values } = fields.value;
  const index = specs.findIndex(({ name }) => name === active);
  const next = specs[(Math.max(0, index) + by + specs.length) % specs.length];
  if (next !== undefined) fields.value = { active: next.name, values };
}

/** Activates the first empty field. True when there is one. */
export function focusFirstEmpty(specs: readonly FieldSpec[]): boolean {
  const { values } = fields.value;
  const empty = specs.find(({ name }) => (values[name] ?? '') === '');
  if (empty !== undefined) fields.value = { active: empty.name, values };
  return empty !== undefined;
}

/** Fills the active field with a whole text, as a scanner gives it, and moves on. */
export function fillField(specs: readonly FieldSpec[], text: string): void {
  const { active, values } = fields.value;
  const spec = specs.find(({ name }) => name === active) ?? specs[0];
  if (spec === undefined) return;
  fields.value = { active: spec.name, values: { ...values, [spec.name]: text.slice(0, spec.maxLength) } };
  focusFirstEmpty(specs);
}

export function focusField(name: string): void {
  fields.value = { ...fields.value, active: name };
}
