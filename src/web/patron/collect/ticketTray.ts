import { signal } from '@preact/signals';

// Tickets stored in this browser: those a demo has printed, which cannot be carried to another terminal, and the ID of
// a COLLECT without a result, so that its ticket is not lost with the page.

export type TrayTicket = { readonly number: string; readonly amount: number };

const trayKey = 'punto.tickets';
const pendingCollectKey = 'punto.collect';
const maxTickets = 12;

function storedTickets(): readonly TrayTicket[] {
  try {
    return JSON.parse(localStorage.getItem(trayKey) ?? '[]') as readonly TrayTicket[];
  } catch {
    return [];
  }
}

/** Printed demo tickets. */
export const ticketTray = signal<readonly TrayTicket[]>(storedTickets());

function saveTickets(tickets: readonly TrayTicket[]): void {
  ticketTray.value = tickets.slice(-maxTickets);
  try {
    localStorage.setItem(trayKey, JSON.stringify(ticketTray.value));
  } catch {
    // Without storage the tickets last as long as the page.
  }
}

export const putInTray = (ticket: TrayTicket): void =>
  saveTickets([...ticketTray.value.filter(({ number }) => number !== ticket.number), ticket]);

export const takeFromTray = (number: string): void =>
  saveTickets(ticketTray.value.filter((one) => one.number !== number));

let pendingId: string | null | undefined;

/** The ID of a COLLECT that was sent and has no result yet. */
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

export function savePendingCollect(id: string | null): void {
  pendingId = id;
  try {
    if (id === null) localStorage.removeItem(pendingCollectKey);
    else localStorage.setItem(pendingCollectKey, id);
  } catch {
    // Without storage the ID lasts as long as the page.
  }
}
