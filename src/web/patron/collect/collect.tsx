import { useEffect, useState } from 'preact/hooks';
import { freshId } from '../../../client/environment.ts';
import { formatMoney } from '../../../base/formatMoney.ts';
import { type TerminalBalance } from '../../../wire/terminalBalance.ts';
import { Icon } from '../../shared/controls/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { Dialog } from '../table/dialog.tsx';
import { patron } from '../app/connection.ts';
import { overlay } from '../app/overlay.ts';
import { link, openTableId, purse } from '../app/state.ts';
import { MoneySlots } from './moneySlots.tsx';
import { Paper } from './printedTicket.tsx';
import { askedBefore, keepAsked, putInTray } from './ticketTray.ts';
import { collectWords, collectStrings } from './strings.ts';

type Answer = Awaited<ReturnType<typeof patron.collect>>;
/**
 * A collected amount: paid by ticket, or by hand, which stays pending until staff pay it. Zero means that only the
 * session ended.
 */
type Collected = Pick<Extract<Answer, { readonly type: 'collected' }>, 'amount' | 'ticket' | 'hand'>;

/**
 * COLLECT takes one confirmation: it shows a draft of the ticket, then the ticket, next to the money slots. [ETG
 * layout-1]
 */
export function Collect() {
  const known = purse.value;
  const close = (): void => void (overlay.value = null);
  const [isAsking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const ask = async (id: string): Promise<void> => {
    keepAsked(id);
    setAsking(true);
    const told = await patron.collect(id);
    setAsking(false);
    setAnswer(told);
    // Without a result the same command ID is sent again, so that an issued ticket is not lost.
    if (told.type === 'unanswered' || (told.type === 'refused' && told.code === 'result-unknown')) return;
    keepAsked(null);
    if (told.type === 'collected' && told.ticket && purse.value?.demo) {
      putInTray({ number: told.ticket.number, amount: told.amount });
    }
  };
  // A COLLECT of an earlier page has no result yet: ask for it now. If it never arrived, nothing is collected.
  const isGone = known?.collect === 'nothing-to-collect' && !isAsking && answer === null;
  const lost = isGone && link.value === 'open' ? askedBefore() : null;
  useEffect(() => {
    if (lost !== null) void ask(lost);
  }, [lost]);
  if (known === null) return null;
  const waits = known.owed > 0 ? { amount: known.owed, hand: true, ticket: null } : null;
  const collected = answer?.type === 'collected' ? answer : waits;
  return (
    <Dialog name="collect" close={close}>
      <div class="collect-body">
        <Paper
          amount={collected?.amount ?? known.credit}
          ticket={collected?.ticket ?? null}
          isByHand={collected?.hand ?? false}
          isEmpty={collected ? collected.amount === 0 : isEmptyAt(known)}
          isDemo={known.demo}
        />
        <div class="collect-side">
          {collected ? (
            <Issued collected={collected} close={close} />
          ) : (
            <Draft
              purse={known}
              answer={answer}
              isAsking={isAsking}
              ask={() => void ask(askedBefore() ?? freshId())}
              close={close}
            />
          )}
          <MoneySlots isDemo={known.demo} />
        </div>
      </div>
    </Dialog>
  );
}

/** True if there is nothing to pay out and COLLECT only ends the session. [READING 60] */
const isEmptyAt = ({ credit, collect }: TerminalBalance): boolean => credit === 0 && collect === null;

function Title({ name }: { readonly name: 'title' | 'issuedTitle' | 'handTitle' | 'emptyTitle' | 'endedTitle' }) {
  return (
    <h2 id="collect-title">
      {collectStrings()[name]} {language.value === 'en' && <span lang="zh-Hans">{collectWords.zh[name]}</span>}
    </h2>
  );
}

type DraftOf = {
  readonly purse: TerminalBalance;
  readonly answer: Answer | null;
  readonly isAsking: boolean;
  readonly ask: () => void;
  readonly close: () => void;
};

function Draft({ purse: known, answer, isAsking, ask, close }: DraftOf) {
  const t = collectStrings();
  const { credit, openStakes, collect } = known;
  const isEmpty = isEmptyAt(known);
  const reason = collect === null ? null : (t.reasons[collect] ?? t.failed);
  const failure =
    answer === null ? null : answer.type === 'refused' ? (t.reasons[answer.code] ?? t.failed) : t.unanswered;
  return (
    <>
      <Title name={isEmpty ? 'emptyTitle' : 'title'} />
      <dl class="collect-sums">
        <div>
          <dt>{t.all}</dt>
          <dd>{formatMoney(credit)}</dd>
        </div>
        {openStakes.map(({ table, round, stake }) => (
          <div key={round}>
            <dt>{t.staked(table)}</dt>
            <dd>{formatMoney(stake)}</dd>
          </div>
        ))}
      </dl>
      {reason === null ? (
        <p class="collect-note">{isEmpty ? t.emptyNote : t.note}</p>
      ) : (
        <p class="collect-reason" role="status" data-testid="collect-reason">
          {reason}
        </p>
      )}
      {failure !== null && failure !== reason && (
        <p class="collect-reason" role="alert" data-testid="collect-failure">
          {failure}
        </p>
      )}
      <div class="collect-keys">
        <button
          type="button"
          class="key key-large key-gold"
          disabled={reason !== null || isAsking || link.value !== 'open'}
          data-testid="collect-issue"
          onClick={ask}
        >
          {!isEmpty && <Icon name="ticket" />}
          {isEmpty ? (isAsking ? t.ending : t.end) : isAsking ? t.issuing : t.issue}
        </button>
        <button type="button" class="key key-large" data-testid="collect-back" onClick={close}>
          {openTableId.value === null ? t.close : t.back}
        </button>
      </div>
    </>
  );
}

function Issued({ collected: { amount, hand }, close }: { readonly collected: Collected; readonly close: () => void }) {
  const t = collectStrings();
  const isTicket = !hand && amount > 0;
  return (
    <>
      <Title name={hand ? 'handTitle' : isTicket ? 'issuedTitle' : 'endedTitle'} />
      {isTicket && (
        <dl class="collect-sums">
          <div>
            <dt>{t.onTicket}</dt>
            <dd data-testid="collected">{formatMoney(amount)}</dd>
          </div>
        </dl>
      )}
      <p class="collect-note" role="status" data-testid="collect-told">
        {hand ? t.handNote(formatMoney(amount)) : isTicket ? t.issuedNote : t.endedNote}
      </p>
      <div class="collect-keys">
        {isTicket && (
          <button type="button" class="key key-large" data-testid="collect-print" onClick={() => print()}>
            {t.print}
          </button>
        )}
        <button type="button" class="key key-large key-gold" data-testid="collect-done" onClick={close}>
          {t.done}
        </button>
      </div>
    </>
  );
}
