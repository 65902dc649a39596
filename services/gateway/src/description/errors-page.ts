import { ERRORS_PATH } from '@procurement/contracts/problems/explained-body';
import { Html } from '@procurement/page-style/html';
import type { FastifyInstance } from 'fastify';
import { generatedText } from './generated-text.ts';
import type { Pages } from './page-frame.ts';

/** The catalogue of all codes, to which each error links (http.md 4.6). */
export function registerErrorsPage(app: FastifyInstance, pages: Pages): void {
  const content = { title: 'Errors', section: ERRORS_PATH, body: new Html(generatedText('errors.html')) };
  app.get(ERRORS_PATH, async (request, reply) =>
    pages.send(request, reply, pages.framed(content, pages.placeOf(request))),
  );
}
