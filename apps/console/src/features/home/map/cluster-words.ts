/** A cluster in words, for the card beside it and for those who cannot see it. Pure. */

import { type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'

/** A single device has its own name, a cluster that of its largest city; the second is the shorter one for little room. */
export function clusterNames({ places, deviceName, deviceAlias }: HomeCluster): [string, string] {
  const [largest = t('未知地点'), ...others] = places.flatMap(({ name }) => name || [])
  const short = deviceAlias || deviceName || largest
  return [others.length > 0 ? t('{place}等 {count} 地', { place: short, count: others.length + 1 }) : short, short]
}

export const clusterName = (cluster: HomeCluster): string => clusterNames(cluster)[0]

const alarmWord = (level: number): string => t(alarmLevelLabels[level as AlarmLevel] ?? '')

/** What is in it, one fact a line. */
export function clusterFacts({ total, online, offline, inactive, level }: HomeCluster): string[] {
  const counts = [
    t('{count, number} 台', { count: total }),
    t('在线 {online, number}', { online }),
    t('离线 {offline, number}', { offline }),
    t('未激活 {inactive, number}', { inactive }),
  ]
  return level > 0 ? [...counts, t('最高告警{level}', { level: alarmWord(level) })] : counts
}

export const clusterWords = (cluster: HomeCluster): string =>
  t('{name}：{facts}', {
    name: clusterName(cluster),
    facts: clusterFacts(cluster).join(t('，')),
  })
