import { useRef, useState } from 'preact/hooks';
import { language } from '../../../shared/text/language.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { DealerHands } from '../../dealer/stage/hands.tsx';
import { personText } from '../../kit/components/topBar.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { toldIn } from '../../kit/text/eventText.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { MessageList } from '../../kit/components/messages.tsx';
import { RefusalNotice } from '../../kit/components/nextAction.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { tenthsText } from '../../kit/text/timeText.ts';
import { go } from '../../app/router.ts';
import { isLost, now } from '../../app/state.ts';
import { isAsking, officeRefusal, send } from '../parts/commands.ts';
import { touched, usePageKeys } from '../parts/usePageKeys.ts';
import { type Params } from '../pages.ts';
import { Reason } from '../parts/reasonField.tsx';
import { ProposalApproval, signingOf } from '../parts/approval.tsx';
import { may, useTable } from '../parts/useTable.ts';
import { type Doing, commandFor, postFor } from './reasonedCommands.ts';
import { OpenTableForm } from './openTable.tsx';
import { TableFacts } from './tableFacts.tsx';
import { tableStrings } from './strings.ts';

/** One table as a supervisor sees it. */
export function Page({ params }: { readonly params: Params }) {
  const table = params['table']!;
  const view = useTable(table);
  return view === null ? <OpenTableForm table={table} /> : <TableOf view={view} />;
}

/** Acts with their keys, in the order in which they stand. */
type Offered = {
  readonly key: string;
  readonly text: string;
  readonly act: () => void;
  readonly isLoud?: boolean;
  readonly isOff?: boolean;
};

/** What one person does alone. */
const alone: ReadonlySet<Doing['what']> = new Set(['refer', 'note', 'count']);

