import type { AlarmsDeps } from '#features/alarms/alarms-deps.ts'
import type { ApiKeysDeps } from '#features/api-keys/api-keys-deps.ts'
import type { KeyGate } from '#features/api-keys/key-gate.ts'
import type { ClusterDeps } from '#features/cluster/cluster-deps.ts'
import type { CommandsDeps } from '#features/commands/commands-deps.ts'
import type { DemoDeps } from '#features/demo/demo-deps.ts'
import type { DeviceAuth, DeviceAuthDeps } from '#features/device-auth/door.ts'
import type { DevicesDeps } from '#features/devices/devices-deps.ts'
import type { FilesDeps } from '#features/files/files-deps.ts'
import type { ForwardingDeps } from '#features/forwarding/forwarding-deps.ts'
import type { HistoryDeps } from '#features/history/history-deps.ts'
import type { HomeDeps } from '#features/home/home-deps.ts'
import type { JobsDeps } from '#features/jobs/jobs-deps.ts'
import type { NotifyDeps } from '#features/notify/door.ts'
import type { FirmwareDeps } from '#features/ota/firmware/firmware-deps.ts'
import type { OtaDeps } from '#features/ota/ota-deps.ts'
import type { PlansDeps } from '#features/plans/plans-deps.ts'
import type { ProductsDeps } from '#features/products/products-deps.ts'
import type { PromDeps } from '#features/prom/prom-deps.ts'
import type { RemoteConfigDeps } from '#features/remote-config/door.ts'
import type { ReportsDeps } from '#features/reports/reports-deps.ts'
import type { DryRunDeps } from '#features/scenes/dry-run.ts'
import type { ScenesDeps } from '#features/scenes/scenes-deps.ts'
import type { PublicConfig } from '#features/settings/routes.ts'
import type { SignOnDeps } from '#features/sign-on/sign-on-deps.ts'
import type { TasksDeps } from '#features/tasks/tasks-deps.ts'
import type { UsersDeps } from '#features/users/users-deps.ts'

/** What each feature needs; made in make-feature-deps.ts. */
export interface FeatureDeps {
  users: UsersDeps
  signOn: SignOnDeps
  apiKeys: ApiKeysDeps
  gate: KeyGate
  files: FilesDeps
  jobs: JobsDeps
  products: ProductsDeps
  devices: DevicesDeps
  commands: CommandsDeps
  history: HistoryDeps
  prom: PromDeps
  deviceAuth: { deps: DeviceAuthDeps; auth: DeviceAuth }
  notify: NotifyDeps
  forwarding: ForwardingDeps
  alarms: AlarmsDeps
  scenes: ScenesDeps & DryRunDeps
  remoteConfig: RemoteConfigDeps
  firmware: FirmwareDeps
  ota: OtaDeps
  tasks: TasksDeps
  reports: ReportsDeps
  plans: PlansDeps
  home: HomeDeps
  demo: DemoDeps
  cluster: ClusterDeps
  publicConfig: PublicConfig
}
