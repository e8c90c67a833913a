import { parseSync } from 'oxc-parser';
import { allowedIdentifiers, allowedNames, bannedInIdentifiers, bannedInText, sharedNames } from './words.ts';
import { type Source } from './sources.ts';

type ParsedSource = {
  readonly identifiers: ReadonlySet<string>;
  /**
   * Names in strings: codes, types of messages and events, options, classes, test ids. A template literal gives the
   * names between its values, a `class` each of its classes.
   */
  readonly names: ReadonlySet<string>;
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

/** A string without spaces that is no file name and no sentence of one word. */
const isName = (text: string): boolean =>
  /^[\w:/#-][\w.:/#-]*$/.test(text) && /[a-z]/i.test(text) && !/\.(?:[cm]?[jt]sx?|css|html|jsonl?|md)$|\.$/.test(text);

const isClassAttribute = (node: Node): boolean =>
  node.type === 'JSXAttribute' && (node['name'] as Node)['name'] === 'class' && isNode(node['value']);

const identifierTypes = new Set(['Identifier', 'PrivateIdentifier', 'JSXIdentifier']);

/** Parses a source once; re-exports are not exports of their own. */
export function parseSource({ path, text }: Source): ParsedSource {
  const { program, comments, module } = parseSync(path, text);
  const identifiers = new Set<string>();
  const names = new Set<string>();
  const strings: string[] = [];
  const addNames = (list: string): void => {
    for (const name of list.split(/\s+/)) if (isName(name)) names.add(name);
  };
  for (const node of nodesIn(program)) {
    if (isClassAttribute(node)) {
      for (const inner of nodesIn(node['value'])) {
        if (inner.type === 'Literal') addNames(String(inner['value']));
        else if (inner.type === 'TemplateElement') addNames((inner['value'] as { readonly raw: string }).raw);
      }
    }
    if (identifierTypes.has(node.type)) identifiers.add(node['name'] as string);
    else if (node.type === 'Literal' && typeof node['value'] === 'string') strings.push(node['value']);
    else if (node.type === 'TemplateElement') strings.push((node['value'] as { readonly raw: string }).raw);
    else if (node.type === 'JSXText') strings.push(node['value'] as string);
  }
  for (const one of strings) if (!/\s/.test(one)) addNames(one);
  const exports = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest, exportName }) => moduleRequest === null && exportName.name !== null)
    .map(({ exportName }) => exportName.name!);
  return { identifiers, names, comments: comments.map(({ value }) => value), strings, exports };
}

/** The words of a name in lower case: `isToldOf` has is, told and of; `told-of` has told and of. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

type Lists = { readonly banned: typeof bannedInIdentifiers; readonly allowed: typeof allowedIdentifiers };

function bannedIn(path: string, names: Iterable<string>, { banned, allowed }: Lists): readonly string[] {
  const wordsIn = (lists: readonly { readonly folders: readonly string[]; readonly text: string }[]) =>
    new Set(
      lists
        .filter(({ folders }) => folders.some((folder) => isIn(path, folder)))
        .flatMap(({ text }) => text.split(' ')),
    );
  const bannedWords = wordsIn(banned.map(({ folders, words }) => ({ folders, text: words })));
  const allowedNamesHere = wordsIn(allowed.map(({ folders, names: text }) => ({ folders, text })));
  return [...names].filter(
    (name) => !allowedNamesHere.has(name) && wordsOf(name).some((word) => bannedWords.has(word)),
  );
}

export const identifierLists: Lists = { banned: bannedInIdentifiers, allowed: allowedIdentifiers };
/** Strings may have the words that are wrong only in some folders: a code such as `role-not-granted` is older than they. */
export const nameLists: Lists = { banned: bannedInIdentifiers.slice(0, 1), allowed: allowedNames };

/** Identifiers of a file that contain a word the glossary replaces there. */
export const bannedIdentifiers = (path: string, identifiers: Iterable<string>): readonly string[] =>
  bannedIn(path, identifiers, identifierLists);

/** Names in strings of a file that contain a word the glossary replaces everywhere. */
export const bannedNames = (path: string, names: Iterable<string>): readonly string[] =>
  bannedIn(path, names, nameLists);

type NamesOfFile = { readonly path: string; readonly names: ReadonlySet<string> };

/** Exceptions without effect: no file of the folder has the name, or the name has no banned word there. */
export function unusedExceptions(files: readonly NamesOfFile[], { banned, allowed }: Lists): readonly string[] {
  const isUsed = (name: string, folder: string): boolean =>
    files.some(
      ({ path, names }) =>
        isIn(path, folder) && names.has(name) && bannedIn(path, [name], { banned, allowed: [] }).length > 0,
    );
  return allowed.flatMap(({ names, folders }) =>
    names
      .split(' ')
      .flatMap((name) => folders.filter((folder) => !isUsed(name, folder)).map((folder) => `${name} in ${folder}`)),
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

export type Commit = {
  readonly subject: string;
  readonly body: string;
  /** The files that the commit changes. */
  readonly paths: readonly string[];
  readonly isMerge: boolean;
};

/** A scope is a folder of a changed file: `store`, `src/store`. A page is in `docs` or is its own scope. */
const isScopeOf =
  (paths: readonly string[]) =>
  (scope: string): boolean =>
    paths.some(
      (path) =>
        `/${path}`.includes(`/${scope}/`) ||
        (scope === 'tests' && /\.test\.tsx?$/.test(path)) ||
        (/^[^/]+\.md$/.test(path) && ['docs', path.slice(0, -3)].includes(scope)),
    );

/** Lines that tools add to a body. */
const trailer = /^[A-Z][\w-]+-(?:[Bb]y|[Ii]d): .*$/gm;

/**
 * What is wrong with the message of a commit: `scope: imperative`, at most 72 characters, and a body that says why. A
 * merge names what it merges, and needs no body.
 */
export function commitFaults({ subject, body, paths, isMerge }: Commit): readonly string[] {
  const tooLong = subject.length <= 72 ? [] : [`the subject has ${subject.length} characters, 72 at most`];
  const [, scopes] = /^([\w./-]+(?:, [\w./-]+)*): [a-z]/.exec(subject) ?? [];
  if (isMerge) return [...(/^Merge ./.test(subject) ? [] : ['the subject of a merge begins with Merge']), ...tooLong];
  return [
    ...(scopes === undefined
      ? ['the subject is not `scope: imperative`']
      : scopes.split(', ').every(isScopeOf(paths))
        ? []
        : ['the scope is no folder of a changed file']),
    ...tooLong,
    ...(body.replaceAll(trailer, '').trim() === '' ? ['the body does not say why'] : []),
  ];
}
