import { useEffect } from 'preact/hooks';
import { patron } from '../app/connection.ts';
import { Tiles } from '../lobby/tiles.tsx';
import { TableNotice, hasNotice } from './notices/tableNotice.tsx';

/** The third view: all tables. It subscribes to them only while it is open. */
export function OtherTables() {
  useEffect(() => {
    patron.watchTables(true);
    return () => patron.watchTables(false);
  }, []);
  return (
    <main class="all-tables">
      {hasNotice.value && <TableNotice />}
      <Tiles />
    </main>
  );
}
