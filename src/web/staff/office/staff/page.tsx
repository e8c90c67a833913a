import { useRef, useState } from 'preact/hooks';
import { type PitRole, pitRoleRank } from '../../../../access/roles.ts';
import {
  type ListedStaffMember,
  type ListedSignInSession,
  type StaffRegisterView,
} from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { hourMinuteText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffServerTimeMs, staffSession } from '../../app/state.ts';
import { useFormCommands } from '../forms/useFormCommands.tsx';
import { adjacentItem, useFormKeys } from '../forms/useFormKeys.ts';
import { StaffAccount } from './account.tsx';
import { ActingRolePanel } from './actingRoles.tsx';
import { ApprovalRulesTable } from './approvalRules.tsx';
import { StaffAndConsoleEnrolmentPanel } from './enrol.tsx';
import { staffStrings } from './strings.ts';

const emptyStaffList: StaffRegisterView = { staff: [], acting: [], consoles: [], locked: [] };

/** Order of the staff list: the highest role first, and former staff last. */
const byRole = (one: ListedStaffMember, other: ListedStaffMember): number =>
  Number(one.ended) - Number(other.ended) ||
  Math.max(...other.roles.map((role) => pitRoleRank(role as PitRole))) -
    Math.max(...one.roles.map((role) => pitRoleRank(role as PitRole))) ||
  one.number.localeCompare(other.number, 'en', { numeric: true });

/** Staff page: roles, acting roles and sign-in sessions. Administrators also see the accounts. */
export function Page() {
  const t = staffStrings();
  const commands = useFormCommands();
  const [chosen, choose] = useState<string | null>(null);
  const isAdmin = staffSession.value?.role === 'administrator';
  const staffResult = useQuery<StaffRegisterView>('staff', {}, 4_000, commands.revision);
  const signedIn = useQuery<{ readonly sessions: readonly ListedSignInSession[] }>(
    'sessions',
    {},
    4_000,
    commands.revision,
  );
  const { staff, ...rest } = staffResult.state === 'loaded' ? staffResult.data : emptyStaffList;
  const sessions = signedIn.state === 'loaded' ? signedIn.data.sessions : [];
  const all = staff.toSorted(byRole);
  const one = all.find(({ person }) => person === chosen) ?? all[0];
  const field = useRef<HTMLInputElement>(null);
  const move = (by: 1 | -1) => () =>
    choose(adjacentItem(all, ({ person }) => person === one?.person, by)?.person ?? null);
  useFormKeys({
    J: move(1),
    K: move(-1),
    ArrowDown: move(1),
    ArrowUp: move(-1),
    A: () => field.current?.focus(),
    E: isAdmin ? () => field.current?.focus() : undefined,
  });
  return (
    <PageFrame name="staff">
      <h1 class="spoken">{kitStrings().nav['staff']}</h1>
      <section class="panel scroll" tabIndex={0} aria-label={t.list}>
        <header>
          <h2>{t.list}</h2>
          <span class="q">{t.signedIn(new Set(sessions.map(({ person }) => person)).size)}</span>
          <span class="grow" />
          {isAdmin ? (
            <button type="button" class="btn small" onClick={() => field.current?.focus()}>
              {t.enrol} <KeyCap>E</KeyCap>
            </button>
          ) : (
            <>
              <button type="button" class="btn small" onClick={() => field.current?.focus()}>
                {t.acting} <KeyCap>A</KeyCap>
              </button>
              <span class="tag">{t.accounts}</span>
            </>
          )}
        </header>
        <StaffTable
          all={all}
          one={one}
          rest={{ staff, ...rest }}
          sessions={sessions}
          choose={choose}
          isAdmin={isAdmin}
        />
      </section>
      <div class="stack">
        {one === undefined ? (
          <section class="panel pad-in q">{t.choose}</section>
        ) : isAdmin ? (
          <NamedAccount one={one} sessions={sessions} commands={commands} />
        ) : (
          <ActingRolePanel
            key={one.person}
            one={one}
            register={{ staff, ...rest }}
            sessions={sessions}
            commands={commands}
            until={field}
          />
        )}
        {isAdmin ? (
          <StaffAndConsoleEnrolmentPanel register={{ staff, ...rest }} commands={commands} input={field} />
        ) : (
          <ApprovalRulesTable />
        )}
      </div>
    </PageFrame>
  );
}

/** Account of a staff member, with the person's name. Only administrators may query names. */
function NamedAccount({
  one,
  sessions,
  commands,
}: {
  readonly one: ListedStaffMember;
  readonly sessions: readonly ListedSignInSession[];
  readonly commands: ReturnType<typeof useFormCommands>;
}) {
  const names = useQuery<{ readonly names: { readonly [person: string]: string } }>(
    'names',
    {},
    undefined,
    commands.revision,
  );
  const name = names.state === 'loaded' ? names.data.names[one.person] : undefined;
  return <StaffAccount key={one.person} one={one} name={name} sessions={sessions} commands={commands} />;
}

type ListProps = {
  readonly all: readonly ListedStaffMember[];
  readonly one: ListedStaffMember | undefined;
  readonly rest: StaffRegisterView;
  readonly sessions: readonly ListedSignInSession[];
  readonly choose: (person: string) => void;
  readonly isAdmin: boolean;
};

function StaffTable({ all, one, rest, sessions, choose }: ListProps) {
  const t = staffStrings();
  const { roles } = kitStrings();
  return (
    <table class="g">
      <thead>
        <tr>
          <th>{t.number}</th>
          <th>{t.role}</th>
          <th>{t.acting}</th>
          <th>{t.at}</th>
          <th>{t.state}</th>
        </tr>
      </thead>
      <tbody>
        {all.map((person) => {
          const personSessions = sessions.filter((each) => each.person === person.person);
          const acting = rest.acting.filter(
            (given) =>
              given.person === person.person &&
              given.from <= staffServerTimeMs.value &&
              staffServerTimeMs.value <= given.until,
          );
          const lock = rest.locked.find(({ number }) => number === person.number);
          return (
            <tr
              key={person.person}
              class={person === one ? 'on' : ''}
              onClick={() => choose(person.person)}
              {...(person === one && { 'aria-current': 'true' })}
            >
              <td>
                <span class="row">
                  <i class={`dot${personSessions.length > 0 ? ' on' : ''}`} />
                  <b>{person.number}</b>
                </span>
              </td>
              <td>{person.roles.map((role) => roles[role] ?? role).join(', ')}</td>
              <td>
                {acting.map(({ acting: id, role, until }) => (
                  <span key={id} class="tag two">
                    {t.until(roles[role] ?? role, hourMinuteText(until))}
                  </span>
                ))}
              </td>
              <td>
                {personSessions.map(({ table, console }) => table ?? consoleName(rest, console) ?? t.office).join(', ')}
              </td>
              <td class="q">
                {person.ended ? (
                  t.left
                ) : lock ? (
                  <span class="tag attn">{t.locked(hourMinuteText(lock.until))}</span>
                ) : (
                  personSessions.map(({ since }) => hourMinuteText(since)).join(', ')
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const consoleName = ({ consoles }: StaffRegisterView, id: string | null): string | undefined => {
  const found = consoles.find(({ console }) => console === id);
  return found && staffStrings().console(staffStrings().kinds[found.kind] ?? found.kind, found.table);
};
