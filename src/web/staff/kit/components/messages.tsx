import { type TableStaffMessage } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from './clauseTag.tsx';
import { promptText } from '../text/promptText.ts';
import { formatTimeOfDay } from '../text/timeText.ts';
import { kitStrings } from '../text/strings.ts';

const maxMessages = 5;

type PinnedMessage = { readonly at: number; readonly text: string; readonly by: string | null };

/**
 * Messages of a table, newest first; urgent messages are orange. Pinned messages, such as refused cards, come before
 * all others.
 */
export function MessageList({
  messages,
  pinned = [],
}: {
  readonly messages: readonly TableStaffMessage[];
  readonly pinned?: readonly PinnedMessage[];
}) {
  const t = kitStrings();
  return (
    <section class="panel msgs" aria-label={t.messages} tabIndex={0}>
      <ul aria-live="polite">
        {pinned.map(({ at, text, by }) => (
          <li key={`${at} ${text}`} class="attn" data-testid="kept">
            <time>{formatTimeOfDay(at)}</time>
            <span>
              {text} <ClauseTag by={by} />
            </span>
          </li>
        ))}
        {messages.slice(0, maxMessages - pinned.length).map((message) => {
          const { at, prompt, isUrgent } = message;
          return (
            <li key={`${at} ${prompt.code}`} class={isUrgent ? 'attn' : ''}>
              <time>{formatTimeOfDay(at)}</time>
              <span>
                {promptText(prompt, message.from)} <ClauseTag by={prompt.by} />
              </span>
            </li>
          );
        })}
        {messages.length + pinned.length === 0 && <li class="none">{t.noMessages}</li>}
      </ul>
    </section>
  );
}
