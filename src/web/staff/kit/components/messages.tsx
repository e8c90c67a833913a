import { type StaffMessage } from '../../../../wire/staff/views.ts';
import { Clause } from './clauseTag.tsx';
import { saidOf } from '../text/promptText.ts';
import { clockText } from '../text/timeText.ts';
import { words } from '../text/strings.ts';

/** At most so many are shown. */
const most = 5;

type Kept = { readonly at: number; readonly text: string; readonly by: string | null };

/** The newest first; orange where a round of now is concerned. What was not taken and stays comes before all of them. */
export function Messages({
  all,
  kept = [],
}: {
  readonly all: readonly StaffMessage[];
  readonly kept?: readonly Kept[];
}) {
  const t = words();
  return (
    <section class="panel msgs" aria-label={t.messages} tabIndex={0}>
      <ul aria-live="polite">
        {kept.map(({ at, text, by }) => (
          <li key={`${at} ${text}`} class="attn" data-testid="kept">
            <time>{clockText(at)}</time>
            <span>
              {text} <Clause by={by} />
            </span>
          </li>
        ))}
        {all.slice(0, most - kept.length).map((message) => {
          const { at, says, isUrgent } = message;
          return (
            <li key={`${at} ${says.code}`} class={isUrgent ? 'attn' : ''}>
              <time>{clockText(at)}</time>
              <span>
                {saidOf(says, message.from)} <Clause by={says.by} />
              </span>
            </li>
          );
        })}
        {all.length + kept.length === 0 && <li class="none">{t.noMessages}</li>}
      </ul>
    </section>
  );
}
