/**
 * A stored event. `v` is its schema version, `at` its time in milliseconds since 1970. Further fields depend on
 * `type`.
 */
export type VersionedEvent = { readonly type: string; readonly v: number; readonly at: number };

/** Upcasters of each event type, oldest first: the first converts version 1 to version 2. */
export type EventUpcasters = { readonly [type: string]: readonly ((event: VersionedEvent) => VersionedEvent)[] };

/** Thrown for a stored event whose version this program cannot read. */
export class UnknownEventVersionError extends Error {}

/** Converts a stored event to its newest version, step by step from its stored version. */
export function upcastEvent(event: VersionedEvent, upcasters: EventUpcasters): VersionedEvent {
  const steps = Object.hasOwn(upcasters, event.type) ? upcasters[event.type]! : [];
  if (!Number.isInteger(event.v) || event.v < 1 || event.v > steps.length + 1) {
    throw new UnknownEventVersionError(
      `${event.type} has version ${event.v}; this program reads versions up to ${steps.length + 1}, so use a newer program`,
    );
  }
  return steps.slice(event.v - 1).reduce((older, step) => step(older), event);
}

/** The stored payload of a command, in the format of the decider version that decided the command. */
export type VersionedCommandPayload = {
  readonly type: string;
  readonly actor: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/**
 * Upcasters of command payloads by command type, oldest first. `since` is the decider version that changed the
 * payload.
 */
export type CommandPayloadUpcasters = {
  readonly [type: string]: readonly {
    readonly since: number;
    readonly step: (request: VersionedCommandPayload) => VersionedCommandPayload;
  }[];
};

/**
 * Converts a stored payload to the format of the present decider. `version` is the decider version that decided the
 * command.
 */
export function upcastCommandPayload(
  request: VersionedCommandPayload,
  version: number,
  upcasters: CommandPayloadUpcasters,
): VersionedCommandPayload {
  const steps = Object.hasOwn(upcasters, request.type) ? upcasters[request.type]! : [];
  return steps.filter(({ since }) => since > version).reduce((older, { step }) => step(older), request);
}
