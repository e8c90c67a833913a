import { useRef, useState } from 'preact/hooks';
import { type ClientReply } from '../../../../client/pendingRequests.ts';
import { type StaffProtocol } from '../../../../client/staffClient.ts';
import { RefusalNotice } from '../../kit/components/nextAction.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { isLost } from '../../app/state.ts';

type Told = { readonly text: string; readonly by: string | null };

/** What a page asks: one act at a time, and what is not taken is told until the next. */
export type Acts = {
  /** Nothing can be asked now. */
  readonly isDead: boolean;
  readonly told: Told | null;
  /** How often something was done: what is shown is looked up again. */
  readonly turn: number;
  /** Gives the answer where it was taken. */
  readonly run: (ask: () => Promise<ClientReply<StaffProtocol>>) => Promise<ClientReply<StaffProtocol> | undefined>;
  readonly tell: (told: Told | null) => void;
};

export function useActs(): Acts {
  const asking = useRef(false);
  const [isAsking, ask] = useState(false);
  const [told, tell] = useState<Told | null>(null);
  const [turn, count] = useState(0);
  const run: Acts['run'] = async (what) => {
    if (asking.current || isLost.value) return undefined;
    asking.current = true;
    ask(true);
    tell(null);
    const answer = await what();
    asking.current = false;
    ask(false);
    count((before) => before + 1);
    if (answer.type === 'done' || answer.type === 'answer') return answer;
    if (answer.type === 'refused') tell({ text: staffRefusalText(answer.code, answer.message), by: answer.by });
    return undefined;
  };
  return { isDead: isAsking || isLost.value, told, turn, run, tell };
}

/** What was not taken, where the act is. */
export const NotTaken = ({ told }: { readonly told: Told | null }) =>
  told === null ? null : <RefusalNotice text={told.text} by={told.by} />;
