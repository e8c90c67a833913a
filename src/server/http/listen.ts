import { type FastifyInstance } from 'fastify';

/** Listens at `port`. If `port` is in use, listens at the first free port of the next `extraPorts` ports. */
export async function listenOnFreePort(
  app: FastifyInstance,
  host: string,
  port: number,
  extraPorts: number,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (extraPorts === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await listenOnFreePort(app, host, port + 1, extraPorts - 1);
  }
}
