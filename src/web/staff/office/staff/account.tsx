import { useEffect, useState } from 'preact/hooks';
import { linePosts, sidePosts } from '../../../../access/roles.ts';
import { type ListedPerson, type ListedSession } from '../../../../wire/staff/cageTypes.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { staff } from '../../app/connection.ts';
import { session } from '../../app/state.ts';
import { type Acts, NotTaken } from '../forms/useAction.tsx';
import { TextField } from '../forms/fields.tsx';
import { Sessions } from './actingRoles.tsx';
import { staffStrings } from './strings.ts';

export function Posts({
  held,
  set,
  disabled,
}: {
  readonly held: readonly string[];
  readonly set: (posts: readonly string[]) => void;
  readonly disabled: boolean;
}) {
  const { posts } = kitWords();
  return (
    <fieldset class="checks" aria-label={staffStrings().posts}>
      {[...linePosts, ...sidePosts].map((post) => (
        <label key={post}>
          <input
            type="checkbox"
            checked={held.includes(post)}
            disabled={disabled}
            onChange={({ currentTarget }) =>
              set(currentTarget.checked ? [...held, post] : held.filter((one) => one !== post))
            }
          />
          {posts[post]}
        </label>
      ))}
    </fieldset>
  );
}

/** One-time secret: shown once and stored nowhere. */
export function Once({
  secret,
  says,
  done,
}: {
  readonly secret: string;
  /** Instruction below it. */
  readonly says?: string;
  readonly done: () => void;
}) {
  const t = staffStrings();
  return (
    <div class="once" role="status" data-testid="secret">
      <b>{secret}</b>
      <span class="q">{says ?? t.once}</span>
      <button type="button" class="btn small" onClick={done}>
        {t.hide}
      </button>
    </div>
  );
}

/** Account management by an administrator; it has no effect on games. */
export function StaffAccount({
  one,
  name,
  sessions,
  acts,
}: {
  readonly one: ListedPerson;
  readonly name: string | undefined;
  readonly sessions: readonly ListedSession[];
  readonly acts: Acts;
}) {
  const t = staffStrings();
  const [posts, setPosts] = useState<readonly string[]>(one.posts);
  const [called, call] = useState(name ?? '');
  const [secret, show] = useState<string | null>(null);
  const [isSure, ask] = useState(false);
  useEffect(() => {
    setPosts(one.posts);
    show(null);
    ask(false);
  }, [one.person]);
  useEffect(() => call(name ?? ''), [one.person, name]);
  const isOwn = session.value?.person === one.person;
  const isDead = acts.isDead || one.ended;
  const give = async (kind: 'pin' | 'password'): Promise<void> => {
    const answer = await acts.run(() => staff.people({ type: 'SetSecret', person: one.person, kind }));
    if (answer?.type === 'answer') show(String(answer.data['secret']));
  };
  const isChanged = posts.length > 0 && posts.toSorted().join() !== one.posts.toSorted().join();
  return (
    <section class="panel side-acts" aria-label={t.account(one.number)}>
      <header>
        <h2>{t.account(one.number)}</h2>
        <span class="grow" />
        <span class="q">{one.ended ? t.left : t.has(one.pin, one.password)}</span>
      </header>
      {secret !== null && (
        <div class="body">
          <Once secret={secret} done={() => show(null)} />
        </div>
      )}
      <div class="body">
        <Posts held={posts} set={setPosts} disabled={isDead || isOwn} />
        <div class="row wrap">
          <button
            type="button"
            class="btn small"
            disabled={isDead || isOwn || !isChanged}
            onClick={() => void acts.run(() => staff.people({ type: 'ChangePosts', person: one.person, posts }))}
          >
            {t.savePosts}
          </button>
          <button type="button" class="btn small" disabled={isDead || isOwn} onClick={() => void give('pin')}>
            {t.givePin}
          </button>
          <button type="button" class="btn small" disabled={isDead || isOwn} onClick={() => void give('password')}>
            {t.givePassword}
          </button>
          <span class="grow" />
          <button
            type="button"
            class={`btn small${isSure ? ' attn' : ''}`}
            disabled={isDead || isOwn}
            onClick={() =>
              isSure ? void acts.run(() => staff.people({ type: 'EndPerson', person: one.person })) : ask(true)
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
            void acts.run(() => staff.people({ type: 'NoteName', person: one.person, name: called }));
          }}
        >
          <TextField label={t.nameLabel} value={called} set={call} most={100} disabled={acts.isDead} />
          <button type="submit" class="btn small" disabled={acts.isDead || called.trim() === ''}>
            {t.setName}
          </button>
          <button
            type="button"
            class="btn small"
            disabled={acts.isDead || !one.named}
            onClick={() => void acts.run(() => staff.people({ type: 'NoteName', person: one.person }))}
          >
            {t.eraseName}
          </button>
        </form>
      </div>
      <Sessions all={sessions.filter(({ person }) => person === one.person)} acts={acts} />
      <NotTaken told={acts.told} />
    </section>
  );
}
