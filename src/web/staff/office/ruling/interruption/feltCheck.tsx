import { useState } from 'preact/hooks';
import { type Card } from '../../../../../rules/card.ts';
import { nextSlot } from '../../../../../rules/play.ts';
import { type OpenIrregularityView } from '../../../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import { DealerHands } from '../../../dealer/stage/hands.tsx';
import { Pad } from '../../../dealer/stage/cardPad.tsx';
import { typed } from '../../../dealer/state.ts';
import { ClauseTag } from '../../../kit/components/clauseTag.tsx';
import { Frame } from '../../parts/pageFrame.tsx';
import { Kbd } from '../../../kit/input/keyCap.tsx';
import { actOf } from '../../../kit/input/keyBindings.ts';
import { go } from '../../../app/router.ts';
import { isLost } from '../../../app/state.ts';
import { isAsking, send } from '../../parts/commands.ts';
import { touched, usePageKeys } from '../../parts/usePageKeys.ts';
import { may } from '../../parts/useTable.ts';
import { InterBand, referFrom } from './interruption.tsx';
import { rulingStrings } from '../strings.ts';

type Form = { readonly view: SupervisorView; readonly matter: OpenIrregularityView };

/** At a live shoe the felt comes first: every card that left it is entered by two, and then nothing is chosen. [READING 61] */
export function FeltCheck({ view, matter }: Form) {
  const t = rulingStrings();
  const i = t.inter;
  const [unseen, setUnseen] = useState(false);
  const cards = view.round?.cards ?? [];
  const slot = view.round === null ? undefined : nextSlot(cards.map(({ card }) => card) as Card[]);
  const felt = matter.ways.find(({ command }) => command === 'ConfirmFelt');
  const isOff = isLost.value || isAsking.value || !may(felt?.first ?? 'supervisor');
  const enter = (card: string): void => {
    typed.value = '';
    if (!isOff && slot !== undefined) void send(view.table, { type: 'EnterCard', slot, card, reason: i.reasonText });
  };
  const agree = (): void => {
    if (!isOff) void send(view.table, { type: 'ConfirmFelt', ...(unseen && { unseen }) });
  };
  const refer = (): void => void referFrom(view, 'Interruption');
  usePageKeys((key, shift) => {
    const act = actOf({ key, shift }, { takes: 'card', deck: view.deck, typed: typed.value, since: 0 }, 700);
    if (act?.type === 'typed') typed.value = act.rank;
    else if (act?.type === 'card') enter(act.card);
    else if (act?.type === 'next') {
      if (typed.value === '') agree();
    } else if (act?.type === 'back' || act?.type === 'escape') {
      if (typed.value !== '') typed.value = '';
      else if (act.type === 'escape') go(`/floor/${encodeURIComponent(view.table)}`);
    } else if (act?.type === 'order' && act.order === 'other') setUnseen(!unseen);
    else if (key === 'F') refer();
    else return false;
    return true;
  }, `felt ${cards.length}`);
  const by = (ruling: string): string | null => matter.ways.find((way) => way.ruling === ruling)?.by ?? null;
  return (
    <Frame name="inter felt1">
      <InterBand view={view} step={i.step} />
      <div class="mid">
        <section class="stage">
          <div class="say">
            <div class="grow">
              <h1>{slot === undefined ? i.full : i.enter}</h1>
            </div>
            <p>{i.enterMore(cards.length)}</p>
            <ClauseTag by={matter.by} />
          </div>
          <DealerHands view={{ ...view, phase: 'dealing', due: slot ?? null }} />
        </section>
        <Pad deck={view.deck} press={slot === undefined || isOff ? undefined : enter} />
      </div>
      <div class="branches">
        <section class="branch on">
          <h2>{i.feltTitle}</h2>
          <p>{i.feltText}</p>
          <p>{i.feltTwo}</p>
          <p>
            <ClauseTag by={felt?.by ?? matter.by} />
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
            onClick={touched(() => setUnseen(!unseen))}
          >
            {i.unseenKey} <Kbd>U</Kbd>
          </button>
          <button type="button" class="btn quiet" disabled={isLost.value || !may('supervisor')} onClick={refer}>
            {i.refer} <Kbd>F</Kbd>
          </button>
        </section>
        <button type="button" class="btn act act-big" data-testid="agree" disabled={isOff} onClick={agree}>
          {i.agree} <Kbd>Enter</Kbd>
        </button>
      </div>
    </Frame>
  );
}
