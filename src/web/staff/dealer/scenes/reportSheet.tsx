import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { Face } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { type IrregularityRow, wrongGroups, wrongWords } from '../../kit/text/irregularityStrings.ts';
import { language } from '../../../shared/text/language.ts';
import { type Keys } from '../scene.ts';
import { send } from '../../kit/sendCommand.ts';
import { beginFields, draft, dropDraft, refuseWith, dealerView as seenView } from '../state.ts';
import { dealerStrings } from '../strings.ts';

type Reportable = DealerView['reports'][number];

/** The report that a row stands for now: the first of its kinds that can be, else the first that the book has. */
function reportOf(row: IrregularityRow, { reports }: DealerView): Reportable | undefined {
  const known = row.kinds.flatMap((kind) => reports.filter((one) => one.kind === kind));
  return known.find(({ not }) => not === null) ?? known[0];
}

/** Why a row cannot be pressed now; undefined where it can. */
function whyNot(row: IrregularityRow, view: DealerView): string | undefined {
  const t = dealerStrings();
  const found = reportOf(row, view);
  if (found === undefined) return t.notPossible;
  return found.not === null ? undefined : (t.whyNot[found.not] ?? t.notPossible);
}

/** A row is chosen: what needs no more is reported at once, and what does is asked for. */
function report(row: IrregularityRow): void {
  const view = seenView.peek();
  if (view === null) return;
  const cannot = whyNot(row, view);
  const found = reportOf(row, view);
  if (cannot !== undefined || found === undefined) {
    refuseWith(cannot ?? dealerStrings().notPossible, found?.by ?? null);
    return;
  }
  const { kind } = found;
  dropDraft();
  switch (row.asks) {
    case 'fix':
      draft.value = { what: 'fix', place: null, card: null };
      return;
    case 'chips':
      draft.value = { what: 'chips', kind, wager: null };
      beginFields('place');
      return;
    case 'since':
      draft.value = { what: 'since' };
      beginFields('minutes');
      return;
    case 'words':
      draft.value = { what: 'refer' };
      beginFields('reason');
      return;
    case 'place':
      if (view.phase === 'dealing' && (view.round?.cards.length ?? 0) === 0) break;
      draft.value = { what: 'which' };
      return;
    case 'call':
      // Which they are the terminals tell themselves; somebody has a look.
      void send({ type: 'CallSupervisor', reason: reasonOf(kind) });
      return;
    case 'nothing':
  }
  const { command, as } = found;
  void send({ type: command, ...(as !== null && { kind: as }) });
}

/** The reason that a ruling has unless somebody writes another. */
export const reasonOf = (kind: string): string => {
  const text = wrongWords.en.short[kind] ?? kind;
  return text[0]!.toUpperCase() + text.slice(1);
};

function RowKey({
  row,
  digit,
  view,
}: {
  readonly row: IrregularityRow;
  readonly digit: number;
  readonly view: DealerView;
}) {
  const t = dealerStrings();
  const [title, more] = row[language.value];
  const found = reportOf(row, view);
  const cannot = whyNot(row, view);
  const byHand = row.asks === 'since' && view.bets === 'chips';
  const does = found?.does ?? 'stops';
  const only =
    found?.not === 'chips-only'
      ? t.sheet.only2.chips
      : found?.not === 'terminals-only'
        ? t.sheet.only2.terminals
        : undefined;
  const isLoud = does !== 'noted' && does !== 'corrects' && cannot === undefined;
  return (
    <button
      type="button"
      class={cannot === undefined ? '' : 'cannot'}
      disabled={cannot !== undefined}
      data-kind={row.kinds[0]}
      onClick={() => report(row)}
    >
      <Kbd>{digit}</Kbd>
      <span>
        <b>{title}</b>
        <small>{cannot ?? (byHand ? t.sheet.byHand : more)}</small>
      </span>
      <span class="r">
        <ClauseTag by={found?.by} plain />
        <small class={`tag${isLoud ? ' attn' : ''}`}>{only ?? t.sheet.does[does]}</small>
      </span>
    </button>
  );
}

/** Everything that can be wrong by the table's book, two digits away. */
export function WrongSheet({ view, group }: { readonly view: DealerView; readonly group: number | null }) {
  const t = dealerStrings();
  return (
    <section class="sheet" role="dialog" aria-label={t.sheet.title}>
      <div class="sheet-head">
        <h1>{t.sheet.title}</h1>
        {view.round && <span class="q">{t.round(view.round.number)}</span>}
        <span class="row tight">
          {view.round?.cards.map(({ card }, n) => (
            <Face key={n} card={card} size="xs" />
          ))}
        </span>
        <span class="grow" />
        <button type="button" class="btn quiet" onClick={dropDraft}>
          {t.sheet.nothing} <Kbd>Esc</Kbd>
        </button>
      </div>
      <div class="groups">
        {wrongGroups.map((one, n) => (
          <section key={one.en} class={`group${group === n + 1 ? ' on' : ''}`}>
            <h2>
              <Kbd>{n + 1}</Kbd>
              {one[language.value]}
            </h2>
            {one.rows.map((row, m) => (
              <RowKey key={row.en[0]} row={row} digit={m + 1} view={view} />
            ))}
          </section>
        ))}
      </div>
      <div class="sheet-foot">
        <span>
          {t.sheet.two} <Kbd>2</Kbd> <Kbd>1</Kbd>
        </span>
        <span>{t.sheet.only}</span>
        <span class="grow" />
        <span>{t.sheet.calls}</span>
      </div>
    </section>
  );
}

/** Two digits: group, then row. */
export const wrongKeys = (group: number | null): Keys => ({
  takes: 'list',
  escape: dropDraft,
  back: () => (draft.value = { what: 'wrong', group: null }),
  digit: (digit) => {
    if (group === null) {
      if (wrongGroups[digit - 1] !== undefined) draft.value = { what: 'wrong', group: digit };
      return;
    }
    const row = wrongGroups[group - 1]?.rows[digit - 1];
    if (row === undefined) draft.value = { what: 'wrong', group: null };
    else report(row);
  },
});
