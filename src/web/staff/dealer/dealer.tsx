/** The console of a table. */
export function Dealer({ table }: { readonly table: string }) {
  return <main class="console">{table}</main>;
}
