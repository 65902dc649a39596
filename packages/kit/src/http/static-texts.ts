import type { FastifyInstance } from 'fastify';

/** A file that is served from memory. */
export interface StaticText {
  readonly name: string;
  /** `Content-Type`. */
  readonly type: string;
  readonly body: string;
}

const FOR_A_YEAR = 'public, max-age=31536000, immutable';

/** Serves files whose names change with their content, below a folder such as `/assets/`, which has nothing else (ruling R30). */
export function registerStaticTexts(app: FastifyInstance, folder: string, files: readonly StaticText[]): void {
  for (const { name, type, body } of files)
    app.get(`${folder}${name}`, async (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'cache-control': FOR_A_YEAR, 'x-content-type-options': 'nosniff' })
        .send(body),
    );
}