function TableOf({ view }: { readonly view: SupervisorView }) {
  const t = tableStrings();
  const [doing, begin] = useState<Doing | null>(null);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const here = `/floor/${encodeURIComponent(view.table)}`;
  const proposal = view.proposal !== null && view.proposal.expires > now.value ? view.proposal : null;
  const signing = proposal === null ? null : signingOf(view.table, proposal);
  const start = (next: Doing): void => {
    if (!may(postFor(next))) return;
    begin(next);
    setReason('');
    // The field is there once it is drawn.
    setTimeout(() => field.current?.focus());
  };
  const finish = async (): Promise<void> => {
    if (doing === null || reason.trim() === '') field.current?.focus();
    else if (await send(view.table, commandFor(doing, reason.trim()))) begin(null);
  };
  const mayRule = may('supervisor');
  const [difference] = view.differences;
  const all: readonly (Offered | false)[] = [
    view.stopped !== null && { key: 'R', text: t.ruling, act: () => go(`${here}/ruling`), isLoud: true },
    proposal !== null && { key: 'P', text: t.approve, act: () => go(`${here}/ruling`), isLoud: true },
    view.referred.length > 0 && { key: 'E', text: t.referral, act: () => go(`${here}/referral`), isLoud: true },
    view.sealed.length > 0 && { key: 'K', text: t.sealed, act: () => go(`${here}/sealed`) },
    difference !== undefined && {
      key: 'D',
      text: t.count,
      act: () => start({ what: 'count', shoe: difference.shoe }),
      isLoud: true,
      isOff: !may('pit-manager'),
    },
    view.called !== null && {
      key: 'A',
      text: t.answer,
      act: () => void send(view.table, { type: 'AnswerCall' }),
      isLoud: true,
      isOff: !mayRule,
    },
    { key: 'F', text: t.refer, act: () => start({ what: 'refer' }), isOff: !mayRule },
    { key: 'M', text: t.note, act: () => start({ what: 'note', to: 'dealer' }), isOff: !mayRule },
    { key: 'L', text: t.roundsPage, act: () => go('/rounds') },
    {
      key: 'S',
      text: t.setting,
      act: () => go(`/settings/${encodeURIComponent(view.table)}`),
      isOff: !may('pit-manager'),
    },
    {
      key: 'C',
      text: view.closed ? t.reopen : t.close,
      act: () => start({ what: view.closed ? 'reopen' : 'close' }),
      isOff: !may('pit-manager') || proposal !== null,
    },
  ];
  const offered = all.filter((one): one is Offered => one !== false);
  usePageKeys((key) => {
    const act = offered.find((one) => one.key === key);
    if (key === 'Enter') {
      if (doing !== null) void finish();
      else signing?.approve();
    } else if (key === 'Escape') {
      if (doing !== null) begin(null);
      else if (signing !== null) signing.decline();
      else go('/floor');
    } else if (key === 'Y') field.current?.focus();
    else if (act !== undefined && act.isOff !== true && !isLost.value) act.act();
    else return false;
    return true;
  }, proposal?.id ?? '');
  const told = officeRefusal.value;
  const number = view.round === null ? '' : t.round(view.round.number);
  return (
    <Frame name="table1">
      <section class="stage">
        <div class="say">
          <div class="grow">
            <h1>{t.title(view.table, number, promptText(view.says))}</h1>
          </div>
          {told && <RefusalNotice text={told.text} by={told.by} />}
          {view.trouble !== null && <p class="short">{t.fault}</p>}
          <ClauseTag by={view.says.by} />
        </div>
        <DealerHands view={view} />
      </section>
      <TableFacts view={view} owe={mayRule ? (what, owed) => start({ what, owed }) : undefined} />
      <div class="pair">
        <section class="panel scrolls" tabIndex={0} aria-label={t.just}>
          <header>
            <h2>{t.just}</h2>
          </header>
          <ol class="tl" data-testid="events">
            {view.events.slice(0, 14).map(({ sequence, at, says, from }) => {
              const [said, more] = toldIn(says, at, language.value);
              return (
                <li key={sequence}>
                  <time>{tenthsText(at)}</time>
                  <span>
                    {said}
                    {more !== undefined && more !== '' && <small class="q"> {more}</small>}
                    {from !== null && <small class="q"> · {personText(from)}</small>}
                  </span>
                </li>
              );
            })}
          </ol>
        </section>
        <MessageList all={view.messages} />
      </div>
      <section class="panel scrolls" tabIndex={0} aria-label={t.acts}>
        <header>
          <h2>{t.acts}</h2>
          <span class="grow" />
          <span class="q">{view.dealer === null ? t.nobody : personText(view.dealer)}</span>
        </header>
        {view.called !== null && (
          <p class="pad-in short">
            {personText(view.called.from)}
            {' · '}
            {promptText({ code: 'supervisor-called', with: { reason: view.called.reason }, by: null })}
          </p>
        )}
        {difference !== undefined && (
          <p class="pad-in short" data-testid="differs">
            {t.differs(difference.shoe, difference.seen, difference.expected)} <ClauseTag by="HOUSE 7" />
          </p>
        )}
        <div class="acts">
          {offered.map(({ key, text, act, isLoud, isOff }) => (
            <button
              key={key}
              type="button"
              class={`btn small${isLoud ? ' attn' : ''}`}
              data-act={key}
              disabled={isOff === true || isLost.value}
              onClick={touched(act)}
            >
              {text} <Kbd>{key}</Kbd>
            </button>
          ))}
        </div>
      </section>
      {doing !== null ? (
        <div class="do-bar">
          <Reason label={t.words[doing.what]} value={reason} set={setReason} field={field} />
          {doing.what === 'note' && (
            <section class="panel" role="group" aria-label={t.note}>
              {(['dealer', 'floor', 'record'] as const).map((to) => (
                <button
                  key={to}
                  type="button"
                  class={`pick-chip${doing.to === to ? ' on' : ''}`}
                  aria-pressed={doing.to === to}
                  onClick={touched(() => begin({ what: 'note', to }))}
                >
                  {t.to[to]}
                </button>
              ))}
            </section>
          )}
          <section class="panel">
            <button type="button" class="btn quiet" onClick={() => begin(null)}>
              {t.cancel} <Kbd>Esc</Kbd>
            </button>
          </section>
          <button
            type="button"
            class="btn act act-big"
            data-testid="do"
            disabled={isLost.value || isAsking.value || reason.trim() === ''}
            onClick={() => void finish()}
          >
            <span class="two-lines">
              {t.send}
              {!alone.has(doing.what) && <small>{t.two}</small>}
            </span>{' '}
            <Kbd>Enter</Kbd>
          </button>
        </div>
      ) : (
        proposal !== null && <ProposalApproval table={view.table} proposal={proposal} />
      )}
    </Frame>
  );
}
