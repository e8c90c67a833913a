import { useState } from 'preact/hooks';
import { cardsOfDeck } from '../../../../rules/card.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { language } from '../../../shared/text/language.ts';
import { type BlindCountState, CardCountGrid, undoCardCount, enterCardCount } from '../../dealer/shoe/countGrid.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { ProposalEffectsView } from '../../kit/components/proposalEffects.tsx';
import { eventTextOfPrompt } from '../../kit/text/eventText.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { navigate } from '../../app/router.ts';
import { isConnectionUnusable, staffServerTimeMs } from '../../app/state.ts';
import { isCommandPending, officeSendOptions, sendCommand } from '../../kit/sendCommand.ts';
import { PageHeaderBand } from '../components/pageHeaderBand.tsx';
import { clickHandlerWithBlur, usePageKeys } from '../components/usePageKeys.ts';
import { type PathParameters } from '../pages.ts';
import { ProposalApprovalBar, approvalActions } from '../components/approval.tsx';
import { mayActAs, useSupervisorView } from '../components/useSupervisorView.ts';
import { sealedShoeStrings } from './strings.ts';

const houseClause = 'HOUSE 7';
const noCount: BlindCountState = { counts: {}, at: 0 };

/** Page to count a sealed shoe, by two persons who did not seal it. [HOUSE 7] */
export function Page({ params }: { readonly params: PathParameters }) {
  const table = params['table']!;
  const view = useSupervisorView(table);
  return view === null ? (
    <PageFrame name="soon">
      <p class="panel q pad-in">{kitStrings().loading}</p>
    </PageFrame>
  ) : (
    <SealedShoes view={view} />
  );
}

function SealedShoes({ view }: { readonly view: SupervisorView }) {
  const t = sealedShoeStrings();
  const { table, sealed } = view;
  const [chosen, choose] = useState('');
  const [count, setCount] = useState<BlindCountState>(noCount);
  const selected = sealed.find(({ shoe }) => shoe === chosen) ?? sealed[0];
  const deck = selected?.deck ?? view.deck;
  const cardCount = cardsOfDeck(deck).length;
  const countedCount = Object.keys(count.counts).length;
  const openProposal = view.proposal;
  const proposal =
    openProposal !== null &&
    openProposal.command === 'CountSealedShoe' &&
    openProposal.expires > staffServerTimeMs.value
      ? openProposal
      : null;
  const approval = proposal === null ? null : approvalActions(table, proposal);
  const isDisabled =
    isConnectionUnusable.value ||
    isCommandPending.value ||
    selected === undefined ||
    countedCount < cardCount ||
    !mayActAs('supervisor');
  const openTable = (): void => navigate(`/floor/${encodeURIComponent(table)}`);
  // A first count that does not agree with the decks is recorded without a proposal, and a blind recount follows. The
  // recount is proposed whether or not it agrees.
  const isRecount = selected !== undefined && selected.miscounts > 0;
  const propose = async (): Promise<void> => {
    if (isDisabled) return;
    const { shoe, decks, miscounts } = selected;
    const differs = cardsOfDeck(deck).some((card) => count.counts[card] !== decks);
    const type = differs && miscounts === 0 ? 'RecordCount' : 'CountSealedShoe';
    const isAccepted = await sendCommand({ type, shoe, seen: count.counts }, officeSendOptions(table));
    if (isAccepted && type === 'RecordCount') setCount(noCount);
  };
  usePageKeys((key) => {
    if (approval !== null) {
      if (key === 'Escape') approval.decline();
      else return false;
    } else if (/^\d$/.test(key)) setCount(enterCardCount(count, Number(key), deck));
    else if (key === 'Backspace') setCount(undoCardCount(count, deck));
    else if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const at = count.at + (key === 'ArrowLeft' ? -1 : 1);
      setCount({ ...count, at: Math.max(0, Math.min(cardCount - 1, at)) });
    } else if (key === 'Enter') void propose();
    else if (key === 'Escape') openTable();
    else return false;
    return true;
  }, `${proposal?.id} ${selected?.shoe}`);
  const counted = view.events.find(({ prompt }) => prompt.code === 'SealedShoeCounted');
  const countedText =
    proposal !== null || counted === undefined ? '' : eventTextOfPrompt(counted.prompt, counted.at, language.value)[0];
  return (
    <PageFrame name="sealed">
      <PageHeaderBand
        tone={proposal === null ? 'calm' : 'two'}
        title={selected === undefined ? t.none(table) : t.title(selected.shoe, table)}
        by={houseClause}
        facts={
          selected === undefined
            ? []
            : [
                [t.seal, selected.seal],
                [t.lies, selected.to ?? '–'],
                [t.since, formatTimeOfDay(selected.since)],
              ]
        }
      />
      {selected !== undefined && (
        <CardCountGrid deck={deck} counts={count.counts} at={count.at} onPress={(at) => setCount({ ...count, at })} />
      )}
      <section class="panel scrolls" tabIndex={0} aria-label={t.waiting}>
        <header>
          <h2>{t.waiting}</h2>
        </header>
        <div class="pad-in">
          <p class="row">
            {sealed.map(({ shoe }) => (
              <button
                key={shoe}
                type="button"
                class={`pick-chip${shoe === selected?.shoe ? ' on' : ''}`}
                aria-pressed={shoe === selected?.shoe}
                onClick={clickHandlerWithBlur(() => {
                  choose(shoe);
                  setCount(noCount);
                })}
              >
                {shoe}
              </button>
            ))}
          </p>
          {selected !== undefined && <p>{t.blind}</p>}
          {isRecount && proposal === null && (
            <p class="short" role="alert" data-testid="recount">
              {t.recount}
            </p>
          )}
          <p class="q">
            {t.others} <ClauseTag by={houseClause} />
          </p>
          {proposal !== null && (
            <ProposalEffectsView effects={proposal.effects} game={view.game.version} reason={proposal.reason} />
          )}
          <p role="status" data-testid="counted">
            <b>{countedText}</b>
          </p>
        </div>
      </section>
      {proposal !== null ? (
        <ProposalApprovalBar table={table} proposal={proposal} />
      ) : (
        <div class="do-bar">
          <section class="panel grow">
            <span class="q" data-testid="keyed">
              {selected === undefined ? '' : t.keyed(countedCount, cardCount)}
            </span>
            <span class="grow" />
            <button type="button" class="btn quiet" onClick={openTable}>
              {t.toTable} <KeyCap>Esc</KeyCap>
            </button>
          </section>
          <button
            type="button"
            class="btn act act-big"
            data-testid="propose"
            disabled={isDisabled}
            onClick={() => void propose()}
          >
            <span class="two-lines">
              {t.propose}
              <small>{t.two}</small>
            </span>{' '}
            <KeyCap>Enter</KeyCap>
          </button>
        </div>
      )}
    </PageFrame>
  );
}
