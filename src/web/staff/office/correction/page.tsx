import { useRef, useState } from 'preact/hooks';
import { language } from '../../../shared/text/language.ts';
import { gameOf } from '../../../shared/text/oddsText.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type RoundTimeline } from '../../../../wire/staff/roundTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { eventText } from '../../kit/text/eventText.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';

import { formatTimeOfDay, tenthsText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { go } from '../../app/router.ts';
import { isLost, now } from '../../app/state.ts';
import { isAsking, refuseWith, send } from '../parts/commands.ts';
import { Band } from '../parts/pageBand.tsx';
import { usePageKeys } from '../parts/usePageKeys.ts';
import { type Params } from '../pages.ts';
import { Plain } from '../parts/emptyPage.tsx';
import { Reason } from '../parts/reasonField.tsx';
import { WhichCard } from '../ruling/cardPicker.tsx';
import { ClauseList } from '../ruling/evidence.tsx';
import { type Fix, fixedBy, noFix } from '../ruling/cardFix.ts';
import { ProposalApproval, signingOf } from '../parts/approval.tsx';
import { may, usePreview, useTable } from '../parts/useTable.ts';
import { Entries } from './entriesTable.tsx';
import { type CorrectionResults, cardsInTimeline, entriesOf, lastResults } from './correctionEntries.ts';
import { correctionStrings } from './strings.ts';

/** Correction of a card of a settled round, with its effect on every credit session. */
export function Page({ params }: { readonly params: Params }) {
  const found = useQuery<RoundTimeline>('round', { round: params['round'] });
  if (found.state === 'there') return <Correct story={found.data} />;
  return <Plain text={found.state === 'waiting' ? kitWords().loading : correctionStrings().unknown} />;
}

function Correct({ story }: { readonly story: RoundTimeline }) {
  const t = correctionStrings();
  const view = useTable(story.table);
  const [fix, setFix] = useState<Fix>(noFix);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const game = gameOf(story.game);
  const deck = game?.deck ?? view?.deck ?? 'french';
  const cards = cardsInTimeline(story.steps);
  const act =
    fix.place === null || fix.card === null
      ? null
      : { type: 'CorrectCard', round: story.round, place: fix.place + 1, card: fix.card, reason: reason.trim() || '-' };
  const previewed = usePreview(story.table, act && { ...act, reason: '-' });
  const preview = previewed.state === 'there' ? previewed.data : null;
  const entries = preview === null ? [] : entriesOf(preview, 'correct');
  const back = entries.reduce((sum, { paid, due }) => sum + Math.max(0, paid - due), 0);
  const given = entries.reduce((sum, { paid, due }) => sum + Math.max(0, due - paid), 0);
  const short = entries.reduce((sum, one) => sum + one.short, 0);
  const waits = view?.proposal ?? null;
  const proposal = waits !== null && waits.act === 'CorrectCard' && waits.expires > now.value ? waits : null;
  const isOff =
    isLost.value ||
    isAsking.value ||
    act === null ||
    previewed.state === 'refused' ||
    !may('supervisor') ||
    proposal !== null;
  const propose = (): void => {
    if (isOff) return;
    if (reason.trim() === '') {
      refuseWith(t.missing);
      field.current?.focus();
    } else void send(story.table, act);
  };
  const signing = proposal === null ? null : signingOf(story.table, proposal);
  usePageKeys((key, shift) => {
    if (signing !== null) {
      if (key === 'Enter') signing.approve();
      else if (key === 'Escape') signing.decline();
      else return false;
      return true;
    }
    if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') propose();
    else {
      const after = fixedBy(fix, { key, shift }, cards.length, deck);
      if (after === fix && key === 'Escape') go(`/rounds/${encodeURIComponent(story.round)}`);
      else if (after === fix) return false;
      else setFix(after);
    }
    return true;
  }, proposal?.id ?? '');
  const settled = story.steps.findLast(({ event }) => event['results'] !== undefined);
  const again = preview?.effects.find(({ type }) => type === 'RoundResettled');
  const by = view?.clauses['correction'] ?? null;
  return (
    <Frame name="correct">
      <Band
        tone={proposal === null ? 'calm' : 'two'}
        title={t.title(story.number, story.table)}
        by={by}
        facts={[
          [t.back, formatMoney(back)],
          [t.given, formatMoney(given)],
          [t.short, formatMoney(short), short > 0 ? 'short' : ''],
          [t.concerned, t.of(entries.length, story.rows.length)],
        ]}
      >
        {settled !== undefined && <span class="q">{t.settled(formatTimeOfDay(settled.at))}</span>}
      </Band>
      <div class="evi">
        <WhichCard cards={cards} fix={fix} set={setFix} deck={deck} />
        <section class="panel">
          <h2>{t.evidence}</h2>
          <ol class="tl">
            {(fix.place === null ? story.steps.slice(-3) : stepsOf(story, fix.place)).map((step) => (
              <li key={step.sequence}>
                <time>{tenthsText(step.at)}</time>
                <span>{eventText(step.event.type, { ...step.event, at: step.at }, language.value)[0]}</span>
              </li>
            ))}
          </ol>
        </section>
        <ClauseList all={[by, 'HOUSE 10']} kind="mis-scan" />
      </div>
      <Wagers
        was={lastResults(story.steps)}
        now={(again?.['results'] as CorrectionResults | undefined) ?? null}
        name={(wager) => wagerName(wager, game?.wagers[wager]?.name ?? wager)}
      />
      <Entries
        entries={entries}
        isKnown={preview !== null}
        postings={preview?.postings ?? []}
        allPostings={preview?.allPostings ?? 0}
        told={
          previewed.state === 'refused'
            ? staffRefusalText(previewed.code, previewed.message)
            : again === undefined
              ? ''
              : t.reverses(shortOf(again['settlement']), shortOf(again['reverses']))
        }
      />
      {proposal === null ? (
        <div class="do-bar">
          <Reason label={t.reason} value={reason} set={setReason} field={field} />
          <section class="panel">
            <span class="q">{t.second}</span>
            <span class="tag two">
              {kitWords().posts[preview?.second ?? 'gaming-shift-manager'] ?? preview?.second}
            </span>
          </section>
          <button type="button" class="btn act act-big" data-testid="propose" disabled={isOff} onClick={propose}>
            {t.propose} <Kbd>Enter</Kbd>
          </button>
        </div>
      ) : (
        <ProposalApproval table={story.table} proposal={proposal} />
      )}
    </Frame>
  );
}

/** Last part of a settlement id: round number and settlement number. */
const shortOf = (name: unknown): string => String(name).split('/').at(-1) ?? '';

/** Events about one draw. */
const stepsOf = ({ steps }: RoundTimeline, place: number): RoundTimeline['steps'] => {
  const dealt = steps.filter(({ event }) => event.type === 'CardDealt');
  return [...dealt.slice(place, place + 1), ...steps.filter(({ event }) => event.type === 'CardCorrected')];
};

type WagersForm = {
  readonly was: CorrectionResults;
  readonly now: CorrectionResults | null;
  readonly name: (wager: string) => string;
};

/** Every wager as settled, and as it would be after the correction. */
function Wagers({ was, now: will, name }: WagersForm) {
  const t = correctionStrings();
  const text = (one: CorrectionResults[string] | undefined): string => {
    if (one === undefined) return '–';
    return one.result === 'win' ? t.pays(String(one.pays[0] / one.pays[1])) : (t.results[one.result] ?? one.result);
  };
  return (
    <section class="panel" tabIndex={0} aria-label={t.wagers}>
      <header>
        <h2>{t.wagers}</h2>
      </header>
      <table class="g">
        <thead>
          <tr>
            <th>{t.wager}</th>
            <th>{t.was}</th>
            <th>{t.now}</th>
            <th>{t.by}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(was).map(([wager, result]) => {
            const after = will?.[wager];
            const isOther = after !== undefined && text(after) !== text(result);
            return (
              <tr key={wager} class={isOther ? 'on' : ''} data-wager={wager}>
                <td>
                  <b>{name(wager)}</b>
                </td>
                <td class="q">{text(result)}</td>
                <td>{after === undefined ? '–' : isOther ? <b>{text(after)}</b> : <span class="qq">{t.same}</span>}</td>
                <td>
                  <ClauseTag by={(after ?? result).by} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
