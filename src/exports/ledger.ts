// Entry point `punto/ledger`: postings of events, meters, and deciders with their postings.
export {
  type Account,
  accountKinds,
  isNonNegativeAccount,
  tableAccount,
  terminalAccount,
  ticketAccount,
} from '../ledger/accounts.ts';
export { type Posting, tablePostings } from '../ledger/tablePostings.ts';
export { type Meter, type TableMeters, houseWin, addToTableMeters, emptyTableMeters } from '../ledger/meters.ts';
export {
  type RegisteredDecider,
  type DecidedEntry,
  applyEventsWithPostings,
  tableDecider,
  terminalDecider,
} from '../deciders/deciders.ts';
