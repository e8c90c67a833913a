import { useQuery } from '../../kit/useQuery.ts';
import { PageFrame } from '../parts/pageFrame.tsx';
import { NumberAndPinForm } from '../../kit/components/approvalBar.tsx';
import { hashFragment } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffClient } from '../../app/connection.ts';
import { isDisconnected } from '../../app/state.ts';
import { sendOpenTable } from '../../kit/sendCommand.ts';
import { PageHeaderBand } from '../parts/pageHeaderBand.tsx';
import { mayActAs } from '../parts/useSupervisorView.ts';
import { tableStrings } from './strings.ts';

type Tables = { readonly tables: readonly { readonly table: string; readonly open: boolean }[] };
type Setting = {
  readonly wanted: { readonly [field: string]: unknown };
  readonly hash: string;
};

/** Page of a table that is not open, or whose view has not arrived yet. */
export function OpenTableForm({ table }: { readonly table: string }) {
  const t = tableStrings();
  const tables = useQuery<Tables>('tables', {}, 5_000);
  const listed = tables.state === 'loaded' ? tables.data.tables.find((one) => one.table === table) : undefined;
  if (tables.state === 'loaded' && listed === undefined) return <Notice text={t.unknown} />;
  if (listed === undefined || listed.open) return <Notice text={kitStrings().loading} />;
  return <OpeningForm table={table} />;
}

function Notice({ text }: { readonly text: string }) {
  return (
    <PageFrame name="soon">
      <p class="panel q pad-in">{text}</p>
    </PageFrame>
  );
}

/** Form to open a table by two persons: the signed-in one, and one who gives number and PIN here. */
function OpeningForm({ table }: { readonly table: string }) {
  const t = tableStrings();
  const result = useQuery<Setting>('settings', { table });
  const setting = result.state === 'loaded' ? result.data : null;
  const facts = ['game', 'bets', 'dealing'] as const;
  const mayOpen = mayActAs('pit-manager');
  return (
    <PageFrame name="table1 shut">
      <PageHeaderBand title={t.notOpen(table)} by="HOUSE 2" />
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
              {t.boundTo} <b class="hash">{hashFragment(setting.hash)}</b>
            </p>
            {mayOpen && (
              <div class="sign-bar panel pad-in">
                <NumberAndPinForm
                  isDisabled={isDisconnected.value}
                  sign={async (person) => {
                    const isOpen = await sendOpenTable(table, setting.hash, person);
                    if (isOpen) staffClient.watchTable(table, 'supervisor');
                    return isOpen;
                  }}
                />
              </div>
            )}
          </>
        )}
      </section>
    </PageFrame>
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? (tableStrings().values[value] ?? value) : '–';
}
