import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type ClientMessage } from '../../wire/messages.ts';

/** By kind of device: true for the message types that it may send after hello. */
export const messagePermissions: { readonly [R in DeviceKind]: (type: ClientMessage['type']) => boolean } = {
  terminal: (type) => type !== 'scan',
  acceptor: (type) => type === 'load',
  printer: () => false,
  shoe: (type) => type === 'scan',
};
