/** The table of contents of the platform: every feature's routes and kinds of jobs. */
import { alarmsRoutes } from '#features/alarms/routes.ts'
import { apiKeysRoutes } from '#features/api-keys/routes.ts'
import { apisRoutes } from '#features/apis/routes.ts'
import { clusterRoutes } from '#features/cluster/routes.ts'
import { commandsRoutes } from '#features/commands/routes.ts'
import { demoJobKinds } from '#features/demo/job-kinds.ts'
import { demoRoutes } from '#features/demo/routes.ts'
import { deviceAuthRoutes } from '#features/device-auth/door.ts'
import { deviceJobKinds } from '#features/devices/job-kinds.ts'
import { devicesRoutes } from '#features/devices/routes.ts'
import { filesRoutes } from '#features/files/routes.ts'
import { forwardingRoutes } from '#features/forwarding/routes.ts'
import { gatewaysRoutes } from '#features/gateways/routes.ts'
import { groupJobKinds } from '#features/groups/group-devices.ts'
import { groupsRoutes } from '#features/groups/routes.ts'
import { historyRoutes } from '#features/history/routes.ts'
import { homeRoutes } from '#features/home/routes.ts'
import type { JobKind } from '#features/jobs/job-kinds.ts'
import { listExportJob } from '#features/jobs/list-export/export-list.ts'
import { jobsRoutes } from '#features/jobs/routes.ts'
import { exportJob as operationLogExport } from '#features/logs/export-operation-logs.ts'
import { logsRoutes } from '#features/logs/routes.ts'
import { menusRoutes } from '#features/menus/routes.ts'
import { notifyRoutes } from '#features/notify/routes.ts'
import { firmwareRoutes } from '#features/ota/firmware/firmware-routes.ts'
import { otaJobKinds } from '#features/ota/job-kinds.ts'
import { otaRoutes } from '#features/ota/routes.ts'
import { plansRoutes } from '#features/plans/routes.ts'
import { productsRoutes } from '#features/products/routes.ts'
import { pushJob } from '#features/remote-config/door.ts'
import { remoteConfigRoutes } from '#features/remote-config/routes.ts'
import { reportsRoutes } from '#features/reports/routes.ts'
import { reportJob } from '#features/reports/run-report.ts'
import { rolesRoutes } from '#features/roles/routes.ts'
import { backtestJobKind } from '#features/scenes/backtest/start-backtest.ts'
import { trialRoutes } from '#features/scenes/backtest/trial-routes.ts'
import { scenesRoutes } from '#features/scenes/routes.ts'
import { searchRoutes } from '#features/search/routes.ts'
import { settingsRoutes } from '#features/settings/routes.ts'
import { signOnRoutes } from '#features/sign-on/routes.ts'
import { taskJobKinds } from '#features/tasks/job-kinds.ts'
import { tasksRoutes } from '#features/tasks/routes.ts'
import { usersRoutes } from '#features/users/routes.ts'
import type { MountedEndpoint } from '#http/route.ts'
import type { FeatureDeps } from './feature-deps.ts'

export const allRoutes = (featureDeps: FeatureDeps): MountedEndpoint[] => {
  const { db, signal, access } = featureDeps.users
  return [
    ...usersRoutes(featureDeps.users),
    ...signOnRoutes(featureDeps.signOn),
    ...rolesRoutes({ db, signal, withheldFrom: access.withheldFrom }),
    ...apiKeysRoutes(featureDeps.apiKeys),
    ...menusRoutes({ db, signal }),
    ...apisRoutes({ db, signal }),
    ...logsRoutes(db, featureDeps.jobs),
    ...settingsRoutes({ db, signal, config: featureDeps.publicConfig }),
    ...clusterRoutes(featureDeps.cluster),
    ...filesRoutes(featureDeps.files),
    ...jobsRoutes(featureDeps.jobs),
    ...productsRoutes(featureDeps.products),
    ...devicesRoutes(featureDeps.devices),
    ...gatewaysRoutes(featureDeps.devices),
    ...groupsRoutes(featureDeps.devices),
    ...deviceAuthRoutes(featureDeps.deviceAuth.deps, featureDeps.deviceAuth.auth),
    ...commandsRoutes(featureDeps.commands),
    ...historyRoutes(featureDeps.history),
    ...scenesRoutes(featureDeps.scenes),
    ...trialRoutes({ ...featureDeps.scenes, jobs: featureDeps.jobs }),
    ...alarmsRoutes(featureDeps.alarms),
    ...notifyRoutes(featureDeps.notify),
    ...forwardingRoutes(featureDeps.forwarding),
    ...remoteConfigRoutes(featureDeps.remoteConfig),
    ...firmwareRoutes(featureDeps.firmware),
    ...otaRoutes(featureDeps.ota),
    ...tasksRoutes(featureDeps.tasks),
    ...reportsRoutes(featureDeps.reports),
    ...plansRoutes(featureDeps.plans),
    ...homeRoutes(featureDeps.home),
    ...demoRoutes(featureDeps.demo),
    ...searchRoutes({ db, allows: access.allows }),
  ]
}

export const allJobKinds = (featureDeps: FeatureDeps): JobKind[] => [
  listExportJob(featureDeps.jobs),
  ...deviceJobKinds(featureDeps.devices),
  ...groupJobKinds(featureDeps.devices),
  operationLogExport(featureDeps.users.db),
  pushJob(featureDeps.remoteConfig),
  ...taskJobKinds(featureDeps.tasks),
  ...otaJobKinds(featureDeps.ota),
  reportJob(featureDeps.reports),
  ...demoJobKinds(featureDeps.demo),
  backtestJobKind({ ...featureDeps.scenes, history: featureDeps.history.history }) as JobKind,
]
