import {
  type DealerView,
  type OpenIrregularityView,
  type RulingOptionView,
} from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { durationText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { rulingStringKey } from '../../kit/text/rulingStringKey.ts';
import { irregularityNamesByLanguage } from '../../kit/text/irregularityStrings.ts';
import { language } from '../../../shared/text/language.ts';
import { staffServerSecondMs } from '../../app/state.ts';
import { clausesByTopic } from '../panels/sidePanel.tsx';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { sendCommand } from '../../kit/sendCommand.ts';
import { resetFormFields, consoleDraft } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { defaultRulingReason } from './reportSheet.tsx';

/** Ruling options of an irregularity. Dismissal comes last. */
function rulingChoices(view: DealerView, { options, dismiss }: OpenIrregularityView): readonly RulingOptionView[] {
  const dismissal = dismiss && {
    ...dismiss,
    ruling: 'dismiss',
    command: 'DismissReport',
    by: clausesByTopic(view).roles,
    round: 'goes on',
    money: 'unchanged',
    shoe: 'goes on',
    not: null,
  };
  return [...options, ...(dismissal ? [dismissal] : [])];
}

/** True when the option is possible and the dealer gives its first signature. */
const isDealerOption = ({ first: firstOwn, not }: RulingOptionView): boolean => firstOwn === 'dealer' && not === null;

/** Sends the ruling of an option. If the ruling needs cards, opens the form to enter the cards instead. */
function chooseRuling(irregularity: OpenIrregularityView, option: RulingOptionView): void {
  if (!isDealerOption(option)) return;
  const reason = defaultRulingReason(irregularity.kind);
  switch (option.command) {
    case 'ReconstructRound':
      consoleDraft.value = { type: 'reconstruct', cards: [], at: 0, unseen: false };
      return;
    case 'CorrectCard':
      consoleDraft.value = { type: 'fix', place: null, card: null };
      return;
    case 'EnterCard':
      consoleDraft.value = { type: 'by-eye', purpose: 'enter' };
      return;
    case 'BurnCard':
      consoleDraft.value = { type: 'by-eye', purpose: 'burn' };
      return;
    case 'Refer':
      void sendCommand({ type: 'Refer', reason });
      return;
    default:
      void sendCommand({ type: option.command, reason });
  }
}

function RulingButton({
  option,
  digit,
  isChosen,
  onPress,
}: {
  readonly option: RulingOptionView;
  readonly digit: number;
  readonly isChosen: boolean;
  readonly onPress: () => void;
}) {
  const t = dealerStrings();
  const roles = kitStrings().roles;
  const [name, detail] = t.rulings.names[rulingStringKey(option)] ?? [option.ruling, ''];
  const signers =
    option.first !== 'dealer'
      ? t.rulings.theirs(roles[option.first] ?? option.first)
      : option.second === null
        ? t.rulings.alone
        : t.rulings.two(roles[option.second] ?? option.second);
  const effectText = (effect: string): string => t.rulings.does[effect] ?? effect;
  return (
    <button
      type="button"
      class={`way${isChosen ? ' on' : ''}`}
      disabled={!isDealerOption(option)}
      data-way={option.ruling}
      aria-pressed={isChosen}
      onClick={onPress}
    >
      <KeyCap>{digit}</KeyCap>
      <span class="grow">
        <b>{name}</b>
        <small>{option.not === null ? detail : t.notPossible}</small>
      </span>
      <dl>
        <dt>{t.rulings.round}</dt>
        <dd>{effectText(option.round)}</dd>
        <dt>{t.rulings.stakes}</dt>
        <dd>{effectText(option.money)}</dd>
        <dt>{t.rulings.shoe}</dt>
        <dd>{effectText(option.shoe)}</dd>
      </dl>
      <span class="r">
        <ClauseTag by={option.by} plain />
        <small class={`tag${option.second !== null && option.first === 'dealer' ? ' two' : ''}`}>{signers}</small>
      </span>
    </button>
  );
}

/** List of ruling options. It shows no amounts, since the dealer sees no money of patrons. */
function RulingOptionList({
  view,
  irregularity,
  pick,
}: {
  readonly view: DealerView;
  readonly irregularity: OpenIrregularityView;
  readonly pick: number;
}) {
  const t = dealerStrings();
  const options = rulingChoices(view, irregularity);
  return (
    <section class="panel ways" style={{ '--ways': options.length }} aria-label={t.rulings.title}>
      <header>
        <h2>{t.rulings.title}</h2>
        <span class="q more">
          {t.rulings.more(irregularityNamesByLanguage[language.value].short[irregularity.kind] ?? irregularity.kind)}
        </span>
        <span class="grow" />
        <span class="q">{view.waiting.length > 0 ? t.rulings.other : t.rulings.leave}</span>
      </header>
      {options.map((option, n) => (
        <RulingButton
          key={option.ruling}
          option={option}
          digit={n + 1}
          isChosen={n === pick}
          onPress={() => {
            // The first press selects an option, the second press sends it.
            if (n === pick) chooseRuling(irregularity, option);
            else consoleDraft.value = { type: 'rulings', pick: n };
          }}
        />
      ))}
    </section>
  );
}

export function openNoteForm(): void {
  consoleDraft.value = { type: 'note' };
  resetFormFields('note');
}

export function stoppedScene(view: DealerView, irregularity: OpenIrregularityView): ConsoleScene {
  const t = dealerStrings();
  const k = kitStrings();
  const options = rulingChoices(view, irregularity);
  const chosen = consoleDraft.value?.type === 'rulings' ? consoleDraft.value.pick : undefined;
  // Preselects the first option that the dealer can choose, except a referral. If there is none, but another role can
  // rule, nothing is preselected. If no role can rule, the last option is preselected.
  const firstOwn = options.findIndex((one) => isDealerOption(one) && one.command !== 'Refer');
  const otherOption = options.find((one) => one.first !== 'dealer' && one.not === null);
  const pick = chosen ?? (firstOwn < 0 && otherOption === undefined ? options.length - 1 : firstOwn);
  const option = options[pick] ?? options.at(-1)!;
  const mayAct = pick >= 0 && isDealerOption(option);
  const [name] = t.rulings.names[rulingStringKey(option)] ?? [option.ruling];
  const choose = (): void => chooseRuling(irregularity, option);
  const since = t.rulings.since(durationText(staffServerSecondMs.value - irregularity.since));
  const called =
    view.called === null ? since : t.rulings.calledAgo(durationText(staffServerSecondMs.value - view.called.at));
  const sub =
    option.command === 'ReconstructRound'
      ? t.rulings.keyOrder
      : ['CorrectCard', 'EnterCard', 'BurnCard'].includes(option.command)
        ? t.rulings.keyCard
        : option.second === null
          ? t.rulings.goes
          : t.rulings.thenTwo;
  return {
    prompt: {
      title: promptText({ code: 'stopped', with: { kind: irregularity.kind }, by: null }),
      reason: called,
      by: irregularity.by,
      isStopped: true,
    },
    left: <RulingOptionList view={view} irregularity={irregularity} pick={pick} />,
    right: (
      <ActionPanel>
        {mayAct ? (
          <NextAction
            kind="act"
            caption={`${k.next} · ${t.rulings.choose(options.length)}`}
            title={name}
            detail={sub}
            by={option.by}
            run={choose}
          />
        ) : (
          <NextAction
            kind="stop"
            caption={t.noAct}
            title={t.waitFor(k.roles[otherOption?.first ?? 'supervisor'] ?? '')}
            detail={t.noTime}
          />
        )}
        <SecondaryActions actions={[{ text: t.rulings.note, keyName: 'M', run: openNoteForm }]} />
      </ActionPanel>
    ),
    keys: {
      expects: 'list',
      next: mayAct ? choose : undefined,
      digit: (digit) => {
        if (options[digit - 1] !== undefined) consoleDraft.value = { type: 'rulings', pick: digit - 1 };
      },
      move: (by) => (consoleDraft.value = { type: 'rulings', pick: (pick + by + options.length) % options.length }),
    },
  };
}

export function referredTableScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const [referral] = view.referred;
  return {
    prompt: {
      title: promptText({ code: 'frozen', with: {}, by: null }),
      reason: t.frozenSince(durationText(staffServerSecondMs.value - (referral?.since ?? staffServerSecondMs.value))),
      by: referral?.by ?? null,
      isStopped: true,
    },
    lockedBy: { text: t.stoppedPad },
    right: (
      <ActionPanel>
        <NextAction
          kind="stop"
          caption={t.noAct}
          title={t.waitFor(kitStrings().roles['gaming-shift-manager']!)}
          detail={t.noTime}
        />
        <SecondaryActions actions={[{ text: t.rulings.note, keyName: 'M', run: openNoteForm }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing' },
  };
}

export function tableFaultScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const isStoreFailure = view.fault === 'cannot-record';
  return {
    prompt: {
      title: isStoreFailure ? t.fault.record : t.fault.title,
      reason: t.fault.why,
      tag: t.fault.tag,
      isStopped: true,
    },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.fault.means}</h2>
        </header>
        <div class="body">
          <p class="check">{t.fault.leave}</p>
          <p>{isStoreFailure ? t.fault.textRecord : t.fault.text}</p>
        </div>
      </section>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind="stop"
          caption={t.noAct}
          title={t.waitFor(kitStrings().roles['supervisor']!)}
          detail={t.noTime}
        />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing' },
  };
}
