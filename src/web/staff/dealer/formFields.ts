import { formFields } from './state.ts';

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

/**
 * Types a character into the active field. A character that the field does not accept, or that exceeds its length, is
 * ignored.
 */
export function typeFieldCharacter(specs: readonly FieldSpec[], char: string): void {
  const { active, values } = formFields.value;
  const spec = specs.find(({ name }) => name === active) ?? specs[0];
  if (spec === undefined || !allowed[spec.accepts].test(char)) return;
  const before = values[spec.name] ?? '';
  if (before.length >= spec.maxLength) return;
  const character = spec.accepts === 'number' ? char.toUpperCase() : char;
  formFields.value = { active: spec.name, values: { ...values, [spec.name]: before + character } };
}

/** Deletes the last character of the active field. Returns false when the field is empty already. */
export function deleteFieldCharacter(specs: readonly FieldSpec[]): boolean {
  const { active, values } = formFields.value;
  const name = active === '' ? (specs[0]?.name ?? '') : active;
  const before = values[name] ?? '';
  if (before === '') return false;
  formFields.value = { active: name, values: { ...values, [name]: before.slice(0, -1) } };
  return true;
}

export function moveActiveField(specs: readonly FieldSpec[], by: 1 | -1): void {
  const { active, values } = formFields.value;
  const index = specs.findIndex(({ name }) => name === active);
  const next = specs[(Math.max(0, index) + by + specs.length) % specs.length];
  if (next !== undefined) formFields.value = { active: next.name, values };
}

/** Activates the first empty field. Returns false when no field is empty. */
export function activateFirstEmptyField(specs: readonly FieldSpec[]): boolean {
  const { values } = formFields.value;
  const empty = specs.find(({ name }) => (values[name] ?? '') === '');
  if (empty !== undefined) formFields.value = { active: empty.name, values };
  return empty !== undefined;
}

/** Fills the active field with a scanned text. The first empty field, if there is one, then becomes active. */
export function fillActiveFieldAndAdvance(specs: readonly FieldSpec[], text: string): void {
  const { active, values } = formFields.value;
  const spec = specs.find(({ name }) => name === active) ?? specs[0];
  if (spec === undefined) return;
  formFields.value = { active: spec.name, values: { ...values, [spec.name]: text.slice(0, spec.maxLength) } };
  activateFirstEmptyField(specs);
}

export function activateField(name: string): void {
  formFields.value = { ...formFields.value, active: name };
}
