/** Words that the glossary replaces, in identifiers of the given folders; a folder includes its sub-folders. */
export const bannedInIdentifiers: readonly { readonly words: string; readonly folders: readonly string[] }[] = [
  {
    words:
      'told tell tells telling heard hear hears hearing says said saying asked asking brought denied whoever somebody ' +
      'nobody stands stood standing guess guesses doubt doubted looked looks aside asides beside matter matters story ' +
      'stories care duty duties people purse purses journal usual most longest patience patient trouble troubles ' +
      'mended halted drives drivers driver driving driven beat beats caller callers desk feed feeds world keeper ' +
      'keepers ahead room rooms law laws door doors post posts',
    folders: ['src', 'tests', 'scripts', 'bench', 'examples', 'docs', 'bin'],
  },
  { words: 'words', folders: ['src/web', 'src/server', 'src/client', 'src/cli'] },
  { words: 'kind kinds', folders: ['src/base', 'src/wire'] },
  {
    words: 'place places form forms known bound held written waiting seal sealed seals',
    folders: ['src/store', 'src/checkpoint', 'src/cluster', 'src/verify'],
  },
  { words: 'held link links linked seen waiting written seal seals', folders: ['src/runtime', 'src/cluster'] },
  { words: 'parts', folders: ['src/runtime', 'src/cluster', 'src/server', 'src/store', 'src/checkpoint'] },
  { words: 'seen link links linked', folders: ['src/client', 'src/server'] },
  { words: 'tries tried turns', folders: ['src/server'] },
  { words: 'house', folders: ['scripts', 'bench'] },
];

type Exception = { readonly names: string; readonly folders: readonly string[]; readonly reason: string };

/** Identifiers that contain a banned word in a standard sense, with the folders in which they have it. */
export const allowedIdentifiers: readonly Exception[] = [
  {
    names: 'inDoubt isInDoubt resolveInDoubt',
    folders: ['src/store/postgres', 'src/runtime'],
    reason: 'a write in doubt: its result is unknown',
  },
  { names: 'markInDoubt dropInDoubt', folders: ['src/runtime/stream'], reason: 'as above' },
  { names: 'writesInDoubt signedWritesInDoubt', folders: ['src/checkpoint'], reason: 'as above' },
  { names: 'isInDoubt', folders: ['tests/chaos'], reason: 'as above' },
  { names: 'inDoubt', folders: ['tests/server/support'], reason: 'as above' },
  { names: 'inDoubtText', folders: ['tests/browser/connection'], reason: 'as above' },
  { names: 'openWithCreditInDoubt', folders: ['tests/runtime/money'], reason: 'as above' },
  { names: 'held isHeld leadHeld', folders: ['src/cluster'], reason: 'a lease is held' },
  { names: 'rollbackJournalPath', folders: ['src/store/sqlite'], reason: 'the rollback journal of SQLite' },
  { names: 'moveIntoPlace', folders: ['src/store/sqlite'], reason: 'an import is moved into place by a rename' },
  { names: 'isReadableInPlace', folders: ['src/store/sqlite'], reason: 'a store that is read without a copy' },
  { names: 'wasKnown', folders: ['src/verify'], reason: 'whether an account had an entry before' },
  { names: 'kind irregularityKinds', folders: ['src/wire'], reason: 'the kind of an irregularity, ticket or console' },
  { names: 'consoleKind secretKind', folders: ['src/wire/staff'], reason: 'the kind of a console or of a secret' },
  { names: 'seen', folders: ['src/server'], reason: 'the cards seen of a shoe' },
  { names: 'aside', folders: ['src/web', 'tests/browser/staff'], reason: 'the HTML element' },
  { names: 'stands standsOn', folders: ['src/web/staff/dealer'], reason: 'a hand that stands draws no third card' },
  { names: 'playerStands', folders: ['tests/table'], reason: 'as above' },
  { names: 'stood checkStands', folders: ['tests/rulebook'], reason: 'as above' },
  { names: 'cardRoom', folders: ['src/web/staff/dealer'], reason: 'the room where a casino keeps its cards' },
  { names: 'ShoeBrought', folders: ['src/table', 'src/web/staff'], reason: 'the event of the command BringShoe' },
  {
    names: 'PostSettlement SettlementToPost decidePostSettlement',
    folders: ['src/table'],
    reason: 'to post to a ledger',
  },
  { names: 'postSettlement', folders: ['tests/chaos'], reason: 'as above' },
  { names: 'post', folders: ['tests/settle'], reason: 'as above' },
  {
    names: 'longest longestRun longestBanker longestPlayer',
    folders: ['src/roads'],
    reason: 'the longest run of a shoe',
  },
  { names: 'post', folders: ['src/server/staff'], reason: 'the method of an HTTP server' },
  { names: 'postDataJSON', folders: ['tests/browser/staff'], reason: 'a method of browser tests' },
  { names: 'postMessage', folders: ['src', 'tests'], reason: 'a method of workers and windows' },
  { names: 'postScriptId', folders: ['src/assets'], reason: 'the PostScript name of a font' },
];

/**
 * String literals that are a name and contain a banned word in a standard sense: codes, types of messages and events,
 * options, classes, test ids, labels.
 */
export const allowedNames: readonly Exception[] = [
  { names: 'POST', folders: ['src/client', 'src/web/staff'], reason: 'the method of HTTP' },
  { names: 'aside', folders: ['src/web/staff/dealer'], reason: 'the HTML element' },
  {
    names: 'stands player-stands banker-stands',
    folders: ['src/web'],
    reason: 'a hand that stands draws no third card',
  },
  { names: 'stands', folders: ['src/odds'], reason: 'as above' },
  { names: 'player-stands', folders: ['src/table/views'], reason: 'as above' },
  { names: 'is-stood', folders: ['src/web/patron/help'], reason: 'as above' },
  { names: 'ShoeBrought', folders: ['src/table', 'src/ledger', 'src/history'], reason: 'the event of BringShoe' },
  { names: 'PostSettlement', folders: ['src/table', 'src/runtime', 'src/wire'], reason: 'to post to a ledger' },
  {
    names: 'ticket-in-doubt',
    folders: ['src/terminal', 'src/web'],
    reason: 'it is unknown whether the ticket is paid',
  },
  { names: '-journal', folders: ['src/store/sqlite'], reason: 'the rollback journal of SQLite' },
];

/** Words that make a reader guess who or what is meant. */
export const bannedInText = ['whoever', 'somebody', 'nobody', 'brought', 'ways out', 'cannot be had'] as const;

/** Names that several files export, each with the reason. */
export const sharedNames: ReadonlyMap<string, string> = new Map([
  ['Page', 'each page of the office exports its component by this name, for the router'],
]);

export const maxFilesPerFolder = 20;

const noFolder = 'its scope is no folder; the scope was not checked then';

/** Commits whose message breaks a rule and cannot be changed any more, by their hash. */
export const allowedCommits: ReadonlyMap<string, string> = new Map([
  ['d931a14b', noFolder],
  ['b389eafa', noFolder],
  ['8d290889', noFolder],
  ['7d216cf8', noFolder],
  ['43567c05', noFolder],
  ['38787653', noFolder],
  ['0bd9981c', noFolder],
  ['9269e792', noFolder],
]);
