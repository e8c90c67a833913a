import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type CageLimits, type UnclaimedCredit, type SignedHandPay } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { staff } from '../../app/connection.ts';
import { currency } from '../../app/state.ts';
import { useActs } from '../forms/useAction.tsx';
import { FactList } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { slipName } from '../terminals/handPayName.ts';
import { nameText } from './buyIn.tsx';
import { DeskPanel, usePaying } from './cagePanel.tsx';
import { cageStrings } from './strings.ts';

type Payable = { readonly terminal: string; readonly amount: number };

type Form<T extends Payable> = {
  readonly title: string;
  readonly tag: string;
  readonly keyName: string;
  /** What is looked up, how often, and where the list stands in the answer. */
  readonly what: string;
  readonly often: number;
  readonly listIn: (data: { readonly [field: string]: readonly T[] }) => readonly T[];
  readonly nameOf: (one: T) => string;
  readonly labelOf: (one: T) => string;
  /** The code of why it cannot be paid now. */
  readonly notOf?: (one: T) => string | null;
  readonly askedOf: (one: T) => { readonly type: string; readonly [field: string]: unknown };
  readonly none: string;
  readonly facts: (one: T) => ComponentChildren;
  readonly foot: ComponentChildren;
};

/** What waits to be paid, one of it chosen, and paid once. */
function Waiting<T extends Payable>(form: Form<T>) {
  const { title, tag, keyName, what, often, nameOf, notOf = () => null } = form;
  const t = cageStrings();
  const acts = useActs();
  const [chosen, choose] = useState<string | null>(null);
  const [done, say] = useState<string | null>(null);
  const found = useQuery<{ readonly [field: string]: readonly T[] }>(what, {}, often, acts.turn);
  const all = found.state === 'there' ? form.listIn(found.data) : [];
  const one = all.find((each) => nameOf(each) === chosen) ?? all[0];
  const paying = usePaying(
    `${what} ${one ? `${nameOf(one)} ${one.amount}` : ''}`,
    acts.isDead || one === undefined || notOf(one) !== null,
    async () => {
      if (await acts.run(() => staff.terminal(one!.terminal, form.askedOf(one!))))
        say(t.paid(formatMoney(one!.amount)));
    },
    () => say(null),
  );
  useFormKeys({ [keyName]: paying.press });
  return (
    <DeskPanel
      title={title}
      tag={tag}
      acts={acts}
      paying={paying}
      text={one === undefined ? t.payNone : t.pay(formatMoney(one.amount))}
      amount={formatMoney(one?.amount ?? 0)}
      keyName={keyName}
    >
      {found.state === 'there' && all.length === 0 && <p class="q">{form.none}</p>}
      <div class="slips">
        {all.map((each) => (
          <button key={nameOf(each)} type="button" aria-pressed={each === one} onClick={() => choose(nameOf(each))}>
            <b>{form.labelOf(each)}</b>
            <span>
              {notOf(each) !== null && <span class="tag attn">{t.question}</span>} {formatMoney(each.amount)}
            </span>
          </button>
        ))}
      </div>
      {one !== undefined && form.facts(one)}
      {done !== null && <p role="status">{done}</p>}
      {form.foot}
    </DeskPanel>
  );
}

/** What two persons have signed is paid here, once. [HOUSE 2] */
export function HandPays({ limits }: { readonly limits: CageLimits }) {
  const t = cageStrings();
  return (
    <Waiting<SignedHandPay>
      title={t.handPay}
      tag={t.cagePays}
      keyName="H"
      what="handpays"
      often={2_000}
      listIn={(data) => data['signed']!}
      nameOf={slipName}
      labelOf={slipName}
      askedOf={({ signature }) => ({ type: 'PaySigned', signature })}
      none={t.noneSigned}
      facts={(one) => (
        <FactList
          all={[
            [
              t.payNone,
              <b key="pay" class="bignum">
                {currency.value} {formatMoney(one.amount)}
              </b>,
            ],
            [t.at, one.terminal],
            [t.first, `${one.first}, ${formatTimeOfDay(one.at)}`],
            [t.second, one.second],
            [t.nameFrom, nameText(limits.nameFrom, one.amount)],
          ]}
        />
      )}
      foot={
        <p>
          <ClauseTag by="HOUSE 2" /> <ClauseTag by="HOUSE 10" />
        </p>
      }
    />
  );
}

/** What came to sessions after their end is paid here. [READING 60] */
export function UnclaimedCredits({ limits }: { readonly limits: CageLimits }) {
  const t = cageStrings();
  return (
    <Waiting<UnclaimedCredit>
      title={t.held}
      tag={t.cage}
      keyName="S"
      what="held"
      often={15_000}
      listIn={(data) => data['held']!}
      nameOf={({ terminal, session }) => `${terminal}.${session}`}
      labelOf={({ terminal, session }) => t.sessionOf(terminal, session)}
      notOf={({ not }) => not}
      askedOf={({ session }) => ({ type: 'PaySession', session })}
      none={t.noneHeld}
      facts={(one) => <FactList all={[[t.nameFrom, nameText(limits.nameFrom, one.amount)]]} />}
      foot={<p class="q">{t.heldWhy}</p>}
    />
  );
}
