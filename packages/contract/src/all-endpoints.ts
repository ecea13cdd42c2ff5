/** Every endpoint of the platform, for the API registry, the API page and the tests. */
import type { Endpoint } from './endpoint.ts'
import * as accessRequests from './features/access-requests.ts'
import * as alarms from './features/alarms/config.ts'
import * as alarmRecords from './features/alarms/record.ts'
import * as apiKeys from './features/api-keys.ts'
import * as apis from './features/apis.ts'
import * as cluster from './features/cluster.ts'
import * as commands from './features/commands.ts'
import * as demo from './features/demo.ts'
import * as deviceAuth from './features/device-auth.ts'
import * as deviceBulk from './features/devices/bulk.ts'
import * as devices from './features/devices/info.ts'
import * as files from './features/files.ts'
import * as forwarding from './features/forwarding/rules.ts'
import * as gateways from './features/gateways.ts'
import * as groups from './features/groups.ts'
import * as messages from './features/history.ts'
import * as home from './features/home.ts'
import * as jobs from './features/jobs.ts'
import * as logs from './features/logs.ts'
import * as menus from './features/menus.ts'
import * as notify from './features/notify.ts'
import * as otaDevices from './features/ota/device.ts'
import * as firmware from './features/ota/firmware.ts'
import * as otaTasks from './features/ota/task.ts'
import * as passkeys from './features/passkeys.ts'
import * as plans from './features/plans.ts'
import * as products from './features/products.ts'
import * as prom from './features/prom.ts'
import * as remoteConfig from './features/remote-config.ts'
import * as reports from './features/reports.ts'
import * as roles from './features/roles.ts'
import * as scenes from './features/scenes/info.ts'
import * as sceneLogs from './features/scenes/log.ts'
import * as sceneTrials from './features/scenes/trial.ts'
import * as scripts from './features/scripts.ts'
import * as search from './features/search.ts'
import * as secondFactor from './features/second-factor.ts'
import * as secrets from './features/secrets.ts'
import * as sessions from './features/sessions.ts'
import * as settings from './features/settings.ts'
import * as signOn from './features/sign-on.ts'
import * as signOnFlow from './features/sign-on-flow.ts'
import * as taskResults from './features/task-results.ts'
import * as tasks from './features/tasks.ts'
import * as schema from './features/thing-model.ts'
import * as users from './features/users.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'body' in value

const features = [
  users,
  sessions,
  accessRequests,
  secondFactor,
  passkeys,
  apiKeys,
  roles,
  menus,
  apis,
  logs,
  settings,
  signOn,
  signOnFlow,
  plans,
  cluster,
  files,
  jobs,
  products,
  schema,
  scripts,
  devices,
  deviceBulk,
  secrets,
  gateways,
  deviceAuth,
  commands,
  messages,
  prom,
  groups,
  scenes,
  sceneLogs,
  sceneTrials,
  alarms,
  alarmRecords,
  notify,
  forwarding,
  remoteConfig,
  reports,
  firmware,
  otaTasks,
  otaDevices,
  tasks,
  taskResults,
  home,
  search,
  demo,
] as const satisfies ReadonlyArray<Record<string, unknown>>

export const allEndpoints: readonly Endpoint[] = features.flatMap((feature) =>
  Object.values<unknown>(feature).filter(isEndpoint),
)

type Labels = Readonly<Record<string | number, string>>
const isLabels = (name: string, value: unknown): value is Labels => name.endsWith('Labels') && typeof value === 'object'
const allLabels = features.flatMap((feature: Record<string, unknown>) =>
  Object.entries(feature).flatMap(([name, labels]) => {
    if (!isLabels(name, labels)) return []
    const enumeration = feature[`${name[0]?.toUpperCase()}${name.slice(1, -'Labels'.length)}`]
    return [{ labels, enumeration, values: Object.keys(labels).toSorted().join() }]
  }),
)

/** Chinese words for the values of an enumeration: beside `DeviceType` lies `deviceTypeLabels`; one of words has the same words. */
export const enumLabels = (entries: Readonly<Record<string, string | number>>): Labels | undefined => {
  const ofWords = Object.values(entries).every((value) => typeof value === 'string')
  const values = Object.values(entries).toSorted().join()
  return allLabels.find((one) => one.enumeration === entries || (ofWords && one.values === values))?.labels
}
