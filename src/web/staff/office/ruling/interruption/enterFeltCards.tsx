import { useState } from 'preact/hooks';
import { type OpenIrregularityView } from '../../../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import {
  addFeltCard,
  confirmFeltCommand,
  enteredFeltCards,
  nextFeltSlot,
  removeLastFeltCard,
  viewWithEnteredFeltCards,
} from '../../../dealer/stage/feltCards.ts';
import { DealerHands } from '../../../dealer/stage/hands.tsx';
import { CardPad } from '../../../dealer/panels/cardPad.tsx';
import { typedRank } from '../../../dealer/state.ts';
import { ClauseTag } from '../../../kit/components/clauseTag.tsx';
import { PageFrame } from '../../components/pageFrame.tsx';
import { KeyCap } from '../../../kit/input/keyCap.tsx';
import { keyAction } from '../../../kit/input/keyBindings.ts';
import { navigate } from '../../../app/router.ts';
import { isConnectionUnusable } from '../../../app/state.ts';
import { isCommandPending, officeSendOptions, sendCommand } from '../../../kit/sendCommand.ts';
import { clickHandlerWithBlur, usePageKeys } from '../../components/usePageKeys.ts';
import { mayActAs } from '../../components/useSupervisorView.ts';
import { InterruptionBand, referIrregularity } from './interruption.tsx';
import { rulingStrings } from '../strings.ts';

type Props = { readonly view: SupervisorView; readonly irregularity: OpenIrregularityView };

/**
 * First step after an interruption at a live shoe: two persons enter every card that left the shoe. Only then is the
 * ruling computed. [READING 61]
 */
export function EnterFeltCardsPage({ view, irregularity }: Props) {
  const t = rulingStrings();
  const i = t.inter;
  const [unseen, setUnseen] = useState(false);
  const cards = view.round?.cards ?? [];
  const feltView = viewWithEnteredFeltCards(view);
  const slot = nextFeltSlot(view);
  const entered = enteredFeltCards(view);
  const feltOption = irregularity.options.find(({ command }) => command === 'ConfirmFelt');
  const isDisabled =
    isConnectionUnusable.value || isCommandPending.value || !mayActAs(feltOption?.first ?? 'supervisor');
  const enterCard = (card: string): void => {
    typedRank.value = '';
    if (!isDisabled) addFeltCard(view, card);
  };
  const confirm = (): void => {
    if (!isDisabled) void sendCommand(confirmFeltCommand(view, unseen), officeSendOptions(view.table));
  };
  const refer = (): void => void referIrregularity(view, 'Interruption');
  usePageKeys((key, shift) => {
    const action = keyAction(
      { key, shift },
      { expects: 'card', deck: view.deck, typedRank: typedRank.value, phaseSince: 0 },
      700,
    );
    if (action?.type === 'typed') typedRank.value = action.rank;
    else if (action?.type === 'card') enterCard(action.card);
    else if (action?.type === 'next') {
      if (typedRank.value === '') confirm();
    } else if (action?.type === 'back' || action?.type === 'escape') {
      if (typedRank.value !== '') typedRank.value = '';
      else if (action.type === 'back') removeLastFeltCard(view);
      else navigate(`/floor/${encodeURIComponent(view.table)}`);
    } else if (action?.type === 'shortcut' && action.shortcut === 'other') setUnseen(!unseen);
    else if (key === 'F') refer();
    else return false;
    return true;
  }, `felt ${cards.length}`);
  const by = (ruling: string): string | null =>
    irregularity.options.find((option) => option.ruling === ruling)?.by ?? null;
  return (
    <PageFrame name="inter felt1">
      <InterruptionBand view={view} step={i.step} />
      <div class="mid">
        <section class="stage">
          <div class="say">
            <div class="grow">
              <h1>{slot === undefined ? i.full : i.enter}</h1>
            </div>
            <p>{i.enterMore(cards.length, entered.length)}</p>
            <ClauseTag by={irregularity.by} />
          </div>
          <DealerHands view={feltView} />
        </section>
        <CardPad deck={view.deck} onPress={slot === undefined || isDisabled ? undefined : enterCard} />
      </div>
      <div class="branches">
        <section class="branch on">
          <h2>{i.feltTitle}</h2>
          <p>{i.feltText}</p>
          <p>{i.feltTwo}</p>
          <p>
            <ClauseTag by={feltOption?.by ?? irregularity.by} />
          </p>
        </section>
        <section class="branch no">
          <h2>
            {i.next} <span class="tag">{i.after}</span>
          </h2>
          <p>
            {i.nextText} <ClauseTag by={by('void')} /> {by('resume') !== by('void') && <ClauseTag by={by('resume')} />}
          </p>
        </section>
      </div>
      <div class="do-bar">
        <section class="panel grow">
          <span class="q">{i.onFelt}</span>
          <b role="status">{unseen ? i.unseen : i.nothingMore}</b>
          <span class="grow" />
          <button
            type="button"
            class="btn quiet"
            aria-pressed={unseen}
            data-testid="unseen"
            onClick={clickHandlerWithBlur(() => setUnseen(!unseen))}
          >
            {i.unseenKey} <KeyCap>U</KeyCap>
          </button>
          <button
            type="button"
            class="btn quiet"
            disabled={isConnectionUnusable.value || !mayActAs('supervisor')}
            onClick={refer}
          >
            {i.refer} <KeyCap>F</KeyCap>
          </button>
        </section>
        <button type="button" class="btn act act-big" data-testid="agree" disabled={isDisabled} onClick={confirm}>
          {i.agree} <KeyCap>Enter</KeyCap>
        </button>
      </div>
    </PageFrame>
  );
}
