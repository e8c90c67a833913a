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
  { words: 'kind kinds', folders: ['src/base'] },
  // A lease is held, and nodes have links.
  {
    words: 'place places form forms known bound waiting written seal sealed seals',
    folders: ['src/store', 'src/checkpoint', 'src/cluster', 'src/verify'],
  },
  { words: 'held', folders: ['src/store', 'src/checkpoint', 'src/verify'] },
  { words: 'seen', folders: ['src/cluster'] },
  { words: 'held link links linked seen waiting written seal seals', folders: ['src/runtime'] },
  { words: 'parts', folders: ['src/runtime', 'src/cluster', 'src/server', 'src/store', 'src/checkpoint'] },
  { words: 'seen link', folders: ['src/client', 'src/server'] },
  { words: 'house law room rooms door', folders: ['tests', 'scripts', 'bench'] },
];

/** Identifiers that contain a banned word in its usual sense. */
export const allowedIdentifiers: ReadonlyMap<string, string> = new Map([
  ['journalPath', 'the rollback journal of SQLite'],
  ...[
    'inDoubt',
    'isInDoubt',
    'markInDoubt',
    'dropInDoubt',
    'resolveInDoubt',
    'writesInDoubt',
    'signedWritesInDoubt',
  ].map((name) => [name, 'an append in doubt: its result is unknown'] as const),
  ['aside', 'the HTML element'],
  ['moveIntoPlace', 'an import is moved into place by a rename'],
  ['isReadableInPlace', 'a store that is read where it is, without a copy'],
  ['known', 'the field of a checkpoint with the last known entry'],
  ['retryUntilKnown', 'repeats a write until its result is known'],
  ['wasKnown', 'whether an account was known before'],
  ['seen', 'cards seen of a shoe'],
  ['post', 'a method of HTTP servers and clients'],
  ...['decidePostSettlement', 'PostSettlement', 'SettlementToPost'].map(
    (name) => [name, 'to post to a ledger'] as const,
  ),
  ['postScriptId', 'the PostScript name of a font'],
  ['houseWin', 'the win of the house'],
  ['house', 'the account of the house'],
  ['cardRoom', 'the room where a casino keeps its cards'],
  ['atMost', 'an upper bound in generated code'],
  ['longest', 'statistics of a shoe: the longest run'],
  ['longestRun', 'statistics of a shoe: the longest run'],
  ['longestUnledMs', 'the longest time that a table was without leader'],
  ['longestSilence', 'the longest time without a heartbeat'],
  ...['stands', 'standsOn'].map((name) => [name, 'a hand that stands draws no third card'] as const),
  ['ShoeBrought', 'the event of BringShoe'],
  ['doubt', 'the field of a checkpoint for an accepted integrity issue'],
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
