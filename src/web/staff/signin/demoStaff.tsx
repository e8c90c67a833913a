import { useState } from 'preact/hooks';
import { type StaffBrowserState } from '../../../wire/staff/signInRequests.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { kitStrings } from '../kit/text/strings.ts';
import { signInStrings } from './strings.ts';
import { openHomePage } from './openHomePage.ts';
import { sendStaffHttpRequest } from '../app/session.ts';

type Role = NonNullable<StaffBrowserState['session']>['role'];

/** Last demo code that the server accepted on this page. It fills the field when the next staff member signs in. */
let lastCode = '';

/**
 * Staff of a demo: one click signs a staff member in. A demo that other machines can reach also asks for a demo code.
 */
export function DemoStaffSignIn({ status }: { readonly status: StaffBrowserState }) {
  const t = signInStrings();
  const k = kitStrings();
  const [message, setMessage] = useState('');
  const [table, setTable] = useState('');
  const [code, setCode] = useState(lastCode);
  const { tables } = status;
  const signIn = async (number: string, role: Role): Promise<void> => {
    const tableId = table === '' ? tables[0] : table;
    const refusal = await sendStaffHttpRequest('demo', {
      number,
      role,
      ...(role === 'dealer' && tableId !== undefined && { table: tableId }),
      ...(status.demoCode && { code }),
    });
    lastCode = refusal === undefined ? code : '';
    if (refusal === undefined) await openHomePage();
    else setMessage(staffRefusalText(refusal.code, refusal.message));
  };
  return (
    <section class="box demo-box" aria-label={t.demoTitle} data-testid="demo-staff">
      <h2>{t.demoTitle}</h2>
      <p class="q">{t.demoMore}</p>
      {tables.length > 0 && (
        <div class="row" role="group" aria-label={t.demoTable}>
          <span class="q">{t.demoTable}</span>
          {tables.map((one) => (
            <button
              key={one}
              type="button"
              class={`btn${(table === '' ? tables[0] : table) === one ? ' act' : ''}`}
              aria-pressed={(table === '' ? tables[0] : table) === one}
              onClick={() => setTable(one)}
            >
              {one}
            </button>
          ))}
        </div>
      )}
      {status.demoCode && (
        <label class="field">
          <span>{t.demoCode}</span>
          <input
            class="in big"
            name="demo-code"
            value={code}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            maxLength={12}
            onInput={({ currentTarget }) => setCode(currentTarget.value.toUpperCase())}
          />
        </label>
      )}
      <div class="demo-staff">
        {status.staff.flatMap(({ number, roles }) =>
          roles.map((role) => (
            <button
              key={`${number} ${role}`}
              type="button"
              class="btn"
              data-number={number}
              data-role={role}
              onClick={() => void signIn(number, role)}
            >
              <b>{k.roles[role] ?? role}</b> <small>{number}</small>
            </button>
          )),
        )}
      </div>
      {message !== '' && (
        <p class="status-text" role="alert">
          {message}
        </p>
      )}
      <p class="q">{t.demoPin}</p>
    </section>
  );
}
