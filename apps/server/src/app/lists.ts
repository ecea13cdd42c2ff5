/** Lists called from inside for exports: the rights of who asked, as they are now, and the handler that the network calls. */
import type { Logger } from 'pino'
import type { KeyGate } from '#features/api-keys/key-gate.ts'
import type { Lists } from '#features/jobs/list-export/lists.ts'
import { answerOf, inputOf, type MountedEndpoint, requireRight } from '#http/route.ts'

export function makeLists(routes: () => MountedEndpoint[], gate: KeyGate, log: Logger): Lists {
  let byPath: Map<string, MountedEndpoint> | undefined
  const mountedAt = (path: string): MountedEndpoint | undefined => {
    byPath ??= new Map(routes().map((mounted) => [mounted.endpoint.path, mounted]))
    return byPath.get(path)
  }
  return {
    find: (path) => mountedAt(path)?.endpoint,
    caller: (userID, keyID) => gate.again(userID, keyID),
    async check(endpoint, body, user) {
      await requireRight(endpoint, user, gate)
      await inputOf(endpoint, body, user)
    },
    async ask(endpoint, body, user) {
      await requireRight(endpoint, user, gate)
      const mounted = mountedAt(endpoint.path)
      if (!mounted) throw new Error(`${endpoint.path} is not mounted`)
      const context = { requestID: '', ip: '', userAgent: '', log, user }
      return answerOf(mounted, body, context)
    },
  }
}
