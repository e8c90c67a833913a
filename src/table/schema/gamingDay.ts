type GamingDayClock = { readonly timeZone: string; readonly dayStartHour: number };

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Local time of the property, such as 2026-11-15T20:00:00; undefined for an unknown time zone. */
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

/** Date of the gaming day: the local date or, before the hour `dayStartHour`, the previous date. */
export function gamingDayOf(at: number, { timeZone, dayStartHour }: GamingDayClock): string {
  const local = propertyTimeOf(at, timeZone)!;
  const hours = Number(local.slice(11, 13));
  // Goes back to about 21:00 of the previous day. This is far enough from midnight that a clock change cannot lead to
  // the same date again.
  const day = hours >= dayStartHour ? local : propertyTimeOf(Math.max(0, at - (hours + 3) * hourMs), timeZone)!;
  return day.slice(0, 10);
}
