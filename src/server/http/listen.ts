import { type FastifyInstance } from 'fastify';

/** Listens at `port`, or at the first free one of the `extraPorts` that follow. */
export async function listen(app: FastifyInstance, host: string, port: number, extraPorts: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (extraPorts === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await listen(app, host, port + 1, extraPorts - 1);
  }
}
