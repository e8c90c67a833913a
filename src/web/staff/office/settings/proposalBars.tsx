import { useState } from 'preact/hooks';
import { pitRoleRank } from '../../../../access/roles.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { ApprovalBar } from '../../kit/components/approvalBar.tsx';
import { sendApproval } from '../../kit/sendCommand.ts';
import { staffClient } from '../../app/connection.ts';
import { staffSession } from '../../app/state.ts';
import { type FormCommands } from '../forms/useFormCommands.tsx';
import { TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { settingsStrings } from './strings.ts';

type Proposal = NonNullable<SupervisorView['proposal']>;

const ownRank = (): number => {
  const signedIn = staffSession.value;
  return signedIn === null
    ? -1
    : Math.max(pitRoleRank(signedIn.role), signedIn.acting === null ? -1 : pitRoleRank(signedIn.acting));
};
export const mayProposeSettings = (): boolean => ownRank() >= pitRoleRank('pit-manager');

/** Bar to approve a proposal. The approver enters number and PIN, at this console or at another. */
export function SettingsProposalBar({
  table,
  proposal,
  commands,
}: {
  readonly table: string;
  readonly proposal: Proposal;
  readonly commands: FormCommands;
}) {
  const t = settingsStrings();
  const isOwn = staffSession.value?.person === proposal.from.person;
  const mayApprove = !isOwn && ownRank() >= pitRoleRank(proposal.second as 'pit-manager');
  const { id, hash } = proposal;
  const withdraw = (): void => {
    if (isOwn) void commands.send(() => staffClient.command(table, { type: 'WithdrawProposal', proposal: id }));
  };
  useFormKeys({ Escape: withdraw });
  return (
    <ApprovalBar
      proposal={proposal}
      commandName={`${t.commandNames[proposal.command] ?? t.other} ·`}
      mayApprove={mayApprove}
      mayDecline={isOwn}
      decline={withdraw}
      sign={(person) => sendApproval(table, { id, hash }, person)}
    />
  );
}

/** Bar to propose a change of settings, or to close or reopen the table. */
export function SettingsDraftBar({
  table,
  isClosed,
  count,
  isRefused,
  commands,
  propose,
  undo,
}: {
  readonly table: string;
  readonly isClosed: boolean;
  readonly count: number;
  readonly isRefused: boolean;
  readonly commands: FormCommands;
  readonly propose: () => void;
  readonly undo: () => void;
}) {
  const t = settingsStrings();
  const [reason, setReason] = useState('');
  const isDisabled = commands.isDisabled || count === 0 || isRefused;
  useFormKeys({ Enter: isDisabled ? undefined : propose, Escape: undo });
  if (!mayProposeSettings()) {
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
    if (await commands.send(() => staffClient.command(table, { type, reason: reason.trim() }))) setReason('');
  };
  return (
    <div class="do-bar">
      <section class="panel grow">
        <form class="row ends grow" onSubmit={(event) => void close(event)}>
          <TextField label={t.reason} value={reason} set={setReason} maxLength={200} disabled={commands.isDisabled} />
          <button type="submit" class="btn" disabled={commands.isDisabled || reason.trim() === ''}>
            {isClosed ? t.reopen : t.close}
          </button>
        </form>
      </section>
      <section class="panel">
        <button type="button" class="btn quiet" disabled={count === 0} onClick={undo}>
          {t.undo} <KeyCap>Esc</KeyCap>
        </button>
      </section>
      <button type="button" class="btn act act-big" disabled={isDisabled} onClick={propose}>
        {t.propose(count)} <KeyCap>Enter</KeyCap>
      </button>
    </div>
  );
}
