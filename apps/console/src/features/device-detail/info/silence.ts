/** Why a device is offline or silent, from what the platform has seen of it, and what to do next. Pure. */

import { type Device, DeviceStatus, deviceStatus, YesNo } from '@ithings/contract/features/devices/info.ts'
import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { resultOf } from '#blocks/log-table/result-view.ts'
import { reasonText } from '#blocks/log-table/sessions.ts'
import { shownContent } from '#blocks/log-table/shown-content.ts'
import { TimePreset } from '#kit/time-choice.ts'

export interface SilenceFacts {
  device: Device
  now: number
  /** The last report, ms; 0: none. */
  heard: number
  /** The newest of each, if it is still kept. */
  refusedLogin?: HubLogRow | undefined
  refusedMessage?: HubLogRow | undefined
  connected?: HubLogRow | undefined
  disconnected?: HubLogRow | undefined
  /** Of a sub-device; null: it is bound to none. */
  gateway?: Device | null | undefined
}

export interface Finding {
  cause: string
  step: string
  /** Where the step is done. */
  tab: DeviceTab
  /** What the tab shows at first: it may have been days ago. */
  search?: string
}

/** A connected device that says nothing for so long is worth a look. */
const silentAfter = 3_600_000

export const isSilent = ({ device, heard, now }: Pick<SilenceFacts, 'device' | 'heard' | 'now'>): boolean =>
  deviceStatus(device) !== DeviceStatus.online || now - Math.max(heard, Number(device.lastLogin)) > silentAfter

/** When the password of the last sign-in stops to be good, ms; absent in lines of earlier versions. */
export function passwordEnd(connected: HubLogRow | undefined): number | undefined {
  const told = connected && shownContent(connected.content)
  const at = typeof told === 'object' ? told.expiresAt : undefined
  return typeof at === 'number' ? at : undefined
}

const after = (row: HubLogRow | undefined, at: number): row is HubLogRow =>
  row !== undefined && Number(row.timestamp) > at

function aboutGateway({ device, gateway }: SilenceFacts): Finding | undefined {
  if (device.deviceType !== DeviceType.subDevice || gateway === undefined) return undefined
  const tab = DeviceTab.info
  if (!gateway) return { cause: t('还没有绑定网关'), step: t('到网关的「子设备」里绑定，子设备经网关通信。'), tab }
  if (deviceStatus(gateway) === DeviceStatus.online) return undefined
  return { cause: t('所属网关不在线'), step: t('先让网关恢复连接，子设备经它通信。'), tab }
}

export function findCause(facts: SilenceFacts): Finding {
  const { device, heard, now, refusedLogin, refusedMessage, connected, disconnected } = facts
  if (device.isEnable === YesNo.no) {
    return { cause: t('设备已被禁用'), step: t('编辑设备，启用后它才能连接。'), tab: DeviceTab.info }
  }
  const status = deviceStatus(device)
  const gateway = aboutGateway(facts)
  if (gateway) return gateway
  if (status !== DeviceStatus.online && after(refusedLogin, Number(device.lastLogin))) {
    const { text, advice } = resultOf(refusedLogin)
    return {
      cause: t('登录被拒绝：{reason}', { reason: text }),
      step: advice || t('核对连接参数。'),
      tab: DeviceTab.credentials,
    }
  }
  if (status === DeviceStatus.inactive) {
    return { cause: t('从未连接过平台'), step: t('用「密钥」里的连接参数接入。'), tab: DeviceTab.credentials }
  }
  if (status === DeviceStatus.offline && (passwordEnd(connected) ?? now) < now) {
    return { cause: t('连接凭证已到期'), step: t('重新生成连接凭证，写入设备。'), tab: DeviceTab.credentials }
  }
  if (status === DeviceStatus.offline) {
    const reason = disconnected ? reasonText(disconnected) : ''
    const cause = reason ? t('连接断开：{reason}', { reason }) : t('连接已断开')
    const step = t('没有收到新的连接，检查供电和网络；设备恢复后会重新连接。')
    if (!disconnected) return { cause, step, tab: DeviceTab.info }
    return { cause, step, tab: DeviceTab.cloudLog, search: `?kind=online&time=${TimePreset.week}` }
  }
  if (after(refusedMessage, heard)) {
    const { text, advice } = resultOf(refusedMessage)
    const step = advice || t('查看被拒绝的消息。')
    return {
      cause: t('上报被拒绝：{reason}', { reason: text }),
      step,
      tab: DeviceTab.diagnosis,
      search: `?time=${TimePreset.week}`,
    }
  }
  return { cause: t('连接正常，但没有上报'), step: t('检查设备的上报周期和使用的 Topic。'), tab: DeviceTab.topics }
}
