import { useRef, useState } from 'preact/hooks';
import { type ClientReply } from '../../../../client/pendingRequests.ts';
import { type StaffRole } from '../../../../client/staffClient.ts';
import { RefusalNotice } from '../../kit/components/nextAction.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { isLost } from '../../app/state.ts';

type Told = { readonly text: string; readonly by: string | null };

/** Commands of a form: one at a time; a refusal is shown until the next command. */
export type Acts = {
  /** True while a command is pending or the connection is down. */
  readonly isDead: boolean;
  readonly told: Told | null;
  /** Number of finished commands; queries run again when it grows. */
  readonly turn: number;
  /** Resolves to the reply if accepted, else to undefined. */
  readonly run: (ask: () => Promise<ClientReply<StaffRole>>) => Promise<ClientReply<StaffRole> | undefined>;
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

export const NotTaken = ({ told }: { readonly told: Told | null }) =>
  told === null ? null : <RefusalNotice text={told.text} by={told.by} />;
