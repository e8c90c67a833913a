import { signal } from '@preact/signals';

// Data in the storage of this browser: the tickets that a demo terminal has printed, and the ID of a COLLECT that has
// no result yet. With that ID a new page can still get the ticket.

export type PrintedDemoTicket = { readonly number: string; readonly amount: number };

const trayKey = 'punto.tickets';
const pendingCollectKey = 'punto.collect';
const maxTickets = 12;

function storedTickets(): readonly PrintedDemoTicket[] {
  try {
    return JSON.parse(localStorage.getItem(trayKey) ?? '[]') as readonly PrintedDemoTicket[];
  } catch {
    return [];
  }
}

/** Printed demo tickets, newest last, at most 12. */
export const ticketTray = signal<readonly PrintedDemoTicket[]>(storedTickets());

function saveTickets(tickets: readonly PrintedDemoTicket[]): void {
  ticketTray.value = tickets.slice(-maxTickets);
  try {
    localStorage.setItem(trayKey, JSON.stringify(ticketTray.value));
  } catch {
    // Without browser storage the tickets are lost when the page is closed.
  }
}

export const putInTicketTray = (ticket: PrintedDemoTicket): void =>
  saveTickets([...ticketTray.value.filter(({ number }) => number !== ticket.number), ticket]);

export const takeFromTicketTray = (number: string): void =>
  saveTickets(ticketTray.value.filter((one) => one.number !== number));

let pendingId: string | null | undefined;

/** The ID of a COLLECT that was sent and has no result yet; null if there is none. */
export function pendingCollectId(): string | null {
  if (pendingId === undefined) {
    try {
      pendingId = localStorage.getItem(pendingCollectKey);
    } catch {
      pendingId = null;
    }
  }
  return pendingId;
}

export function savePendingCollectId(id: string | null): void {
  pendingId = id;
  try {
    if (id === null) localStorage.removeItem(pendingCollectKey);
    else localStorage.setItem(pendingCollectKey, id);
  } catch {
    // Without browser storage the ID is lost when the page is closed.
  }
}
