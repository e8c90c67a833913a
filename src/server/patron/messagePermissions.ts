import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type ClientMessage } from '../../wire/messages.ts';

/** Messages that each kind of device may send after hello. */
export const maySend: { readonly [R in DeviceKind]: (type: ClientMessage['type']) => boolean } = {
  terminal: (type) => type !== 'scan',
  acceptor: (type) => type === 'load',
  printer: () => false,
  shoe: (type) => type === 'scan',
};
