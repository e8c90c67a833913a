/** Where and when the gaming day of a property turns. */
type GamingDayClock = { readonly timeZone: string; readonly dayStartHour: number };

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Property time as 2026-11-15T20:00:00; undefined for an unknown time zone. */
export function propertyTimeOf(at: number, timeZone: string): string | undefined {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    try {
      formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    } catch {
      return undefined;
    }
    formatters.set(timeZone, formatter);
  }
  return formatter.format(at).replace(' ', 'T');
}

const hourMs = 3_600_000;

/** Start date of the gaming day: today after the hour `dayStartHour`, else yesterday. */
export function gamingDayOf(at: number, { timeZone, dayStartHour }: GamingDayClock): string {
  const local = propertyTimeOf(at, timeZone)!;
  const hours = Number(local.slice(11, 13));
  // Three hours before midnight: a clock change never leads back to the same date.
  const day = hours >= dayStartHour ? local : propertyTimeOf(Math.max(0, at - (hours + 3) * hourMs), timeZone)!;
  return day.slice(0, 10);
}
