import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type ClientMessage } from '../../wire/messages.ts';

/** For each kind of device: true for a message type that the device may send after hello. */
export const maySendByDeviceKind: { readonly [R in DeviceKind]: (type: ClientMessage['type']) => boolean } = {
  terminal: (type) => type !== 'scan',
  acceptor: (type) => type === 'load',
  printer: () => false,
  shoe: (type) => type === 'scan',
};
