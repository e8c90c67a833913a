import { useRef } from 'preact/hooks';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { promptText } from '../../kit/text/promptText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffServerTimeMs, staffSession } from '../../app/state.ts';
import { officeRefusalDisplayMs, showRefusal } from '../../kit/sendCommand.ts';
import { type PathParameters } from '../pages.ts';
import { TextPage } from '../components/textPage.tsx';
import { useSupervisorView } from '../components/useSupervisorView.ts';
import { ApproveProposalPage } from './approveProposal.tsx';
import { EnterFeltCardsPage } from './interruption/enterFeltCards.tsx';
import { InterruptionRuling } from './interruption/interruption.tsx';
import { RulingEditor } from './rulingEditor.tsx';
import { rulingStrings } from './strings.ts';

/** Ruling page of a table. It shows the open proposal or, without a proposal, the irregularity. */
export function Page({ params }: { readonly params: PathParameters }) {
  const table = params['table']!;
  const view = useSupervisorView(table);
  useExpiryNotice(view?.proposal ?? null);
  useReplacementNotice(view?.proposal ?? null);
  if (view === null) return <TextPage text={kitStrings().loading} table={table} />;
  const { proposal, stopped } = view;
  if (proposal !== null && proposal.expires > staffServerTimeMs.value)
    return <ApproveProposalPage view={view} proposal={proposal} />;
  if (stopped === null) return <TextPage text={rulingStrings().nothing} table={table} />;
  if (stopped.kind === 'interruption') {
    return stopped.computed === null ? (
      <EnterFeltCardsPage view={view} irregularity={stopped} />
    ) : (
      <InterruptionRuling view={view} irregularity={stopped} computed={stopped.computed} />
    );
  }
  return <RulingEditor key={stopped.since} view={view} irregularity={stopped} />;
}

function useExpiryNotice(proposal: SupervisorView['proposal']): void {
  const openId = proposal !== null && proposal.expires > staffServerTimeMs.value ? proposal.id : '';
  const last = useRef(openId);
  if (openId === '' && proposal !== null && last.current === proposal.id)
    showRefusal(staffRefusalText('expired-proposal', ''), null, officeRefusalDisplayMs);
  last.current = openId;
}

/** Shows a notice when the open proposal is replaced by a proposal of another person. */
function useReplacementNotice(proposal: SupervisorView['proposal']): void {
  const last = useRef(proposal);
  const before = last.current;
  last.current = proposal;
  if (before === null || proposal === null || before.id === proposal.id || before.expires < proposal.since) return;
  if (proposal.from.person === staffSession.value?.person) return;
  showRefusal(
    promptText({ code: 'proposal-replaced', with: {}, by: null }, proposal.from),
    null,
    officeRefusalDisplayMs,
  );
}
