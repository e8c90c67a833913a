import { floorActor } from '../../access/actor.ts';
import { ownValue } from '../../base/ownValue.ts';
import { openStakesOfSession } from '../money/terminalContext.ts';
import { type SessionConnectionReport } from '../ports/clusterPort.ts';
import { type FloorDependencies } from '../ports/runtimeDependencies.ts';
import { BatchedConnectionReports, defaultDisconnectReportDelayMs } from './batchedConnectionReports.ts';
import { type TableRuntime } from './tableRuntime.ts';

/** Takes the place of a node id in the disconnects and reconnects at this node. */
const thisNode = '';

/**
 * Reports the disconnects and reconnects of sessions at one table. The leader records the reports; other nodes send
 * them to the leader.
 */
export class TableConnectionReporter {
  readonly #table: TableRuntime;
  readonly #dependencies: FloorDependencies;
  readonly #reports: BatchedConnectionReports;

  constructor(table: TableRuntime, dependencies: FloorDependencies) {
    this.#table = table;
    this.#dependencies = dependencies;
    this.#reports = new BatchedConnectionReports({
      clock: dependencies.clock,
      after: dependencies.after,
      delayMs: dependencies.disconnectReportMs ?? defaultDisconnectReportDelayMs,
      isDisconnected: (session) => ownValue(table.table.disconnected, session)?.back === false,
      deadline: () => table.table.round?.deadline ?? null,
      report: (terminals, disconnected, since) =>
        table.submitAsFloor({
          type: 'ReportTerminals',
          actor: floorActor,
          terminals,
          disconnected,
          ...(disconnected && { since }),
        }),
    });
  }

  /**
   * Call when a session has disconnected. The disconnect is reported if the session had a seat or has open stakes at
   * this table.
   */
  sessionDisconnected(session: string, isSeated: boolean): void {
    if (!this.#hasTerminals || !(isSeated || openStakesOfSession(this.#table.table, session).length > 0)) return;
    const { cluster } = this.#dependencies;
    if (this.#table.isLeader) this.#reports.disconnected(session, cluster && thisNode);
    else cluster?.reportConnection(this.#table.stream, { session, seated: isSeated, disconnected: true });
  }

  /** Call when a session has connected; `isSeated` is true if it is seated at this table. */
  sessionConnected(session: string, isSeated = false): void {
    if (!this.#hasTerminals) return;
    const { cluster } = this.#dependencies;
    if (this.#table.isLeader) {
      this.#reports.reconnected(session, cluster && thisNode);
      return;
    }
    const isMissed =
      ownValue(this.#table.table.disconnected, session) !== undefined ||
      openStakesOfSession(this.#table.table, session).length > 0;
    if (isSeated || isMissed)
      cluster?.reportConnection(this.#table.stream, { session, seated: isSeated, disconnected: false });
  }

  connectionReported(node: string, { session, seated, disconnected }: SessionConnectionReport): void {
    if (!this.#table.isLeader || !this.#hasTerminals) return;
    if (!disconnected) this.#reports.reconnected(session, node);
    else if (seated || openStakesOfSession(this.#table.table, session).length > 0)
      this.#reports.disconnected(session, node);
  }

  get #hasTerminals(): boolean {
    return this.#table.isOpen && this.#table.table.settings.bets === 'terminals';
  }

  forget(): void {
    this.#reports.forget();
  }

  stop(): void {
    this.#reports.stop();
  }
}
