/** A stored event: flat, with its schema version. */
export type VersionedEvent = { readonly type: string; readonly v: number; readonly at: number };

/** Upcasters by event type; the first converts version 1 to version 2. */
export type EventUpcasters = { readonly [type: string]: readonly ((event: VersionedEvent) => VersionedEvent)[] };

/** A stored event whose version this program does not know. */
export class UnknownEventVersion extends Error {}

/** The event in its newest version, through all upcasters from the stored one. */
export function upcastEvent(event: VersionedEvent, upcasters: EventUpcasters): VersionedEvent {
  const steps = Object.hasOwn(upcasters, event.type) ? upcasters[event.type]! : [];
  if (!Number.isInteger(event.v) || event.v < 1 || event.v > steps.length + 1) {
    throw new UnknownEventVersion(
      `${event.type} is of version ${event.v}, and this program knows versions up to ${steps.length + 1}`,
    );
  }
  return steps.slice(event.v - 1).reduce((older, step) => step(older), event);
}

/** The stored payload of a command. */
export type VersionedRequest = {
  readonly type: string;
  readonly actor: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/** Upcasters of command payloads by type, oldest first; `since` is the decider version that changed the payload. */
export type RequestUpcasters = {
  readonly [type: string]: readonly {
    readonly since: number;
    readonly step: (request: VersionedRequest) => VersionedRequest;
  }[];
};

/** The payload as the present decider expects it; `version` is that of the decider that decided it. */
export function upcastRequest(
  request: VersionedRequest,
  version: number,
  upcasters: RequestUpcasters,
): VersionedRequest {
  const steps = Object.hasOwn(upcasters, request.type) ? upcasters[request.type]! : [];
  return steps.filter(({ since }) => since > version).reduce((older, { step }) => step(older), request);
}
