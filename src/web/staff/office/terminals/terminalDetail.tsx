import { useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { roleRank } from '../../../../access/roles.ts';
import { type CageLimits, type ListedTerminal } from '../../../../wire/staff/cageTypes.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { type Proposal, SignBar, signsAlone } from '../../kit/components/approvalBar.tsx';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { staff } from '../../app/connection.ts';
import { currency, now, session } from '../../app/state.ts';
import { type Acts, NotTaken } from '../forms/useAction.tsx';
import { FactList, TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { may } from '../parts/useTable.ts';
import { slipName } from './handPayName.ts';
import { terminalsStrings } from './strings.ts';

/** Why the floor itself has taken a terminal out of use. */
const handPayLock = 'hand-pay';

/** Whether whoever is signed in supervises: others look and do nothing here. */
const maySupervise = (): boolean => {
  const one = session.value;
  return one !== null && Math.max(roleRank(one.post), one.acting === null ? -1 : roleRank(one.acting)) >= 1;
};

type Form = { readonly one: ListedTerminal; readonly limits: CageLimits; readonly acts: Acts };

/** One terminal: what it holds, whether it is in use, and what waits there to be paid by hand. */
export function One({ one, limits, acts }: Form) {
  const t = terminalsStrings();
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
      <FactList
        all={[
          [t.credit, `${currency.value} ${formatMoney(one.credit)}`],
          [t.stakes, staked === 0 ? t.nothing : formatMoney(staked)],
          [t.question, inQuestion === 0 ? t.nothing : formatMoney(inQuestion)],
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
      {maySupervise() && <Use one={one} acts={acts} />}
      {signed.map((slip) => (
        <div key={slip.signature} class="paybox">
          <span class="cap">{t.handPay}</span>
          <span class="bignum">
            {currency.value} {formatMoney(slip.amount)}
          </span>
          <p>{t.signed(slipName(slip))}</p>
          <FactList
            all={[
              [t.firstIs, t.first(slip.first, formatTimeOfDay(slip.at))],
              [t.secondIs, slip.second],
            ]}
          />
          {maySupervise() && (
            <Reasoned
              act={t.withdraw}
              acts={acts}
              run={(reason) => staff.terminal(terminal, { type: 'WithdrawHandPay', signature: slip.signature, reason })}
            />
          )}
        </div>
      ))}
      {left > 0 && (
        <div class="paybox">
          <span class="cap">{t.handPay}</span>
          <span class="bignum">
            {currency.value} {formatMoney(left)}
          </span>
          <p class="q">
            {maySupervise() ? t.toSign : t.mayNot} <ClauseTag by="HOUSE 2" />
          </p>
        </div>
      )}
      <NotTaken told={acts.told} />
      {left > 0 && one.proposal === null && maySupervise() && (
        <div class="end">
          <button type="button" class="btn act" disabled={acts.isDead} onClick={() => proposeAt(one, acts)}>
            {t.sign(formatMoney(left))} <Kbd>Enter</Kbd>
          </button>
        </div>
      )}
    </section>
  );
}

/** Whoever is signed in signs for all that is left, and a second person is asked for. */
export function proposeAt({ terminal, owed, signed, proposal }: ListedTerminal, acts: Acts): void {
  const amount = owed - signed.reduce((sum, slip) => sum + slip.amount, 0);
  if (amount === 0 || proposal !== null || acts.isDead || !maySupervise()) return;
  const asked = { type: 'ProposeHandPay', what: 'cancelled-credit', amount };
  void acts.run(() => staff.terminal(terminal, asked));
}

type Signed = { readonly terminal: string; readonly proposal: Proposal; readonly acts: Acts };

/** The second person signs what the first has: in a session of their own, or by number and PIN at this console. */
export function HandPayApproval({ terminal, proposal, acts }: Signed) {
  const { id, hash } = proposal;
  const isOwn = session.value?.person === proposal.from.person;
  const asked = { type: 'ApproveHandPay', proposal: id, hash };
  const mayApprove = !isOwn && may(proposal.second);
  const mayDecline = isOwn || maySupervise();
  const approve = (): void => {
    if (mayApprove && signsAlone() && proposal.expires > now.peek()) {
      void acts.run(() => staff.terminal(terminal, asked));
    }
  };
  const decline = (): void => {
    if (mayDecline) void acts.run(() => staff.terminal(terminal, { type: 'DropHandPay', proposal: id }));
  };
  const leave = (): void => {
    const at = document.activeElement;
    if (at instanceof HTMLInputElement) at.blur();
    else decline();
  };
  useFormKeys({ Enter: approve, Escape: leave });
  return (
    <SignBar
      proposal={proposal}
      mayApprove={mayApprove}
      mayDecline={mayDecline}
      approve={approve}
      decline={decline}
      consent={async (person) => (await acts.run(() => staff.terminal(terminal, asked, person))) !== undefined}
    />
  );
}

/** Out of use or into it again, with the reason. */
function Use({ one: { terminal, locked, owed }, acts }: Omit<Form, 'limits'>) {
  const t = terminalsStrings();
  const type = locked === null ? 'LockTerminal' : 'UnlockTerminal';
  return (
    <Reasoned
      key={locked}
      act={locked === null ? t.lock : t.unlock}
      keyName="U"
      first={locked === handPayLock && owed === 0 ? t.paid : ''}
      acts={acts}
      run={(reason) => staff.terminal(terminal, { type, reason })}
    />
  );
}

/** What is done with a reason, and not without one. */
function Reasoned({
  act,
  keyName,
  first = '',
  acts,
  run,
}: {
  readonly act: string;
  readonly keyName?: string;
  /** What is said unless something else is typed. */
  readonly first?: string;
  readonly acts: Acts;
  readonly run: (reason: string) => ReturnType<typeof staff.terminal>;
}) {
  const t = terminalsStrings();
  const [reason, say] = useState(first);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (reason.trim() === '') return;
    if (await acts.run(() => run(reason.trim()))) say('');
  };
  return (
    <form class="body" onSubmit={(event) => void submit(event)}>
      <div class="row ends">
        <TextField label={t.reason} value={reason} set={say} most={200} disabled={acts.isDead} />
        <button type="submit" class="btn small" disabled={acts.isDead || reason.trim() === ''}>
          {act} {keyName !== undefined && <Kbd>{keyName}</Kbd>}
        </button>
      </div>
    </form>
  );
}
