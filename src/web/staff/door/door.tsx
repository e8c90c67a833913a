/** Signing in. */
export function Door() {
  return <main class="door" />;
}
