/** A cluster in words, for the card beside it and for those who cannot see it. Pure. */
import { type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { figure } from '../figures.ts'

/** A single device has its own name, a cluster that of its largest city; the second is the shorter one for little room. */
export function clusterNames({ places, deviceName, deviceAlias }: HomeCluster): [string, string] {
  const [largest = '未知地点', ...others] = places.flatMap(({ name }) => name || [])
  const short = deviceAlias || deviceName || largest
  return [others.length > 0 ? `${short}等 ${others.length + 1} 地` : short, short]
}

export const clusterName = (cluster: HomeCluster): string => clusterNames(cluster)[0]

const alarmWord = (level: number): string => alarmLevelLabels[level as AlarmLevel] ?? ''

/** What is in it, one fact a line. */
export function clusterFacts({ total, online, offline, inactive, level }: HomeCluster): string[] {
  const counts = [
    `${figure(total)} 台`,
    `在线 ${figure(online)}`,
    `离线 ${figure(offline)}`,
    `未激活 ${figure(inactive)}`,
  ]
  return level > 0 ? [...counts, `最高告警${alarmWord(level)}`] : counts
}

export const clusterWords = (cluster: HomeCluster): string =>
  `${clusterName(cluster)}：${clusterFacts(cluster).join('，')}`
