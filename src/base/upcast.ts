/** An event as a record holds it: flat, with the version of its form. */
export type VersionedEvent = { readonly type: string; readonly v: number; readonly at: number };

/** Steps from each form of an event to the next, by its type: the first brings version 1 to version 2. */
export type EventUpcasters = { readonly [type: string]: readonly ((event: VersionedEvent) => VersionedEvent)[] };

/** An event that this program cannot read. */
export class UnknownVersion extends Error {}

/** An event of any form that was ever written, in the form of today. */
export function upcastEvent(event: VersionedEvent, upcasters: EventUpcasters): VersionedEvent {
  const steps = Object.hasOwn(upcasters, event.type) ? upcasters[event.type]! : [];
  if (!Number.isInteger(event.v) || event.v < 1 || event.v > steps.length + 1) {
    throw new UnknownVersion(
      `${event.type} is of version ${event.v}, and this program knows versions up to ${steps.length + 1}`,
    );
  }
  return steps.slice(event.v - 1).reduce((older, step) => step(older), event);
}

/** What somebody asked, as a record holds it. */
export type VersionedRequest = {
  readonly type: string;
  readonly who: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/** Steps from how a command was asked to how it is asked since a version of its decider, by its type, oldest first. */
export type RequestUpcasters = {
  readonly [type: string]: readonly {
    readonly since: number;
    readonly step: (request: VersionedRequest) => VersionedRequest;
  }[];
};

/** What was asked of a decider of that version, as it is asked today. */
export function upcastRequest(
  request: VersionedRequest,
  version: number,
  upcasters: RequestUpcasters,
): VersionedRequest {
  const steps = Object.hasOwn(upcasters, request.type) ? upcasters[request.type]! : [];
  return steps.filter(({ since }) => since > version).reduce((older, { step }) => step(older), request);
}
