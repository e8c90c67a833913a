/** Words that the glossary replaces, in identifiers of the given folders; a folder includes its sub-folders. */
export const bannedInIdentifiers: readonly { readonly words: string; readonly folders: readonly string[] }[] = [
  {
    words:
      'told tell tells heard hear hears says said asked asking brought denied whoever somebody nobody ' +
      'stands stood standing guess doubt doubted looked aside asides beside matter matters story care ' +
      'duty duties people purse journal usual most longest patience patient trouble troubles mended halted ' +
      'drives driver driven beat beats caller callers desk feed world keeper ahead room rooms law door ' +
      'post posts',
    folders: ['src'],
  },
  { words: 'words', folders: ['src/web', 'src/server', 'src/client', 'src/cli'] },
  { words: 'kind kinds', folders: ['src/base', 'src/wire'] },
  {
    words: 'place places form forms known bound held written waiting seal sealed seals',
    folders: ['src/store', 'src/checkpoint', 'src/cluster', 'src/verify'],
  },
  { words: 'held link links linked seen waiting written seal seals', folders: ['src/runtime', 'src/cluster'] },
  { words: 'parts', folders: ['src/runtime', 'src/cluster', 'src/server', 'src/store', 'src/checkpoint'] },
  { words: 'seen link', folders: ['src/client', 'src/server'] },
  { words: 'house law room rooms door', folders: ['tests', 'scripts', 'bench'] },
];

/** Identifiers that contain a banned word in its usual sense. */
export const allowedIdentifiers: ReadonlyMap<string, string> = new Map([
  ['journalOf', 'the rollback journal of SQLite'],
  ['longestBanker', 'statistics of a shoe: the longest run'],
  ['longestPlayer', 'statistics of a shoe: the longest run'],
  ['houseEdge', 'the house edge of a wager'],
  ['houseEdges', 'the house edge of a wager'],
  ['postMessage', 'a method of workers and windows'],
  ['postgres', 'PostgreSQL'],
]);

/** Words that make a reader guess who or what is meant. */
export const bannedInText = ['whoever', 'somebody', 'nobody', 'brought', 'ways out', 'cannot be had'] as const;

/** Names that several files export, each with the reason. */
export const sharedNames: ReadonlyMap<string, string> = new Map([
  ['Page', 'each page of the office exports its component by this name, for the router'],
]);

export const maxFilesPerFolder = 20;
