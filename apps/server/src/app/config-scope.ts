/**
 * One transaction for everything that a plan does. The features that it changes are built anew on it; what they would tell
 * other servers, screens and the operation log is told when it is committed, and never when it is not.
 */
import type { DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import type { Db } from '#db/schema.ts'
import { alarmsRoutes } from '#features/alarms/routes.ts'
import { notifyRoutes } from '#features/notify/routes.ts'
import type { PlansDeps, Scope } from '#features/plans/plans-deps.ts'
import { inTurn } from '#features/plans/turn.ts'
import { makeProductCache } from '#features/products/door.ts'
import { productsRoutes } from '#features/products/routes.ts'
import { rolesRoutes } from '#features/roles/routes.ts'
import { scenesRoutes } from '#features/scenes/routes.ts'
import type { FinishedCall } from '#http/operation-log-hook.ts'
import { isLogged } from '#http/operation-log-hook.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { inputOf, type MountedEndpoint, requireRight } from '#http/route.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal, SignalName } from '#ports/signal.ts'
import type { FeatureDeps } from './feature-deps.ts'

type Telling = () => Promise<void> | void

/** Listeners within the transaction hear at once; everybody else when it is committed. */
function heldSignal(signal: Signal, later: Telling[]): Signal {
  const listeners: Array<(name: SignalName, notice: unknown) => void> = []
  return {
    ...signal,
    connected: true,
    doubt: () => undefined,
    onGap: () => undefined,
    hear: () => () => undefined,
    start: async () => undefined,
    stop: async () => undefined,
    on: (name, listener) => void listeners.push((sent, notice) => sent === name && listener(notice as never)),
    async send(name, notice) {
      for (const tell of listeners) tell(name, notice)
      later.push(() => signal.send(name, notice))
    },
  }
}

const heldBus = (bus: EventBus, later: Telling[]): EventBus => ({
  on: bus.on,
  emit: (name, event) => void later.push(() => bus.emit(name, event)),
})

function routesOn(featureDeps: FeatureDeps, db: Db, later: Telling[]): Map<string, MountedEndpoint> {
  const { users, products, scenes, alarms, notify } = featureDeps
  const signal = heldSignal(users.signal, later)
  const bus = heldBus(alarms.bus, later)
  const cache = makeProductCache({ db, scripts: products.scripts, signal })
  const routes = [
    ...rolesRoutes({ db, signal, withheldFrom: users.access.withheldFrom }),
    ...productsRoutes({ ...products, db, signal }),
    ...scenesRoutes({ ...scenes, db, signal, products: cache }),
    ...alarmsRoutes({ ...alarms, db, bus }),
    ...notifyRoutes({ ...notify, db }),
  ]
  return new Map(routes.map((mounted) => [mounted.endpoint.path, mounted]))
}

export function makePlansDeps(
  featureDeps: () => FeatureDeps,
  { db, clock }: Pick<PlansDeps, 'db' | 'clock'>,
  record: (call: FinishedCall) => void,
): PlansDeps {
  const scopeOn = (own: Db, ctx: SignedInContext, later: Telling[], rights?: 'unasked'): Scope => {
    const { gate } = featureDeps()
    const routes = routesOn(featureDeps(), own, later)
    const note = (endpoint: Endpoint, body: unknown, durationMs: number) => {
      const { user, ip, requestID } = ctx
      const call = { endpoint, user, ip, body, answer: '', code: 200, msg: 'success', durationMs, requestID }
      if (isLogged(endpoint)) later.push(() => record(call))
    }
    return {
      db: own,
      async ask(endpoint, body) {
        const mounted = routes.get(endpoint.path)
        if (!mounted) throw new Error(`${endpoint.path} is not there for plans`)
        if (!rights) await requireRight(endpoint, ctx.user, gate)
        const begun = performance.now()
        const answer = await mounted.run(await inputOf(endpoint, body, ctx.user), ctx)
        note(endpoint, body, Math.round(performance.now() - begun))
        return answer as DataOf<typeof endpoint>
      },
    }
  }
  return {
    db,
    clock,
    async inScope(ctx, work, rights) {
      const later: Telling[] = []
      const result = await inTurn(db, (own) => work(scopeOn(own, ctx, later, rights)))
      for (const tell of later) await tell()
      return result
    },
    async refuseWithout(user, endpoint, body) {
      await requireRight(endpoint, user, featureDeps().gate)
      await user.key?.narrow?.(endpoint, body)
    },
  }
}
