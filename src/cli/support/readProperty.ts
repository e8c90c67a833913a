import { countText } from '../../base/countText.ts';
import { readFileSync } from 'node:fs';
import { type Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ParseError, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { type PropertyIssue, type Property, parseProperty } from '../../property/property.ts';
import { formatPath } from '../../base/schema.ts';
import { CliError } from './cliError.ts';

const packaged = (name: string): string => fileURLToPath(new URL(`../../../properties/${name}.jsonc`, import.meta.url));
/** The demo floor, and a property with comments to begin from. */
export const demoFile = packaged('demo');
export const exampleFile = packaged('example');

/** The property in a file; each mistake is named with its place on standard error. */
export function readProperty(file: string, at: number, errors: Pick<Writable, 'write'>): Property {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(
      1,
      'unreadable-file',
      `The property file ${JSON.stringify(file)} cannot be read (${code}); name another.`,
    );
  }
  const wrong: ParseError[] = [];
  const root = parseTree(content, wrong, { allowTrailingComma: true });
  const lineAt = (offset: number): string => {
    const before = content.slice(0, offset).split('\n');
    return `${before.length}:${before.at(-1)!.length + 1}`;
  };
  const told: string[] = wrong.map(({ error, offset }) => `${file}:${lineAt(offset)}: ${printParseErrorCode(error)}`);
  const property = told.length > 0 || root === undefined ? undefined : parseProperty(getNodeValue(root), at);
  const twice = givenTwice(content);
  if (property !== undefined && !('mistakes' in property) && twice.length === 0) return property;
  for (const { name, offset } of twice) {
    told.push(`${file}:${lineAt(offset)}: ${JSON.stringify(name)} is given twice here; leave one of them out.`);
  }
  const offsetOf = (path: PropertyIssue['path']): number => {
    // The nearest part that is there.
    const depths = path.map((_, n) => path.length - n);
    const nodes = depths.map((depth) => root && findNodeAtLocation(root, path.slice(0, depth)));
    return nodes.find((node) => node !== undefined)?.offset ?? 0;
  };
  const mistakes = property && 'mistakes' in property ? property.mistakes : [];
  for (const { path, message } of mistakes) {
    told.push(`${file}:${lineAt(offsetOf(path))}: ${formatPath(path) || 'The property'} ${message}`);
  }
  errors.write(told.map((line) => `${line}\n`).join(''));
  const count = countText(told.length, 'mistake');
  throw new CliError(
    1,
    'bad-property',
    `The property file ${JSON.stringify(file)} has ${count}; fix it and start again.`,
  );
}

/** Fields that an object has already: the one that counts would be the last, and nobody would know. */
function givenTwice(content: string): readonly { readonly name: string; readonly offset: number }[] {
  const objects: Set<string>[] = [];
  const found: { readonly name: string; readonly offset: number }[] = [];
  visit(
    content,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectProperty: (name, offset) => {
        const names = objects.at(-1)!;
        if (names.has(name)) found.push({ name, offset });
        names.add(name);
      },
      onObjectEnd: () => void objects.pop(),
    },
    { allowTrailingComma: true },
  );
  return found;
}
