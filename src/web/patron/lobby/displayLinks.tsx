import { BilingualText } from '../../shared/text/bilingualText.tsx';
import { tableTiles } from '../app/state.ts';
import { lobbyStringsByLanguage, lobbyStrings } from './strings.ts';

function Sign() {
  return (
    <svg class="display-link-sign" viewBox="0 0 35 35" aria-hidden="true">
      <rect x="5" y="8" width="25" height="16" rx="2" fill="#f6efdf" />
      <g fill="none" stroke-width="1.8">
        <circle cx="10" cy="13" r="2.2" stroke="#b9202b" />
        <circle cx="16" cy="13" r="2.2" stroke="#1a57bd" />
        <circle cx="10" cy="19" r="2.2" stroke="#b9202b" />
      </g>
      <path d="M13 28h9" stroke="#f6efdf" stroke-width="2" stroke-linecap="round" />
    </svg>
  );
}

export function DisplayLinks() {
  const t = lobbyStrings();
  return (
    <nav class="display-links" aria-label={t.displays}>
      <div class="display-link">
        <Sign />
        <p class="display-link-text">
          <b>
            <BilingualText en={lobbyStringsByLanguage.en.display} zh={lobbyStringsByLanguage.zh.display} />
          </b>
          <small>{t.displayNote}</small>
        </p>
        <ul class="display-link-tables">
          {tableTiles.value.map(({ table }) => (
            <li key={table}>
              <a class="key" href={`display/${table}`} aria-label={t.displayOf(table)}>
                {table}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
