/** `EMQX_HOOK_SECRET`: the hooks of an external broker are for that broker, not for the world. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { authRegister } from '@ithings/contract/features/device-auth.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { comesFromHere } from '#http/health.ts'
import { same } from './signatures.ts'

const hookPaths = /^\/api\/v1\/things\/device\/auth5?\//

const secretMatches = ({ headers }: FastifyRequest, secret: string): boolean =>
  same(headers.authorization?.replace(/^Bearer /, '') ?? '', secret)

/** A header, not a part of the address: addresses end up in logs. */
export function installHookGuard(app: FastifyInstance, secret: string | undefined): void {
  app.addHook('onRequest', async (request) => {
    const path = request.routeOptions.url ?? ''
    if (path === authRegister.path || !hookPaths.test(path)) return
    if (secret === undefined ? comesFromHere(request) : secretMatches(request, secret)) return
    throw new AppError(errors.permission, {
      detail:
        secret === undefined ? phrase('只接受本机调用，或设置 EMQX_HOOK_SECRET') : phrase('EMQX_HOOK_SECRET 不正确'),
    })
  })
}
