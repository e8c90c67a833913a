import { useRef } from 'preact/hooks';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { promptText } from '../../kit/text/promptText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { now, session } from '../../app/state.ts';
import { refuseWith } from '../parts/commands.ts';
import { type Params } from '../pages.ts';
import { Plain } from '../parts/emptyPage.tsx';
import { useTable } from '../parts/useTable.ts';
import { Approve } from './approveProposal.tsx';
import { FeltCheck } from './interruption/feltCheck.tsx';
import { Interruption } from './interruption/interruption.tsx';
import { Rule } from './rulingEditor.tsx';
import { rulingStrings } from './strings.ts';

/** What stopped a table, and the ways out of it; or what somebody proposed, for a second person. */
export function Page({ params }: { readonly params: Params }) {
  const table = params['table']!;
  const view = useTable(table);
  useLapse(view?.proposal ?? null);
  useReplaced(view?.proposal ?? null);
  if (view === null) return <Plain text={kitWords().loading} table={table} />;
  const { proposal, stopped } = view;
  if (proposal !== null && proposal.expires > now.value) return <Approve view={view} proposal={proposal} />;
  if (stopped === null) return <Plain text={rulingStrings().nothing} table={table} />;
  if (stopped.kind === 'interruption') {
    return stopped.computed === null ? (
      <FeltCheck view={view} matter={stopped} />
    ) : (
      <Interruption view={view} matter={stopped} computed={stopped.computed} />
    );
  }
  return <Rule key={stopped.since} view={view} matter={stopped} />;
}

/** Tells when a proposal that was looked at has waited too long. */
function useLapse(proposal: SupervisorView['proposal']): void {
  const open = proposal !== null && proposal.expires > now.value ? proposal.id : '';
  const was = useRef(open);
  if (open === '' && proposal !== null && was.current === proposal.id)
    refuseWith(staffRefusalText('expired-proposal', ''));
  was.current = open;
}

/** Tells whoever looked at a proposal, or made it, that somebody else has put another in its place. */
function useReplaced(proposal: SupervisorView['proposal']): void {
  const was = useRef(proposal);
  const before = was.current;
  was.current = proposal;
  if (before === null || proposal === null || before.id === proposal.id || before.expires < proposal.since) return;
  if (proposal.from.person === session.value?.person) return;
  refuseWith(promptText({ code: 'proposal-replaced', with: {}, by: null }, proposal.from));
}
