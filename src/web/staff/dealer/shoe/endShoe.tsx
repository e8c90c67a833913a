import { cardsOfDeck } from '../../../../rules/card.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { CardText } from '../../kit/components/card.tsx';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { ConsoleField } from '../field.tsx';
import { type FieldSpec, deleteFieldCharacter, activateFirstEmptyField } from '../formFields.ts';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { sendCommand } from '../../kit/sendCommand.ts';
import { resetFormFields, consoleDraft, closeDraft, formFieldValue } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { type CardCounts, CardCountGrid, undoCardCount, enterCardCount } from './countGrid.tsx';
import { ShoeStepForm, ShoeSteps } from './shoeSteps.tsx';

// End of a shoe [HOUSE 7]: two persons count its cards blind. Or they seal the shoe, and two other persons count it
// later.

const houseClause = 'HOUSE 7';

export function startOldShoeCount(view: DealerView): void {
  if (view.shoe === null) return;
  closeDraft();
  consoleDraft.value = { type: 'count', counts: {}, at: 0 };
}

/** Cards whose count differs from the number of decks. The console shows them only after the recount. */
const differingCards = (counts: CardCounts, { deck, decks: deckCount }: DealerView): readonly string[] =>
  cardsOfDeck(deck).filter((card) => counts[card] !== deckCount);

const totalCount = (counts: CardCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** True when an earlier count of this shoe did not agree with its decks, so that the next count is the recount. */
const isRecount = ({ shoe }: DealerView): boolean => shoe?.miscounts !== undefined;

/**
 * Records a count that does not agree with the decks of the shoe. After a first count, a blind recount starts and the
 * differences stay hidden. After the recount, the differences are shown.
 */
async function recordDifference(view: DealerView, counts: CardCounts): Promise<void> {
  if (!(await sendCommand({ type: 'RecordCount', shoe: view.shoe?.id ?? '', seen: counts }))) return;
  consoleDraft.value = isRecount(view) ? { type: 'differs', counts } : { type: 'count', counts: {}, at: 0 };
}

type CountDraft = Extract<NonNullable<typeof consoleDraft.value>, { type: 'count' }>;

/**
 * Scene of the blind count. A digit enters the count of the active card; then the next card without a count becomes
 * active.
 */
export function countOldShoeScene(view: DealerView, current: CountDraft): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const cards = cardsOfDeck(view.deck);
  const done = Object.keys(current.counts).length;
  const isComplete = done === cards.length;
  const card = cards[current.at];
  const seal = (): void => {
    consoleDraft.value = { type: 'seal' };
    resetFormFields('seal');
  };
  const record = (): void => {
    if (!isComplete) return;
    const { counts } = current;
    if (differingCards(counts, view).length > 0) void recordDifference(view, counts);
    else void sendCommand({ type: 'EndShoe', seen: counts }).then((isAccepted) => isAccepted && closeDraft());
  };
  const enterDigit = (digit: number): void =>
    void (consoleDraft.value = { type: 'count', ...enterCardCount(current, digit, view.deck) });
  const undo = (): void => void (consoleDraft.value = { type: 'count', ...undoCardCount(current, view.deck) });
  return {
    prompt: isRecount(view)
      ? { title: s.recount, reason: s.recountWhy, by: houseClause, isStopped: true }
      : { title: s.countOld, reason: s.countOldWhy, by: houseClause },
    stage: <ShoeSteps view={{ ...view, prompt: { code: 'shoe-over', with: {}, by: null }, proposal: null }} />,
    left: (
      <CardCountGrid
        deck={view.deck}
        counts={current.counts}
        at={current.at}
        onPress={(at) => (consoleDraft.value = { ...current, at })}
      />
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={isComplete ? 'act' : 'wait'}
          caption={s.oldCap}
          title={s.recordCount}
          detail={
            <>
              {s.keyed(done, cards.length)}
              {card !== undefined && !isComplete && (
                <>
                  , {s.nextKind} <CardText card={card} />
                </>
              )}
            </>
          }
          by={houseClause}
          run={isComplete ? record : undefined}
        />
        <SecondaryActions
          actions={[
            { text: s.sealedInstead, keyName: 'U', run: seal, testId: 'seal' },
            { text: t.back, keyName: 'Esc', run: closeDraft },
          ]}
        />
      </ActionPanel>
    ),
    keys: {
      expects: 'list',
      next: record,
      back: undo,
      escape: closeDraft,
      digit: enterDigit,
      move: (by) => (consoleDraft.value = { ...current, at: Math.max(0, Math.min(cards.length - 1, current.at + by)) }),
      shortcuts: { other: seal },
    },
  };
}

