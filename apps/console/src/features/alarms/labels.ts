import { alarmLevelLabels, alarmLevels } from '@ithings/contract/features/alarms/config.ts'

export const levelOptions = alarmLevels.map((value) => ({ value, label: alarmLevelLabels[value] }))

/** Quick notes of the handling form (screens.md 25). */
export const dealTemplates: readonly string[] = ['已现场确认', '已远程停机', '传感器误报', '计划检修中']
