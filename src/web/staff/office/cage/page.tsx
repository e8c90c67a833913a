import { type CageLimits } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { PageFrame } from '../parts/pageFrame.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { BuyIn } from './buyIn.tsx';
import { HandPays, UnclaimedCredits } from './handPays.tsx';
import { TicketPayment } from './ticketPayment.tsx';

const noLimits: CageLimits = { handPay: null, nameFrom: null };

export function Page() {
  const result = useQuery<{ readonly limits: CageLimits }>('handpays', {});
  const limits = result.state === 'loaded' ? result.data.limits : noLimits;
  return (
    <PageFrame name="desk">
      <h1 class="spoken">{kitStrings().nav['cage']}</h1>
      <BuyIn nameFrom={limits.nameFrom} />
      <TicketPayment nameFrom={limits.nameFrom} />
      <HandPays limits={limits} />
      <UnclaimedCredits limits={limits} />
    </PageFrame>
  );
}
