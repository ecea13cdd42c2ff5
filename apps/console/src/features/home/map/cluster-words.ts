/** A cluster in words, for the card beside it and for those who cannot see it. Pure. */
import { type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { figure } from '../figures.ts'

/** A single device has its own name, a cluster that of its largest city. */
export const clusterName = ({ name, deviceName, deviceAlias }: HomeCluster): string =>
  deviceAlias || deviceName || name || '未知地点'

export const alarmWord = (level: number): string => alarmLevelLabels[level as AlarmLevel] ?? ''

export function clusterWords(cluster: HomeCluster): string {
  const { total, online, offline, inactive, level } = cluster
  const alarm = level > 0 ? `，最高告警${alarmWord(level)}` : ''
  return `${clusterName(cluster)}：${figure(total)} 台，在线 ${figure(online)}，离线 ${figure(offline)}，未激活 ${figure(inactive)}${alarm}`
}
