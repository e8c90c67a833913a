import { useEffect, useState } from 'preact/hooks';
import { type TableSettings } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Frame } from '../parts/pageFrame.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { staff } from '../../app/connection.ts';
import { now, staffState } from '../../app/state.ts';
import { NotTaken, useActs } from '../forms/useAction.tsx';
import { Second } from '../forms/secondPerson.tsx';
import { type Params } from '../pages.ts';
import { DraftBar, ProposalBar, mayPropose } from './proposalBars.tsx';
import { type SettingsDraft, applyDraft, changedIn, changedFields, wrongIn } from './settingsDraft.ts';
import { Rows, labelOf, settingText, wagerIds } from './settingsRows.tsx';
import { settingsStrings } from './strings.ts';

type Told = { readonly setting: TableSettings | null; readonly hash: string };

/** Proposed settings; null unless a change of settings is proposed. */
function proposedIn(): TableSettings | null {
  const { supervisor } = staffState.value;
  const { act, expires = 0 } = supervisor?.proposal ?? {};
  if (supervisor === null || act !== 'ChangeSetting' || expires <= now.value) return null;
  const event = supervisor.effects?.events.find(({ type }) => type === 'SettingChanged');
  return (event?.['setting'] as TableSettings | undefined) ?? null;
}

/**
 * Settings of a table beside the proposed ones. A pit manager proposes, a Gaming Shift Manager approves. [READING 49]
 */
export function Page({ params }: { readonly params: Params }) {
  const t = settingsStrings();
  const acts = useActs();
  const [draft, change] = useState<SettingsDraft>({});
  const tables = useQuery<{ readonly tables: readonly { readonly table: string; readonly open: boolean }[] }>(
    'tables',
    {},
    5_000,
  );
  const first = tables.state === 'there' ? tables.data.tables[0]?.table : undefined;
  const table = params['table'] ?? first ?? '';
  useEffect(() => {
    if (table === '') return undefined;
    change({});
    staff.lookAt(table, 'supervisor');
    return () => staff.leave();
  }, [table]);
  const found = useQuery<Told>('setting', { table }, 3_000, acts.turn);
  const told = found.state === 'there' ? found.data : null;
  return (
    <Frame name="settings">
      <Band table={table} isOpen={told?.setting !== null} />
      <nav class="panel side-list" aria-label={t.tables}>
        {tables.state === 'there' &&
          tables.data.tables.map((one) => (
            <a
              key={one.table}
              href={`/settings/${encodeURIComponent(one.table)}`}
              class={one.table === table ? 'on' : ''}
              {...(one.table === table && { 'aria-current': 'page' })}
            >
              {one.table}
              {!one.open && <span class="tag">{t.closed}</span>}
            </a>
          ))}
      </nav>
      {told !== null && told.setting !== null && (
        <Changes key={table} table={table} setting={told.setting} draft={draft} change={change} acts={acts} />
      )}
      {told !== null && told.setting === null && <NotOpen table={table} hash={told.hash} acts={acts} />}
    </Frame>
  );
}

function Band({ table, isOpen }: { readonly table: string; readonly isOpen: boolean }) {
  const t = settingsStrings();
  const view = staffState.value.supervisor;
  const state =
    !isOpen || view === null
      ? null
      : view.phase !== 'idle' && view.phase !== 'closed'
        ? t.mayNot
        : view.shoe === null
          ? t.mayAll
          : t.mayRound;
  return (
    <section class="band calm">
      <h1>{t.title(table)}</h1>
      {view?.closed && <span class="tag attn">{t.closed}</span>}
      <span class="grow" />
      {state !== null && <span class="tag">{state}</span>}
    </section>
  );
}

/** Delay in milliseconds after the last change before the preview is requested. */
const quiet = 250;

/** Error code, if the table would refuse the settings now. */
function useRefusal(table: string, setting: TableSettings | null, turn: number): string | null {
  const [code, say] = useState<string | null>(null);
  useEffect(() => {
    say(null);
    if (setting === null) return undefined;
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const told = await staff.ask('preview', { table, asked: { type: 'ChangeSetting', setting } });
      if (isWanted) say(told.type === 'refused' ? told.code : null);
    };
    const timer = setTimeout(() => void ask(), quiet);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [table, JSON.stringify(setting), turn]);
  return code;
}

