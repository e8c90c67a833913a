import { useEffect } from 'preact/hooks';
import { patronClient } from '../app/connection.ts';
import { TableTiles } from '../lobby/tiles.tsx';
import { TableNotice, hasTableNotice } from './notices/tableNotice.tsx';

/** The third view of SWAP VIEW: all tables. The page subscribes to their list only while this view is open. */
export function AllTablesView() {
  useEffect(() => {
    patronClient.watchTables(true);
    return () => patronClient.watchTables(false);
  }, []);
  return (
    <main class="all-tables">
      {hasTableNotice.value && <TableNotice />}
      <TableTiles />
    </main>
  );
}
