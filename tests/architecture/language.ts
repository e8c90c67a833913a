import { parseSync } from 'oxc-parser';
import { allowedIdentifiers, bannedInIdentifiers, bannedInText, sharedNames } from './words.ts';
import { type Source } from './sources.ts';

type ParsedSource = {
  readonly identifiers: ReadonlySet<string>;
  readonly comments: readonly string[];
  /** Text of string and template literals, and of elements. */
  readonly strings: readonly string[];
  readonly exports: readonly string[];
};

type Node = { readonly type: string; readonly [field: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesIn(one);
    return;
  }
  if (!isNode(value)) return;
  yield value;
  for (const field of Object.values(value)) if (typeof field === 'object') yield* nodesIn(field);
}

const identifierTypes = new Set(['Identifier', 'PrivateIdentifier', 'JSXIdentifier']);

/** Parses a source once; re-exports are not exports of their own. */
export function parseSource({ path, text }: Source): ParsedSource {
  const { program, comments, module } = parseSync(path, text);
  const identifiers = new Set<string>();
  const strings: string[] = [];
  for (const node of nodesIn(program)) {
    if (identifierTypes.has(node.type)) identifiers.add(node['name'] as string);
    else if (node.type === 'Literal' && typeof node['value'] === 'string') strings.push(node['value']);
    else if (node.type === 'TemplateElement') strings.push((node['value'] as { readonly raw: string }).raw);
    else if (node.type === 'JSXText') strings.push(node['value'] as string);
  }
  const exports = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest, exportName }) => moduleRequest === null && exportName.name !== null)
    .map(({ exportName }) => exportName.name!);
  return { identifiers, comments: comments.map(({ value }) => value), strings, exports };
}

/** The words of an identifier in lower case: `isToldOf` has is, told and of. */
export const wordsOf = (identifier: string): readonly string[] =>
  identifier
    .split(/(?<=[a-z0-9])(?=[A-Z])|[_$]/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** Identifiers of a file that contain a word the glossary replaces there. */
export function bannedIdentifiers(path: string, identifiers: Iterable<string>): readonly string[] {
  const banned = new Set(
    bannedInIdentifiers
      .filter(({ folders }) => folders.some((folder) => isIn(path, folder)))
      .flatMap(({ words }) => words.split(' ')),
  );
  const allowed = new Set(
    allowedIdentifiers
      .filter(({ folders }) => folders.some((folder) => isIn(path, folder)))
      .flatMap(({ names }) => names.split(' ')),
  );
  return [...identifiers].filter(
    (identifier) => !allowed.has(identifier) && wordsOf(identifier).some((word) => banned.has(word)),
  );
}

/** Allowed names that no file of their folders has: the exception can go. */
export function unusedExceptions(
  files: readonly { readonly path: string; readonly identifiers: ReadonlySet<string> }[],
): readonly string[] {
  return allowedIdentifiers.flatMap(({ names, folders }) =>
    names
      .split(' ')
      .flatMap((name) =>
        folders
          .filter((folder) => !files.some(({ path, identifiers }) => isIn(path, folder) && identifiers.has(name)))
          .map((folder) => `${name} in ${folder}`),
      ),
  );
}

const bannedPattern = new RegExp(`\\b(?:${bannedInText.join('|')})\\b`, 'gi');

export const bannedPhrases = (text: string): readonly string[] => text.match(bannedPattern) ?? [];

/** Names that more than one file exports, with the files. */
export function exportedTwice(
  files: readonly { readonly path: string; readonly exports: readonly string[] }[],
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const { path, exports } of files) {
    for (const name of new Set(exports)) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return new Map([...byName].filter(([name, paths]) => paths.length > 1 && !sharedNames.has(name)));
}

/** What is wrong with the message of a commit: `scope: imperative`, at most 72 characters, and a body that says why. */
export function commitFaults(subject: string, body: string): readonly string[] {
  return [
    ...(/^[a-z][\w./, -]*: [a-z]/.test(subject) ? [] : ['the subject is not `scope: imperative`']),
    ...(subject.length <= 72 ? [] : [`the subject has ${subject.length} characters, 72 at most`]),
    ...(body.trim() === '' ? ['the body does not say why'] : []),
  ];
}
