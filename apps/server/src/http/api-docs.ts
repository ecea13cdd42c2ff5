/** /api/docs: the API page, served from disk, so that it works without the Internet (decisions.md 4.5). */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import { type Language, languageOf, type Translate } from '@ithings/contract/text.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { askedLanguage, translatorOf } from './answer-language.ts'
import { apiPagePolicy } from './security-headers.ts'

type Wish = '' | `?lang=${Language}`

const pageIn = (language: Language, wish: Wish) => `<!doctype html>
<html lang="${language === 'en' ? 'en' : 'zh-CN'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>iThings Core API</title><link rel="icon" href="/api/docs/assets/favicon-32x32.png"><link rel="stylesheet" href="/api/docs/assets/swagger-ui.css"></head>
<body><div id="swagger-ui"></div>
<script src="/api/docs/assets/swagger-ui-bundle.js"></script><script src="/api/docs/start.js${wish}"></script></body>
</html>`

const scriptBy = (wish: Wish) =>
  `SwaggerUIBundle({ url: '/api/openapi.json${wish}', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null, persistAuthorization: true })`

/** As the address asks, else as the browser does (docs/design/language.md). */
const languageFor = ({ query, headers }: FastifyRequest): Language =>
  languageOf(String((query as { lang?: unknown }).lang ?? '')) ?? askedLanguage(headers['accept-language']) ?? 'zh'

/** Handed on from the page to its script and the document; nobody's wish is Chinese. */
const wishOf = (request: FastifyRequest): Wish => {
  const language = languageFor(request)
  return language === 'en' || 'lang' in (request.query as object) ? `?lang=${language}` : ''
}

/** @param makeDocument asked with the first reader: most servers never have one. */
export async function installApiDocs(
  app: FastifyInstance,
  makeDocument: (by: Translate) => Promise<object>,
): Promise<void> {
  const texts = new Map<Language, Promise<string>>()
  app.get('/api/openapi.json', async (request, reply) => {
    const language = languageFor(request)
    const text =
      texts.get(language) ?? makeDocument(translatorOf(language)).then((document) => JSON.stringify(document))
    texts.set(language, text)
    return reply
      .type('application/json; charset=utf-8')
      .header('vary', 'accept-language')
      .send(await text)
  })
  app.get('/api/docs', (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', apiPagePolicy)
      .header('vary', 'accept-language')
      .send(pageIn(languageFor(request), wishOf(request))),
  )
  app.get('/api/docs/start.js', (request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(scriptBy(wishOf(request))),
  )
  await app.register(fastifyStatic, {
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: '/api/docs/assets/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => /^\/(swagger-ui\.css|swagger-ui-bundle\.js|favicon-\d+x\d+\.png)$/.test(path),
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=86400'),
  })
}
