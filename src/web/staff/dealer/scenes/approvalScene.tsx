import { pinDigits } from '../../../../access/pin.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { SecondaryActions } from '../../kit/components/nextAction.tsx';
import { ApprovalCountdown } from '../../kit/components/countdowns.tsx';
import { formatTimeOfDay, hashFragment, durationText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { serverTime, staffSession } from '../../app/state.ts';
import { ConsoleField, PinField } from '../field.tsx';
import { type FieldSpec, deleteCharacter, activateFirstEmptyField } from '../formFields.ts';
import { ActionPanel } from '../actionPanel.tsx';
import { CardOrderComparison } from '../stage/cardReplay.tsx';
import { type ConsoleScene } from '../scene.ts';
import { sendApproval, sendCommand } from '../../kit/sendCommand.ts';
import { resetFormFields, formFields, proposedCardOrder, formFieldValue } from '../state.ts';
import { ShoeFacts, ShoeSteps } from '../shoe/shoeSteps.tsx';
import { RulingOptionList, rulingChoices } from './stoppedScenes.tsx';
import { dealerStrings } from '../strings.ts';

type Proposal = NonNullable<DealerView['proposal']>;

export const numberAndPinSpecs: readonly FieldSpec[] = [
  { name: 'number', accepts: 'number', maxLength: 11 },
  { name: 'pin', accepts: 'digits', maxLength: pinDigits },
];

/** Lines that say what the proposal does, for the second approver. */
function effectLines(view: DealerView, { command: act, seal, to }: Proposal): readonly string[] {
  const t = dealerStrings();
  const option =
    view.stopped === null ? undefined : rulingChoices(view, view.stopped).find(({ command }) => command === act);
  if (option !== undefined) {
    const effectText = (effect: string): string => t.rulings.does[effect] ?? effect;
    const { round, stakes, shoe } = t.proposal.lines;
    return [
      `${round}: ${effectText(option.round)}`,
      `${stakes}: ${effectText(option.money)}`,
      `${shoe}: ${effectText(option.shoe)}`,
    ];
  }
  const { shoe } = view;
  if (shoe !== null && act === 'VerifyShoe') {
    const { seal: name, notRecorded } = t.shoeDo.facts;
    return [
      `${shoe.id}, ${shoe.size}`,
      `${name}: ${shoe.seal ?? notRecorded}`,
      ...(shoe.behind === null ? [] : [t.shoeDo.facts.behind(shoe.behind)]),
    ];
  }
  if (shoe !== null && seal !== undefined) {
    const destination = to === undefined ? [] : [`${t.shoeDo.goesTo}: ${to}`];
    return [t.shoe(shoe.id), `${t.shoeDo.facts.seal}: ${seal}`, ...destination];
  }
  return shoe === null ? [] : [t.shoe(shoe.id)];
}

/** Panel for the staff number (or badge) and PIN of the second approver. They count for this proposal only. */
function ApprovalPanel({
  view,
  proposal,
  approve,
  withdraw,
}: {
  readonly view: DealerView;
  readonly proposal: Proposal;
  readonly approve: () => void;
  readonly withdraw: (() => void) | undefined;
}) {
  const t = dealerStrings();
  const k = kitStrings();
  const totalMs = proposal.expires - proposal.since;
  // `serverTime` is updated every 100 ms, so a new proposal can begin after it.
  const leftMs = Math.min(totalMs, Math.max(0, proposal.expires - serverTime.value));
  const effect = t.proposal.commandNames[proposal.command] ?? proposal.command;
  const isOfRound = /Round|Card|Order|Report|Felt/.test(proposal.command) && view.round !== null;
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
        <div>
          <b class="title">{isOfRound ? t.proposal.round(effect, view.round.number) : effect}</b>
          <ul>
            {effectLines(view, proposal).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p class="bound">
            {k.second.by(roleAndNumberText(proposal.from), time)} · {k.second.bound}{' '}
            <b title={proposal.hash}>{hashFragment(proposal.hash)}</b>
          </p>
        </div>
        <div class="sign">
          <ConsoleField name="number" label={k.second.number} two isDefault />
          <PinField name="pin" label={k.second.pin} />
        </div>
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

let isSending = false;

/** Sends the approval. After a refusal the PIN must be typed again. */
async function approveWith(proposal: Proposal): Promise<void> {
  if (isSending || activateFirstEmptyField(numberAndPinSpecs)) return;
  isSending = true;
  const isAccepted = await sendApproval(proposal, { number: formFieldValue('number'), pin: formFieldValue('pin') });
  isSending = false;
  if (isAccepted) resetFormFields('');
  else formFields.value = { active: 'pin', values: { number: formFieldValue('number') } };
}

/** Scene while a proposal waits for the second signature. */
export function approvalScene(view: DealerView, proposal: Proposal): ConsoleScene {
  const t = dealerStrings();
  const k = kitStrings();
  const isOwn = staffSession.value !== null && proposal.from.person === staffSession.value.person;
  const approve = (): void => void approveWith(proposal);
  const withdraw = isOwn
    ? (): void => void sendCommand({ type: 'WithdrawProposal', proposal: proposal.id })
    : undefined;
  const { stopped, round } = view;
  const proposedOrder = proposedCardOrder.value;
  const chosen =
    stopped === null ? -1 : rulingChoices(view, stopped).findIndex(({ command }) => command === proposal.command);
  const isShoe = /Shoe|Cut/.test(proposal.command);
  return {
    prompt: {
      title: t.waitFor(k.roles[proposal.second] ?? proposal.second),
      reason: t.proposal.nothingYet,
      by: view.prompt.by,
      isStopped: stopped !== null,
    },
    ...(proposedOrder !== null && round !== null && proposedOrder.round === round.id && !isShoe
      ? {
          stage: (
            <CardOrderComparison view={view} cards={proposedOrder.cards} laid={round.cards.map(({ card }) => card)} />
          ),
        }
      : isShoe && { stage: <ShoeSteps view={view} /> }),
    ...(stopped !== null
      ? { left: <RulingOptionList view={view} irregularity={stopped} pick={chosen} isProposed /> }
      : proposal.command === 'VerifyShoe' && { left: <ShoeFacts view={view} /> }),
    lockedBy: { text: t.stoppedPad },
    right: <ApprovalPanel view={view} proposal={proposal} approve={approve} withdraw={withdraw} />,
    keys: {
      expects: 'field',
      specs: numberAndPinSpecs,
      next: approve,
      back: () => void deleteCharacter(numberAndPinSpecs),
      escape: withdraw,
    },
  };
}
