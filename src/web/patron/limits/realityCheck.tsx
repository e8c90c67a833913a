import { formatMoney } from '../../../base/formatMoney.ts';
import { type TerminalBalance } from '../../../wire/terminalBalance.ts';
import { Icon } from '../../shared/controls/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { patronTime } from '../app/state.ts';
import { signed } from '../recall/recalledRound.ts';
import { atStake, minutesOf, sessionNet } from './sessionFigures.ts';
import { careWords, limitsStrings } from './strings.ts';

type Form = { readonly purse: TerminalBalance; readonly name: string; readonly close: () => void };

/** The length of the session, as the title of a dialog. */
export function Reality({ purse, name, close }: Form) {
  const t = limitsStrings();
  const minutes = minutesOf(purse, patronTime.value);
  const titleIn = (one: typeof careWords.en): string => (purse.session === null ? one.notPlayed : one.played(minutes));
  return (
    <header class="care-head">
      <svg class="care-clock" viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="46" />
        <path d="M50 24v27l17 11" />
      </svg>
      <div>
        <h2 id={`${name}-title`}>
          {titleIn(t)}
          {language.value === 'en' && <span lang="zh-Hans">{titleIn(careWords.zh)}</span>}
        </h2>
        <p>{t.stands}</p>
      </div>
      <button type="button" class="key key-icon" aria-label={t.close} onClick={close}>
        <Icon name="close" />
      </button>
    </header>
  );
}

/** Money loaded, money at stake, and the net result of the session. */
export function SessionTotals({ purse }: { readonly purse: TerminalBalance }) {
  const t = limitsStrings();
  const net = sessionNet(purse);
  return (
    <dl class="care-figures">
      <div>
        <dt>{t.loaded}</dt>
        <dd>{formatMoney(purse.session?.loaded ?? 0)}</dd>
      </div>
      <div>
        <dt>{t.atStake}</dt>
        <dd>{formatMoney(atStake(purse))}</dd>
      </div>
      <div>
        <dt>{t.net}</dt>
        <dd data-testid="care-net">{signed(net)}</dd>
      </div>
    </dl>
  );
}
