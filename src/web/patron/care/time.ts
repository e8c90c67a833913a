/** A time of this day, or with its day where that is another. */
export function timeText(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toTimeString().slice(0, 5);
  return date.toDateString() === new Date(now).toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
