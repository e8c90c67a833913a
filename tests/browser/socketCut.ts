import { type Page, type WebSocketRoute } from 'playwright-core';

/** Connects the sockets of a page with the server until the returned function cuts them; later ones get no answer. */
export async function socketCut(page: Page): Promise<() => Promise<void>> {
  const sockets: WebSocketRoute[] = [];
  let isCut = false;
  await page.routeWebSocket(/socket$/, (route) => {
    if (!isCut) route.connectToServer();
    sockets.push(route);
  });
  return async () => {
    isCut = true;
    // A busy machine may have held the page up until it connected again: the last socket is the open one.
    await sockets.at(-1)!.close();
  };
}
