import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { SmallCard } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import {
  type ReportSheetRow,
  reportSheetGroups,
  irregularityNamesByLanguage,
} from '../../kit/text/irregularityStrings.ts';
import { language } from '../../../shared/text/language.ts';
import { type SceneKeys } from '../scene.ts';
import { sendCommand, showRefusal } from '../../kit/sendCommand.ts';
import { resetFormFields, consoleDraft, closeDraft, dealerView } from '../state.ts';
import { dealerStrings } from '../strings.ts';

type Reportable = DealerView['reports'][number];

/**
 * Kind of irregularity that a row reports now: the first of its kinds that can be reported. If the rules block all its
 * kinds, the first blocked kind, for the reason on screen.
 */
function reportFor(row: ReportSheetRow, { reports }: DealerView): Reportable | undefined {
  const matching = row.kinds.flatMap((kind) => reports.filter((one) => one.kind === kind));
  return matching.find(({ not }) => not === null) ?? matching[0];
}

/** Why a row cannot be reported now; undefined when it can be. */
function blockedReason(row: ReportSheetRow, view: DealerView): string | undefined {
  const t = dealerStrings();
  const reportable = reportFor(row, view);
  if (reportable === undefined) return t.notPossible;
  return reportable.not === null ? undefined : (t.whyNot[reportable.not] ?? t.notPossible);
}

/** Sends the report of a row. If the report needs details, opens the form for the details instead. */
function startReport(row: ReportSheetRow): void {
  const view = dealerView.peek();
  if (view === null) return;
  const blocked = blockedReason(row, view);
  const reportable = reportFor(row, view);
  if (blocked !== undefined || reportable === undefined) {
    showRefusal(blocked ?? dealerStrings().notPossible, reportable?.by ?? null);
    return;
  }
  const { kind } = reportable;
  closeDraft();
  switch (row.needs) {
    case 'fix':
      consoleDraft.value = { type: 'fix', place: null, card: null };
      return;
    case 'chips':
      consoleDraft.value = { type: 'chips', kind, wager: null };
      resetFormFields('place');
      return;
    case 'since':
      consoleDraft.value = { type: 'since' };
      resetFormFields('minutes');
      return;
    case 'text':
      consoleDraft.value = { type: 'refer' };
      resetFormFields('reason');
      return;
    case 'place':
      if (view.phase === 'dealing' && (view.round?.cards.length ?? 0) === 0) break;
      consoleDraft.value = { type: 'which' };
      return;
    case 'call':
      // The server reports terminals that lose their connection. So this row does not report them again: the dealer
      // only calls the supervisor.
      void sendCommand({ type: 'CallSupervisor', reason: defaultRulingReason(kind) });
      return;
    case 'nothing':
  }
  const { command, as } = reportable;
  void sendCommand({ type: command, ...(as !== null && { kind: as }) });
}

/** Default reason of a ruling on this kind of irregularity. The reason is stored, so it is always in English. */
export const defaultRulingReason = (kind: string): string => {
  const text = irregularityNamesByLanguage.en.short[kind] ?? kind;
  return text[0]!.toUpperCase() + text.slice(1);
};

function ReportRow({
  row,
  digit,
  view,
}: {
  readonly row: ReportSheetRow;
  readonly digit: number;
  readonly view: DealerView;
}) {
  const t = dealerStrings();
  const [title, detail] = row[language.value];
  const reportable = reportFor(row, view);
  const blocked = blockedReason(row, view);
  const isByHand = row.needs === 'since' && view.bets === 'chips';
  const effect = reportable?.does ?? 'stops';
  const only =
    reportable?.not === 'chips-only'
      ? t.sheet.only2.chips
      : reportable?.not === 'terminals-only'
        ? t.sheet.only2.terminals
        : undefined;
  const isUrgent = effect !== 'noted' && effect !== 'corrects' && blocked === undefined;
  return (
    <button
      type="button"
      class={blocked === undefined ? '' : 'cannot'}
      disabled={blocked !== undefined}
      data-kind={row.kinds[0]}
      onClick={() => startReport(row)}
    >
      <KeyCap>{digit}</KeyCap>
      <span>
        <b>{title}</b>
        <small>{blocked ?? (isByHand ? t.sheet.byHand : detail)}</small>
      </span>
      <span class="r">
        <ClauseTag by={reportable?.by} plain />
        <small class={`tag${isUrgent ? ' attn' : ''}`}>{only ?? t.sheet.does[effect]}</small>
      </span>
    </button>
  );
}

/** Sheet with all kinds of irregularity. A row that cannot be reported now is disabled and says why. */
export function ReportSheet({ view, group }: { readonly view: DealerView; readonly group: number | null }) {
  const t = dealerStrings();
  return (
    <section class="sheet" role="dialog" aria-label={t.sheet.title}>
      <div class="sheet-head">
        <h1>{t.sheet.title}</h1>
        {view.round && <span class="q">{t.round(view.round.number)}</span>}
        <span class="row tight">
          {view.round?.cards.map(({ card }, n) => (
            <SmallCard key={n} card={card} size="xs" />
          ))}
        </span>
        <span class="grow" />
        <button type="button" class="btn quiet" onClick={closeDraft}>
          {t.sheet.nothing} <KeyCap>Esc</KeyCap>
        </button>
      </div>
      <div class="groups">
        {reportSheetGroups.map((one, n) => (
          <section key={one.en} class={`group${group === n + 1 ? ' on' : ''}`}>
            <h2>
              <KeyCap>{n + 1}</KeyCap>
              {one[language.value]}
            </h2>
            {one.rows.map((row, m) => (
              <ReportRow key={row.en[0]} row={row} digit={m + 1} view={view} />
            ))}
          </section>
        ))}
      </div>
      <div class="sheet-foot">
        <span>
          {t.sheet.two} <KeyCap>2</KeyCap> <KeyCap>1</KeyCap>
        </span>
        <span>{t.sheet.only}</span>
        <span class="grow" />
        <span>{t.sheet.calls}</span>
      </div>
    </section>
  );
}

/** Keys of the report sheet: the first digit chooses the group, the second the row. */
export const reportSheetKeys = (group: number | null): SceneKeys => ({
  expects: 'list',
  escape: closeDraft,
  back: () => (consoleDraft.value = { type: 'report-sheet', group: null }),
  digit: (digit) => {
    if (group === null) {
      if (reportSheetGroups[digit - 1] !== undefined) consoleDraft.value = { type: 'report-sheet', group: digit };
      return;
    }
    const row = reportSheetGroups[group - 1]?.rows[digit - 1];
    if (row === undefined) consoleDraft.value = { type: 'report-sheet', group: null };
    else startReport(row);
  },
});
