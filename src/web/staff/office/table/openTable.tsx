import { useQuery } from '../../kit/useQuery.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { PersonFields } from '../../kit/components/approvalBar.tsx';
import { fragmentOf } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { staff } from '../../app/connection.ts';
import { isLost } from '../../app/state.ts';
import { sendOpenTable } from '../parts/commands.ts';
import { Band } from '../parts/pageBand.tsx';
import { may } from '../parts/useTable.ts';
import { tableStrings } from './strings.ts';

type Tables = { readonly tables: readonly { readonly table: string; readonly open: boolean }[] };
type Setting = {
  readonly wanted: { readonly [field: string]: unknown };
  readonly hash: string;
};

/** Table that is not open, or whose view has not arrived. */
export function OpenTableForm({ table }: { readonly table: string }) {
  const t = tableStrings();
  const tables = useQuery<Tables>('tables', {}, 5_000);
  const known = tables.state === 'there' ? tables.data.tables.find((one) => one.table === table) : undefined;
  if (tables.state === 'there' && known === undefined) return <Plain text={t.unknown} />;
  if (known === undefined || known.open) return <Plain text={kitWords().loading} />;
  return <Shut table={table} />;
}

function Plain({ text }: { readonly text: string }) {
  return (
    <Frame name="soon">
      <p class="panel q pad-in">{text}</p>
    </Frame>
  );
}

/** Opening by two persons: the signed-in one, and another who signs here. */
function Shut({ table }: { readonly table: string }) {
  const t = tableStrings();
  const found = useQuery<Setting>('setting', { table });
  const setting = found.state === 'there' ? found.data : null;
  const facts = ['game', 'bets', 'dealing'] as const;
  const mayOpen = may('pit-manager');
  return (
    <Frame name="table1 shut">
      <Band title={t.notOpen(table)} by="HOUSE 2" />
      <section class="panel opening" data-testid="opening">
        <p>{mayOpen ? t.opening : t.mayNot}</p>
        {setting !== null && (
          <>
            <dl class="kv">
              {facts.map((name) => (
                <>
                  <dt key={name}>{t[name]}</dt>
                  <dd>{valueText(setting.wanted[name])}</dd>
                </>
              ))}
            </dl>
            <p>
              {t.boundTo} <b class="hash">{fragmentOf(setting.hash)}</b>
            </p>
            {mayOpen && (
              <div class="sign-bar panel pad-in">
                <PersonFields
                  isOff={isLost.value}
                  sign={async (person) => {
                    const isOpen = await sendOpenTable(table, setting.hash, person);
                    if (isOpen) staff.lookAt(table, 'supervisor');
                    return isOpen;
                  }}
                />
              </div>
            )}
          </>
        )}
      </section>
    </Frame>
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? (tableStrings().values[value] ?? value) : '–';
}