/** Scene after a complete recount that does not agree with the decks of the shoe. */
export function countDiffersScene(view: DealerView, counts: CardCounts): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const differing = differingCards(counts, view);
  const countAgain = (): void => void (consoleDraft.value = { type: 'count', counts: {}, at: 0 });
  const reportAsIs = (): void =>
    void sendCommand({ type: 'EndShoe', seen: counts }).then((isAccepted) => isAccepted && closeDraft());
  const [first] = differing;
  const difference = first === undefined ? 0 : (counts[first] ?? 0) - view.decks;
  return {
    prompt: { title: s.differs, reason: s.differsWhy(totalCount(counts), view.shoe?.size ?? 0), by: houseClause },
    stage: <ShoeSteps view={{ ...view, prompt: { code: 'shoe-over', with: {}, by: null }, proposal: null }} />,
    left: <CardCountGrid deck={view.deck} counts={counts} differing={differing} />,
    right: (
      <ActionPanel>
        <NextAction
          kind="act"
          caption={s.oldCap}
          title={s.again}
          detail={
            first === undefined ? (
              ''
            ) : (
              <>
                <CardText card={first} /> {difference < 0 ? s.fewer(-difference) : s.more(difference)}
                {differing.length > 1 ? ' …' : ''}
              </>
            )
          }
          by={houseClause}
          run={countAgain}
        />
        <SecondaryActions actions={[{ text: s.asIs, keyName: 'V', run: reportAsIs, testId: 'as-is' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing', next: countAgain, escape: countAgain, shortcuts: { report: reportAsIs } },
  };
}

const sealSpecs: readonly FieldSpec[] = [
  { name: 'seal', accepts: 'text', maxLength: 40 },
  { name: 'to', accepts: 'text', maxLength: 40 },
];

/** Scene to seal the old shoe, which two other persons count later. */
export function sealOldShoeScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const id = view.shoe?.id ?? '';
  const count = (): void => void (consoleDraft.value = { type: 'count', counts: {}, at: 0 });
  const record = (): void => {
    const [seal, to] = [formFieldValue('seal').trim(), formFieldValue('to').trim()];
    if (seal === '') {
      activateFirstEmptyField(sealSpecs);
      return;
    }
    void sendCommand({ type: 'SealShoe', seal, to: to === '' ? s.cardRoom : to }).then(
      (isAccepted) => isAccepted && closeDraft(),
    );
  };
  const seal = formFieldValue('seal').trim();
  return {
    prompt: { title: s.sealedTitle, reason: s.sealedWhy, by: houseClause },
    stage: <ShoeSteps view={{ ...view, prompt: { code: 'shoe-over', with: {}, by: null }, proposal: null }} />,
    left: (
      <ShoeStepForm title={s.oldTitle(id)}>
        <div class="row wide">
          <ConsoleField name="seal" label={s.seal} big />
          <ConsoleField name="to" label={`${s.goesTo} (${s.cardRoom})`} big />
        </div>
        <p class="q">
          {s.sealedMore} <ClauseTag by={houseClause} />
        </p>
      </ShoeStepForm>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={seal === '' ? 'wait' : 'act'}
          caption={s.oldCap}
          title={s.recordSeal}
          detail={seal === '' ? s.seal : s.bringSub(id, seal)}
          by={houseClause}
          run={record}
        />
        <SecondaryActions
          actions={[
            { text: s.countInstead, run: count, testId: 'count' },
            { text: t.back, keyName: 'Esc', run: closeDraft },
          ]}
        />
      </ActionPanel>
    ),
    keys: {
      expects: 'field',
      specs: sealSpecs,
      next: record,
      back: () => void deleteFieldCharacter(sealSpecs),
      escape: closeDraft,
    },
  };
}
