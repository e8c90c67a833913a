import { useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { pitRoleRank } from '../../../../access/roles.ts';
import { type CageLimits, type ListedTerminal, type ProposedHandPay } from '../../../../wire/staff/cageTypes.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { ApprovalBar } from '../../kit/components/approvalBar.tsx';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { sendHandPayApproval } from '../../kit/sendCommand.ts';
import { staffClient } from '../../app/connection.ts';
import { propertyCurrency, staffSession } from '../../app/state.ts';
import { type FormCommands, FormRefusalNotice } from '../forms/useFormCommands.tsx';
import { FactList, TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { mayActAs } from '../components/useSupervisorView.ts';
import { handPayNumber } from './handPayNumber.ts';
import { terminalsStrings } from './strings.ts';

/** Stored reason of the lock that the system sets on a terminal for a hand-pay. */
export const handPayLockCode = 'hand-pay';

/** True when the signed-in person is a supervisor or has a higher role. Other roles can only read this page. */
const maySupervise = (): boolean => {
  const one = staffSession.value;
  return one !== null && Math.max(pitRoleRank(one.role), one.acting === null ? -1 : pitRoleRank(one.acting)) >= 1;
};

type Props = { readonly one: ListedTerminal; readonly limits: CageLimits; readonly commands: FormCommands };

export function TerminalDetail({ one, limits, commands }: Props) {
  const t = terminalsStrings();
  const { terminal, table, locked, owed, signed, staked, disputed } = one;
  const signedAmount = signed.reduce((sum, { amount }) => sum + amount, 0);
  const unsignedAmount = owed - signedAmount;
  return (
    <section class="panel side-acts" aria-label={terminal}>
      <header>
        <h2>{terminal}</h2>
        <span class="q">{table ?? (one.online ? t.lobby : '')}</span>
        <span class="grow" />
        {locked !== null && (
          <span class="tag attn">
            {locked !== handPayLockCode ? t.states.locked : owed > 0 ? t.states.handPay : t.states.handPaid}
          </span>
        )}
      </header>
      <FactList
        facts={[
          [t.credit, `${propertyCurrency.value} ${formatMoney(one.credit)}`],
          [t.stakes, staked === 0 ? t.nothing : formatMoney(staked)],
          [t.question, disputed === 0 ? t.nothing : formatMoney(disputed)],
          [
            t.limit,
            <>
              {limits.handPay === null ? t.noLimit : t.above(formatMoney(limits.handPay))} <ClauseTag by="HOUSE 10" />
            </>,
          ],
          [t.nameFrom, limits.nameFrom === null ? t.never : t.from(formatMoney(limits.nameFrom))],
          ...(owed === 0 ? [] : [[t.owed, `${propertyCurrency.value} ${formatMoney(owed)}`] as const]),
          ...(locked === null
            ? []
            : [[t.why, locked !== handPayLockCode ? locked : owed > 0 ? t.handPayLock : t.handPayPaid] as const]),
        ]}
      />
      {maySupervise() && <LockForm one={one} commands={commands} />}
      {signed.map((handPay) => (
        <div key={handPay.signature} class="paybox">
          <span class="cap">{t.handPay}</span>
          <span class="bignum">
            {propertyCurrency.value} {formatMoney(handPay.amount)}
          </span>
          <p>{t.signed(handPayNumber(handPay))}</p>
          <FactList
            facts={[
              [t.firstIs, t.first(handPay.first, formatTimeOfDay(handPay.firstAt))],
              [t.secondIs, t.first(handPay.second, formatTimeOfDay(handPay.at))],
            ]}
          />
          {maySupervise() && (
            <ReasonForm
              label={t.withdraw}
              commands={commands}
              send={(reason) =>
                staffClient.terminal(terminal, { type: 'WithdrawHandPay', signature: handPay.signature, reason })
              }
            />
          )}
        </div>
      ))}
      {unsignedAmount > 0 && (
        <div class="paybox">
          <span class="cap">{t.handPay}</span>
          <span class="bignum">
            {propertyCurrency.value} {formatMoney(one.proposal?.amount ?? unsignedAmount)}
          </span>
          <p class="q">
            {maySupervise() ? t.toSign : t.mayNot} <ClauseTag by="HOUSE 2" />
          </p>
        </div>
      )}
      <FormRefusalNotice refusal={commands.refusal} />
      {unsignedAmount > 0 && one.proposal === null && maySupervise() && (
        <div class="end">
          <button
            type="button"
            class="btn act"
            disabled={commands.isDisabled}
            onClick={() => proposeHandPay(one, commands)}
          >
            {t.sign(formatMoney(unsignedAmount))} <KeyCap>Enter</KeyCap>
          </button>
        </div>
      )}
    </section>
  );
}

/** Proposes a hand-pay of the amount that is due but not signed yet. */
export function proposeHandPay({ terminal, owed, signed, proposal }: ListedTerminal, commands: FormCommands): void {
  const amount = owed - signed.reduce((sum, handPay) => sum + handPay.amount, 0);
  if (amount === 0 || proposal !== null || commands.isDisabled || !maySupervise()) return;
  const command = { type: 'ProposeHandPay', what: 'cancelled-credit', amount };
  void commands.send(() => staffClient.terminal(terminal, command));
}

type ApprovalProps = {
  readonly terminal: string;
  readonly proposal: ProposedHandPay;
  readonly commands: FormCommands;
};

/** Second signature of a hand-pay. The approver enters number and PIN, at this console or at another. */
export function HandPayApproval({ terminal, proposal, commands }: ApprovalProps) {
  const t = terminalsStrings();
  const { id, amount } = proposal;
  const isOwn = staffSession.value?.person === proposal.from.person;
  const mayApprove = !isOwn && mayActAs(proposal.second);
  const mayDecline = isOwn || maySupervise();
  const decline = (): void => {
    if (mayDecline)
      void commands.send(() => staffClient.terminal(terminal, { type: 'WithdrawHandPayProposal', proposal: id }));
  };
  useFormKeys({ Escape: decline });
  return (
    <ApprovalBar
      proposal={proposal}
      commandName={`${t.handPayOf(`${propertyCurrency.value} ${formatMoney(amount)}`, terminal)} ·`}
      mayApprove={mayApprove}
      mayDecline={mayDecline}
      decline={decline}
      sign={async (person) => {
        const refusal = await sendHandPayApproval(terminal, proposal, person);
        if (refusal === undefined) commands.reload();
        return refusal;
      }}
    />
  );
}

function LockForm({ one: { terminal, locked, owed }, commands }: Omit<Props, 'limits'>) {
  const t = terminalsStrings();
  const type = locked === null ? 'LockTerminal' : 'UnlockTerminal';
  return (
    <ReasonForm
      key={locked}
      label={locked === null ? t.lock : t.unlock}
      keyName="U"
      initialReason={locked === handPayLockCode && owed === 0 ? t.paid : ''}
      commands={commands}
      send={(reason) => staffClient.terminal(terminal, { type, reason })}
    />
  );
}

function ReasonForm({
  label,
  keyName,
  initialReason = '',
  commands,
  send,
}: {
  readonly label: string;
  readonly keyName?: string;
  readonly initialReason?: string;
  readonly commands: FormCommands;
  readonly send: (reason: string) => ReturnType<typeof staffClient.terminal>;
}) {
  const t = terminalsStrings();
  const [reason, setReason] = useState(initialReason);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (reason.trim() === '') return;
    if (await commands.send(() => send(reason.trim()))) setReason('');
  };
  return (
    <form class="body" onSubmit={(event) => void submit(event)}>
      <div class="row ends">
        <TextField label={t.reason} value={reason} set={setReason} maxLength={200} disabled={commands.isDisabled} />
        <button type="submit" class="btn small" disabled={commands.isDisabled || reason.trim() === ''}>
          {label} {keyName !== undefined && <KeyCap>{keyName}</KeyCap>}
        </button>
      </div>
    </form>
  );
}
