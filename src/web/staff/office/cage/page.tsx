import { type CageLimits } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { BuyInPanel } from './buyIn.tsx';
import { HandPayPanel, UnclaimedCreditPanel } from './handPays.tsx';
import { TicketPaymentPanel } from './ticketPayment.tsx';

const noLimits: CageLimits = { handPay: null, nameFrom: null };

export function Page() {
  const result = useQuery<{ readonly limits: CageLimits }>('handpays', {});
  const limits = result.state === 'loaded' ? result.data.limits : noLimits;
  return (
    <PageFrame name="cage">
      <h1 class="spoken">{kitStrings().nav['cage']}</h1>
      <BuyInPanel nameFrom={limits.nameFrom} />
      <TicketPaymentPanel nameFrom={limits.nameFrom} />
      <HandPayPanel limits={limits} />
      <UnclaimedCreditPanel limits={limits} />
    </PageFrame>
  );
}
