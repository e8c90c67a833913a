import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/base/schema.ts';
import { tableCommands } from '../../../src/table/schema/commands.ts';
import { reportableIrregularityKinds } from '../../../src/table/schema/fieldTypes.ts';
import { sources } from '../../architecture/sources.ts';

/** The sentences in string literals and templates of a file; a value in a template is `_`. */
function sentencesIn(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isObject(node) || Array.isArray(node)) return;
    if (node['type'] === 'Literal' && typeof node['value'] === 'string') found.push(node['value']);
    if (node['type'] === 'TemplateLiteral') {
      const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
      found.push(quasis.map(({ value }) => value.cooked).join('_'));
    }
    for (const one of Object.values(node)) visit(one);
  };
  visit(parseSync(path, text).program);
  return found.filter((one) => one.includes(' '));
}

const sentences = sources('src/table/decide/**/*.ts').flatMap(({ path, text }) => sentencesIn(path, text));

/** Decisions of the Gaming Shift Manager. */
const decisions = ['stand', 'continue', 'void', 'burn'];

test('refusals of a table name only commands that exist', () => {
  const named = sentences.flatMap((sentence) => sentence.match(/\b(?:[A-Z][a-z]+){2,}\b/g) ?? []);
  expect(named).toContain('ConfirmRuling');
  expect(named.filter((name) => !Object.hasOwn(tableCommands, name))).toEqual([]);
});

test('refusals of a table quote only fields, decisions and kinds of irregularity that exist', () => {
  const quoted = sentences.flatMap((sentence) => [...sentence.matchAll(/"([a-z][\w-]*)"/g)].map(([, name]) => name!));
  const known = new Set<string>([
    ...Object.values(tableCommands).flatMap(({ fields }) => Object.keys(fields)),
    ...reportableIrregularityKinds,
    ...decisions,
  ]);
  expect(quoted).toContain('unseen');
  expect(quoted.filter((name) => !known.has(name))).toEqual([]);
});