type Form = {
  readonly table: string;
  readonly setting: TableSettings;
  readonly draft: SettingsDraft;
  readonly change: (draft: SettingsDraft) => void;
  readonly acts: ReturnType<typeof useActs>;
};

function Changes({ table, setting, draft, change, acts }: Form) {
  const t = settingsStrings();
  const view = staffState.value.supervisor;
  const waits = view?.proposal ?? null;
  // An expired proposal does not block another one.
  const proposal = waits !== null && waits.expires > now.value ? waits : null;
  const proposed = proposedIn();
  const wrong = wrongIn(draft);
  const isDraft = proposal === null && changedIn(setting, draft).length > 0;
  const own =
    isDraft && wrong.length === 0 ? applyDraft(setting, draft, wagerIds(draft['game'] ?? setting.game)) : null;
  const after = proposed ?? own;
  const fields = after === null ? [] : changedFields(setting, after);
  const refusal = useRefusal(table, own, acts.turn);
  const propose = async (): Promise<void> => {
    if (own === null) return;
    if (await acts.run(() => staff.command(table, { type: 'ChangeSetting', setting: own }))) change({});
  };
  return (
    <>
      <section class="panel scroll" tabIndex={0} aria-label={t.setting}>
        <Rows
          setting={setting}
          after={after}
          draft={draft}
          changed={proposed === null ? changedIn(setting, draft) : fields}
          wrong={wrong}
          set={(field, text) => change({ ...draft, [field]: text })}
          isFixed={proposal !== null || !mayPropose()}
        />
      </section>
      <div class="evi">
        <section class="panel words" aria-live="polite">
          <h2>
            {t.does} {fields.length > 0 && <span class="tag two">{t.changes(fields.length)}</span>}
          </h2>
          {wrong.length > 0 && <p>{t.bad}</p>}
          {fields.length === 0 && wrong.length === 0 && <p class="q">{t.nothing}</p>}
          {after !== null &&
            fields.map((field) => (
              <p key={field}>{t.line(labelOf(after, field), settingText(setting, field), settingText(after, field))}</p>
            ))}
          {refusal !== null && (
            <p role="alert">
              <b>{t.refused}</b> {staffRefusalText(refusal, refusal)}
            </p>
          )}
          {fields.length > 0 && refusal === null && <p class="q">{t.next}</p>}
          <NotTaken told={acts.told} />
        </section>
        <section class="panel words grow">
          <h2>{t.rule}</h2>
          <p>
            <ClauseTag by="HOUSE 10" /> {t.ruleText}
          </p>
        </section>
      </div>
      {proposal === null ? (
        <DraftBar
          table={table}
          isClosed={view?.closed === true}
          count={fields.length}
          isRefused={refusal !== null}
          acts={acts}
          propose={() => void propose()}
          undo={() => change({})}
        />
      ) : (
        <ProposalBar table={table} proposal={proposal} acts={acts} />
      )}
    </>
  );
}

/** Table that was never opened: two persons open it with the settings of the property file. [HOUSE 2] */
function NotOpen({
  table,
  hash,
  acts,
}: {
  readonly table: string;
  readonly hash: string;
  readonly acts: Form['acts'];
}) {
  const t = settingsStrings();
  return (
    <section class="panel side-acts" aria-label={t.open}>
      <div class="body">
        <p>
          {t.notOpen} <ClauseTag by="HOUSE 2" />
        </p>
        <p class="q">{hash.slice(0, 20)}</p>
      </div>
      <NotTaken told={acts.told} />
      {mayPropose() && (
        <Second
          post="gaming-shift-manager"
          act={t.open}
          isDead={acts.isDead}
          sign={async (person) => (await acts.run(() => staff.openTable(table, hash, person))) !== undefined}
        />
      )}
    </section>
  );
}
