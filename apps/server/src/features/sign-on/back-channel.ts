/** OpenID Connect Back-Channel Logout 1.0: the provider tells that somebody has signed out there. */

import { AppError } from '@ithings/contract/errors.ts'
import { backChannelPath } from '@ithings/contract/features/sign-on.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SignOnFault } from '#ports/identity-provider.ts'
import { endProviderSessions } from './provider-sessions.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import { findEnabled, settingsOf } from './store.ts'

const perMinute = 120
const form = 'application/x-www-form-urlencoded'

async function takeNotice(deps: SignOnDeps, { body, params }: FastifyRequest): Promise<void> {
  const { key } = params as { key: string }
  const provider = await findEnabled(deps.db, key)
  const token = new URLSearchParams(typeof body === 'string' ? body : '').get('logout_token') ?? ''
  const { subject, sid } = await deps.providers.readLogout(settingsOf(deps.db, provider), token)
  await endProviderSessions(deps, { providerID: provider.id, subject, providerSid: sid })
}

export async function installBackChannel(app: FastifyInstance, deps: SignOnDeps): Promise<void> {
  await app.register((room, _options, done) => {
    room.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body))
    const config = { rateLimit: { max: perMinute, timeWindow: 60_000 } }
    room.post(`${backChannelPath}/:key`, { config, bodyLimit: 65_536 }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        await takeNotice(deps, request)
        return reply.status(200).send()
      } catch (error) {
        if (!(error instanceof SignOnFault || error instanceof AppError)) throw error
        request.log.warn({ err: error }, 'a notice of a sign-out was refused')
        return reply.status(400).send({ error: 'invalid_request', error_description: error.message })
      }
    })
    done()
  })
}
