import { type DeskLimits } from '../../../../wire/staff/desk.ts';
import { useAsked } from '../../kit/asked.ts';
import { Frame } from '../../kit/frame.tsx';
import { words as kitWords } from '../../kit/words.ts';
import { BuyIn } from './buyIn.tsx';
import { HandPays, Held } from './slips.tsx';
import { Ticket } from './ticket.tsx';

const none: DeskLimits = { handPay: null, nameFrom: null };

/** Where money comes in and goes out: one act at a time, each with its amount. */
export function Page() {
  const found = useAsked<{ readonly limits: DeskLimits }>('handpays', {});
  const limits = found.state === 'there' ? found.data.limits : none;
  return (
    <Frame name="desk">
      <h1 class="spoken">{kitWords().nav['desk']}</h1>
      <BuyIn nameFrom={limits.nameFrom} />
      <Ticket nameFrom={limits.nameFrom} />
      <HandPays limits={limits} />
      <Held limits={limits} />
    </Frame>
  );
}
