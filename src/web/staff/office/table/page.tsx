import { useRef, useState } from 'preact/hooks';
import { language } from '../../../shared/text/language.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { DealerHands } from '../../dealer/stage/hands.tsx';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { ProposalEffectsView } from '../../kit/components/proposalEffects.tsx';
import { proposalStrings } from '../../kit/text/proposalStrings.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { eventTextOfPrompt } from '../../kit/text/eventText.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { MessageList } from '../../kit/components/messages.tsx';
import { RefusalNotice } from '../../kit/components/nextAction.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { timeWithTenthsText } from '../../kit/text/timeText.ts';
import { navigate } from '../../app/router.ts';
import { isConnectionUnusable, staffServerTimeMs } from '../../app/state.ts';
import { isCommandPending, shownRefusal, officeSendOptions, sendCommand } from '../../kit/sendCommand.ts';
import { clickHandlerWithBlur, usePageKeys } from '../components/usePageKeys.ts';
import { type PathParameters } from '../pages.ts';
import { ReasonField } from '../components/reasonField.tsx';
import { ProposalApprovalBar, approvalActions } from '../components/approval.tsx';
import { mayActAs, useSupervisorView } from '../components/useSupervisorView.ts';
import { type CommandWithoutReason, commandWithReason, requiredRoleForCommand } from './reasonedCommands.ts';
import { OpenTableForm } from './openTable.tsx';
import { TableFacts } from './tableFacts.tsx';
import { tableStrings } from './strings.ts';

export function Page({ params }: { readonly params: PathParameters }) {
  const table = params['table']!;
  const view = useSupervisorView(table);
  return view === null ? <OpenTableForm table={table} /> : <TableDetail view={view} />;
}

type TableAction = {
  readonly key: string;
  readonly text: string;
  readonly run: () => void;
  readonly isUrgent?: boolean;
  readonly isDisabled?: boolean;
};

/** Commands that need no second signature. */
const singleSignature: ReadonlySet<CommandWithoutReason['type']> = new Set(['refer', 'note', 'count']);

