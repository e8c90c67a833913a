import { signal } from '@preact/signals';

// Tickets stored in this browser: those a demo has printed, which cannot be carried to another terminal, and the ID of
// a COLLECT without a result, so that its ticket is not lost with the page.

export type Printed = { readonly number: string; readonly amount: number };

const trayPlace = 'punto.tickets';
const askedPlace = 'punto.collect';
const most = 12;

function kept(): readonly Printed[] {
  try {
    return JSON.parse(localStorage.getItem(trayPlace) ?? '[]') as readonly Printed[];
  } catch {
    return [];
  }
}

/** Printed demo tickets. */
export const ticketTray = signal<readonly Printed[]>(kept());

function keep(tickets: readonly Printed[]): void {
  ticketTray.value = tickets.slice(-most);
  try {
    localStorage.setItem(trayPlace, JSON.stringify(ticketTray.value));
  } catch {
    // Without storage the tickets last as long as the page.
  }
}

export const putInTray = (ticket: Printed): void =>
  keep([...ticketTray.value.filter(({ number }) => number !== ticket.number), ticket]);

export const takeFromTray = (number: string): void => keep(ticketTray.value.filter((one) => one.number !== number));

let asked: string | null | undefined;

/** The ID of a COLLECT that was sent and has no result yet. */
export function askedBefore(): string | null {
  if (asked === undefined) {
    try {
      asked = localStorage.getItem(askedPlace);
    } catch {
      asked = null;
    }
  }
  return asked;
}

export function keepAsked(id: string | null): void {
  asked = id;
  try {
    if (id === null) localStorage.removeItem(askedPlace);
    else localStorage.setItem(askedPlace, id);
  } catch {
    // Without storage the ID lasts as long as the page.
  }
}
