import { type FastifyInstance } from 'fastify';

/** Listens at a port, or at the first free one of so many after it. */
export async function listen(app: FastifyInstance, host: string, port: number, further: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (further === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await listen(app, host, port + 1, further - 1);
  }
}
