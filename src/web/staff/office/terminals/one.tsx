import { useEffect, useState } from 'preact/hooks';
import { money } from '../../../../rules/money.ts';
import { rankOf } from '../../../../rules/posts.ts';
import { type DeskLimits, type ListedTerminal } from '../../../../wire/staff/desk.ts';
import { Clause } from '../../kit/clause.tsx';
import { Kbd } from '../../kit/kbd.tsx';
import { clockText } from '../../kit/time.ts';
import { staff } from '../../link.ts';
import { currency, session } from '../../state.ts';
import { type Acts, NotTaken } from '../acts/act.tsx';
import { Facts, Typed } from '../acts/field.tsx';
import { Second } from '../acts/second.tsx';
import { slipName } from './slip.ts';
import { words } from './words.ts';

/** Why the floor itself has taken a terminal out of use. */
const handPayLock = 'hand-pay';

/** Whether whoever is signed in supervises: others look and do nothing here. */
const maySupervise = (): boolean => {
  const one = session.value;
  return one !== null && Math.max(rankOf(one.post), one.acting === null ? -1 : rankOf(one.acting)) >= 1;
};

type Form = { readonly one: ListedTerminal; readonly limits: DeskLimits; readonly acts: Acts };

/** One terminal: what it holds, whether it is in use, and what waits there to be paid by hand. */
export function One({ one, limits, acts }: Form) {
  const t = words();
  const { terminal, table, locked, owed, signed, staked, inQuestion } = one;
  const isSigned = signed.reduce((sum, { amount }) => sum + amount, 0);
  const left = owed - isSigned;
  return (
    <section class="panel side-acts" aria-label={terminal}>
      <header>
        <h2>{terminal}</h2>
        <span class="q">{table ?? (one.online ? t.lobby : '')}</span>
        <span class="grow" />
        {locked !== null && <span class="tag attn">{locked === handPayLock ? t.states.handPay : t.states.locked}</span>}
      </header>
      <Facts
        all={[
          [t.credit, `${currency.value} ${money(one.credit)}`],
          [t.stakes, staked === 0 ? t.nothing : money(staked)],
          [t.question, inQuestion === 0 ? t.nothing : money(inQuestion)],
          [
            t.limit,
            <>
              {limits.handPay === null ? t.noLimit : t.above(money(limits.handPay))} <Clause by="HOUSE 10" />
            </>,
          ],
          [t.nameFrom, limits.nameFrom === null ? t.never : t.from(money(limits.nameFrom))],
          ...(locked === null ? [] : [[t.why, locked === handPayLock ? t.handPayLock : locked] as const]),
        ]}
      />
      {maySupervise() && <Use one={one} acts={acts} />}
      {signed.map((slip) => (
        <div key={slip.signature} class="paybox">
          <span class="cap">{t.handPay}</span>
          <span class="bignum">
            {currency.value} {money(slip.amount)}
          </span>
          <p>{t.signed(slipName(slip))}</p>
          <Facts
            all={[
              [t.firstIs, t.first(slip.first, clockText(slip.at))],
              [t.secondIs, slip.second],
            ]}
          />
        </div>
      ))}
      {left > 0 && (
        <div class="paybox">
          <span class="cap">{t.handPay}</span>
          <span class="bignum">
            {currency.value} {money(left)}
          </span>
          <p class="q">
            {maySupervise() ? t.toSign : t.mayNot} <Clause by="HOUSE 2" />
          </p>
        </div>
      )}
      <NotTaken told={acts.told} />
      {left > 0 && maySupervise() && (
        <Second
          post="pit-manager"
          act={t.sign}
          isDead={acts.isDead}
          sign={async (person) => {
            const asked = { type: 'SignHandPay', what: 'cancelled-credit', amount: left };
            return (await acts.run(() => staff.terminal(terminal, asked, person))) !== undefined;
          }}
        >
          {money(left)}
        </Second>
      )}
    </section>
  );
}

/** Out of use or into it again, with the reason. */
function Use({ one: { terminal, locked, owed }, acts }: Omit<Form, 'limits'>) {
  const t = words();
  const [reason, say] = useState('');
  useEffect(() => say(locked === handPayLock && owed === 0 ? t.paid : ''), [terminal, locked]);
  const type = locked === null ? 'LockTerminal' : 'UnlockTerminal';
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (reason.trim() === '') return;
    if (await acts.run(() => staff.terminal(terminal, { type, reason: reason.trim() }))) say('');
  };
  return (
    <form class="body" onSubmit={(event) => void submit(event)}>
      <div class="row ends">
        <Typed label={t.reason} value={reason} set={say} most={200} disabled={acts.isDead} />
        <button type="submit" class="btn small" disabled={acts.isDead || reason.trim() === ''}>
          {locked === null ? t.lock : t.unlock} <Kbd>U</Kbd>
        </button>
      </div>
    </form>
  );
}
