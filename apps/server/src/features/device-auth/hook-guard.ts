/** `EMQX_HOOK_SECRET`: the hooks of an external broker are for that broker, not for the world. */
import { timingSafeEqual } from 'node:crypto'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { authRegister } from '@ithings/contract/features/devices/auth.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { comesFromHere } from '#http/health.ts'

const hookPaths = /^\/api\/v1\/things\/device\/auth5?\//

function secretMatches({ headers }: FastifyRequest, secret: string): boolean {
  const given = Buffer.from(headers.authorization?.replace(/^Bearer /, '') ?? '')
  const wanted = Buffer.from(secret)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** A header, not a part of the address: addresses end up in logs. */
export function installHookGuard(app: FastifyInstance, secret: string | undefined): void {
  app.addHook('onRequest', async (request) => {
    const path = request.routeOptions.url ?? ''
    if (path === authRegister.path || !hookPaths.test(path)) return
    if (secret === undefined ? comesFromHere(request) : secretMatches(request, secret)) return
    throw new AppError(errors.permission, {
      detail: secret === undefined ? '只接受本机调用，或设置 EMQX_HOOK_SECRET' : 'EMQX_HOOK_SECRET 不正确',
    })
  })
}
