import { language } from '../../../shared/text/language.ts';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { shoeFactRows } from '../../dealer/shoe/shoeSteps.tsx';
import { SmallCard } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { commandDisplayNames, eventText } from '../../kit/text/eventText.ts';
import { PageFrame } from '../parts/pageFrame.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { type Proposal } from '../../kit/components/approvalBar.tsx';
import { durationText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { navigate } from '../../app/router.ts';
import { serverSecond } from '../../app/state.ts';
import { PageHeaderBand } from '../parts/pageHeaderBand.tsx';
import { usePageKeys } from '../parts/usePageKeys.ts';
import { ProposalApprovalBar, approvalActions } from '../parts/approval.tsx';
import { rulingColumns, proposedRuling } from './rulingColumns.ts';
import { EvidencePanel } from './evidence.tsx';
import { useRowFilter } from './matrix/rowFilter.tsx';
import { RulingMatrixTable } from './matrix/rulingMatrix.tsx';
import { rulingStrings } from './strings.ts';

type Props = { readonly view: SupervisorView; readonly proposal: Proposal };

/** Page content for the second signature: a proposal and its effects. */
export function ApproveProposal({ view, proposal }: Props) {
  const t = rulingStrings();
  const ruling = proposedRuling(view);
  const columns = rulingColumns(view, view.rulings);
  const rows = view.rulings?.rows ?? [];
  const rowFilter = useRowFilter(view, rows, ruling ?? '');
  const { approve, decline } = approvalActions(view.table, proposal);
  usePageKeys((key) => {
    if (key === 'Enter') approve();
    else if (key === 'Escape') decline();
    else return rowFilter.key(key);
    return true;
  }, proposal.id);
  const name = commandDisplayNames[language.value][proposal.command] ?? proposal.command;
  const hasMatrix = ruling !== undefined && columns.some((column) => column.ruling === ruling);
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
          [t.still, durationText(serverSecond.value - (view.stopped?.since ?? proposal.since))],
        ]}
      />
      <EvidencePanel view={view} />
      {hasMatrix && rows.length > 0 ? (
        <RulingMatrixTable view={view} columns={columns} rows={rows} chosen={ruling} isProposed rowFilter={rowFilter} />
      ) : (
        <Effects view={view} proposal={proposal} />
      )}
      <ProposalApprovalBar table={view.table} proposal={proposal} />
    </PageFrame>
  );
}

/** Events that an approval would cause now. */
function Effects({ view, proposal }: Props) {
  const t = rulingStrings();
  const { effects } = view;
  return (
    <section class="panel scrolls" tabIndex={0} aria-label={t.does} data-testid="effects">
      <header>
        <h2>{commandDisplayNames[language.value][proposal.command] ?? proposal.command}</h2>
        <span class="grow" />
        <span class="q">{proposal.reason}</span>
      </header>
      {effects !== null && effects.not !== null && (
        <p class="short pad-in">{staffRefusalText(effects.not, kitStrings().second.over)}</p>
      )}
      {proposal.command === 'VerifyShoe' && (
        <ul class="tl pad-in" data-testid="shoe-facts">
          {shoeFactRows(view).map(([name, fact]) => (
            <li key={name}>
              <span />
              <span>
                {name}: <b>{fact}</b>
              </span>
            </li>
          ))}
        </ul>
      )}
      <ol class="tl pad-in">
        {effects?.events.map((event, n) => {
          const [text, detail] = eventText(String(event['type']), event, language.value);
          const card = event['card'];
          return (
            <li key={n}>
              <span>{typeof card === 'string' && card.length === 2 && <SmallCard card={card} size="sm" />}</span>
              <span>
                <b>{text}</b> {detail} <ClauseTag by={typeof event['by'] === 'string' ? event['by'] : null} />
              </span>
            </li>
          );
        })}
      </ol>
      <p class="pad-in">
        <button type="button" class="btn quiet" onClick={() => navigate(`/floor/${encodeURIComponent(view.table)}`)}>
          {kitStrings().toTable}
        </button>
      </p>
    </section>
  );
}
