import { type StaffMessage } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from './clauseTag.tsx';
import { promptText } from '../text/promptText.ts';
import { formatTimeOfDay } from '../text/timeText.ts';
import { kitStrings } from '../text/strings.ts';

/** At most so many are shown. */
const most = 5;

type Kept = { readonly at: number; readonly text: string; readonly by: string | null };

/** The newest first; orange where a round of now is concerned. What was not taken and stays comes before all of them. */
export function MessageList({
  all,
  kept = [],
}: {
  readonly all: readonly StaffMessage[];
  readonly kept?: readonly Kept[];
}) {
  const t = kitStrings();
  return (
    <section class="panel msgs" aria-label={t.messages} tabIndex={0}>
      <ul aria-live="polite">
        {kept.map(({ at, text, by }) => (
          <li key={`${at} ${text}`} class="attn" data-testid="kept">
            <time>{formatTimeOfDay(at)}</time>
            <span>
              {text} <ClauseTag by={by} />
            </span>
          </li>
        ))}
        {all.slice(0, most - kept.length).map((message) => {
          const { at, says, isUrgent } = message;
          return (
            <li key={`${at} ${says.code}`} class={isUrgent ? 'attn' : ''}>
              <time>{formatTimeOfDay(at)}</time>
              <span>
                {promptText(says, message.from)} <ClauseTag by={says.by} />
              </span>
            </li>
          );
        })}
        {all.length + kept.length === 0 && <li class="none">{t.noMessages}</li>}
      </ul>
    </section>
  );
}
