import { language } from '../../../shared/text/language.ts';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { ProposalEffectsView } from '../../kit/components/proposalEffects.tsx';
import { commandDisplayNamesByLanguage } from '../../kit/text/eventText.ts';
import { proposalStrings } from '../../kit/text/proposalStrings.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { durationText } from '../../kit/text/timeText.ts';
import { staffServerSecondMs } from '../../app/state.ts';
import { PageHeaderBand } from '../components/pageHeaderBand.tsx';
import { usePageKeys } from '../components/usePageKeys.ts';
import { ProposalApprovalBar, approvalActions } from '../components/approval.tsx';
import { rulingColumns, proposedRuling } from './rulingColumns.ts';
import { EvidencePanel } from './evidence.tsx';
import { useRowFilter } from './matrix/rowFilter.tsx';
import { RulingMatrixTable } from './matrix/rulingMatrix.tsx';
import { rulingStrings } from './strings.ts';

type Props = { readonly view: SupervisorView; readonly proposal: NonNullable<SupervisorView['proposal']> };

/** Page for the second signature: an open proposal with its evidence and effects. */
export function ApproveProposalPage({ view, proposal }: Props) {
  const t = rulingStrings();
  const ruling = proposedRuling(view);
  const columns = rulingColumns(view, view.rulings);
  const rows = view.rulings?.rows ?? [];
  const rowFilter = useRowFilter(view, rows, ruling ?? '');
  const { decline } = approvalActions(view.table, proposal);
  usePageKeys((key) => {
    if (key === 'Escape') decline();
    else return rowFilter.key(key);
    return true;
  }, proposal.id);
  const name = commandDisplayNamesByLanguage[language.value][proposal.command] ?? proposal.command;
  const { effects } = proposal;
  // A proposal about a settled round needs the amounts paid and the credit. The matrix has neither, so the page shows
  // no matrix.
  const hasMatrix =
    rows.length > 0 && (effects.money?.paid ?? null) === null && columns.some((column) => column.ruling === ruling);
  const content = (
    <ProposalEffectsView effects={effects} game={view.game.version} reason={proposal.reason} hasAmounts={!hasMatrix} />
  );
  const roundText = view.rulings !== null && view.round?.id === view.rulings.round ? t.ofRound(view.round.number) : '';
  return (
    <PageFrame name="ruling">
      <PageHeaderBand
        tone="two"
        title={t.approve(name, roundText, view.table)}
        by={view.stopped?.by ?? null}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.still, durationText(staffServerSecondMs.value - (view.stopped?.since ?? proposal.since))],
        ]}
      />
      <EvidencePanel view={view} effects={hasMatrix ? content : undefined} />
      {hasMatrix ? (
        <RulingMatrixTable view={view} columns={columns} rows={rows} chosen={ruling} isProposed rowFilter={rowFilter} />
      ) : (
        <section class="panel scrolls pad-in" tabIndex={0} aria-label={proposalStrings().effects}>
          {content}
        </section>
      )}
      <ProposalApprovalBar table={view.table} proposal={proposal} />
    </PageFrame>
  );
}
