import { useState } from 'preact/hooks';
import { formatMoney, formatShortMoney } from '../../../base/formatMoney.ts';
import { type TerminalMoneyState } from '../../../wire/terminalMoneyState.ts';
import { language } from '../../shared/text/language.ts';
import { Dialog } from '../table/dialog.tsx';
import { patronClient } from '../app/connection.ts';
import { currentOverlay } from '../app/overlay.ts';
import { patronServerTimeMs, terminalMoneyState } from '../app/state.ts';
import { SessionTotals, SessionLengthHeading } from './sessionSummary.tsx';
import { sessionLimitChoices, lossAgainstLimit, highestOpenRoundStake } from './sessionFigures.ts';
import { timeWithDayUnlessToday } from './timeText.ts';
import { limitsStringsByLanguage, limitsStrings } from './strings.ts';

type Reply = Awaited<ReturnType<typeof patronClient.limit>>;
type Choice = 'loss' | 'stake' | 'break';

export function LimitsDialog() {
  const t = limitsStrings();
  const [choosing, choose] = useState<Choice | null>(null);
  const [reply, setReply] = useState<Reply | null>(null);
  const balance = terminalMoneyState.value;
  const close = (): void => void (currentOverlay.value = null);
  const send = (request: Promise<Reply>): void => {
    choose(null);
    setReply(null);
    void request.then(setReply);
  };
  if (balance === null) return null;
  const { pausedUntil } = balance.limits;
  const isPaused = pausedUntil !== null && pausedUntil > patronServerTimeMs.value;
  return (
    <Dialog name="limits" close={close}>
      <div class="limits-body">
        <SessionLengthHeading balance={balance} name="limits" close={close} />
        <SessionTotals balance={balance} />
        <h3>
          {t.limits} {language.value === 'en' && <span lang="zh-Hans">{limitsStringsByLanguage.zh.limits}</span>}
        </h3>
        <ul class="limits-list">
          <Limit name="loss" used={lossAgainstLimit(balance)} balance={balance} {...{ choosing, choose, send }} />
          <Limit name="stake" used={highestOpenRoundStake(balance)} balance={balance} {...{ choosing, choose, send }} />
        </ul>
        <p class="limits-note">{t.note}</p>
        {isPaused && (
          <p class="limits-paused" role="status" data-testid="limits-paused">
            {t.paused(timeWithDayUnlessToday(pausedUntil, patronServerTimeMs.value))}
          </p>
        )}
        <Failure reply={reply} />
        {choosing === 'break' && (
          <Choices
            title={t.breakFor}
            choices={Object.entries(t.spans).map(([minutes, text]) => [Number(minutes), text])}
            choose={(minutes) => send(patronClient.pause(minutes))}
          />
        )}
        <div class="limits-keys">
          <button
            type="button"
            class="key key-large key-gold"
            aria-expanded={choosing === 'break'}
            data-testid="limits-break"
            onClick={() => choose(choosing === 'break' ? null : 'break')}
          >
            {isPaused ? t.longer : t.break}
          </button>
          <button type="button" class="key key-large" onClick={() => (currentOverlay.value = 'collect')}>
            {t.collect}
          </button>
          <button type="button" class="key key-large" onClick={close}>
            {isPaused ? t.close : t.keepPlaying}
          </button>
        </div>
        <section class="limits-help">
          <h3>{t.helpTitle}</h3>
          <p data-testid="limits-help">{balance.limits.help?.[language.value] ?? t.help}</p>
        </section>
      </div>
    </Dialog>
  );
}

type LimitProps = {
  readonly name: 'loss' | 'stake';
  readonly used: number;
  readonly balance: TerminalMoneyState;
  readonly choosing: Choice | null;
  readonly choose: (choice: Choice | null) => void;
  readonly send: (request: Promise<Reply>) => void;
};

function Limit({ name, used, balance: { limits, session, credit }, choosing, choose, send }: LimitProps) {
  const t = limitsStrings();
  const limit = limits[name];
  const isChoosing = choosing === name;
  const choices = sessionLimitChoices(limit, session?.loaded ?? credit);
  return (
    <li class="limits-row" data-limit={name}>
      <span class="limits-name">
        {t[name]} {language.value === 'en' && <span lang="zh-Hans">{limitsStringsByLanguage.zh[name]}</span>}
      </span>
      <span class="limits-bar" aria-hidden="true">
        <i style={{ '--part': limit === null ? 0 : Math.min(1, used / limit) }} />
      </span>
      <span class="limits-used" data-testid={`limits-${name}`}>
        {formatMoney(used)} <small>{limit === null ? `· ${t.noLimit}` : `${t.of} ${formatMoney(limit)}`}</small>
      </span>
      <button
        type="button"
        class="key limits-lower"
        aria-expanded={isChoosing}
        aria-label={limit === null ? t.setLabel(t[name]) : t.lowerLabel(t[name])}
        disabled={choices.length === 0}
        onClick={() => choose(isChoosing ? null : name)}
      >
        <span>{limit === null ? t.set : t.lower}</span>
      </button>
      {isChoosing && (
        <Choices
          title={t.choose(t[name])}
          choices={choices.map((amount) => [amount, formatShortMoney(amount)])}
          choose={(amount) => send(patronClient.limit({ [name]: amount }))}
        />
      )}
    </li>
  );
}

type ChoicesProps = {
  readonly title: string;
  readonly choices: readonly (readonly [number, string])[];
  readonly choose: (value: number) => void;
};

function Choices({ title, choices, choose }: ChoicesProps) {
  return (
    <div class="limits-choices" role="group" aria-label={title}>
      <span>{title}</span>
      {choices.map(([value, text]) => (
        <button key={value} type="button" class="key" data-choice={value} onClick={() => choose(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}

function Failure({ reply }: { readonly reply: Reply | null }) {
  const t = limitsStrings();
  if (reply === null || reply.type === 'limited') return null;
  const text = reply.type === 'refused' ? (t.failures[reply.code] ?? t.failed) : t.unanswered;
  return (
    <p class="limits-failure" role="alert" data-testid="limits-failure">
      {text}
    </p>
  );
}
