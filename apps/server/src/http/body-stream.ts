/** A body that is read as a stream, and may be refused in the middle without breaking the connection. */
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface BodyStream {
  content: Readable
  /** Lets the rest pass unread: only who has sent everything hears the answer. */
  release(): void
}

/** Inside of a scope of its own: every content type arrives as it is, nothing is gathered. */
export function takeRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
}

export function openBody({ body }: FastifyRequest): BodyStream {
  if (!(body instanceof Readable)) return { content: Readable.from([]), release: () => undefined }
  const content = new PassThrough()
  // A reader that gave up must not bring the server down with an error nobody listens to.
  content.on('error', () => undefined)
  const broken = (error?: Error) => {
    if (!body.readableEnded) content.destroy(error ?? new Error('the connection was closed'))
  }
  body.once('error', broken).once('close', broken)
  body.pipe(content)
  return {
    content,
    release() {
      body.unpipe(content)
      content.destroy()
      body.resume()
    },
  }
}
