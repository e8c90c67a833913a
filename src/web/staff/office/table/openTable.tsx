import { useQuery } from '../../kit/useQuery.ts';
import { type SettingsDifference } from '../../../../wire/staff/proposalEffects.ts';
import { SettingsDifferencesTable, gameInSettingsDifferences } from '../../kit/components/proposalEffects.tsx';
import { PageFrame } from '../components/pageFrame.tsx';
import { SignatureForm } from '../../kit/components/signatureForm.tsx';
import { shortHashText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffClient } from '../../app/connection.ts';
import { isConnectionUnusable } from '../../app/state.ts';
import { sendOpenTable } from '../../kit/sendCommand.ts';
import { PageHeaderBand } from '../components/pageHeaderBand.tsx';
import { mayActAs } from '../components/useSupervisorView.ts';
import { tableStrings } from './strings.ts';

type Tables = { readonly tables: readonly { readonly table: string; readonly open: boolean }[] };
type Setting = {
  readonly opening: readonly SettingsDifference[];
  readonly hash: string;
};

/** Page of a table without a view: the table is not open, or its view has not arrived yet. */
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

/** Form to open a table. The signed-in person is the first signer; a second person signs here with number and PIN. */
function OpeningForm({ table }: { readonly table: string }) {
  const t = tableStrings();
  const result = useQuery<Setting>('settings', { table });
  const setting = result.state === 'loaded' ? result.data : null;
  const mayOpen = mayActAs('pit-manager');
  return (
    <PageFrame name="table1 shut">
      <PageHeaderBand title={t.notOpen(table)} by="HOUSE 2" />
      <section class="panel opening scrolls" tabIndex={0} aria-label={t.notOpen(table)} data-testid="opening">
        <p>{mayOpen ? t.opening : t.mayNot}</p>
        {setting !== null && (
          <>
            <SettingsDifferencesTable
              settings={setting.opening}
              game={gameInSettingsDifferences(setting.opening)}
              isOpening
            />
            <p>
              {t.boundTo} <b class="hash">{shortHashText(setting.hash)}</b>
            </p>
            {mayOpen && (
              <div class="sign-bar panel pad-in">
                <SignatureForm
                  role="gaming-shift-manager"
                  isDisabled={isConnectionUnusable.value}
                  sign={async (person) => {
                    const refusal = await sendOpenTable(table, setting.hash, person);
                    if (refusal === undefined) staffClient.watchTable(table, 'supervisor');
                    return refusal;
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
