import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type PatronRow } from '../../../../../wire/staff/supervisorView.ts';
import { inWindow } from './terminalRows.ts';

/** A row is so high, in letters of the page. */
const letters = 1.95;

type Form = {
  readonly rows: readonly PatronRow[];
  readonly draw: (row: PatronRow) => ComponentChildren;
  readonly label: string;
};

/** Rows that are drawn as they are scrolled to. */
export function Window({ rows, draw, label }: Form) {
  const box = useRef<HTMLDivElement>(null);
  const [seen, see] = useState({ top: 0, height: 600, row: 27 });
  const look = (): void => {
    const { scrollTop, clientHeight } = box.current!;
    const row = letters * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    see({ top: scrollTop, height: clientHeight, row });
  };
  useLayoutEffect(() => {
    look();
    const watch = new ResizeObserver(look);
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  const { from, to } = inWindow(rows.length, seen);
  return (
    <div ref={box} class="rows" tabIndex={0} role="group" aria-label={label} onScroll={look} data-testid="rows">
      <div class="room" style={{ height: `${from * letters}rem` }} />
      {rows.slice(from, to).map((row) => (
        <Fragment key={row.terminal}>{draw(row)}</Fragment>
      ))}
      <div class="room" style={{ height: `${Math.max(0, rows.length - to) * letters}rem` }} />
    </div>
  );
}
