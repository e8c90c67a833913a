import { type CageLimits } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { BuyIn } from './buyIn.tsx';
import { HandPays, UnclaimedCredits } from './handPays.tsx';
import { TicketPayment } from './ticketPayment.tsx';

const none: CageLimits = { handPay: null, nameFrom: null };

/** Where money comes in and goes out: one act at a time, each with its amount. */
export function Page() {
  const found = useQuery<{ readonly limits: CageLimits }>('handpays', {});
  const limits = found.state === 'there' ? found.data.limits : none;
  return (
    <Frame name="desk">
      <h1 class="spoken">{kitWords().nav['desk']}</h1>
      <BuyIn nameFrom={limits.nameFrom} />
      <TicketPayment nameFrom={limits.nameFrom} />
      <HandPays limits={limits} />
      <UnclaimedCredits limits={limits} />
    </Frame>
  );
}
