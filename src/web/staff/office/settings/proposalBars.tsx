import { useState } from 'preact/hooks';
import { roleRank } from '../../../../access/roles.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { SignBar, signsAlone } from '../../kit/components/approvalBar.tsx';
import { staff } from '../../app/connection.ts';
import { session } from '../../app/state.ts';
import { type Acts } from '../forms/useAction.tsx';
import { TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { settingsStrings } from './strings.ts';

type Proposal = NonNullable<SupervisorView['proposal']>;

const rank = (): number => {
  const one = session.value;
  return one === null ? -1 : Math.max(roleRank(one.post), one.acting === null ? -1 : roleRank(one.acting));
};
/** Whether whoever is signed in may propose here. */
export const mayPropose = (): boolean => rank() >= roleRank('pit-manager');

/** What stands to be approved: in one's own session, or by number and PIN at the console of whoever proposed it. */
export function ProposalBar({
  table,
  proposal,
  acts,
}: {
  readonly table: string;
  readonly proposal: Proposal;
  readonly acts: Acts;
}) {
  const t = settingsStrings();
  const isOwn = session.value?.person === proposal.from.person;
  const mayApprove = !isOwn && rank() >= roleRank(proposal.second as 'pit-manager');
  const { id, hash } = proposal;
  const approve = (): void => {
    if (mayApprove && signsAlone()) void acts.run(() => staff.command(table, { type: 'Approve', proposal: id, hash }));
  };
  const withdraw = (): void => {
    if (isOwn) void acts.run(() => staff.command(table, { type: 'WithdrawProposal', proposal: id }));
  };
  useFormKeys({ Enter: approve, Escape: withdraw });
  return (
    <SignBar
      proposal={proposal}
      what={`${t.acts[proposal.act] ?? t.other} ·`}
      mayApprove={mayApprove}
      mayDecline={isOwn}
      approve={approve}
      decline={withdraw}
      consent={async (person) => (await acts.run(() => staff.consent(table, { id, hash }, person))) !== undefined}
    />
  );
}

/** What can be proposed: the changes, or that the table closes or opens again. */
export function DraftBar({
  table,
  isClosed,
  count,
  isRefused,
  acts,
  propose,
  undo,
}: {
  readonly table: string;
  readonly isClosed: boolean;
  readonly count: number;
  readonly isRefused: boolean;
  readonly acts: Acts;
  readonly propose: () => void;
  readonly undo: () => void;
}) {
  const t = settingsStrings();
  const [reason, say] = useState('');
  const isDead = acts.isDead || count === 0 || isRefused;
  useFormKeys({ Enter: isDead ? undefined : propose, Escape: undo });
  if (!mayPropose()) {
    return (
      <div class="do-bar">
        <section class="panel grow q">{t.wait}</section>
      </div>
    );
  }
  const type = isClosed ? 'ReopenTable' : 'CloseTable';
  const close = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (reason.trim() === '') return;
    if (await acts.run(() => staff.command(table, { type, reason: reason.trim() }))) say('');
  };
  return (
    <div class="do-bar">
      <section class="panel grow">
        <form class="row ends grow" onSubmit={(event) => void close(event)}>
          <TextField label={t.reason} value={reason} set={say} most={200} disabled={acts.isDead} />
          <button type="submit" class="btn" disabled={acts.isDead || reason.trim() === ''}>
            {isClosed ? t.reopen : t.close}
          </button>
        </form>
      </section>
      <section class="panel">
        <button type="button" class="btn quiet" disabled={count === 0} onClick={undo}>
          {t.undo} <Kbd>Esc</Kbd>
        </button>
      </section>
      <button type="button" class="btn act act-big" disabled={isDead} onClick={propose}>
        {t.propose(count)} <Kbd>Enter</Kbd>
      </button>
    </div>
  );
}
