import { tiles } from '../state.ts';
import { words } from './words.ts';
import { gameName } from '../../shared/names.ts';

/** All tables, the third view. */
export function Tables() {
  const t = words();
  return (
    <main class="all-tables">
      <ul>
        {tiles.value.map(({ table, game, name }) => (
          <li key={table}>
            <a class="key" href={`#/table/${table}`}>
              {gameName(game, name)} · {t.table} {table}
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}
