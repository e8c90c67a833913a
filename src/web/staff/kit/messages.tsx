import { type StaffMessage } from '../../../wire/staff/views.ts';
import { Clause } from './clause.tsx';
import { saidOf } from './sentences.ts';
import { clockText } from './time.ts';
import { words } from './words.ts';

/** At most so many are shown. */
const most = 5;

/** The newest first; orange where a round of now is concerned. */
export function Messages({ all }: { readonly all: readonly StaffMessage[] }) {
  const t = words();
  return (
    <section class="panel msgs" aria-label={t.messages} tabIndex={0}>
      <ul aria-live="polite">
        {all.slice(0, most).map((message) => {
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
        {all.length === 0 && <li class="none">{t.noMessages}</li>}
      </ul>
    </section>
  );
}
