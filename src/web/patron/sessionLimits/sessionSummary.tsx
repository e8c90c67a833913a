import { formatMoney } from '../../../base/formatMoney.ts';
import { type TerminalMoneyState } from '../../../wire/terminalMoneyState.ts';
import { Icon } from '../../shared/widgets/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { patronServerTimeMs } from '../app/state.ts';
import { signedAmountText } from '../recall/recalledRound.ts';
import { totalOpenStakes, sessionMinutes, sessionNet } from './sessionFigures.ts';
import { limitsStringsByLanguage, limitsStrings } from './strings.ts';

type RealityProps = { readonly balance: TerminalMoneyState; readonly name: string; readonly close: () => void };

/** Heading of a dialog about the session: it shows how long the session has lasted. */
export function SessionLengthHeading({ balance, name, close }: RealityProps) {
  const t = limitsStrings();
  const minutes = sessionMinutes(balance, patronServerTimeMs.value);
  const titleIn = (one: typeof limitsStringsByLanguage.en): string =>
    balance.session === null ? one.notPlayed : one.played(minutes);
  return (
    <header class="limits-head">
      <svg class="limits-clock" viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="46" />
        <path d="M50 24v27l17 11" />
      </svg>
      <div>
        <h2 id={`${name}-title`}>
          {titleIn(t)}
          {language.value === 'en' && <span lang="zh-Hans">{titleIn(limitsStringsByLanguage.zh)}</span>}
        </h2>
        <p>{t.acceptedText}</p>
      </div>
      <button type="button" class="key key-icon" aria-label={t.close} onClick={close}>
        <Icon name="close" />
      </button>
    </header>
  );
}

export function SessionTotals({ balance }: { readonly balance: TerminalMoneyState }) {
  const t = limitsStrings();
  const net = sessionNet(balance);
  return (
    <dl class="limits-totals">
      <div>
        <dt>{t.loaded}</dt>
        <dd>{formatMoney(balance.session?.loaded ?? 0)}</dd>
      </div>
      <div>
        <dt>{t.atStake}</dt>
        <dd>{formatMoney(totalOpenStakes(balance))}</dd>
      </div>
      <div>
        <dt>{t.net}</dt>
        <dd data-testid="limits-net">{signedAmountText(net)}</dd>
      </div>
    </dl>
  );
}
