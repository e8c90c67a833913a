import { money } from '../../../base/formatMoney.ts';
import { type Purse } from '../../../wire/terminalBalance.ts';
import { Icon } from '../../shared/controls/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { now } from '../app/state.ts';
import { signed } from '../recall/recalledRound.ts';
import { atStake, minutesOf, netOf } from './sessionFigures.ts';
import { careWords, words } from './strings.ts';

type Form = { readonly purse: Purse; readonly name: string; readonly close: () => void };

/** How long the session has lasted, as the title of a dialog. */
export function Reality({ purse, name, close }: Form) {
  const t = words();
  const minutes = minutesOf(purse, now.value);
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

/** What was loaded, what stands, and what the session has come to. */
export function Figures({ purse }: { readonly purse: Purse }) {
  const t = words();
  const net = netOf(purse);
  return (
    <dl class="care-figures">
      <div>
        <dt>{t.loaded}</dt>
        <dd>{money(purse.session?.in ?? 0)}</dd>
      </div>
      <div>
        <dt>{t.atStake}</dt>
        <dd>{money(atStake(purse))}</dd>
      </div>
      <div>
        <dt>{t.net}</dt>
        <dd data-testid="care-net">{signed(net)}</dd>
      </div>
    </dl>
  );
}
