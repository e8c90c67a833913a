import { useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { roleRank } from '../../../../access/roles.ts';
import { type CageLimits, type ListedTerminal } from '../../../../wire/staff/cageTypes.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { type Proposal, ApprovalBar, mayApproveWithoutPin } from '../../kit/components/approvalBar.tsx';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { staffClient } from '../../app/connection.ts';
import { propertyCurrency, serverTime, staffSession } from '../../app/state.ts';
import { type FormCommands, FormRefusal } from '../forms/useFormCommands.tsx';
import { FactList, TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { mayActAs } from '../parts/useSupervisorView.ts';
import { handPaySlipName } from './handPaySlipName.ts';
import { terminalsStrings } from './strings.ts';

/** Stored reason of a lock that the system sets for a hand-pay. */
const handPayLock = 'hand-pay';

/** True for a supervisor and higher; other roles only read this page. */
const maySupervise = (): boolean => {
  const one = staffSession.value;
  return one !== null && Math.max(roleRank(one.role), one.acting === null ? -1 : roleRank(one.acting)) >= 1;
};

type Props = { readonly one: ListedTerminal; readonly limits: CageLimits; readonly commands: FormCommands };

/** Details of one terminal: credit, lock and hand-pays. */
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
        {locked !== null && <span class="tag attn">{locked === handPayLock ? t.states.handPay : t.states.locked}</span>}
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
          ...(locked === null ? [] : [[t.why, locked === handPayLock ? t.handPayLock : locked] as const]),
        ]}
      />
      {maySupervise() && <LockForm one={one} commands={commands} />}
      {signed.map((handPay) => (
        <div key={handPay.signature} class="paybox">
          <span class="cap">{t.handPay}</span>
          <span class="bignum">
            {propertyCurrency.value} {formatMoney(handPay.amount)}
          </span>
          <p>{t.signed(handPaySlipName(handPay))}</p>
          <FactList
            facts={[
              [t.firstIs, t.first(handPay.first, formatTimeOfDay(handPay.at))],
              [t.secondIs, handPay.second],
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
            {propertyCurrency.value} {formatMoney(unsignedAmount)}
          </span>
          <p class="q">
            {maySupervise() ? t.toSign : t.mayNot} <ClauseTag by="HOUSE 2" />
          </p>
        </div>
      )}
      <FormRefusal refusal={commands.refusal} />
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

/** Proposes a hand-pay of the amount that is still unsigned. */
export function proposeHandPay({ terminal, owed, signed, proposal }: ListedTerminal, commands: FormCommands): void {
  const amount = owed - signed.reduce((sum, handPay) => sum + handPay.amount, 0);
  if (amount === 0 || proposal !== null || commands.isDisabled || !maySupervise()) return;
  const command = { type: 'ProposeHandPay', what: 'cancelled-credit', amount };
  void commands.send(() => staffClient.terminal(terminal, command));
}

type ApprovalProps = { readonly terminal: string; readonly proposal: Proposal; readonly commands: FormCommands };

/** Second signature of a hand-pay: with the approver's own session, or by number and PIN at this console. */
export function HandPayApproval({ terminal, proposal, commands }: ApprovalProps) {
  const { id, hash } = proposal;
  const isOwn = staffSession.value?.person === proposal.from.person;
  const command = { type: 'ApproveHandPay', proposal: id, hash };
  const mayApprove = !isOwn && mayActAs(proposal.second);
  const mayDecline = isOwn || maySupervise();
  const approve = (): void => {
    if (mayApprove && mayApproveWithoutPin() && proposal.expires > serverTime.peek()) {
      void commands.send(() => staffClient.terminal(terminal, command));
    }
  };
  const decline = (): void => {
    if (mayDecline)
      void commands.send(() => staffClient.terminal(terminal, { type: 'WithdrawHandPayProposal', proposal: id }));
  };
  const cancel = (): void => {
    const at = document.activeElement;
    if (at instanceof HTMLInputElement) at.blur();
    else decline();
  };
  useFormKeys({ Enter: approve, Escape: cancel });
  return (
    <ApprovalBar
      proposal={proposal}
      mayApprove={mayApprove}
      mayDecline={mayDecline}
      approve={approve}
      decline={decline}
      approveWithPin={async (person) =>
        (await commands.send(() => staffClient.terminal(terminal, command, person))) !== undefined
      }
    />
  );
}

/** Form to lock or unlock a terminal, with a reason. */
function LockForm({ one: { terminal, locked, owed }, commands }: Omit<Props, 'limits'>) {
  const t = terminalsStrings();
  const type = locked === null ? 'LockTerminal' : 'UnlockTerminal';
  return (
    <ReasonForm
      key={locked}
      label={locked === null ? t.lock : t.unlock}
      keyName="U"
      initialReason={locked === handPayLock && owed === 0 ? t.paid : ''}
      commands={commands}
      send={(reason) => staffClient.terminal(terminal, { type, reason })}
    />
  );
}

/** Form with a button that needs a reason. */
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
