import type { Kysely } from 'kysely'
import type { AlarmDealTable, AlarmLogTable, AlarmRecordTable, AlarmSceneTable, AlarmTable } from './tables/alarms.ts'
import type { ApiKeyTable } from './tables/api-keys.ts'
import type { ApiTable } from './tables/apis.ts'
import type { DemoItemTable, DemoTable } from './tables/demo.ts'
import type {
  DeviceBlockTable,
  DeviceNameFenceTable,
  DeviceShapeTable,
  DeviceTable,
  DeviceTagTable,
  DeviceTallyTable,
  DeviceTextTable,
  GatewayDeviceTable,
  RegistrationUsedTable,
} from './tables/devices.ts'
import type { ResumableUploadTable } from './tables/files.ts'
import type { ForwardDeadLetterTable, ForwardRuleTable, ForwardStateTable } from './tables/forwarding.ts'
import type { DeviceGroupTable, GroupDeviceTable, GroupSharedTable, GroupTallyTable } from './tables/groups.ts'
import type {
  HomeAlarmTable,
  HomeAlertTable,
  HomeCellTable,
  HomeMessageTable,
  HomePlaceTable,
  HomeSampleTable,
  HomeSinceTable,
  HomeWorkTable,
} from './tables/home.ts'
import type { JobTable } from './tables/jobs.ts'
import type { LoginLogTable, OperationLogChainTable, OperationLogTable } from './tables/logs.ts'
import type { MenuTable } from './tables/menus.ts'
import type {
  DeviceCommandTable,
  DeviceEventTable,
  DeviceGoneTable,
  DeviceLatestTable,
  DeviceSessionTable,
  DeviceShadowTable,
  HistoryDayTable,
  JournalTable,
  LatestFlushTable,
  PackPieceTable,
  PackStateTable,
  PlatformServerTable,
  SdkLogTable,
} from './tables/messages.ts'
import type { MqttFilterTable, MqttMessageTable, MqttSessionTable } from './tables/mqtt-sessions.ts'
import type { NotifyChannelTable, NotifyDeliveryTable } from './tables/notify.ts'
import type {
  DeviceModuleTable,
  FirmwareFileTable,
  FirmwareKeyTable,
  FirmwareTable,
  OtaTaskTable,
} from './tables/ota.ts'
import type { ConfigPlanTable } from './tables/plans.ts'
import type {
  ProductFunctionTable,
  ProductModelVersionTable,
  ProductScriptTable,
  ProductTable,
} from './tables/products.ts'
import type { DownlinkRelayTable } from './tables/relay.ts'
import type { DeviceConfigTable, RemoteConfigTable } from './tables/remote-config.ts'
import type { DevicePresenceStartTable, DevicePresenceTable, ReportRunTable, ReportTable } from './tables/reports.ts'
import type { RoleApiTable, RoleMenuTable, RoleTable } from './tables/roles.ts'
import type { RolloutDeviceTable, RolloutTable } from './tables/rollouts.ts'
import type {
  SceneCheckpointTable,
  SceneHoldTable,
  SceneMemoryTable,
  SceneMissTable,
  SceneReferenceTable,
  SceneRunTable,
  SceneTable,
  SceneTallyTable,
} from './tables/scenes.ts'
import type { SecretKeyTable } from './tables/secret-key.ts'
import type { SettingTable } from './tables/settings.ts'
import type { SignOnProviderTable, SignOnSessionTable, SignOnSpentTable, UserIdentityTable } from './tables/sign-on.ts'
import type { DeviceTaskTable } from './tables/tasks.ts'
import type {
  AccessRequestTable,
  CaptchaTable,
  LoginGuardTable,
  PasskeyChallengeTable,
  PasskeyTable,
  PlatformKeyTable,
  RevokedSessionTable,
  UserSessionTable,
  UserTable,
} from './tables/users.ts'

