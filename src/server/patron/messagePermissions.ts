import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type ClientMessage } from '../../wire/messages.ts';

/** What each may say, once it has said hello; a device nothing but what it is there for. */
export const maySay: { readonly [R in DeviceKind]: (type: ClientMessage['type']) => boolean } = {
  terminal: (type) => type !== 'scan',
  acceptor: (type) => type === 'load',
  printer: () => false,
  shoe: (type) => type === 'scan',
};
