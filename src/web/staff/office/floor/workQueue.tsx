import { formatMoney } from '../../../../base/formatMoney.ts';
import { type WorkItem } from '../../../../wire/staff/floorView.ts';
import { language } from '../../../shared/text/language.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { commandDisplayNamesByLanguage } from '../../kit/text/eventText.ts';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { shortHashText, durationText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { irregularityNamesByLanguage } from '../../kit/text/irregularityStrings.ts';
import { propertyCurrency, staffServerSecondMs } from '../../app/state.ts';
import { floorStrings } from './strings.ts';

export function workItemPath({ table, what }: WorkItem): string {
  if (what === 'hand-pay') return '/terminals';
  const tablePath = `/floor/${encodeURIComponent(table ?? '')}`;
  if (what === 'stopped' || what === 'interrupted' || what === 'proposal') return `${tablePath}/ruling`;
  if (what === 'sealed-shoe') return `${tablePath}/sealed`;
  return what === 'referred' ? `${tablePath}/referral` : tablePath;
}

type Group = 'still' | 'second' | 'calm';
const groupOf = ({ what, hash }: WorkItem): Group =>
  what === 'proposal' || hash !== undefined
    ? 'second'
    : ['fault', 'interrupted', 'stopped', 'referred'].includes(what)
      ? 'still'
      : 'calm';

/** Work queue in three groups: stopped tables, approvals, and the rest. */
export function WorkQueue({ waiting }: { readonly waiting: readonly WorkItem[] }) {
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
                  <WorkItemRow
                    key={`${one.table}${one.what}${one.since}${one.prompt.with['shoe'] ?? ''}`}
                    one={one}
                    n={n}
                  />
                )),
              ],
        )}
      </ol>
    </section>
  );
}

function WorkItemRow({ one, n }: { readonly one: WorkItem; readonly n: number }) {
  const t = floorStrings();
  const { what, by, role, since, expires } = one;
  const group = groupOf(one);
  const time =
    expires === undefined
      ? durationText(staffServerSecondMs.value - since)
      : t.left(durationText(Math.max(0, expires - staffServerSecondMs.value)));
  return (
    <li class={group === 'still' ? 'hot' : group === 'second' ? 'two' : ''}>
      <div class="l">{n < 9 && <KeyCap>{n + 1}</KeyCap>}</div>
      <div class="grow">
        <div class="row">
          <b class="tt">{t.what[what](one.table ?? one.prompt.with['terminal'] ?? '')}</b>
          <span class="grow" />
          <time>{time}</time>
        </div>
        <p>{itemDetail(one)}</p>
        <div class="row foot2">
          {what === 'fault' ? <span class="tag attn">{t.phases.broken}</span> : <ClauseTag by={by} />}
          <span class="q">{kitStrings().roles[role] ?? role}</span>
          <span class="grow" />
          <a class="go2" href={workItemPath(one)}>
            {t.actions[what]}
          </a>
        </div>
      </div>
    </li>
  );
}

function itemDetail({ what, prompt: { code, with: fields }, hash }: WorkItem): string {
  const t = floorStrings();
  const short = irregularityNamesByLanguage[language.value].short;
  if (what === 'stopped' || what === 'interrupted') return short[code] ?? code;
  if (what === 'referred') return t.more.referred;
  if (what === 'fault') return code === 'cannot-record' ? t.more['cannot-record'] : t.more.broken;
  if (what === 'shoe-locked') return t.more.locked;
  if (what === 'sealed-shoe') return t.more.sealed(fields['shoe'] ?? '', fields['seal'] ?? '');
  if (what === 'count-differs') {
    return t.more.differs(fields['shoe'] ?? '', fields['seen'] ?? '', fields['expected'] ?? '');
  }
  if (what === 'not-open') return t.more.notOpen;
  if (what === 'call') return fields['reason'] ?? '';
  const fragment = hash === undefined ? '' : shortHashText(hash);
  if (what === 'hand-pay') {
    const amount = `${propertyCurrency.value} ${formatMoney(Number(fields['amount']))}`;
    return hash === undefined ? amount : t.more.bound(amount, fragment);
  }
  const command = fields['command'] ?? '';
  return t.more.bound(commandDisplayNamesByLanguage[language.value][command] ?? command, fragment);
}
