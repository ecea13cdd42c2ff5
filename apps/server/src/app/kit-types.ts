import type { AlarmsKit } from '#features/alarms/alarms-kit.ts'
import type { CommandsKit } from '#features/commands/commands-kit.ts'
import type { DashboardKit } from '#features/dashboard/dashboard-kit.ts'
import type { DemoKit } from '#features/demo/demo-kit.ts'
import type { DeviceAuth, DeviceAuthKit } from '#features/device-auth/door.ts'
import type { DevicesKit } from '#features/devices/devices-kit.ts'
import type { FilesKit } from '#features/files/files-kit.ts'
import type { HistoryKit } from '#features/history/history-kit.ts'
import type { JobsKit } from '#features/jobs/jobs-kit.ts'
import type { NotifyKit } from '#features/notify/door.ts'
import type { FirmwareKit } from '#features/ota/firmware/firmware-kit.ts'
import type { OtaKit } from '#features/ota/ota-kit.ts'
import type { ProductsKit } from '#features/products/products-kit.ts'
import type { RemoteConfigKit } from '#features/remote-config/door.ts'
import type { DryRunKit } from '#features/scenes/dry-run.ts'
import type { ScenesKit } from '#features/scenes/scenes-kit.ts'
import type { PublicConfig } from '#features/settings/routes.ts'
import type { TasksKit } from '#features/tasks/tasks-kit.ts'
import type { UsersKit } from '#features/users/users-kit.ts'

/** What each feature needs; made in kits.ts. */
export interface Kits {
  users: UsersKit
  files: FilesKit
  jobs: JobsKit
  products: ProductsKit
  devices: DevicesKit
  commands: CommandsKit
  history: HistoryKit
  deviceAuth: { kit: DeviceAuthKit; auth: DeviceAuth }
  notify: NotifyKit
  alarms: AlarmsKit
  scenes: ScenesKit & DryRunKit
  remoteConfig: RemoteConfigKit
  firmware: FirmwareKit
  ota: OtaKit
  tasks: TasksKit
  dashboard: DashboardKit
  demo: DemoKit
  publicConfig: PublicConfig
}
