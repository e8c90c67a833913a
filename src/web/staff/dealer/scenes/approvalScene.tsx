import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { ProposalEffectsView } from '../../kit/components/proposalEffects.tsx';
import { proposalStrings } from '../../kit/text/proposalStrings.ts';
import { SecondaryActions } from '../../kit/components/nextAction.tsx';
import { ApprovalCountdown } from '../../kit/components/countdowns.tsx';
import { formatTimeOfDay, shortHashText, durationText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffServerTimeMs, staffSession } from '../../app/state.ts';
import { SignatureFields } from '../../kit/components/signatureFields.tsx';
import { changeSignature, signatureKeys, refusedSignature, submitSignature, typedSignature } from '../signature.ts';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { sendApproval, sendCommand } from '../../kit/sendCommand.ts';
import { ShoeSteps } from '../shoe/shoeSteps.tsx';
import { dealerStrings } from '../strings.ts';

type Proposal = NonNullable<DealerView['proposal']>;

/** Panel for the second signature. The approver types the staff number or scans a badge, and then types the PIN. */
function ApprovalPanel({
  proposal,
  approve,
  withdraw,
}: {
  readonly proposal: Proposal;
  readonly approve: () => void;
  readonly withdraw: (() => void) | undefined;
}) {
  const t = dealerStrings();
  const k = kitStrings();
  const totalMs = proposal.expires - proposal.since;
  // `staffServerTimeMs` lags by up to 100 ms. Without the upper limit, the time left could exceed the total time.
  const leftMs = Math.min(totalMs, Math.max(0, proposal.expires - staffServerTimeMs.value));
  const effect = t.proposal.commandNames[proposal.command] ?? proposal.command;
  const { round } = proposal.effects;
  const time = formatTimeOfDay(proposal.since);
  return (
    <ActionPanel name="four">
      <div class="go" data-testid="second">
        <span class="row">
          <span class="cap">{k.second.cap(k.roles[proposal.second] ?? proposal.second)}</span>
          <span class="grow" />
          <ApprovalCountdown
            leftMs={leftMs}
            totalMs={totalMs}
            text={durationText(leftMs + 999)}
            label={k.second.left(durationText(leftMs))}
          />
        </span>
        <div class="effects" tabIndex={0}>
          <b class="title">{round === null ? effect : t.proposal.round(effect, round.number)}</b>
        </div>
        <p class="bound">
          {k.second.by(roleAndNumberText(proposal.from), time)} · {k.second.bound}{' '}
          <b title={proposal.hash}>{shortHashText(proposal.hash)}</b>
        </p>
        <SignatureFields
          signature={typedSignature.value}
          change={changeSignature}
          isReadOnly
          refused={refusedSignature.value}
        />
      </div>
      <SecondaryActions
        actions={[
          { text: k.second.withdraw, keyName: 'Esc', run: withdraw, testId: 'withdraw' },
          { text: k.second.approve, keyName: 'Enter', run: approve, isPrimary: true, testId: 'approve' },
        ]}
      />
    </ActionPanel>
  );
}

export function approvalScene(view: DealerView, proposal: Proposal): ConsoleScene {
  const t = dealerStrings();
  const k = kitStrings();
  const isOwn = staffSession.value !== null && proposal.from.person === staffSession.value.person;
  const approve = (): void =>
    void submitSignature(proposal.second, (person) => sendApproval(view.table, proposal, person));
  const withdraw = isOwn
    ? (): void => void sendCommand({ type: 'WithdrawProposal', proposal: proposal.id })
    : undefined;
  return {
    prompt: {
      title: t.waitFor(k.roles[proposal.second] ?? proposal.second),
      reason: t.proposal.nothingYet,
      by: view.prompt.by,
      isStopped: view.stopped !== null,
    },
    ...(/Shoe|Cut/.test(proposal.command) && { stage: <ShoeSteps view={view} /> }),
    left: (
      <section class="panel scrolls pad-in" tabIndex={0} aria-label={proposalStrings().effects}>
        <ProposalEffectsView effects={proposal.effects} game={view.game.version} reason={proposal.reason} />
      </section>
    ),
    lockedBy: { text: t.stoppedPad },
    right: <ApprovalPanel proposal={proposal} approve={approve} withdraw={withdraw} />,
    keys: { ...signatureKeys(approve), escape: withdraw },
  };
}
