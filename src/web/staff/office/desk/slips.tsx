import { useState } from 'preact/hooks';
import { money } from '../../../../rules/money.ts';
import { type DeskLimits, type HeldCredit, type SignedHandPay } from '../../../../wire/staff/desk.ts';
import { useAsked } from '../../kit/asked.ts';
import { Clause } from '../../kit/clause.tsx';
import { clockText } from '../../kit/time.ts';
import { staff } from '../../link.ts';
import { currency } from '../../state.ts';
import { NotTaken, useActs } from '../acts/act.tsx';
import { Facts } from '../acts/field.tsx';
import { useKeys } from '../acts/keys.ts';
import { slipName } from '../terminals/slip.ts';
import { nameText } from './buyIn.tsx';
import { PayKey, useArmed } from './pay.tsx';
import { words } from './words.ts';

/** What two persons have signed is paid here, once. [HOUSE 2] */
export function HandPays({ limits }: { readonly limits: DeskLimits }) {
  const t = words();
  const acts = useActs();
  const [chosen, choose] = useState<string | null>(null);
  const [done, say] = useState<string | null>(null);
  const found = useAsked<{ readonly signed: readonly SignedHandPay[] }>('handpays', {}, 2_000, acts.turn);
  const signed = found.state === 'there' ? found.data.signed : [];
  const one = signed.find((slip) => slipName(slip) === chosen) ?? signed[0];
  const [isArmed, arm] = useArmed(`slip ${one ? slipName(one) : ''}`);
  const isDead = acts.isDead || one === undefined;
  const press = async (): Promise<void> => {
    if (isDead) return;
    if (!isArmed) {
      say(null);
      arm(true);
      return;
    }
    arm(false);
    const asked = { type: 'PaySigned', signature: one.signature };
    if (await acts.run(() => staff.terminal(one.terminal, asked))) say(t.paid(money(one.amount)));
  };
  useKeys({ H: () => void press(), ...(isArmed && { Enter: () => void press(), Escape: () => arm(false) }) });
  return (
    <section class="panel" aria-label={t.handPay}>
      <header>
        <h2>{t.handPay}</h2>
        <span class="grow" />
        <span class="tag">{t.cagePays}</span>
      </header>
      <div class="body">
        {found.state === 'there' && signed.length === 0 && <p class="q">{t.noneSigned}</p>}
        <div class="slips">
          {signed.map((slip) => (
            <button
              key={slipName(slip)}
              type="button"
              aria-pressed={slip === one}
              onClick={() => choose(slipName(slip))}
            >
              <b>{slipName(slip)}</b>
              <span>{money(slip.amount)}</span>
            </button>
          ))}
        </div>
        {one !== undefined && (
          <Facts
            all={[
              [
                t.payNone,
                <b key="pay" class="bignum">
                  {currency.value} {money(one.amount)}
                </b>,
              ],
              [t.at, one.terminal],
              [t.first, `${one.first}, ${clockText(one.at)}`],
              [t.second, one.second],
              [t.nameFrom, nameText(limits.nameFrom, one.amount)],
            ]}
          />
        )}
        {done !== null && <p role="status">{done}</p>}
        <p>
          <Clause by="HOUSE 2" /> <Clause by="HOUSE 10" />
        </p>
      </div>
      <NotTaken told={acts.told} />
      <PayKey
        text={one === undefined ? t.payNone : t.pay(money(one.amount))}
        amount={money(one?.amount ?? 0)}
        keyName="H"
        isDead={isDead}
        isArmed={isArmed}
        press={() => void press()}
      />
    </section>
  );
}

const nameOf = ({ terminal, session }: HeldCredit): string => `${terminal}.${session}`;

/** What came to sessions after their end is paid here. [READING 60] */
export function Held({ limits }: { readonly limits: DeskLimits }) {
  const t = words();
  const acts = useActs();
  const [chosen, choose] = useState<string | null>(null);
  const [done, say] = useState<string | null>(null);
  const found = useAsked<{ readonly held: readonly HeldCredit[] }>('held', {}, 15_000, acts.turn);
  const held = found.state === 'there' ? found.data.held : [];
  const one = held.find((each) => nameOf(each) === chosen) ?? held[0];
  const [isArmed, arm] = useArmed(`held ${one ? `${nameOf(one)} ${one.amount}` : ''}`);
  const isDead = acts.isDead || one === undefined || one.not !== null;
  const press = async (): Promise<void> => {
    if (isDead) return;
    if (!isArmed) {
      say(null);
      arm(true);
      return;
    }
    arm(false);
    const asked = { type: 'PaySession', session: one.session };
    if (await acts.run(() => staff.terminal(one.terminal, asked))) say(t.paid(money(one.amount)));
  };
  useKeys({ S: () => void press(), ...(isArmed && { Enter: () => void press(), Escape: () => arm(false) }) });
  return (
    <section class="panel" aria-label={t.held}>
      <header>
        <h2>{t.held}</h2>
        <span class="grow" />
        <span class="tag">{t.cage}</span>
      </header>
      <div class="body">
        {found.state === 'there' && held.length === 0 && <p class="q">{t.noneHeld}</p>}
        <div class="slips">
          {held.map((each) => (
            <button key={nameOf(each)} type="button" aria-pressed={each === one} onClick={() => choose(nameOf(each))}>
              <b>{t.sessionOf(each.terminal, each.session)}</b>
              <span>
                {each.not !== null && <span class="tag attn">{t.question}</span>} {money(each.amount)}
              </span>
            </button>
          ))}
        </div>
        {one !== undefined && <Facts all={[[t.nameFrom, nameText(limits.nameFrom, one.amount)]]} />}
        {done !== null && <p role="status">{done}</p>}
        <p class="q">{t.heldWhy}</p>
      </div>
      <NotTaken told={acts.told} />
      <PayKey
        text={one === undefined ? t.payNone : t.pay(money(one.amount))}
        amount={money(one?.amount ?? 0)}
        keyName="S"
        isDead={isDead}
        isArmed={isArmed}
        press={() => void press()}
      />
    </section>
  );
}
