import { type ShortcutName, lobbyShortcuts, shortcutKeys } from '../app/shortcuts.ts';
import { helpStrings } from './strings.ts';

const keyLabel = (key: string): string => (key.length === 1 ? key.toUpperCase() : key);

function List({ title, rows }: { title: string; rows: readonly (readonly [key: string, text: string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="help-keys">
        {rows.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** List of all actions and their keys: those of a table, and those that also work in the lobby. */
export function ShortcutList() {
  const t = helpStrings();
  const rowOf = (name: ShortcutName): readonly [string, string] => [keyLabel(shortcutKeys[name]), t.keys[name]];
  const atTable = (Object.keys(shortcutKeys) as ShortcutName[]).filter((name) => !lobbyShortcuts.includes(name));
  return (
    <div class="help-text">
      <List title={t.keysAtTable} rows={[...t.keysOnFelt, ...atTable.map(rowOf)]} />
      <List title={t.keysEverywhere} rows={[...lobbyShortcuts.map(rowOf), ['Esc', t.keyClose]]} />
    </div>
  );
}
