import { type Ref } from 'preact';
import { useState } from 'preact/hooks';
import { type PitRole, pitRoles, pitRoleRank } from '../../../../access/roles.ts';
import {
  type ListedActingRole,
  type ListedStaffMember,
  type ListedSignInSession,
  type StaffRegisterView,
} from '../../../../wire/staff/cageTypes.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { formatTimeOfDay, hourMinuteText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffClient } from '../../app/connection.ts';
import { staffServerTimeMs, staffSession } from '../../app/state.ts';
import { type FormCommands, FormRefusalNotice } from '../forms/useFormCommands.tsx';
import { SelectField, TextField } from '../forms/fields.tsx';
import { staffStrings } from './strings.ts';

type Props = {
  readonly one: ListedStaffMember;
  readonly register: StaffRegisterView;
  readonly sessions: readonly ListedSignInSession[];
  readonly commands: FormCommands;
  readonly until: Ref<HTMLInputElement>;
};

/** Next time after `at` at which a clock shows this text, such as 23:59. Undefined if the text is not a time of day. */
function nextTimeOfDay(text: string, at: number): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):?([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hours === undefined) return undefined;
  const day = new Date(at);
  day.setHours(Number(hours), Number(minutes), 0, 0);
  return day.getTime() > at ? day.getTime() : day.getTime() + 86_400_000;
}

/**
 * Acting roles that the signed-in person may grant: higher than the roles of the person who gets it, and lower than
 * `ownRole`. Only a holder of the highest role may also grant that role. A person without a pit role can get no acting
 * role. [ETG 6.2]
 */
function grantableRoles(one: ListedStaffMember, ownRole: string): readonly PitRole[] {
  const highestHeld = Math.max(...one.roles.map((role) => pitRoleRank(role as PitRole)));
  const mine = pitRoleRank(ownRole as PitRole);
  const isTopRole = mine === pitRoles.length - 1;
  return highestHeld < 0
    ? []
    : pitRoles.filter(
        (role) =>
          pitRoleRank(role) > highestHeld && (pitRoleRank(role) < mine || (isTopRole && pitRoleRank(role) === mine)),
      );
}

/** Panel to grant or end an acting role, for the holder of a higher role. [ETG 6.2] */
export function ActingRolePanel({ one, register, sessions, commands, until }: Props) {
  const t = staffStrings();
  const { roles } = kitStrings();
  const mine = staffSession.value;
  const granted = register.acting.filter(
    ({ person, until: end }) => person === one.person && end > staffServerTimeMs.value,
  );
  const grantable = mine === null || mine.person === one.person ? [] : grantableRoles(one, mine.role);
  const [chosenRole, setChosenRole] = useState('');
  const [time, setTime] = useState('');
  const role = grantable.find((each) => each === chosenRole) ?? grantable[0];
  const end = nextTimeOfDay(time, staffServerTimeMs.value);
  const grant = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (role === undefined || end === undefined) return;
    const command = {
      type: 'GrantActingRole',
      person: one.person,
      as: role,
      from: staffServerTimeMs.value,
      until: end,
    };
    if (await commands.send(() => staffClient.staffCommand(command))) setTime('');
  };
  return (
    <section class="panel side-acts" aria-label={t.actFor(one.number)}>
      <header>
        <h2>{t.actFor(one.number)}</h2>
        <span class="grow" />
        <ClauseTag by="ETG 6.2" />
        <ClauseTag by="HOUSE 2" />
      </header>
      <div class="body">
        {granted.map((acting) => (
          <GrantedRole key={acting.acting} acting={acting} register={register} commands={commands} />
        ))}
        {role === undefined ? (
          <p class="q">{t.noHigher}</p>
        ) : (
          <form class="row ends" onSubmit={(event) => void grant(event)}>
            <SelectField
              label={t.actsAs}
              value={role}
              set={setChosenRole}
              options={grantable.map((each) => [each, roles[each] ?? each])}
              disabled={commands.isDisabled}
            />
            <TextField
              label={t.untilLabel}
              value={time}
              set={setTime}
              kind="digits"
              maxLength={5}
              placeholder="22:00"
              grow={false}
              disabled={commands.isDisabled}
              input={until}
            />
            <button type="submit" class="btn act" disabled={commands.isDisabled || end === undefined}>
              {t.give}
            </button>
          </form>
        )}
        <p class="q">{t.ruleNote}</p>
      </div>
      <StaffSessionList all={sessions.filter(({ person }) => person === one.person)} commands={commands} />
      <FormRefusalNotice refusal={commands.refusal} />
    </section>
  );
}

function GrantedRole({
  acting: { acting, role, until, by },
  register,
  commands,
}: {
  readonly acting: ListedActingRole;
  readonly register: StaffRegisterView;
  readonly commands: FormCommands;
}) {
  const t = staffStrings();
  const granter = register.staff.find(({ person }) => person === by)?.number ?? by;
  return (
    <div class="row">
      <span class="tag two">{t.until(kitStrings().roles[role] ?? role, hourMinuteText(until))}</span>
      <span class="q grow">{t.givenBy(granter)}</span>
      <button
        type="button"
        class="btn small"
        disabled={commands.isDisabled}
        onClick={() => void commands.send(() => staffClient.staffCommand({ type: 'EndActingRole', acting }))}
      >
        {t.endActing}
      </button>
    </div>
  );
}

/** Sign-in sessions of a person. An administrator, or a person in a higher role, may end them. */
export function StaffSessionList({
  all,
  commands,
}: {
  readonly all: readonly ListedSignInSession[];
  readonly commands: FormCommands;
}) {
  const t = staffStrings();
  const mine = staffSession.value;
  const mayEnd = ({ role, acting, person }: ListedSignInSession): boolean =>
    mine !== null &&
    mine.person !== person &&
    (mine.role === 'administrator' || pitRoleRank(mine.role) > pitRoleRank((acting ?? role) as PitRole));
  return (
    <div class="body">
      <span class="cap">{t.session}</span>
      {all.length === 0 && <p class="q">{t.none}</p>}
      {all.map((one) => (
        <div key={one.id} class="row">
          <b>{kitStrings().roles[one.role] ?? one.role}</b>
          <span class="q grow">
            {one.table ?? one.console ?? t.office}, {t.since(formatTimeOfDay(one.since))}
            {one.locked && ` · ${t.veiled}`}
          </span>
          {mayEnd(one) && (
            <button
              type="button"
              class="btn small"
              disabled={commands.isDisabled}
              onClick={() =>
                void commands.send(() =>
                  staffClient.staffCommand({ type: 'SignOut', session: one.id, reason: 'ended' }),
                )
              }
            >
              {t.endSession}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
