import { type StaffSocketRequest } from '../../../src/server/staff/staffRequestHandler.ts';

/** Request of a staff member and its result as far as the sender knows. */
type RequestState = {
  readonly request: StaffSocketRequest;
  /** Unanswered sends to the present floor. */
  open: number;
  accepted: boolean;
  /** A send was never answered, so the request may or may not be stored. */
  isInDoubt: boolean;
};

/** Codes that do not show whether a command is stored. */
export const inconclusiveCodes: ReadonlySet<string> = new Set([
  'result-unknown',
  'not-signed-in',
  'session-over',
  'session-locked',
  'command-reused',
]);

/** Codes after which the request is sent again with the same id. */
export const retryCodes: ReadonlySet<string> = new Set([
  'result-unknown',
  'cannot-record',
  'server-closing',
  'not-signed-in',
  'session-over',
  'session-locked',
]);

export const requestName = (request: StaffSocketRequest): string =>
  request.type === 'command' || request.type === 'staff' || request.type === 'terminal'
    ? String(request.request['type'])
    : request.type;

/** Requests of staff and their results as the senders know them. */
export class StaffRequests {
  readonly #states = new Map<string, RequestState>();
  /** Counts by request type, and by code of refusal. */
  readonly accepted: { [type: string]: number } = {};
  readonly refused: { [code: string]: number } = {};

  recordRequest(request: StaffSocketRequest): void {
    const state = this.#states.get(request.id);
    if (state) state.open += 1;
    else this.#states.set(request.id, { request, open: 1, accepted: false, isInDoubt: false });
  }

  /** The floor replies; `code` is that of a refusal. */
  recordReply(id: string, code: string | undefined): void {
    const state = this.#states.get(id)!;
    state.open -= 1;
    if (code !== undefined) this.refused[code] = (this.refused[code] ?? 0) + 1;
    if (code !== undefined && inconclusiveCodes.has(code)) {
      state.isInDoubt = true;
      return;
    }
    state.isInDoubt = state.open > 0 && state.isInDoubt;
    if (code !== undefined || state.accepted) return;
    state.accepted = true;
    const name = requestName(state.request);
    this.accepted[name] = (this.accepted[name] ?? 0) + 1;
  }

  /** The floor has stopped: replies that are missing now never arrive. */
  recordFloorStop(): void {
    for (const state of this.#states.values()) {
      if (state.open > 0) state.isInDoubt = true;
      state.open = 0;
    }
  }

  requestOf(id: string): StaffSocketRequest | undefined {
    return this.#states.get(id)?.request;
  }

  /** Replies that differ from the event log, given the number of entries by id. */
  *mismatches(storedCounts: ReadonlyMap<string, number>): Generator<string> {
    for (const [id, { request, accepted, open, isInDoubt }] of this.#states) {
      const count = storedCounts.get(id) ?? 0;
      const isValid = accepted ? count === 1 : isInDoubt || open > 0 ? count <= 1 : count === 0;
      if (!isValid)
        yield `${id} (${requestName(request)}) was ${accepted ? 'accepted' : 'refused'} and has ${count} stored commands`;
    }
  }
}
