import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type CageLimits, type UnclaimedCredit, type SignedHandPay } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { staffClient } from '../../app/connection.ts';
import { propertyCurrency } from '../../app/state.ts';
import { useFormCommands } from '../forms/useFormCommands.tsx';
import { FactList } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { handPayNumber } from '../terminals/handPayNumber.ts';
import { patronNameRequirementText } from './buyIn.tsx';
import { CagePanel, useTwoPressPayment } from './cagePanel.tsx';
import { cageStrings } from './strings.ts';

type Payable = { readonly terminal: string; readonly amount: number };

type Props<T extends Payable> = {
  readonly title: string;
  readonly tag: string;
  readonly keyName: string;
  /** Name of the query that lists the due payments. */
  readonly query: string;
  readonly pollMs: number;
  /** Due payments in the result of the query. */
  readonly listIn: (data: { readonly [field: string]: readonly T[] }) => readonly T[];
  readonly nameOf: (one: T) => string;
  readonly labelOf: (one: T) => string;
  /** Error code of a payment that cannot be made now; null when it can be made. */
  readonly blockedCodeOf?: (one: T) => string | null;
  readonly commandOf: (one: T) => { readonly type: string; readonly [field: string]: unknown };
  readonly none: string;
  readonly facts: (one: T) => ComponentChildren;
  readonly footer: ComponentChildren;
};

/** List of due payments. Two presses of the button pay the selected payment. */
function DuePayments<T extends Payable>(props: Props<T>) {
  const { title, tag, keyName, query, pollMs, nameOf, blockedCodeOf = () => null } = props;
  const t = cageStrings();
  const commands = useFormCommands();
  const [chosen, choose] = useState<string | null>(null);
  const [paidText, setPaidText] = useState<string | null>(null);
  const result = useQuery<{ readonly [field: string]: readonly T[] }>(query, {}, pollMs, commands.revision);
  const all = result.state === 'loaded' ? props.listIn(result.data) : [];
  const one = all.find((each) => nameOf(each) === chosen) ?? all[0];
  const payment = useTwoPressPayment(
    `${query} ${one ? `${nameOf(one)} ${one.amount}` : ''}`,
    commands.isDisabled || one === undefined || blockedCodeOf(one) !== null,
    async () => {
      if (await commands.send(() => staffClient.terminal(one!.terminal, props.commandOf(one!))))
        setPaidText(t.paid(formatMoney(one!.amount)));
    },
    () => setPaidText(null),
  );
  useFormKeys({ [keyName]: payment.onPress });
  return (
    <CagePanel
      title={title}
      tag={tag}
      commands={commands}
      payment={payment}
      text={one === undefined ? t.payNone : t.pay(formatMoney(one.amount))}
      amount={formatMoney(one?.amount ?? 0)}
      keyName={keyName}
    >
      {result.state === 'loaded' && all.length === 0 && <p class="q">{props.none}</p>}
      <div class="slips">
        {all.map((each) => (
          <button key={nameOf(each)} type="button" aria-pressed={each === one} onClick={() => choose(nameOf(each))}>
            <b>{props.labelOf(each)}</b>
            <span>
              {blockedCodeOf(each) !== null && <span class="tag attn">{t.question}</span>} {formatMoney(each.amount)}
            </span>
          </button>
        ))}
      </div>
      {one !== undefined && props.facts(one)}
      {paidText !== null && <p role="status">{paidText}</p>}
      {props.footer}
    </CagePanel>
  );
}

/** Panel of signed hand-pays. Two persons have signed each hand-pay, and the cage pays it. [HOUSE 2] */
export function HandPayPanel({ limits }: { readonly limits: CageLimits }) {
  const t = cageStrings();
  return (
    <DuePayments<SignedHandPay>
      title={t.handPay}
      tag={t.cagePays}
      keyName="H"
      query="handpays"
      pollMs={2_000}
      listIn={(data) => data['signed']!}
      nameOf={handPayNumber}
      labelOf={handPayNumber}
      commandOf={({ signature }) => ({ type: 'PaySigned', signature })}
      none={t.noneSigned}
      facts={(one) => (
        <FactList
          facts={[
            [
              t.payNone,
              <b key="pay" class="bignum">
                {propertyCurrency.value} {formatMoney(one.amount)}
              </b>,
            ],
            [t.at, one.terminal],
            [t.first, `${one.first}, ${formatTimeOfDay(one.firstAt)}`],
            [t.second, `${one.second}, ${formatTimeOfDay(one.at)}`],
            [t.nameFrom, patronNameRequirementText(limits.nameFrom, one.amount)],
          ]}
        />
      )}
      footer={
        <p>
          <ClauseTag by="HOUSE 2" /> <ClauseTag by="HOUSE 10" />
        </p>
      }
    />
  );
}

/** Panel of unclaimed credit: money that a credit session received after its end. [READING 60] */
export function UnclaimedCreditPanel({ limits }: { readonly limits: CageLimits }) {
  const t = cageStrings();
  return (
    <DuePayments<UnclaimedCredit>
      title={t.unclaimed}
      tag={t.cage}
      keyName="S"
      query="unclaimed"
      pollMs={15_000}
      listIn={(data) => data['unclaimed']!}
      nameOf={({ terminal, session }) => `${terminal}.${session}`}
      labelOf={({ terminal, session }) => t.sessionOf(terminal, session)}
      blockedCodeOf={({ not }) => not}
      commandOf={({ session }) => ({ type: 'PaySession', session })}
      none={t.noneUnclaimed}
      facts={(one) => <FactList facts={[[t.nameFrom, patronNameRequirementText(limits.nameFrom, one.amount)]]} />}
      footer={<p class="q">{t.unclaimedWhy}</p>}
    />
  );
}
