import { language } from '../../../shared/text/language.ts';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { factsOf } from '../../dealer/shoe/shoeSteps.tsx';
import { Face } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { actWords, eventText } from '../../kit/text/eventText.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { type Proposal } from '../../kit/components/approvalBar.tsx';
import { spanText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { go } from '../../app/router.ts';
import { second } from '../../app/state.ts';
import { Band } from '../parts/pageBand.tsx';
import { usePageKeys } from '../parts/usePageKeys.ts';
import { ProposalApproval, signingOf } from '../parts/approval.tsx';
import { columnsOf, proposedIn } from './rulingColumns.ts';
import { EvidencePanel } from './evidence.tsx';
import { useFinding } from './matrix/rowFilter.tsx';
import { Matrix } from './matrix/rulingMatrix.tsx';
import { rulingStrings } from './strings.ts';

type Form = { readonly view: SupervisorView; readonly proposal: Proposal };

/** What somebody proposed, for another person to look at and to sign. */
export function Approve({ view, proposal }: Form) {
  const t = rulingStrings();
  const ruling = proposedIn(view);
  const columns = columnsOf(view, view.rulings);
  const rows = view.rulings?.rows ?? [];
  const finding = useFinding(view, rows, ruling ?? '');
  const { approve, decline } = signingOf(view.table, proposal);
  usePageKeys((key) => {
    if (key === 'Enter') approve();
    else if (key === 'Escape') decline();
    else return finding.key(key);
    return true;
  }, proposal.id);
  const name = actWords[language.value][proposal.act] ?? proposal.act;
  const isMatrix = ruling !== undefined && columns.some((column) => column.ruling === ruling);
  const ofRound = view.rulings !== null && view.round?.id === view.rulings.round ? t.ofRound(view.round.number) : '';
  return (
    <Frame name="ruling">
      <Band
        tone="two"
        title={t.approve(name, ofRound, view.table)}
        by={view.stopped?.by ?? null}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.still, spanText(second.value - (view.stopped?.since ?? proposal.since))],
        ]}
      />
      <EvidencePanel view={view} />
      {isMatrix && rows.length > 0 ? (
        <Matrix view={view} columns={columns} rows={rows} chosen={ruling} isTwo finding={finding} />
      ) : (
        <Effects view={view} proposal={proposal} />
      )}
      <ProposalApproval table={view.table} proposal={proposal} />
    </Frame>
  );
}

/** What would happen if it were approved now, event by event. */
function Effects({ view, proposal }: Form) {
  const t = rulingStrings();
  const { effects } = view;
  return (
    <section class="panel scrolls" tabIndex={0} aria-label={t.does} data-testid="effects">
      <header>
        <h2>{actWords[language.value][proposal.act] ?? proposal.act}</h2>
        <span class="grow" />
        <span class="q">{proposal.reason}</span>
      </header>
      {effects !== null && effects.not !== null && (
        <p class="short pad-in">{staffRefusalText(effects.not, kitWords().second.over)}</p>
      )}
      {proposal.act === 'VerifyShoe' && (
        <ul class="tl pad-in" data-testid="shoe-facts">
          {factsOf(view).map(([name, fact]) => (
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
          const [said, more] = eventText(String(event['type']), event, language.value);
          const card = event['card'];
          return (
            <li key={n}>
              <span>{typeof card === 'string' && card.length === 2 && <Face card={card} size="sm" />}</span>
              <span>
                <b>{said}</b> {more} <ClauseTag by={typeof event['by'] === 'string' ? event['by'] : null} />
              </span>
            </li>
          );
        })}
      </ol>
      <p class="pad-in">
        <button type="button" class="btn quiet" onClick={() => go(`/floor/${encodeURIComponent(view.table)}`)}>
          {kitWords().toTable}
        </button>
      </p>
    </section>
  );
}
