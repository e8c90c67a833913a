import { formatMoney } from '../../../../base/formatMoney.ts';
import { type WorkItem } from '../../../../wire/staff/floorView.ts';
import { language } from '../../../shared/text/language.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { actWords } from '../../kit/text/eventText.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { fragmentOf, spanText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { wrongWords } from '../../kit/text/irregularityStrings.ts';
import { currency, second } from '../../app/state.ts';
import { floorStrings } from './strings.ts';

/** The page on which something that waits is dealt with. */
export function pathFor({ table, what }: WorkItem): string {
  if (what === 'hand-pay') return '/terminals';
  const at = `/floor/${encodeURIComponent(table ?? '')}`;
  if (what === 'stopped' || what === 'interrupted' || what === 'proposal') return `${at}/ruling`;
  if (what === 'sealed-shoe') return `${at}/sealed`;
  return what === 'referred' ? `${at}/referral` : at;
}

type Group = 'still' | 'second' | 'calm';
const groupOf = ({ what, hash }: WorkItem): Group =>
  what === 'proposal' || hash !== undefined
    ? 'second'
    : ['fault', 'interrupted', 'stopped', 'referred'].includes(what)
      ? 'still'
      : 'calm';

/** What waits for a person, what stands still first. */
export function Queue({ waiting }: { readonly waiting: readonly WorkItem[] }) {
  const t = floorStrings();
  const groups = (['still', 'second', 'calm'] as const).map((group) => ({
    group,
    items: waiting.flatMap((one, n) => (groupOf(one) === group ? [{ one, n }] : [])),
  }));
  return (
    <section class="panel queue" aria-label={t.waiting}>
      <header>
        <h2>{t.waiting}</h2>
        <span class="grow" />
        <span class="q" aria-hidden="true">
          <kbd>1</kbd>–<kbd>9</kbd> {t.open}
        </span>
      </header>
      {waiting.length === 0 && <p class="q pad-in">{t.nothing}</p>}
      <ol tabIndex={0} aria-label={t.waiting}>
        {groups.flatMap(({ group, items }) =>
          items.length === 0
            ? []
            : [
                <li key={group} class={`head ${group === 'still' ? '' : group === 'second' ? 'two' : 'calm'}`}>
                  {t[group]}
                </li>,
                ...items.map(({ one, n }) => (
                  <Item key={`${one.table}${one.what}${one.since}${one.says.with['shoe'] ?? ''}`} one={one} n={n} />
                )),
              ],
        )}
      </ol>
    </section>
  );
}

function Item({ one, n }: { readonly one: WorkItem; readonly n: number }) {
  const t = floorStrings();
  const { what, by, who, since, expires } = one;
  const group = groupOf(one);
  const time =
    expires === undefined ? spanText(second.value - since) : t.left(spanText(Math.max(0, expires - second.value)));
  return (
    <li class={group === 'still' ? 'hot' : group === 'second' ? 'two' : ''}>
      <div class="l">{n < 9 && <Kbd>{n + 1}</Kbd>}</div>
      <div class="grow">
        <div class="row">
          <b class="tt">{t.what[what](one.table ?? one.says.with['terminal'] ?? '')}</b>
          <span class="grow" />
          <time>{time}</time>
        </div>
        <p>{moreOf(one)}</p>
        <div class="row foot2">
          {what === 'fault' ? <span class="tag attn">{t.phases.broken}</span> : <ClauseTag by={by} />}
          <span class="q">{kitWords().posts[who] ?? who}</span>
          <span class="grow" />
          <a class="go2" href={pathFor(one)}>
            {t.acts[what]}
          </a>
        </div>
      </div>
    </li>
  );
}

/** What it is about. */
function moreOf({ what, says: { code, with: given }, hash }: WorkItem): string {
  const t = floorStrings();
  const short = wrongWords[language.value].short;
  if (what === 'stopped' || what === 'interrupted') return short[code] ?? code;
  if (what === 'referred') return t.more.referred;
  if (what === 'fault') return code === 'cannot-record' ? t.more['cannot-record'] : t.more.broken;
  if (what === 'shoe-locked') return t.more.locked;
  if (what === 'sealed-shoe') return t.more.sealed(given['shoe'] ?? '', given['seal'] ?? '');
  if (what === 'count-differs') {
    return t.more.differs(given['shoe'] ?? '', given['seen'] ?? '', given['expected'] ?? '');
  }
  if (what === 'not-open') return t.more.notOpen;
  if (what === 'call') return given['reason'] ?? '';
  const fragment = hash === undefined ? '' : fragmentOf(hash);
  if (what === 'hand-pay') {
    const amount = `${currency.value} ${formatMoney(Number(given['amount']))}`;
    return hash === undefined ? amount : t.more.bound(amount, fragment);
  }
  const act = given['act'] ?? '';
  return t.more.bound(actWords[language.value][act] ?? act, fragment);
}
