import { type Page, type WebSocketRoute } from 'playwright-core';

/** Connects the sockets of a page to the server until the returned function cuts them; later sockets get no reply. */
export async function socketCut(page: Page): Promise<() => Promise<void>> {
  const sockets: WebSocketRoute[] = [];
  let isCut = false;
  await page.routeWebSocket(/socket$/, (route) => {
    if (!isCut) route.connectToServer();
    sockets.push(route);
  });
  return async () => {
    isCut = true;
    // A slow page may have reconnected: the last socket is the open one.
    await sockets.at(-1)!.close();
  };
}
