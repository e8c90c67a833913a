import { type Ref } from 'preact';
import { useState } from 'preact/hooks';
import { type StaffList } from '../../../../wire/staff/cageTypes.ts';
import { type StaffRequest } from '../../../../wire/staff/signInRequests.ts';
import { type SignInDenied, askDoor, lookAtMe, requestConsoleCode } from '../../app/session.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { staff } from '../../app/connection.ts';
import { isLost, second } from '../../app/state.ts';
import { type Acts } from '../forms/useAction.tsx';
import { Chosen, TextField } from '../forms/fields.tsx';
import { Once, Posts } from './account.tsx';
import { staffStrings } from './strings.ts';

type Kind = StaffRequest<'console'>['kind'];

/** Enrolment of staff and consoles by an administrator. */
export function Enrol({
  register,
  acts,
  input,
}: {
  readonly register: StaffList;
  readonly acts: Acts;
  readonly input: Ref<HTMLInputElement>;
}) {
  const t = staffStrings();
  const [number, setNumber] = useState('');
  const [posts, setPosts] = useState<readonly string[]>([]);
  const isWhole = /^[A-Za-z]{1,4}-\d{1,6}$/.test(number.trim()) && posts.length > 0;
  const enrol = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isWhole) return;
    const asked = { type: 'EnrolPerson', number: number.trim().toUpperCase(), posts };
    if (!(await acts.run(() => staff.people(asked)))) return;
    setNumber('');
    setPosts([]);
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
            most={11}
            disabled={acts.isDead}
            place="D-214"
            input={input}
          />
          <button type="submit" class="btn act" disabled={acts.isDead || !isWhole}>
            {t.enrolAct}
          </button>
        </div>
        <Posts held={posts} set={setPosts} disabled={acts.isDead} />
      </form>
      <Consoles register={register} acts={acts} />
    </section>
  );
}

function Consoles({ register, acts }: { readonly register: StaffList; readonly acts: Acts }) {
  const t = staffStrings();
  const [kind, setKind] = useState<Kind>('floor');
  const [table, setTable] = useState('');
  const [made, make] = useState<string | null>(null);
  const found = useQuery<{ readonly tables: readonly { readonly table: string }[] }>('tables', {});
  const tables = found.state === 'there' ? found.data.tables.map((one) => one.table) : [];
  const [offered, offer] = useState<{ readonly code: string; readonly until: number } | null>(null);
  const place = { kind, table: kind === 'dealer' ? table || (tables[0] ?? null) : null };
  const deny = ({ code, message }: SignInDenied): void =>
    acts.tell({ text: staffRefusalText(code, message), by: null });
  const enrol = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isLost.value) return;
    const denied = await askDoor('console', place);
    if (denied) deny(denied);
    else make((await lookAtMe())?.console?.console ?? '');
  };
  const elsewhere = async (): Promise<void> => {
    if (isLost.value) return;
    const answer = await requestConsoleCode(place);
    if ('message' in answer) deny(answer);
    else offer(answer);
  };
  return (
    <div class="body">
      <span class="cap">{t.consoles}</span>
      <form class="row ends wrap" aria-label={t.newConsole} onSubmit={(event) => void enrol(event)}>
        <Chosen
          label={t.newConsole}
          value={kind}
          set={(value) => setKind(value as Kind)}
          options={Object.entries(t.kinds)}
          disabled={acts.isDead}
        />
        {kind === 'dealer' && (
          <Chosen
            label={t.table}
            value={table || (tables[0] ?? '')}
            set={setTable}
            options={tables.map((name) => [name, name])}
            disabled={acts.isDead}
          />
        )}
        <button type="submit" class="btn small" disabled={acts.isDead}>
          {t.makeConsole}
        </button>
        <button type="button" class="btn small" disabled={acts.isDead} onClick={() => void elsewhere()}>
          {t.offerConsole}
        </button>
      </form>
      {offered !== null && offered.until > second.value && (
        <Once secret={offered.code} says={t.offered(formatTimeOfDay(offered.until))} done={() => offer(null)} />
      )}
      {made !== null && <p role="status">{t.isConsole(made)}</p>}
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
            disabled={acts.isDead}
            onClick={() => void acts.run(() => staff.people({ type: 'EndConsole', console: one.console }))}
          >
            {t.endConsole}
          </button>
        </div>
      ))}
    </div>
  );
}
