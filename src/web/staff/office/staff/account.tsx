import { useEffect, useState } from 'preact/hooks';
import { pitRoles, supportRoles } from '../../../../access/roles.ts';
import { type ListedStaffMember, type ListedSignInSession } from '../../../../wire/staff/cageTypes.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffClient } from '../../app/connection.ts';
import { staffSession } from '../../app/state.ts';
import { type FormCommands, FormRefusalNotice } from '../forms/useFormCommands.tsx';
import { TextField } from '../forms/fields.tsx';
import { StaffSessionList } from './actingRoles.tsx';
import { staffStrings } from './strings.ts';

export function RoleCheckboxes({
  granted,
  set,
  disabled,
}: {
  readonly granted: readonly string[];
  readonly set: (roles: readonly string[]) => void;
  readonly disabled: boolean;
}) {
  const { roles } = kitStrings();
  return (
    <fieldset class="checks" aria-label={staffStrings().roles}>
      {[...pitRoles, ...supportRoles].map((role) => (
        <label key={role}>
          <input
            type="checkbox"
            checked={granted.includes(role)}
            disabled={disabled}
            onChange={({ currentTarget }) =>
              set(currentTarget.checked ? [...granted, role] : granted.filter((one) => one !== role))
            }
          />
          {roles[role]}
        </label>
      ))}
    </fieldset>
  );
}

/** One-time PIN, password or code. The server gives it only once, so the page shows it only once. */
export function OneTimeSecret({
  secret,
  instruction,
  done,
}: {
  readonly secret: string;
  /** Instruction below the secret. By default it tells the staff member to change the secret at first use. */
  readonly instruction?: string;
  readonly done: () => void;
}) {
  const t = staffStrings();
  return (
    <div class="once" role="status" data-testid="secret">
      <b>{secret}</b>
      <span class="q">{instruction ?? t.once}</span>
      <button type="button" class="btn small" onClick={done}>
        {t.hide}
      </button>
    </div>
  );
}

/** Account of a staff member, for administrators: roles, PIN, password, name and deactivation. */
export function StaffAccount({
  one,
  name,
  sessions,
  commands,
}: {
  readonly one: ListedStaffMember;
  readonly name: string | undefined;
  readonly sessions: readonly ListedSignInSession[];
  readonly commands: FormCommands;
}) {
  const t = staffStrings();
  const [roles, setRoles] = useState<readonly string[]>(one.roles);
  const [typedName, setTypedName] = useState(name ?? '');
  const [secret, setSecret] = useState<string | null>(null);
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    setRoles(one.roles);
    setSecret(null);
    setSure(false);
  }, [one.person]);
  useEffect(() => setTypedName(name ?? ''), [one.person, name]);
  const isOwn = staffSession.value?.person === one.person;
  const isDisabled = commands.isDisabled || one.ended;
  const resetSecret = async (kind: 'pin' | 'password'): Promise<void> => {
    const reply = await commands.send(() => staffClient.staffCommand({ type: 'SetSecret', person: one.person, kind }));
    if (reply?.type === 'answer') setSecret(String(reply.data['secret']));
  };
  const isChanged = roles.length > 0 && roles.toSorted().join() !== one.roles.toSorted().join();
  return (
    <section class="panel side-acts" aria-label={t.account(one.number)}>
      <header>
        <h2>{t.account(one.number)}</h2>
        <span class="grow" />
        <span class="q">{one.ended ? t.left : t.has(one.pin, one.password)}</span>
      </header>
      {secret !== null && (
        <div class="body">
          <OneTimeSecret secret={secret} done={() => setSecret(null)} />
        </div>
      )}
      <div class="body">
        <RoleCheckboxes granted={roles} set={setRoles} disabled={isDisabled || isOwn} />
        <div class="row wrap">
          <button
            type="button"
            class="btn small"
            disabled={isDisabled || isOwn || !isChanged}
            onClick={() =>
              void commands.send(() => staffClient.staffCommand({ type: 'ChangeRoles', person: one.person, roles }))
            }
          >
            {t.saveRoles}
          </button>
          <button
            type="button"
            class="btn small"
            disabled={isDisabled || isOwn}
            onClick={() => void resetSecret('pin')}
          >
            {t.givePin}
          </button>
          <button
            type="button"
            class="btn small"
            disabled={isDisabled || isOwn}
            onClick={() => void resetSecret('password')}
          >
            {t.givePassword}
          </button>
          <span class="grow" />
          <button
            type="button"
            class={`btn small${isSure ? ' attn' : ''}`}
            disabled={isDisabled || isOwn}
            onClick={() =>
              isSure
                ? void commands.send(() => staffClient.staffCommand({ type: 'EndPerson', person: one.person }))
                : setSure(true)
            }
          >
            {isSure ? t.sure : t.endPerson}
          </button>
        </div>
      </div>
      <div class="body">
        <form
          class="row ends"
          onSubmit={(event) => {
            event.preventDefault();
            void commands.send(() =>
              staffClient.staffCommand({ type: 'NoteName', person: one.person, name: typedName }),
            );
          }}
        >
          <TextField
            label={t.nameLabel}
            value={typedName}
            set={setTypedName}
            maxLength={100}
            disabled={commands.isDisabled}
          />
          <button type="submit" class="btn small" disabled={commands.isDisabled || typedName.trim() === ''}>
            {t.setName}
          </button>
          <button
            type="button"
            class="btn small"
            disabled={commands.isDisabled || !one.named}
            onClick={() => void commands.send(() => staffClient.staffCommand({ type: 'NoteName', person: one.person }))}
          >
            {t.eraseName}
          </button>
        </form>
      </div>
      <StaffSessionList all={sessions.filter(({ person }) => person === one.person)} commands={commands} />
      <FormRefusalNotice refusal={commands.refusal} />
    </section>
  );
}