function TableDetail({ view }: { readonly view: SupervisorView }) {
  const t = tableStrings();
  const [draft, setDraft] = useState<CommandWithoutReason | null>(null);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const tablePath = `/floor/${encodeURIComponent(view.table)}`;
  const proposal = view.proposal !== null && view.proposal.expires > staffServerTimeMs.value ? view.proposal : null;
  const approval = proposal === null ? null : approvalActions(view.table, proposal);
  const startDraft = (next: CommandWithoutReason): void => {
    if (!mayActAs(requiredRoleForCommand(next))) return;
    setDraft(next);
    setReason('');
    // The text field exists only after the next render, so the focus is set then.
    setTimeout(() => field.current?.focus());
  };
  const sendDraft = async (): Promise<void> => {
    if (draft === null || reason.trim() === '') field.current?.focus();
    else if (await sendCommand(commandWithReason(draft, reason.trim()), officeSendOptions(view.table))) setDraft(null);
  };
  const mayRule = mayActAs('supervisor');
  const [difference] = view.differences;
  const all: readonly (TableAction | false)[] = [
    view.stopped !== null && { key: 'R', text: t.ruling, run: () => navigate(`${tablePath}/ruling`), isUrgent: true },
    proposal !== null && { key: 'P', text: t.approve, run: () => navigate(`${tablePath}/ruling`), isUrgent: true },
    view.referred.length > 0 && {
      key: 'E',
      text: t.referral,
      run: () => navigate(`${tablePath}/referral`),
      isUrgent: true,
    },
    view.sealed.length > 0 && { key: 'K', text: t.sealed, run: () => navigate(`${tablePath}/sealed`) },
    difference !== undefined && {
      key: 'D',
      text: t.count,
      run: () => startDraft({ type: 'count', shoe: difference.shoe }),
      isUrgent: true,
      isDisabled: !mayActAs('pit-manager'),
    },
    view.called !== null && {
      key: 'A',
      text: t.answer,
      run: () => void sendCommand({ type: 'AnswerCall' }, officeSendOptions(view.table)),
      isUrgent: true,
      isDisabled: !mayRule,
    },
    { key: 'F', text: t.refer, run: () => startDraft({ type: 'refer' }), isDisabled: !mayRule },
    { key: 'M', text: t.note, run: () => startDraft({ type: 'note', to: 'dealer' }), isDisabled: !mayRule },
    { key: 'L', text: t.roundsPage, run: () => navigate('/rounds') },
    {
      key: 'S',
      text: t.settings,
      run: () => navigate(`/settings/${encodeURIComponent(view.table)}`),
      isDisabled: !mayActAs('pit-manager'),
    },
    {
      key: 'C',
      text: view.closed ? t.reopen : t.close,
      run: () => startDraft({ type: view.closed ? 'reopen' : 'close' }),
      isDisabled: !mayActAs('pit-manager') || proposal !== null,
    },
  ];
  const actions = all.filter((one): one is TableAction => one !== false);
  usePageKeys((key) => {
    const action = actions.find((one) => one.key === key);
    if (key === 'Enter') {
      if (draft === null) return false;
      void sendDraft();
    } else if (key === 'Escape') {
      if (draft !== null) setDraft(null);
      else if (approval !== null) approval.decline();
      else navigate('/floor');
    } else if (key === 'Y') field.current?.focus();
    else if (action !== undefined && action.isDisabled !== true && !isConnectionUnusable.value) action.run();
    else return false;
    return true;
  }, proposal?.id ?? '');
  const refusal = shownRefusal.value;
  const number = view.round === null ? '' : t.round(view.round.number);
  return (
    <PageFrame name="table1">
      <section class="stage">
        <div class="say">
          <div class="grow">
            <h1>{t.title(view.table, number, promptText(view.prompt))}</h1>
          </div>
          {refusal && <RefusalNotice text={refusal.text} by={refusal.by} />}
          {view.fault !== null && <p class="short">{t.fault}</p>}
          <ClauseTag by={view.prompt.by} />
        </div>
        <DealerHands view={view} />
      </section>
      <TableFacts
        view={view}
        onShortfall={mayRule ? (type, shortfall) => startDraft({ type, shortfall }) : undefined}
      />
      {proposal !== null ? (
        <section class="panel scrolls pad-in" tabIndex={0} aria-label={proposalStrings().effects}>
          <ProposalEffectsView effects={proposal.effects} game={view.game.version} reason={proposal.reason} />
        </section>
      ) : (
        <div class="pair">
          <section class="panel scrolls" tabIndex={0} aria-label={t.just}>
            <header>
              <h2>{t.just}</h2>
            </header>
            <ol class="tl" data-testid="events">
              {view.events.slice(0, 14).map(({ sequence, at, prompt, from }) => {
                const [text, detail] = eventTextOfPrompt(prompt, at, language.value);
                return (
                  <li key={sequence}>
                    <time>{timeWithTenthsText(at)}</time>
                    <span>
                      {text}
                      {detail !== undefined && detail !== '' && <small class="q"> {detail}</small>}
                      {from !== null && <small class="q"> · {roleAndNumberText(from)}</small>}
                    </span>
                  </li>
                );
              })}
            </ol>
          </section>
          <MessageList messages={view.messages} />
        </div>
      )}
      <section class="panel scrolls" tabIndex={0} aria-label={t.actions}>
        <header>
          <h2>{t.actions}</h2>
          <span class="grow" />
          <span class="q">{view.dealer === null ? t.noDealer : roleAndNumberText(view.dealer)}</span>
        </header>
        {view.called !== null && (
          <p class="pad-in short">
            {roleAndNumberText(view.called.from)}
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
          {actions.map(({ key, text, run, isUrgent, isDisabled }) => (
            <button
              key={key}
              type="button"
              class={`btn small${isUrgent ? ' attn' : ''}`}
              data-act={key}
              disabled={isDisabled === true || isConnectionUnusable.value}
              onClick={clickHandlerWithBlur(run)}
            >
              {text} <KeyCap>{key}</KeyCap>
            </button>
          ))}
        </div>
      </section>
      {draft !== null ? (
        <div class="do-bar">
          <ReasonField label={t.reasonLabels[draft.type]} value={reason} set={setReason} field={field} />
          {draft.type === 'note' && (
            <section class="panel" role="group" aria-label={t.note}>
              {(['dealer', 'floor', 'record'] as const).map((to) => (
                <button
                  key={to}
                  type="button"
                  class={`pick-chip${draft.to === to ? ' on' : ''}`}
                  aria-pressed={draft.to === to}
                  onClick={clickHandlerWithBlur(() => setDraft({ type: 'note', to }))}
                >
                  {t.to[to]}
                </button>
              ))}
            </section>
          )}
          <section class="panel">
            <button type="button" class="btn quiet" onClick={() => setDraft(null)}>
              {t.cancel} <KeyCap>Esc</KeyCap>
            </button>
          </section>
          <button
            type="button"
            class="btn act act-big"
            data-testid="do"
            disabled={isConnectionUnusable.value || isCommandPending.value || reason.trim() === ''}
            onClick={() => void sendDraft()}
          >
            <span class="two-lines">
              {t.send}
              {!singleSignature.has(draft.type) && <small>{t.two}</small>}
            </span>{' '}
            <KeyCap>Enter</KeyCap>
          </button>
        </div>
      ) : (
        proposal !== null && <ProposalApprovalBar table={view.table} proposal={proposal} />
      )}
    </PageFrame>
  );
}
