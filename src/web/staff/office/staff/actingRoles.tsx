import { type Ref } from 'preact';
import { useState } from 'preact/hooks';
import { type PitRole, linePosts, roleRank } from '../../../../access/roles.ts';
import {
  type ListedActing,
  type ListedPerson,
  type ListedSession,
  type StaffList,
} from '../../../../wire/staff/cageTypes.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { formatTimeOfDay, hourText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { staff } from '../../app/connection.ts';
import { now, session } from '../../app/state.ts';
import { type Acts, NotTaken } from '../forms/useAction.tsx';
import { Chosen, TextField } from '../forms/fields.tsx';
import { staffStrings } from './strings.ts';

type Form = {
  readonly one: ListedPerson;
  readonly register: StaffList;
  readonly sessions: readonly ListedSession[];
  readonly acts: Acts;
  readonly until: Ref<HTMLInputElement>;
};

/** Next time at which a clock shows this; `at` is now. */
function timeOf(text: string, at: number): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):?([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hours === undefined) return undefined;
  const day = new Date(at);
  day.setHours(Number(hours), Number(minutes), 0, 0);
  return day.getTime() > at ? day.getTime() : day.getTime() + 86_400_000;
}

/** Acting roles that may be granted: higher than the roles held, lower than the granter's own. [ETG 6.2] */
function givable(one: ListedPerson, own: string): readonly PitRole[] {
  const held = Math.max(...one.posts.map((post) => roleRank(post as PitRole)));
  const mine = roleRank(own as PitRole);
  const isHighest = mine === linePosts.length - 1;
  return held < 0
    ? []
    : linePosts.filter(
        (post) => roleRank(post) > held && (roleRank(post) < mine || (isHighest && roleRank(post) === mine)),
      );
}

/** Acting role: granted and ended by the holder of a higher role. [ETG 6.2] */
export function ActingPanel({ one, register, sessions, acts, until }: Form) {
  const t = staffStrings();
  const { posts } = kitWords();
  const mine = session.value;
  const given = register.acting.filter(({ person, until: end }) => person === one.person && end > now.value);
  const mayGive = mine === null || mine.person === one.person ? [] : givable(one, mine.post);
  const [as, setAs] = useState('');
  const [time, setTime] = useState('');
  const post = mayGive.find((each) => each === as) ?? mayGive[0];
  const end = timeOf(time, now.value);
  const give = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (post === undefined || end === undefined) return;
    const asked = { type: 'GiveActing', person: one.person, as: post, from: now.value, until: end };
    if (await acts.run(() => staff.people(asked))) setTime('');
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
        {given.map((acting) => (
          <Given key={acting.acting} acting={acting} register={register} acts={acts} />
        ))}
        {post === undefined ? (
          <p class="q">{t.noHigher}</p>
        ) : (
          <form class="row ends" onSubmit={(event) => void give(event)}>
            <Chosen
              label={t.actsAs}
              value={post}
              set={setAs}
              options={mayGive.map((each) => [each, posts[each] ?? each])}
              disabled={acts.isDead}
            />
            <TextField
              label={t.untilLabel}
              value={time}
              set={setTime}
              kind="digits"
              most={5}
              place="22:00"
              grow={false}
              disabled={acts.isDead}
              input={until}
            />
            <button type="submit" class="btn act" disabled={acts.isDead || end === undefined}>
              {t.give}
            </button>
          </form>
        )}
        <p class="q">{t.rule}</p>
      </div>
      <Sessions all={sessions.filter(({ person }) => person === one.person)} acts={acts} />
      <NotTaken told={acts.told} />
    </section>
  );
}

function Given({
  acting: { acting, post, until, by },
  register,
  acts,
}: {
  readonly acting: ListedActing;
  readonly register: StaffList;
  readonly acts: Acts;
}) {
  const t = staffStrings();
  const giver = register.people.find(({ person }) => person === by)?.number ?? by;
  return (
    <div class="row">
      <span class="tag two">{t.until(kitWords().posts[post] ?? post, hourText(until))}</span>
      <span class="q grow">{t.givenBy(giver)}</span>
      <button
        type="button"
        class="btn small"
        disabled={acts.isDead}
        onClick={() => void acts.run(() => staff.people({ type: 'EndActing', acting }))}
      >
        {t.endActing}
      </button>
    </div>
  );
}

/** Sign-in sessions of a person. An administrator or a higher role may end them. */
export function Sessions({ all, acts }: { readonly all: readonly ListedSession[]; readonly acts: Acts }) {
  const t = staffStrings();
  const mine = session.value;
  const mayEnd = ({ post, acting, person }: ListedSession): boolean =>
    mine !== null &&
    mine.person !== person &&
    (mine.post === 'administrator' || roleRank(mine.post) > roleRank((acting ?? post) as PitRole));
  return (
    <div class="body">
      <span class="cap">{t.session}</span>
      {all.length === 0 && <p class="q">{t.none}</p>}
      {all.map((one) => (
        <div key={one.id} class="row">
          <b>{kitWords().posts[one.post] ?? one.post}</b>
          <span class="q grow">
            {one.table ?? one.console ?? t.office}, {t.since(formatTimeOfDay(one.since))}
            {one.locked && ` · ${t.veiled}`}
          </span>
          {mayEnd(one) && (
            <button
              type="button"
              class="btn small"
              disabled={acts.isDead}
              onClick={() => void acts.run(() => staff.people({ type: 'SignOut', session: one.id, why: 'ended' }))}
            >
              {t.endSession}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
