import { useEffect, useState } from 'preact/hooks';
import { type TableSettings } from '../../../../wire/staff/cageTypes.ts';
import { type SettingsDifference } from '../../../../wire/staff/proposalEffects.ts';
import { shortHashText } from '../../kit/text/timeText.ts';
import { useQuery } from '../../kit/useQuery.ts';
import {
  ProposalEffectsView,
  SettingsDifferencesTable,
  gameInSettingsDifferences,
} from '../../kit/components/proposalEffects.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { PageFrame } from '../components/pageFrame.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { staffClient } from '../../app/connection.ts';
import { staffServerTimeMs, staffState } from '../../app/state.ts';
import { FormRefusalNotice, useFormCommands } from '../forms/useFormCommands.tsx';
import { SignatureForm } from '../../kit/components/signatureForm.tsx';
import { sendOpenTable } from '../../kit/sendCommand.ts';
import { type PathParameters } from '../pages.ts';
import { SettingsDraftBar, SettingsProposalBar, mayProposeSettings } from './proposalBars.tsx';
import {
  type SettingsDraft,
  applySettingsDraft,
  editedSettingFields,
  changedSettingFields,
  invalidSettingFields,
} from './settingsDraft.ts';
import { SettingsRows, settingLabel, settingDisplayText, wagerIdsOfGame } from './settingsRows.tsx';
import { settingsStrings } from './strings.ts';

type SettingsAnswer = {
  readonly settings: TableSettings | null;
  readonly opening: readonly SettingsDifference[];
  readonly hash: string;
};

/**
 * Settings of a table, beside the proposed settings. A pit manager proposes new settings, and a Gaming Shift Manager
 * approves them. [READING 49]
 */
