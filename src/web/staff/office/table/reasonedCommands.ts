import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { type UntypedCommand } from '../../kit/sendCommand.ts';

/** Command that the signed-in person has chosen on the table page, but whose reason is not typed yet. */
export type CommandWithoutReason =
  | { readonly type: 'refer' | 'close' | 'reopen' }
  | { readonly type: 'note'; readonly to: 'dealer' | 'floor' | 'record' }
  | { readonly type: 'count'; readonly shoe: string }
  | { readonly type: 'collect' | 'writeOff'; readonly shortfall: SupervisorView['shortfalls'][number] };

export function commandWithReason(draft: CommandWithoutReason, reason: string): UntypedCommand {
  switch (draft.type) {
    case 'refer':
      return { type: 'Refer', reason };
    case 'close':
      return { type: 'CloseTable', reason };
    case 'reopen':
      return { type: 'ReopenTable', reason };
    case 'note':
      return { type: 'AddNote', text: reason, ...(draft.to !== 'record' && { to: draft.to }) };
    case 'count':
      return { type: 'InvestigateCount', shoe: draft.shoe, reason };
    case 'collect':
      return { type: 'CollectShortfall', ...draft.shortfall, reason };
    case 'writeOff':
      return { type: 'WriteOffShortfall', ...draft.shortfall, reason };
  }
}

export const requiredRoleForCommand = ({ type }: CommandWithoutReason): string =>
  type === 'close' || type === 'reopen' || type === 'count' ? 'pit-manager' : 'supervisor';
