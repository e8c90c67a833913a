import { posix } from 'node:path';
import { type Source } from './sources.ts';

/** Which rooms a room may import from; its own files always. What is not listed is refused. */
export const mayImport: { readonly [room: string]: readonly string[] } = {
  rules: [],
  games: ['rules'],
  roads: ['rules'],
  odds: ['rules', 'games'],
  sim: ['rules', 'games', 'odds'],
  table: ['rules', 'games', 'roads'],
  ledger: ['rules', 'table'],
  store: ['rules', 'table', 'ledger'],
  floor: ['rules', 'games', 'odds', 'roads', 'table', 'ledger', 'store'],
  wire: ['rules', 'games', 'odds', 'roads', 'table', 'ledger'],
  web: ['wire', 'rules', 'games', 'roads', 'odds', 'sim'],
  server: ['rules', 'games', 'odds', 'sim', 'roads', 'table', 'ledger', 'store', 'floor', 'wire'],
  cli: ['rules', 'games', 'odds', 'sim', 'roads', 'table', 'ledger', 'store', 'floor', 'wire', 'server', 'chaos'],
  chaos: ['rules', 'games', 'odds', 'sim', 'roads', 'table', 'ledger', 'store', 'floor', 'wire', 'server'],
};

/** Rooms without packages, node modules, clock or chance: they run in a browser as they are. */
export const pureRooms: readonly string[] = ['rules', 'games', 'roads', 'odds', 'sim', 'table', 'ledger'];

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

const roomOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];

/** How a file of src/ breaks the import law. */
export function breaches({ path, text }: Source): readonly string[] {
  const room = roomOf(path);
  const allowed = room === undefined ? undefined : mayImport[room];
  if (room === undefined || allowed === undefined) return [`${path} is in no room of the house`];
  const pure = pureRooms.includes(room) && path !== worker;
  return importsOf(text).flatMap((from) => {
    if (!from.startsWith('.')) {
      return pure && !purePackage.test(from) ? [`${path} imports ${from}, but ${room} is pure`] : [];
    }
    const target = posix.join(posix.dirname(path), from);
    const other = roomOf(target);
    if (other === undefined) return [`${path} imports ${target}, which is in no room`];
    return other === room || allowed.includes(other)
      ? []
      : [`${path} imports ${target}, but ${room} may not import ${other}`];
  });
}

/** Reaching outside: the clock, chance, the process, the network, the screen. */
const outside =
  /Math\.random|\bDate\b|performance\.now|\bprocess\.|\bconsole\.|\bglobalThis\b|\bsetTimeout\b|\bsetInterval\b|\bfetch\s*\(|\bcrypto\.|\bwindow\.|\bdocument\./;

/** What a pure file reaches outside for, comments left aside. */
export function impurities({ path, text }: Source): readonly string[] {
  const room = roomOf(path);
  if (room === undefined || !pureRooms.includes(room) || path === worker) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const found = outside.exec(code);
  return found ? [`${path} uses ${found[0]}`] : [];
}
