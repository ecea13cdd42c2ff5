import { createAlarm, linkScenes } from '@ithings/contract/features/alarms/config.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import type { Loading } from '../demo-deps.ts'
import { type DemoScene, demoAlarms, demoScenes } from '../fleet/scenes.ts'
import { makeMarked } from '../items.ts'
import { inWords } from '../words.ts'
import type { MadeGroups } from './groups.ts'

export interface MadeRules {
  scenes: Array<{ sceneID: number; planned: DemoScene }>
  alarms: Array<{ alarmID: number; key: string; name: string; level: number }>
}

export async function makeRules({ deps: { db, ask }, user, t }: Loading, { water }: MadeGroups): Promise<MadeRules> {
  const scenes: MadeRules['scenes'] = []
  for (const planned of inWords(demoScenes(water), t)) {
    const { name, desc, triggerType, trigger, when = [], then } = planned
    const body = {
      name,
      desc,
      triggerType,
      trigger: JSON.stringify(trigger),
      when: JSON.stringify(when),
      then: JSON.stringify(then),
    }
    const sceneID = await makeMarked(db, 'scene', name, async () => (await ask(createScene, body, user)).id)
    scenes.push({ sceneID, planned })
  }
  const alarms: MadeRules['alarms'] = []
  for (const { key, name, level, desc } of inWords(demoAlarms, t)) {
    const body = { name, level, desc, notify: { slaMinutes: level >= 4 ? 60 : 480 } }
    const alarmID = await makeMarked(db, 'alarm', name, async () => (await ask(createAlarm, body, user)).id)
    const sceneIDs = scenes.filter(({ planned }) => planned.alarm === key).map(({ sceneID }) => sceneID)
    await ask(linkScenes, { alarmID, sceneIDs }, user)
    alarms.push({ alarmID, key, name, level })
  }
  return { scenes, alarms }
}
