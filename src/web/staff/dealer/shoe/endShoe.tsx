import { cardsOf } from '../../../../rules/card.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { CardText } from '../../kit/components/card.tsx';
import { AlsoKeys, Go } from '../../kit/components/nextAction.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Field } from '../field.tsx';
import { type Spec, deleteLetter, toEmpty } from '../formFields.ts';
import { NextPanel } from '../actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { send } from '../../kit/sendCommand.ts';
import { beginFields, draft, dropDraft, valueOf } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { type CardCounts, CountGrid, undoCount as backInGrid, digitIn } from './countGrid.tsx';
import { ShoeForm, Steps } from './shoeSteps.tsx';

// The old shoe leaves: counted blind by two, or sealed and counted later by two others. [HOUSE 7]

const house = 'HOUSE 7';

/** The old shoe is to go. */
export function beginEnd(view: DealerView): void {
  if (view.shoe === null) return;
  dropDraft();
  draft.value = { what: 'count', counts: {}, at: 0 };
}

/** Kinds whose count is not what the decks hold; told only once all are counted. */
const oddIn = (counts: CardCounts, { deck, decks: many }: DealerView): readonly string[] =>
  cardsOf(deck).filter((card) => counts[card] !== many);

const sumOf = (counts: CardCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

type Count = Extract<NonNullable<typeof draft.value>, { what: 'count' }>;

/** One digit a kind; kinds with ten or more are keyed with two after a nought. */
export function countScene(view: DealerView, now: Count): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const all = cardsOf(view.deck);
  const done = Object.keys(now.counts).length;
  const isWhole = done === all.length;
  const card = all[now.at];
  const seal = (): void => {
    draft.value = { what: 'seal' };
    beginFields('seal');
  };
  const record = (): void => {
    if (!isWhole) return;
    if (oddIn(now.counts, view).length > 0) draft.value = { what: 'differs', counts: now.counts };
    else void send({ type: 'EndShoe', seen: now.counts }).then((taken) => taken && dropDraft());
  };
  const set = (digit: number): void => void (draft.value = { what: 'count', ...digitIn(now, digit, view.deck) });
  const back = (): void => void (draft.value = { what: 'count', ...backInGrid(now, view.deck) });
  return {
    say: { title: s.countOld, why: s.countOldWhy, by: house },
    stage: <Steps view={{ ...view, says: { code: 'shoe-over', with: {}, by: null }, proposal: null }} />,
    left: <CountGrid deck={view.deck} counts={now.counts} at={now.at} press={(at) => (draft.value = { ...now, at })} />,
    right: (
      <NextPanel>
        <Go
          kind={isWhole ? 'act' : 'wait'}
          cap={s.oldCap}
          big={s.recordCount}
          sub={
            <>
              {s.keyed(done, all.length)}
              {card !== undefined && !isWhole && (
                <>
                  , {s.nextKind} <CardText card={card} />
                </>
              )}
            </>
          }
          by={house}
          act={isWhole ? record : undefined}
        />
        <AlsoKeys
          all={[
            { text: s.sealedInstead, keyName: 'U', act: seal, name: 'seal' },
            { text: t.back, keyName: 'Esc', act: dropDraft },
          ]}
        />
      </NextPanel>
    ),
    keys: {
      takes: 'list',
      next: record,
      back,
      escape: dropDraft,
      digit: set,
      move: (by) => (draft.value = { ...now, at: Math.max(0, Math.min(all.length - 1, now.at + by)) }),
      orders: { other: seal },
    },
  };
}

/** The whole count is in, and differs from what belongs to the shoe. */
export function differsScene(view: DealerView, counts: CardCounts): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const odd = oddIn(counts, view);
  const again = (): void => void (draft.value = { what: 'count', counts: {}, at: 0 });
  const asIs = (): void => void send({ type: 'EndShoe', seen: counts }).then((taken) => taken && dropDraft());
  const [first] = odd;
  const gap = first === undefined ? 0 : (counts[first] ?? 0) - view.decks;
  return {
    say: { title: s.differs, why: s.differsWhy(sumOf(counts), view.shoe?.size ?? 0), by: house },
    stage: <Steps view={{ ...view, says: { code: 'shoe-over', with: {}, by: null }, proposal: null }} />,
    left: <CountGrid deck={view.deck} counts={counts} odd={odd} />,
    right: (
      <NextPanel>
        <Go
          kind="act"
          cap={s.oldCap}
          big={s.again}
          sub={
            first === undefined ? (
              ''
            ) : (
              <>
                <CardText card={first} /> {gap < 0 ? s.fewer(-gap) : s.more(gap)}
                {odd.length > 1 ? ' …' : ''}
              </>
            )
          }
          by={house}
          act={again}
        />
        <AlsoKeys all={[{ text: s.asIs, keyName: 'V', act: asIs, name: 'as-is' }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing', next: again, escape: again, orders: { report: asIs } },
  };
}

const sealSpecs: readonly Spec[] = [
  { name: 'seal', takes: 'text', most: 40 },
  { name: 'to', takes: 'text', most: 40 },
];

/** The old shoe leaves under a seal. */
export function sealScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const s = t.shoeDo;
  const id = view.shoe?.id ?? '';
  const count = (): void => void (draft.value = { what: 'count', counts: {}, at: 0 });
  const record = (): void => {
    const [seal, to] = [valueOf('seal').trim(), valueOf('to').trim()];
    if (seal === '') {
      toEmpty(sealSpecs);
      return;
    }
    void send({ type: 'SealShoe', seal, to: to === '' ? s.cardRoom : to }).then((taken) => taken && dropDraft());
  };
  const seal = valueOf('seal').trim();
  return {
    say: { title: s.sealedTitle, why: s.sealedWhy, by: house },
    stage: <Steps view={{ ...view, says: { code: 'shoe-over', with: {}, by: null }, proposal: null }} />,
    left: (
      <ShoeForm title={s.oldTitle(id)}>
        <div class="row wide">
          <Field name="seal" label={s.seal} big />
          <Field name="to" label={`${s.goesTo} (${s.cardRoom})`} big />
        </div>
        <p class="q">
          {s.sealedMore} <ClauseTag by={house} />
        </p>
      </ShoeForm>
    ),
    right: (
      <NextPanel>
        <Go
          kind={seal === '' ? 'wait' : 'act'}
          cap={s.oldCap}
          big={s.recordSeal}
          sub={seal === '' ? s.seal : s.bringSub(id, seal)}
          by={house}
          act={record}
        />
        <AlsoKeys
          all={[
            { text: s.countInstead, act: count, name: 'count' },
            { text: t.back, keyName: 'Esc', act: dropDraft },
          ]}
        />
      </NextPanel>
    ),
    keys: {
      takes: 'field',
      specs: sealSpecs,
      next: record,
      back: () => void deleteLetter(sealSpecs),
      escape: dropDraft,
    },
  };
}
