/** The table of contents of the platform: every feature's routes. */

import { apisRoutes } from '#features/apis/routes.ts'
import { logsRoutes } from '#features/logs/routes.ts'
import { menusRoutes } from '#features/menus/routes.ts'
import { rolesRoutes } from '#features/roles/routes.ts'
import { type PublicConfig, settingsRoutes } from '#features/settings/routes.ts'
import { usersRoutes } from '#features/users/routes.ts'
import type { UsersKit } from '#features/users/users-kit.ts'
import type { MountedEndpoint } from '#http/route.ts'

export interface FeatureKit {
  users: UsersKit
  config: PublicConfig
}

export const allRoutes = ({ users, config }: FeatureKit): MountedEndpoint[] => {
  const { db, signal } = users
  return [
    ...usersRoutes(users),
    ...rolesRoutes({ db, signal }),
    ...menusRoutes({ db, signal }),
    ...apisRoutes({ db, signal }),
    ...logsRoutes(db),
    ...settingsRoutes({ db, signal, config }),
  ]
}