export interface Schema {
  access_request: AccessRequestTable
  alarm: AlarmTable
  alarm_deal: AlarmDealTable
  alarm_log: AlarmLogTable
  alarm_record: AlarmRecordTable
  alarm_scene: AlarmSceneTable
  api: ApiTable
  api_key: ApiKeyTable
  app_user: UserTable
  captcha: CaptchaTable
  config_plan: ConfigPlanTable
  demo: DemoTable
  demo_item: DemoItemTable
  demo_message: HomeMessageTable
  demo_sample: HomeSampleTable
  device: DeviceTable
  device_block: DeviceBlockTable
  device_command: DeviceCommandTable
  device_config: DeviceConfigTable
  device_event: DeviceEventTable
  device_gone: DeviceGoneTable
  device_group: DeviceGroupTable
  device_latest: DeviceLatestTable
  device_module: DeviceModuleTable
  device_name_fence: DeviceNameFenceTable
  device_presence: DevicePresenceTable
  device_presence_start: DevicePresenceStartTable
  device_session: DeviceSessionTable
  device_shadow: DeviceShadowTable
  device_shape: DeviceShapeTable
  device_tag: DeviceTagTable
  registration_used: RegistrationUsedTable
  device_tally: DeviceTallyTable
  device_task: DeviceTaskTable
  device_text: DeviceTextTable
  gateway_device: GatewayDeviceTable
  downlink_relay: DownlinkRelayTable
  firmware: FirmwareTable
  firmware_file: FirmwareFileTable
  firmware_key: FirmwareKeyTable
  forward_dead_letter: ForwardDeadLetterTable
  forward_rule: ForwardRuleTable
  forward_state: ForwardStateTable
  sign_on_provider: SignOnProviderTable
  sign_on_session: SignOnSessionTable
  sign_on_spent: SignOnSpentTable
  user_identity: UserIdentityTable
  group_device: GroupDeviceTable
  group_shared: GroupSharedTable
  group_tally: GroupTallyTable
  history_day: HistoryDayTable
  home_alarm: HomeAlarmTable
  home_alert: HomeAlertTable
  home_away: HomeSinceTable
  home_cell: HomeCellTable
  home_message: HomeMessageTable
  home_place: HomePlaceTable
  home_sample: HomeSampleTable
  home_silent: HomeSinceTable
  home_work: HomeWorkTable
  job: JobTable
  journal: JournalTable
  latest_flush: LatestFlushTable
  login_guard: LoginGuardTable
  login_log: LoginLogTable
  menu: MenuTable
  mqtt_filter: MqttFilterTable
  mqtt_message: MqttMessageTable
  mqtt_session: MqttSessionTable
  notify_channel: NotifyChannelTable
  notify_delivery: NotifyDeliveryTable
  operation_log: OperationLogTable
  operation_log_chain: OperationLogChainTable
  ota_task: OtaTaskTable
  pack_piece: PackPieceTable
  pack_state: PackStateTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  platform_key: PlatformKeyTable
  platform_server: PlatformServerTable
  product: ProductTable
  product_function: ProductFunctionTable
  product_model_version: ProductModelVersionTable
  product_script: ProductScriptTable
  remote_config: RemoteConfigTable
  report: ReportTable
  report_run: ReportRunTable
  resumable_upload: ResumableUploadTable
  revoked_session: RevokedSessionTable
  user_session: UserSessionTable
  role: RoleTable
  role_api: RoleApiTable
  role_menu: RoleMenuTable
  rollout: RolloutTable
  rollout_device: RolloutDeviceTable
  scene: SceneTable
  scene_checkpoint: SceneCheckpointTable
  scene_hold: SceneHoldTable
  scene_memory: SceneMemoryTable
  scene_miss: SceneMissTable
  scene_reference: SceneReferenceTable
  scene_run: SceneRunTable
  scene_tally: SceneTallyTable
  sdk_log: SdkLogTable
  secret_key: SecretKeyTable
  setting: SettingTable
}

/** Every query function takes it first, pool or transaction alike, so that no query leaves its transaction by mistake. */
export type Db = Kysely<Schema>
