import { signal } from '@preact/signals';

// What this browser holds of tickets: those that a demo has printed, which nobody can carry to another terminal, and the id
// of a COLLECT that is not answered yet, so that its ticket is not lost with the page.

export type Printed = { readonly number: string; readonly amount: number };

const trayPlace = 'punto.tickets';
const askedPlace = 'punto.collect';
/** So many lie in the tray at most. */
const most = 12;

function kept(): readonly Printed[] {
  try {
    return JSON.parse(localStorage.getItem(trayPlace) ?? '[]') as readonly Printed[];
  } catch {
    return [];
  }
}

/** The tickets of a demo that lie in the tray. */
export const ticketTray = signal<readonly Printed[]>(kept());

function keep(tickets: readonly Printed[]): void {
  ticketTray.value = tickets.slice(-most);
  try {
    localStorage.setItem(trayPlace, JSON.stringify(ticketTray.value));
  } catch {
    // Without storage they last as long as the page.
  }
}

export const putInTray = (ticket: Printed): void =>
  keep([...ticketTray.value.filter(({ number }) => number !== ticket.number), ticket]);

export const takeFromTray = (number: string): void => keep(ticketTray.value.filter((one) => one.number !== number));

let asked: string | null | undefined;

/** The id of a COLLECT that was asked and not answered. */
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
    // Without storage it lasts as long as the page.
  }
}