export function Page({ params }: { readonly params: PathParameters }) {
  const t = settingsStrings();
  const commands = useFormCommands();
  const [draft, setDraft] = useState<SettingsDraft>({});
  const tables = useQuery<{ readonly tables: readonly { readonly table: string; readonly open: boolean }[] }>(
    'tables',
    {},
    5_000,
  );
  const first = tables.state === 'loaded' ? tables.data.tables[0]?.table : undefined;
  const table = params['table'] ?? first ?? '';
  useEffect(() => {
    if (table === '') return undefined;
    setDraft({});
    staffClient.watchTable(table, 'supervisor');
    return () => staffClient.leave();
  }, [table]);
  const result = useQuery<SettingsAnswer>('settings', { table }, 3_000, commands.revision);
  const answer = result.state === 'loaded' ? result.data : null;
  return (
    <PageFrame name="settings">
      <SettingsBand table={table} isOpen={answer?.settings !== null} />
      <nav class="panel side-list" aria-label={t.tables}>
        {tables.state === 'loaded' &&
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
      {answer !== null && answer.settings !== null && (
        <SettingsEditor
          key={table}
          table={table}
          settings={answer.settings}
          draft={draft}
          setDraft={setDraft}
          commands={commands}
        />
      )}
      {answer !== null && answer.settings === null && (
        <OpenTablePanel table={table} opening={answer.opening} hash={answer.hash} commands={commands} />
      )}
    </PageFrame>
  );
}

function SettingsBand({ table, isOpen }: { readonly table: string; readonly isOpen: boolean }) {
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

/** The request for a preview waits until no field has changed for this time. */
const previewDelayMs = 250;

/**
 * Error code with which the server would refuse these settings. Null while the reply is pending, and when the server
 * would accept them.
 */
function useRefusal(table: string, settings: TableSettings | null, revision: number): string | null {
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    setCode(null);
    if (settings === null) return undefined;
    let isCurrent = true;
    const loadPreview = async (): Promise<void> => {
      const answer = await staffClient.query('preview', { table, request: { type: 'ChangeSettings', settings } });
      if (isCurrent) setCode(answer.type === 'refused' ? answer.code : null);
    };
    const timer = setTimeout(() => void loadPreview(), previewDelayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [table, JSON.stringify(settings), revision]);
  return code;
}

type Props = {
  readonly table: string;
  readonly settings: TableSettings;
  readonly draft: SettingsDraft;
  readonly setDraft: (draft: SettingsDraft) => void;
  readonly commands: ReturnType<typeof useFormCommands>;
};

function SettingsEditor({ table, settings, draft, setDraft, commands }: Props) {
  const t = settingsStrings();
  const view = staffState.value.supervisor;
  const openProposal = view?.proposal ?? null;
  // An expired proposal does not block a new proposal.
  const proposal = openProposal !== null && openProposal.expires > staffServerTimeMs.value ? openProposal : null;
  const invalid = invalidSettingFields(draft);
  const isDraft = proposal === null && editedSettingFields(settings, draft).length > 0;
  const drafted =
    isDraft && invalid.length === 0
      ? applySettingsDraft(settings, draft, wagerIdsOfGame(draft['game'] ?? settings.game))
      : null;
  const changed = drafted === null ? [] : changedSettingFields(settings, drafted);
  const refusal = useRefusal(table, drafted, commands.revision);
  const propose = async (): Promise<void> => {
    if (drafted === null) return;
    if (await commands.send(() => staffClient.command(table, { type: 'ChangeSettings', settings: drafted })))
      setDraft({});
  };
  return (
    <>
      <section class="panel scroll" tabIndex={0} aria-label={t.settings}>
        {proposal !== null ? (
          <div class="pad-in">
            <ProposalEffectsView effects={proposal.effects} game={settings.game} reason={proposal.reason} />
          </div>
        ) : (
          <SettingsRows
            settings={settings}
            after={drafted}
            draft={draft}
            changed={editedSettingFields(settings, draft)}
            invalid={invalid}
            set={(field, text) => setDraft({ ...draft, [field]: text })}
            isFixed={!mayProposeSettings()}
          />
        )}
      </section>
      <div class="evi">
        {proposal === null && (
          <section class="panel words" aria-live="polite">
            <h2>
              {t.does} {changed.length > 0 && <span class="tag two">{t.changes(changed.length)}</span>}
            </h2>
            {invalid.length > 0 && <p>{t.bad}</p>}
            {changed.length === 0 && invalid.length === 0 && <p class="q">{t.nothing}</p>}
            {drafted !== null &&
              changed.map((field) => (
                <p key={field}>
                  {t.line(
                    settingLabel(drafted, field),
                    settingDisplayText(settings, field),
                    settingDisplayText(drafted, field),
                  )}
                </p>
              ))}
            {refusal !== null && (
              <p role="alert">
                <b>{t.refused}</b> {staffRefusalText(refusal, refusal)}
              </p>
            )}
            {changed.length > 0 && refusal === null && <p class="q">{t.next}</p>}
          </section>
        )}
        <FormRefusalNotice refusal={commands.refusal} />
        <section class="panel words grow">
          <h2>{t.rule}</h2>
          <p>
            <ClauseTag by="HOUSE 10" /> {t.ruleText}
          </p>
        </section>
      </div>
      {proposal === null ? (
        <SettingsDraftBar
          table={table}
          isClosed={view?.closed === true}
          count={changed.length}
          isRefused={refusal !== null}
          commands={commands}
          propose={() => void propose()}
          undo={() => setDraft({})}
        />
      ) : (
        <SettingsProposalBar table={table} proposal={proposal} commands={commands} />
      )}
    </>
  );
}

/** Panel of a table that was never opened. Two persons open it with the settings of the property. [HOUSE 2] */
function OpenTablePanel({
  table,
  opening,
  hash,
  commands,
}: {
  readonly table: string;
  readonly opening: SettingsAnswer['opening'];
  readonly hash: string;
  readonly commands: Props['commands'];
}) {
  const t = settingsStrings();
  return (
    <section class="panel side-acts" aria-label={t.open}>
      <div class="body scrolls" tabIndex={0}>
        <p>
          {t.notOpen} <ClauseTag by="HOUSE 2" />
        </p>
        <p class="q">{shortHashText(hash)}</p>
        <SettingsDifferencesTable settings={opening} game={gameInSettingsDifferences(opening)} isOpening />
      </div>
      <FormRefusalNotice refusal={commands.refusal} />
      {mayProposeSettings() && (
        <div class="second-sign">
          <SignatureForm
            role="gaming-shift-manager"
            label={t.open}
            isDisabled={commands.isDisabled}
            sign={async (person) => {
              const refusal = await sendOpenTable(table, hash, person);
              if (refusal === undefined) commands.reload();
              return refusal;
            }}
          />
        </div>
      )}
    </section>
  );
}
