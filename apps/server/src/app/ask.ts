/** Endpoints called from inside: the same check of the body, the same handler, no way over the network. */

import { describeError } from '@ithings/contract/describe-issue.ts'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import type { Ask } from '#features/demo/demo-deps.ts'
import type { MountedEndpoint } from '#http/route.ts'

export function makeAsk(routes: () => MountedEndpoint[], log: Logger): Ask {
  let byPath: Map<string, MountedEndpoint> | undefined
  return async (endpoint, body, user) => {
    byPath ??= new Map(routes().map((mounted) => [mounted.endpoint.path, mounted]))
    const mounted = byPath.get(endpoint.path)
    if (!mounted) throw new Error(`${endpoint.path} is not mounted`)
    const parsed = endpoint.body.safeParse(body)
    if (!parsed.success) {
      throw refusal(errors.parameter, '{endpoint}：{fault}', {
        endpoint: phrase(endpoint.name),
        fault: () => describeError(parsed.error).text,
      })
    }
    const context = { requestID: '', ip: '', userAgent: '', log, user }
    return (await mounted.run(parsed.data, context)) as DataOf<typeof endpoint>
  }
}
