import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { type Act } from '../parts/commands.ts';

/** What is about to be asked of a table and needs a reason first. */
export type Doing =
  | { readonly what: 'refer' | 'close' | 'reopen' }
  | { readonly what: 'note'; readonly to: 'dealer' | 'floor' | 'record' }
  | { readonly what: 'count'; readonly shoe: string }
  | { readonly what: 'collect' | 'writeOff'; readonly owed: SupervisorView['shortfalls'][number] };

/** The command of it, with its reason. */
export function commandFor(doing: Doing, reason: string): Act {
  switch (doing.what) {
    case 'refer':
      return { type: 'Refer', reason };
    case 'close':
      return { type: 'CloseTable', reason };
    case 'reopen':
      return { type: 'ReopenTable', reason };
    case 'note':
      return { type: 'AddNote', text: reason, ...(doing.to !== 'record' && { to: doing.to }) };
    case 'count':
      return { type: 'LookIntoCount', shoe: doing.shoe, reason };
    case 'collect':
      return { type: 'CollectShortfall', ...doing.owed, reason };
    case 'writeOff':
      return { type: 'WriteOffShortfall', ...doing.owed, reason };
  }
}

/** The post that it takes. */
export const postFor = ({ what }: Doing): string =>
  what === 'close' || what === 'reopen' || what === 'count' ? 'pit-manager' : 'supervisor';
