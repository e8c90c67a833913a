import { pinDigits } from '../../../../access/pin.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { personText } from '../../kit/components/topBar.tsx';
import { AlsoKeys } from '../../kit/components/nextAction.tsx';
import { Ring } from '../../kit/components/countdownRing.tsx';
import { formatTimeOfDay, fragmentOf, spanText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { now, session } from '../../app/state.ts';
import { Field, PinField } from '../field.tsx';
import { type Spec, deleteLetter, toEmpty } from '../formFields.ts';
import { NextPanel } from '../actionPanel.tsx';
import { CardReplay } from '../stage/cardReplay.tsx';
import { type ConsoleScene } from '../scene.ts';
import { consent, send } from '../../kit/sendCommand.ts';
import { beginFields, fields, preview, valueOf } from '../state.ts';
import { ShoeFacts, Steps } from '../shoe/shoeSteps.tsx';
import { Ways, rulingChoices } from './stoppedScenes.tsx';
import { dealerStrings } from '../strings.ts';

type Proposal = NonNullable<DealerView['proposal']>;

export const personSpecs: readonly Spec[] = [
  { name: 'number', takes: 'number', most: 11 },
  { name: 'pin', takes: 'digits', most: pinDigits },
];

/** What would happen, in the lines that a second person reads first. */
function linesOf(view: DealerView, { act, seal, to }: Proposal): readonly string[] {
  const t = dealerStrings();
  const way =
    view.stopped === null ? undefined : rulingChoices(view, view.stopped).find(({ command }) => command === act);
  if (way !== undefined) {
    const does = (what: string): string => t.ways.does[what] ?? what;
    const { round, stakes, shoe } = t.proposal.lines;
    return [`${round}: ${does(way.round)}`, `${stakes}: ${does(way.money)}`, `${shoe}: ${does(way.shoe)}`];
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
    const goes = to === undefined ? [] : [`${t.shoeDo.goesTo}: ${to}`];
    return [t.shoe(shoe.id), `${t.shoeDo.facts.seal}: ${seal}`, ...goes];
  }
  return shoe === null ? [] : [t.shoe(shoe.id)];
}

/** Badge or number and PIN of another person, bound to just this proposal. */
function SecondPanel({
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
  const k = kitWords();
  const left = Math.max(0, proposal.expires - now.value);
  const what = t.proposal.acts[proposal.act] ?? proposal.act;
  const ofRound = /Round|Card|Order|Report|Felt/.test(proposal.act) && view.round !== null;
  const time = formatTimeOfDay(proposal.since);
  return (
    <NextPanel name="four">
      <div class="go" data-testid="second">
        <span class="row">
          <span class="cap">{k.second.cap(k.posts[proposal.second] ?? proposal.second)}</span>
          <span class="grow" />
          <Ring
            left={left}
            total={proposal.expires - proposal.since}
            text={spanText(left + 999)}
            label={k.second.left(spanText(left))}
            violet
          />
        </span>
        <div>
          <b class="title">{ofRound ? t.proposal.round(what, view.round.number) : what}</b>
          <ul>
            {linesOf(view, proposal).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p class="bound">
            {k.second.by(personText(proposal.from), time)} · {k.second.bound}{' '}
            <b title={proposal.hash}>{fragmentOf(proposal.hash)}</b>
          </p>
        </div>
        <div class="sign">
          <Field name="number" label={k.second.number} two lead />
          <PinField name="pin" label={k.second.pin} />
        </div>
      </div>
      <AlsoKeys
        all={[
          { text: k.second.withdraw, keyName: 'Esc', act: withdraw, name: 'withdraw' },
          { text: k.second.approve, keyName: 'Enter', act: approve, yes: true, name: 'approve' },
        ]}
      />
    </NextPanel>
  );
}

let asking = false;

/** Number and PIN are given. What was refused is typed again. */
async function approveWith(proposal: Proposal): Promise<void> {
  if (asking || toEmpty(personSpecs)) return;
  asking = true;
  const taken = await consent(proposal, { number: valueOf('number'), pin: valueOf('pin') });
  asking = false;
  if (taken) beginFields('');
  else fields.value = { on: 'pin', values: { number: valueOf('number') } };
}

/** Something waits for a second person. */
export function proposedScene(view: DealerView, proposal: Proposal): ConsoleScene {
  const t = dealerStrings();
  const k = kitWords();
  const isOwn = session.value !== null && proposal.from.person === session.value.person;
  const approve = (): void => void approveWith(proposal);
  const withdraw = isOwn ? (): void => void send({ type: 'WithdrawProposal', proposal: proposal.id }) : undefined;
  const { stopped, round } = view;
  const shown = preview.value;
  const pick =
    stopped === null ? -1 : rulingChoices(view, stopped).findIndex(({ command }) => command === proposal.act);
  const isShoe = /Shoe|Cut/.test(proposal.act);
  return {
    say: {
      title: t.waitFor(k.posts[proposal.second] ?? proposal.second),
      why: t.proposal.nothingYet,
      by: view.says.by,
      stop: stopped !== null,
    },
    ...(shown !== null && round !== null && shown.round === round.id && !isShoe
      ? { stage: <CardReplay view={view} cards={shown.cards} of={round.cards.map(({ card }) => card)} /> }
      : isShoe && { stage: <Steps view={view} /> }),
    ...(stopped !== null
      ? { left: <Ways view={view} matter={stopped} pick={pick} proposed /> }
      : proposal.act === 'VerifyShoe' && { left: <ShoeFacts view={view} /> }),
    lockedBy: { text: t.stoppedPad },
    right: <SecondPanel view={view} proposal={proposal} approve={approve} withdraw={withdraw} />,
    keys: {
      takes: 'field',
      specs: personSpecs,
      next: approve,
      back: () => void deleteLetter(personSpecs),
      escape: withdraw,
    },
  };
}
