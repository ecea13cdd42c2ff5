/** First rights of the built-in roles; role 1 needs none, it holds all. What administrators give or take stays. */
import { BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'

/**
 * Role 3, "view data, operate devices": the screens of its menu. Not people, logs, settings and jobs of the platform
 * (system/*), not addresses of people (notify), not what devices are told to be (remote-config, ota, tasks), and not
 * scripts, which may hold keys of devices. A new feature is none of its business until it is named here.
 */
const userScreens =
  /^\/api\/v1\/things\/(product\/(info|schema)|device\/(info|gateway|msg|group-index)|group|rule\/(scene|alarm)|home)(\/|$)/
/** Queries that are tools for whoever writes scenes. */
const authorTools = /\/scene\/info\/(dry-run|backtest)$/

export const roleSeeds: ReadonlyArray<{ role: number; holds(endpoint: Endpoint): boolean }> = [
  // Role 2, "manage products and devices, without the system".
  { role: BuiltInRole.supplier, holds: ({ path }) => !path.startsWith('/api/v1/system/') },
  {
    role: BuiltInRole.user,
    holds: ({ path, businessType }) =>
      path.includes('/interact/') ||
      (businessType === BusinessType.query && userScreens.test(path) && !authorTools.test(path)),
  },
]
