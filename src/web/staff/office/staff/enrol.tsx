import { type Ref } from 'preact';
import { useState } from 'preact/hooks';
import { type StaffRegisterView } from '../../../../wire/staff/cageTypes.ts';
import { type StaffHttpRequestBody } from '../../../../wire/staff/signInRequests.ts';
import {
  type StaffRequestRefusal,
  sendStaffHttpRequest,
  loadStaffBrowserState,
  createConsoleEnrolmentCode,
} from '../../app/session.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { staffClient } from '../../app/connection.ts';
import { isConnectionUnusable, staffServerSecondMs } from '../../app/state.ts';
import { type FormCommands } from '../forms/useFormCommands.tsx';
import { SelectField, TextField } from '../forms/fields.tsx';
import { OneTimeSecret, RoleCheckboxes } from './account.tsx';
import { staffStrings } from './strings.ts';

type ConsoleKind = StaffHttpRequestBody<'console'>['kind'];

export function StaffAndConsoleEnrolmentPanel({
  register,
  commands,
  input,
}: {
  readonly register: StaffRegisterView;
  readonly commands: FormCommands;
  readonly input: Ref<HTMLInputElement>;
}) {
  const t = staffStrings();
  const [number, setNumber] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([]);
  const isComplete = /^[A-Za-z]{1,4}-\d{1,6}$/.test(number.trim()) && roles.length > 0;
  const enrol = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isComplete) return;
    const command = { type: 'EnrolPerson', number: number.trim().toUpperCase(), roles };
    if (!(await commands.send(() => staffClient.staffCommand(command)))) return;
    setNumber('');
    setRoles([]);
  };
  return (
    <section class="panel side-acts" tabIndex={0} aria-label={t.enrol}>
      <header>
        <h2>{t.enrol}</h2>
      </header>
      <form class="body" onSubmit={(event) => void enrol(event)}>
        <div class="row ends">
          <TextField
            label={t.number}
            value={number}
            set={setNumber}
            maxLength={11}
            disabled={commands.isDisabled}
            placeholder="D-214"
            input={input}
          />
          <button type="submit" class="btn act" disabled={commands.isDisabled || !isComplete}>
            {t.enrolAct}
          </button>
        </div>
        <RoleCheckboxes granted={roles} set={setRoles} disabled={commands.isDisabled} />
      </form>
      <Consoles register={register} commands={commands} />
    </section>
  );
}

function Consoles({ register, commands }: { readonly register: StaffRegisterView; readonly commands: FormCommands }) {
  const t = staffStrings();
  const [kind, setKind] = useState<ConsoleKind>('floor');
  const [table, setTable] = useState('');
  const [enrolledName, setEnrolledName] = useState<string | null>(null);
  const result = useQuery<{ readonly tables: readonly { readonly table: string }[] }>('tables', {});
  const tables = result.state === 'loaded' ? result.data.tables.map((one) => one.table) : [];
  const [offer, setOffer] = useState<{ readonly code: string; readonly until: number } | null>(null);
  const consoleRequest = { kind, table: kind === 'dealer' ? table || (tables[0] ?? null) : null };
  const refuse = ({ code, message }: StaffRequestRefusal): void =>
    commands.setRefusal({ text: staffRefusalText(code, message), by: null });
  const enrol = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isConnectionUnusable.value) return;
    const refusal = await sendStaffHttpRequest('console', consoleRequest);
    if (refusal) refuse(refusal);
    else setEnrolledName((await loadStaffBrowserState())?.console?.console ?? '');
  };
  const offerToDevice = async (): Promise<void> => {
    if (isConnectionUnusable.value) return;
    const reply = await createConsoleEnrolmentCode(consoleRequest);
    if ('message' in reply) refuse(reply);
    else setOffer(reply);
  };
  return (
    <div class="body">
      <span class="cap">{t.consoles}</span>
      <form class="row ends wrap" aria-label={t.newConsole} onSubmit={(event) => void enrol(event)}>
        <SelectField
          label={t.newConsole}
          value={kind}
          set={(value) => setKind(value as ConsoleKind)}
          options={Object.entries(t.kinds)}
          disabled={commands.isDisabled}
        />
        {kind === 'dealer' && (
          <SelectField
            label={t.table}
            value={table || (tables[0] ?? '')}
            set={setTable}
            options={tables.map((name) => [name, name])}
            disabled={commands.isDisabled}
          />
        )}
        <button type="submit" class="btn small" disabled={commands.isDisabled}>
          {t.makeConsole}
        </button>
        <button type="button" class="btn small" disabled={commands.isDisabled} onClick={() => void offerToDevice()}>
          {t.offerConsole}
        </button>
      </form>
      {offer !== null && offer.until > staffServerSecondMs.value && (
        <OneTimeSecret
          secret={offer.code}
          instruction={t.offered(formatTimeOfDay(offer.until))}
          done={() => setOffer(null)}
        />
      )}
      {enrolledName !== null && <p role="status">{t.isConsole(enrolledName)}</p>}
      {register.consoles.map((one) => (
        <div key={one.console} class="row">
          <b>{one.console}</b>
          <span class="q grow">
            {t.kinds[one.kind]}
            {one.table !== null && ` · ${one.table}`}
          </span>
          <button
            type="button"
            class="btn small"
            disabled={commands.isDisabled}
            onClick={() =>
              void commands.send(() => staffClient.staffCommand({ type: 'EndConsole', console: one.console }))
            }
          >
            {t.endConsole}
          </button>
        </div>
      ))}
    </div>
  );
}
