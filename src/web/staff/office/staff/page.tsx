import { useRef, useState } from 'preact/hooks';
import { type PitRole, roleRank } from '../../../../access/roles.ts';
import { type ListedPerson, type ListedSession, type StaffList } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { hourText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { now, session } from '../../app/state.ts';
import { useActs } from '../forms/useAction.tsx';
import { moveSelection, useFormKeys } from '../forms/useFormKeys.ts';
import { StaffAccount } from './account.tsx';
import { ActingPanel } from './actingRoles.tsx';
import { Duties } from './approvalRules.tsx';
import { Enrol } from './enrol.tsx';
import { staffStrings } from './strings.ts';

const nobody: StaffList = { people: [], acting: [], consoles: [], locked: [] };

/** Highest role first; accounts that have ended come last. */
const order = (one: ListedPerson, other: ListedPerson): number =>
  Number(one.ended) - Number(other.ended) ||
  Math.max(...other.posts.map((post) => roleRank(post as PitRole))) -
    Math.max(...one.posts.map((post) => roleRank(post as PitRole))) ||
  one.number.localeCompare(other.number, 'en', { numeric: true });

/** Staff page: roles, acting roles and sign-in sessions; accounts for administrators only. */
export function Page() {
  const t = staffStrings();
  const acts = useActs();
  const [chosen, choose] = useState<string | null>(null);
  const isAdmin = session.value?.post === 'administrator';
  const register = useQuery<StaffList>('people', {}, 4_000, acts.turn);
  const signedIn = useQuery<{ readonly sessions: readonly ListedSession[] }>('sessions', {}, 4_000, acts.turn);
  const { people, ...rest } = register.state === 'there' ? register.data : nobody;
  const sessions = signedIn.state === 'there' ? signedIn.data.sessions : [];
  const all = people.toSorted(order);
  const one = all.find(({ person }) => person === chosen) ?? all[0];
  const field = useRef<HTMLInputElement>(null);
  const move = (by: 1 | -1) => () =>
    choose(moveSelection(all, ({ person }) => person === one?.person, by)?.person ?? null);
  useFormKeys({
    J: move(1),
    K: move(-1),
    ArrowDown: move(1),
    ArrowUp: move(-1),
    A: () => field.current?.focus(),
    E: isAdmin ? () => field.current?.focus() : undefined,
  });
  return (
    <Frame name="people">
      <h1 class="spoken">{kitWords().nav['people']}</h1>
      <section class="panel scroll" tabIndex={0} aria-label={t.list}>
        <header>
          <h2>{t.list}</h2>
          <span class="q">{t.signedIn(new Set(sessions.map(({ person }) => person)).size)}</span>
          <span class="grow" />
          {isAdmin ? (
            <button type="button" class="btn small" onClick={() => field.current?.focus()}>
              {t.enrol} <Kbd>E</Kbd>
            </button>
          ) : (
            <>
              <button type="button" class="btn small" onClick={() => field.current?.focus()}>
                {t.acting} <Kbd>A</Kbd>
              </button>
              <span class="tag">{t.accounts}</span>
            </>
          )}
        </header>
        <List all={all} one={one} rest={{ people, ...rest }} sessions={sessions} choose={choose} isAdmin={isAdmin} />
      </section>
      <div class="stack">
        {one === undefined ? (
          <section class="panel pad-in q">{t.choose}</section>
        ) : isAdmin ? (
          <NamedAccount one={one} sessions={sessions} acts={acts} />
        ) : (
          <ActingPanel
            key={one.person}
            one={one}
            register={{ people, ...rest }}
            sessions={sessions}
            acts={acts}
            until={field}
          />
        )}
        {isAdmin ? <Enrol register={{ people, ...rest }} acts={acts} input={field} /> : <Duties />}
      </div>
    </Frame>
  );
}

/** Only administrators query the names of people. */
function NamedAccount({
  one,
  sessions,
  acts,
}: {
  readonly one: ListedPerson;
  readonly sessions: readonly ListedSession[];
  readonly acts: ReturnType<typeof useActs>;
}) {
  const names = useQuery<{ readonly names: { readonly [person: string]: string } }>('names', {}, undefined, acts.turn);
  const name = names.state === 'there' ? names.data.names[one.person] : undefined;
  return <StaffAccount key={one.person} one={one} name={name} sessions={sessions} acts={acts} />;
}

type ListForm = {
  readonly all: readonly ListedPerson[];
  readonly one: ListedPerson | undefined;
  readonly rest: StaffList;
  readonly sessions: readonly ListedSession[];
  readonly choose: (person: string) => void;
  readonly isAdmin: boolean;
};

function List({ all, one, rest, sessions, choose }: ListForm) {
  const t = staffStrings();
  const { posts } = kitWords();
  return (
    <table class="g">
      <thead>
        <tr>
          <th>{t.number}</th>
          <th>{t.post}</th>
          <th>{t.acting}</th>
          <th>{t.at}</th>
          <th>{t.state}</th>
        </tr>
      </thead>
      <tbody>
        {all.map((person) => {
          const there = sessions.filter((each) => each.person === person.person);
          const acting = rest.acting.filter(
            (given) => given.person === person.person && given.from <= now.value && now.value <= given.until,
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
                  <i class={`dot${there.length > 0 ? ' on' : ''}`} />
                  <b>{person.number}</b>
                </span>
              </td>
              <td>{person.posts.map((post) => posts[post] ?? post).join(', ')}</td>
              <td>
                {acting.map(({ acting: id, post, until }) => (
                  <span key={id} class="tag two">
                    {t.until(posts[post] ?? post, hourText(until))}
                  </span>
                ))}
              </td>
              <td>{there.map(({ table, console }) => table ?? placeOf(rest, console) ?? t.office).join(', ')}</td>
              <td class="q">
                {person.ended ? (
                  t.left
                ) : lock ? (
                  <span class="tag attn">{t.locked(hourText(lock.until))}</span>
                ) : (
                  there.map(({ since }) => hourText(since)).join(', ')
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Display name of a console. */
const placeOf = ({ consoles }: StaffList, id: string | null): string | undefined => {
  const found = consoles.find(({ console }) => console === id);
  return found && staffStrings().console(staffStrings().kinds[found.kind] ?? found.kind, found.table);
};
