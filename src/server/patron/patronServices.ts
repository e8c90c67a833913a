import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { type Store } from '../../store/store.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import {
  type ResponsibleGamingSettings,
  SessionLimitsAndBreaksHandler,
} from '../money/sessionLimitsAndBreaksHandler.ts';
import { TerminalMoneyService } from '../money/terminalMoneyService.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { SlipQueue } from '../tables/slipQueue.ts';
import { type PublicViewBuilder } from '../tables/publicViewBuilder.ts';
import { type CardReaderDealerPort, CardReaderScanHandler } from './cardReaderScanHandler.ts';
import { DeviceConnectionBinder } from './deviceConnectionBinder.ts';
import { RoundRecallHandler } from './roundRecallHandler.ts';
import { TerminalReservations } from './terminalReservations.ts';
import { SecretRotationHandler } from './secretRotationHandler.ts';

export type PatronServicesDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly responsibleGaming: ResponsibleGamingSettings;
  /** Credit of a new demo terminal, in minor units; null where money is real. */
  readonly demoCredit: number | null;
  readonly scanFormat: ScanFormat;
  readonly port: () => CardReaderDealerPort;
  readonly warn: (subject: string, error: unknown) => void;
};

type HubPort = {
  readonly isClosing: () => boolean;
  readonly builders: () => readonly PublicViewBuilder[];
  readonly connectionsByTerminal: ReadonlyMap<string, ReadonlySet<DeviceConnection>>;
  readonly bindPatron: (connection: DeviceConnection, secretHash: string) => void;
};

export type PatronServices = ReturnType<typeof createPatronServices>;

export function createPatronServices(dependencies: PatronServicesDependencies, hub: HubPort, floor: FloorRuntime) {
  const { clock, limits } = dependencies;
  const { terminals } = floor;
  const { isClosing, builders, connectionsByTerminal, bindPatron } = hub;
  const slips = new SlipQueue({ ...dependencies, isClosing }, floor);
  const money = new TerminalMoneyService({ ...dependencies, isClosing, slips, builders, connectionsByTerminal }, floor);
  const cardReaders = new CardReaderScanHandler({ ...dependencies, isClosing }, floor);
  const bySecret = new DeviceConnectionBinder({
    ...dependencies,
    floor,
    bindReader: (connection, table) => cardReaders.bindReader(connection, table),
    bindDevice: (connection, device) => money.bindDevice(connection, device),
    bindPatron,
  });
  const connectionsAt = (terminal: string) => connectionsByTerminal.get(terminal) ?? new Set<DeviceConnection>();
  return {
    slips,
    money,
    cardReaders,
    bySecret,
    seats: new TerminalReservations(terminals, limits, clock),
    secrets: new SecretRotationHandler({ terminals, connections: bySecret, slips, isClosing, connectionsAt }),
    sessionLimits: new SessionLimitsAndBreaksHandler({ ...dependencies, terminals, slips, isClosing }),
    recall: new RoundRecallHandler(dependencies, floor),
  };
}
