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

/** Identifiers that contain a banned word in a standard sense, with the folders in which they have it. */
export const allowedIdentifiers: readonly {
  readonly names: string;
  readonly folders: readonly string[];
  readonly reason: string;
}[] = [
  {
    names: 'inDoubt isInDoubt resolveInDoubt',
    folders: ['src/store/postgres', 'src/runtime'],
    reason: 'a write in doubt: its result is unknown',
  },
  { names: 'markInDoubt dropInDoubt', folders: ['src/runtime/stream'], reason: 'as above' },
  { names: 'writesInDoubt signedWritesInDoubt', folders: ['src/checkpoint'], reason: 'as above' },
  { names: 'held isHeld leadHeld', folders: ['src/cluster'], reason: 'a lease is held' },
  { names: 'journalPath', folders: ['src/store/sqlite'], reason: 'the rollback journal of SQLite' },
  { names: 'moveIntoPlace', folders: ['src/store/sqlite'], reason: 'an import is moved into place by a rename' },
  { names: 'isReadableInPlace', folders: ['src/store/sqlite'], reason: 'a store that is read without a copy' },
  { names: 'retryUntilKnown', folders: ['src/store/postgres'], reason: 'repeats a write until its result is known' },
  { names: 'wasKnown', folders: ['src/verify'], reason: 'whether an account had an entry before' },
  { names: 'kind irregularityKinds', folders: ['src/wire'], reason: 'the kind of an irregularity, ticket or console' },
  { names: 'consoleKind secretKind', folders: ['src/wire/staff'], reason: 'the kind of a console or of a secret' },
  { names: 'seen', folders: ['src/server'], reason: 'the cards seen of a shoe' },
  { names: 'aside', folders: ['src/web'], reason: 'the HTML element' },
  { names: 'stands standsOn', folders: ['src/web/staff/dealer'], reason: 'a hand that stands draws no third card' },
  { names: 'cardRoom', folders: ['src/web/staff/dealer'], reason: 'the room where a casino keeps its cards' },
  { names: 'ShoeBrought', folders: ['src/table', 'src/web/staff'], reason: 'the event of the command BringShoe' },
  {
    names: 'PostSettlement SettlementToPost decidePostSettlement',
    folders: ['src/table'],
    reason: 'to post to a ledger',
  },
  {
    names: 'longest longestRun longestBanker longestPlayer',
    folders: ['src/roads'],
    reason: 'the longest run of a shoe',
  },
  { names: 'post', folders: ['src/server/staff'], reason: 'the method of an HTTP server' },
  { names: 'postMessage', folders: ['src'], reason: 'a method of workers and windows' },
  { names: 'postScriptId', folders: ['src/assets'], reason: 'the PostScript name of a font' },
  { names: 'house', folders: ['tests/table', 'tests/browser/staff'], reason: 'the account of the house' },
  { names: 'houseWin', folders: ['tests/ledger', 'tests/history'], reason: 'the win of the house' },
  { names: 'houseEdge', folders: ['tests/full', 'tests/cli', 'tests/browser'], reason: 'the edge of the house' },
];

/** Words that make a reader guess who or what is meant. */
export const bannedInText = ['whoever', 'somebody', 'nobody', 'brought', 'ways out', 'cannot be had'] as const;

/** Names that several files export, each with the reason. */
export const sharedNames: ReadonlyMap<string, string> = new Map([
  ['Page', 'each page of the office exports its component by this name, for the router'],
]);

export const maxFilesPerFolder = 20;
