/** Every endpoint of the platform, for the API registry, the API page and the tests. */
import type { Endpoint } from './endpoint.ts'
import * as apis from './features/apis.ts'
import * as logs from './features/logs.ts'
import * as menus from './features/menus.ts'
import * as roles from './features/roles.ts'
import * as settings from './features/settings.ts'
import * as users from './features/users.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'body' in value

export const allEndpoints: readonly Endpoint[] = [users, roles, menus, apis, logs, settings].flatMap((feature) =>
  Object.values(feature).filter(isEndpoint),
)
