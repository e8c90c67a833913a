import { countText } from '../../base/countText.ts';
import { type Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ParseError, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { type PropertyIssue, type Property, parseProperty } from '../../property/property.ts';
import { formatPath } from '../../base/schema.ts';
import { CliError } from './cliError.ts';
import { readTextFile } from './readTextFile.ts';

const packagedFile = (name: string): string =>
  fileURLToPath(new URL(`../../../properties/${name}.jsonc`, import.meta.url));
export const demoPropertyPath = packagedFile('demo');
/** Path of the commented property file that `punto init` copies. */
export const propertyTemplatePath = packagedFile('example');

/**
 * Reads a property file (JSONC). If it has mistakes, prints each of them with line and column, and throws a `CliError`.
 */
export function readProperty(file: string, at: number, errors: Pick<Writable, 'write'>): Property {
  const content = readTextFile(file, 'property');
  const parseErrors: ParseError[] = [];
  const root = parseTree(content, parseErrors, { allowTrailingComma: true });
  const positionAt = (offset: number): string => {
    const before = content.slice(0, offset).split('\n');
    return `${before.length}:${before.at(-1)!.length + 1}`;
  };
  const reports: string[] = parseErrors.map(
    ({ error, offset }) => `${file}:${positionAt(offset)}: ${printParseErrorCode(error)}`,
  );
  const property = reports.length > 0 || root === undefined ? undefined : parseProperty(getNodeValue(root), at);
  const duplicates = duplicateFields(content);
  if (property !== undefined && !('mistakes' in property) && duplicates.length === 0) return property;
  for (const { name, offset } of duplicates) {
    reports.push(
      `${file}:${positionAt(offset)}: ${JSON.stringify(name)} appears twice in the same object; remove one of the two.`,
    );
  }
  const offsetOf = (path: PropertyIssue['path']): number => {
    // A missing field has no position in the file. So its mistake is reported at the nearest parent that exists.
    const depths = path.map((_, n) => path.length - n);
    const nodes = depths.map((depth) => root && findNodeAtLocation(root, path.slice(0, depth)));
    return nodes.find((node) => node !== undefined)?.offset ?? 0;
  };
  const mistakes = property && 'mistakes' in property ? property.mistakes : [];
  for (const { path, message } of mistakes) {
    reports.push(`${file}:${positionAt(offsetOf(path))}: ${formatPath(path) || 'The property'} ${message}`);
  }
  errors.write(reports.map((line) => `${line}\n`).join(''));
  const count = countText(reports.length, 'mistake');
  throw new CliError(
    1,
    'bad-property',
    `The property file ${JSON.stringify(file)} has ${count}; fix it and start again.`,
  );
}

/** Finds fields that appear twice in one object. A JSON parser would use the last of them and report nothing. */
function duplicateFields(content: string): readonly { readonly name: string; readonly offset: number }[] {
  const objects: Set<string>[] = [];
  const duplicates: { readonly name: string; readonly offset: number }[] = [];
  visit(
    content,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectProperty: (name, offset) => {
        const names = objects.at(-1)!;
        if (names.has(name)) duplicates.push({ name, offset });
        names.add(name);
      },
      onObjectEnd: () => void objects.pop(),
    },
    { allowTrailingComma: true },
  );
  return duplicates;
}
