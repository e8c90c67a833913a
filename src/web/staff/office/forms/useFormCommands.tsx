import { useRef, useState } from 'preact/hooks';
import { type ClientReply } from '../../../../client/pendingRequests.ts';
import { type StaffMessageTypes } from '../../../../client/staffClient.ts';
import { RefusalNotice } from '../../kit/components/nextAction.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { isConnectionUnusable } from '../../app/state.ts';

type FormRefusal = { readonly text: string; readonly by: string | null };

/** Sends the commands of a form, one at a time. A refusal is shown until the next command. */
export type FormCommands = {
  /** True while no command can be sent: another command is pending, or the connection is lost. */
  readonly isDisabled: boolean;
  readonly refusal: FormRefusal | null;
  /** Counts the finished commands. Each change makes the queries of the page run again. */
  readonly revision: number;
  /** Resolves to the reply if the command was accepted, else to undefined. */
  readonly send: (
    request: () => Promise<ClientReply<StaffMessageTypes>>,
  ) => Promise<ClientReply<StaffMessageTypes> | undefined>;
  /** Makes the queries of the page run again, after a command that was not sent with `send`. */
  readonly reload: () => void;
  readonly setRefusal: (refusal: FormRefusal | null) => void;
};

export function useFormCommands(): FormCommands {
  const sending = useRef(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal | null>(null);
  const [revision, setRevision] = useState(0);
  const send: FormCommands['send'] = async (request) => {
    if (sending.current || isConnectionUnusable.value) return undefined;
    sending.current = true;
    setSending(true);
    setRefusal(null);
    const reply = await request();
    sending.current = false;
    setSending(false);
    setRevision((before) => before + 1);
    if (reply.type === 'done' || reply.type === 'answer') return reply;
    if (reply.type === 'refused') setRefusal({ text: staffRefusalText(reply.code, reply.message), by: reply.by });
    return undefined;
  };
  const reload = (): void => setRevision((before) => before + 1);
  return { isDisabled: isSending || isConnectionUnusable.value, refusal, revision, send, reload, setRefusal };
}

export const FormRefusalNotice = ({ refusal }: { readonly refusal: FormRefusal | null }) =>
  refusal === null ? null : <RefusalNotice text={refusal.text} by={refusal.by} />;
