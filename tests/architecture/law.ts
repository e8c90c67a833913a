import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type Source } from './sources.ts';

type Law = {
  /** Which rooms a room may import from, beside its own files. What is not listed is refused. */
  readonly mayImport: ReadonlyMap<string, readonly string[]>;
  /** Rooms without packages, node modules, clock or chance: they run in a browser as they are. */
  readonly pure: ReadonlySet<string>;
};

/** The law as the map of the house states it: one row a room. */
export function lawIn(map: string): Law {
  const rows = [...map.matchAll(/^\| `src\/([a-z/]+)`( \*pure\*)? \|[^|]+\| ([^|]+) \|$/gm)];
  return {
    mayImport: new Map(rows.map(([, room, , list]) => [room!, list === '-' ? [] : list!.split(', ')])),
    pure: new Set(rows.flatMap(([, room, pure]) => (pure ? [room!] : []))),
  };
}

export const law = lawIn(readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8'));

/** The one package that pure rooms may import. */
const purePackage = /^@noble\/hashes(\/|$)/;

/** The one file of a pure room that talks to threads. */
const worker = 'src/sim/worker.ts';

/** What a file imports, however it is written: static, side effect, dynamic, re-export or by URL. */
export const importsOf = (text: string): readonly string[] =>
  [
    /\bfrom\s*(['"`])(.+?)\1/g,
    /\bimport\s*(['"`])(.+?)\1/g,
    /\bimport\s*\(\s*(['"`])(.+?)\1/g,
    /\brequire\s*\(\s*(['"`])(.+?)\1/g,
    /\bnew URL\(\s*(['"`])(\.{1,2}\/.+?\.[cm]?tsx?)\1/g,
  ].flatMap((form) => [...text.matchAll(form)].map((match) => match[2]!));

/** The room that a file is in: the part of a room, where it has parts. */
function roomOf(path: string, { mayImport }: Law): string | undefined {
  const [, folder] = /^src\/(.+)\/[^/]+$/.exec(path) ?? [];
  for (let room = folder; room !== undefined && room !== ''; room = room.slice(0, Math.max(0, room.lastIndexOf('/')))) {
    if (mayImport.has(room)) return room;
  }
  return undefined;
}

const wholeOf = (room: string): string => room.split('/')[0]!;

/** Whether a room may take from another; the name of a room stands for its parts, but not among those parts. */
const mayTake = (room: string, other: string, { mayImport }: Law): boolean =>
  other === room ||
  mayImport
    .get(room)!
    .some((named) => named === other || (wholeOf(other) !== wholeOf(room) && named === wholeOf(other)));

/** How a file of src/ breaks the import law. */
export function breaches({ path, text }: Source, by = law): readonly string[] {
  const room = roomOf(path, by);
  if (room === undefined) return [`${path} is in no room of the house`];
  const pure = by.pure.has(room) && path !== worker;
  return importsOf(text).flatMap((from) => {
    if (!from.startsWith('.')) {
      return pure && !purePackage.test(from) ? [`${path} imports ${from}, but ${room} is pure`] : [];
    }
    const target = posix.join(posix.dirname(path), from);
    const other = roomOf(target, by);
    if (other === undefined) return [`${path} imports ${target}, which is in no room`];
    return mayTake(room, other, by) ? [] : [`${path} imports ${target}, but ${room} may not import ${other}`];
  });
}

/** Reaching outside: the clock, chance, the process, the network, the screen. */
const outside =
  /Math\.random|\bDate\b|performance\.now|\bprocess\.|\bconsole\.|\bglobalThis\b|\bsetTimeout\b|\bsetInterval\b|\bfetch\s*\(|\bcrypto\.|\bwindow\.|\bdocument\./;

/** What a pure file reaches outside for, comments left aside. */
export function impurities({ path, text }: Source): readonly string[] {
  const room = roomOf(path, law);
  if (room === undefined || !law.pure.has(room) || path === worker) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const found = outside.exec(code);
  return found ? [`${path} uses ${found[0]}`] : [];
}
