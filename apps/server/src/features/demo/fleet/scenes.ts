/** Scenes and alarms of the demo: thresholds lie where the curves reach them now and then. */
import type { AlarmLevel } from '@ithings/contract/features/alarms/config.ts'
import { airSensor, buildingGateway } from './building.ts'
import { coldChain } from './cold-chain.ts'
import type { AlarmKey } from './incidents.ts'
import { smartMeter } from './smart-meter.ts'
import { waterPump } from './water-pump.ts'

export interface DemoScene {
  name: string
  desc: string
  triggerType: 'device' | 'timer' | 'manual'
  trigger: object
  when?: object[]
  then: object[]
  /** The alarm that it raises or clears. */
  alarm?: AlarmKey | 'offline'
  /** Words of its trigger, for logs of the past. */
  said: string
  /** What its trigger compares with, for charts of the past. */
  limit?: string
}

const raise = { executor: 'alarm', alarm: { mode: 'trigger' } }
const clear = { executor: 'alarm', alarm: { mode: 'relieve' } }
const over = (productID: string, dataID: string, termType: string, value: string, more: object = {}) => ({
  productID,
  selector: 'all',
  operator: 'reportProperty',
  operationSchema: { dataID: [dataID], termType, values: [value], ...more },
})
const lasting = (hours: number) => ({ stateKeep: { type: 'duration', value: hours, unit: 'hours' } })
/** Once until it was good in between, and not more often than every half hour. */
const calm = { once: true, minInterval: 1_800 }

const fixedScenes: DemoScene[] = [
  {
    name: '缺水保护告警',
    desc: '泵站上报缺水保护事件时立即告警',
    triggerType: 'device',
    trigger: {
      device: [
        {
          productID: waterPump.productID,
          selector: 'all',
          operator: 'reportEvent',
          operationSchema: { dataID: ['dryRun'] },
          minInterval: 600,
        },
      ],
    },
    then: [raise],
    alarm: 'dryRun',
    said: '缺水保护',
  },
  {
    name: '冷链货舱超温',
    desc: '货舱温度高于 8 ℃ 时告警，恢复后自动解除',
    triggerType: 'device',
    trigger: { device: [{ ...over(coldChain.productID, 'cargoTemp', 'gt', '8'), ...calm }] },
    then: [raise],
    alarm: 'overTemp',
    said: '货舱温度 > 8 ℃',
    limit: '8',
  },
  {
    name: '冷链温度恢复',
    desc: '货舱温度低于 7 ℃ 并保持 2 小时，解除告警',
    triggerType: 'device',
    trigger: { device: [{ ...over(coldChain.productID, 'cargoTemp', 'lt', '7', lasting(2)), once: true }] },
    then: [clear],
    alarm: 'overTemp',
    said: '货舱温度 < 7 ℃ 持续 2 小时',
  },
  {
    name: '电机过热降载',
    desc: '电机温度高于 80 ℃ 持续 1 分钟：告警并把设定压力降到 0.36 MPa',
    triggerType: 'device',
    trigger: {
      device: [
        {
          ...over(waterPump.productID, 'motorTemp', 'gt', '80', {
            stateKeep: { type: 'duration', value: 1, unit: 'minutes' },
          }),
          ...calm,
        },
      ],
    },
    then: [
      raise,
      {
        executor: 'device',
        device: {
          productID: waterPump.productID,
          selector: 'trigger',
          type: 'propertyControl',
          dataID: 'targetPressure',
          value: '{"targetPressure":0.36}',
        },
      },
    ],
    alarm: 'overheat',
    said: '电机温度 > 80 ℃ 持续 1 分钟',
    limit: '80',
  },
  {
    name: '电压越限',
    desc: '十分钟内 A 相电压三次高于 242 V',
    triggerType: 'device',
    trigger: {
      device: [
        {
          ...over(smartMeter.productID, 'voltageA', 'gt', '242', {
            stateKeep: { type: 'repeating', value: 3, window: 600 },
          }),
          ...calm,
        },
      ],
    },
    then: [raise],
    alarm: 'voltage',
    said: 'A 相电压 > 242 V',
    limit: '242',
  },
  {
    name: '二氧化碳偏高提醒',
    desc: '工作时间室内二氧化碳高于 1000 ppm 时提醒',
    triggerType: 'device',
    trigger: { device: [{ ...over(airSensor.productID, 'co2', 'gt', '1000'), once: true, minInterval: 7_200 }] },
    when: [{ columnType: 'sysTime', columnTime: { type: 'range', start: '07:00', end: '21:00', weekdays: [] } }],
    then: [raise],
    alarm: 'co2',
    said: '二氧化碳 > 1000 ppm',
    limit: '1000',
  },
  {
    name: '空气质量恢复',
    desc: '二氧化碳低于 800 ppm 并保持 3 小时，解除提醒',
    triggerType: 'device',
    trigger: { device: [{ ...over(airSensor.productID, 'co2', 'lt', '800', lasting(3)), once: true }] },
    then: [clear],
    alarm: 'co2',
    said: '二氧化碳 < 800 ppm 持续 3 小时',
  },
  {
    name: '泵站离线五分钟',
    desc: '泵站离线超过五分钟时告警',
    triggerType: 'device',
    trigger: {
      device: [
        {
          productID: waterPump.productID,
          selector: 'all',
          operator: 'disConnected',
          operationSchema: { dataID: [], stateKeep: { type: 'duration', value: 5, unit: 'minutes' } },
        },
      ],
    },
    then: [raise],
    alarm: 'offline',
    said: '设备下线持续 5 分钟',
  },
  {
    name: '早间打开公共照明',
    desc: '工作日 7:30 打开各楼宇的公共照明',
    triggerType: 'timer',
    trigger: { timer: { type: 'cron', cron: '0 30 7 * * 1-5' } },
    then: [
      {
        executor: 'device',
        device: {
          productID: buildingGateway.productID,
          selector: 'all',
          type: 'propertyControl',
          dataID: 'lighting',
          value: '{"lighting":true}',
        },
      },
    ],
    said: '工作日 07:30',
  },
]

const selfCheck = {
  name: '全站自检',
  desc: '手动执行：请所有泵站自检',
  triggerType: 'manual',
  trigger: {},
  said: '手动触发',
} as const

/** The first of each alarm is the one that raises it. @param waterGroup of all pumps */
export const demoScenes = (waterGroup: number): DemoScene[] => [
  ...fixedScenes,
  {
    ...selfCheck,
    then: [
      {
        executor: 'device',
        device: {
          productID: waterPump.productID,
          selector: 'group',
          selectorValues: [String(waterGroup)],
          type: 'action',
          dataID: 'selfCheck',
          value: '{"deep":false}',
        },
      },
    ],
  },
]

export const demoAlarms: Array<{ key: AlarmKey | 'offline'; name: string; level: AlarmLevel; desc: string }> = [
  { key: 'dryRun', name: '水泵缺水', level: 5, desc: '进口无水，泵已自动停机，请立即到场' },
  { key: 'overTemp', name: '冷链货舱超温', level: 4, desc: '货物可能变质，请联系司机' },
  { key: 'overheat', name: '泵站电机过热', level: 3, desc: '检查冷却与负载' },
  { key: 'offline', name: '泵站离线', level: 3, desc: '检查供电与网络' },
  { key: 'voltage', name: '电压越限', level: 2, desc: '通知供电部门' },
  { key: 'co2', name: '室内二氧化碳偏高', level: 1, desc: '建议加大新风' },
]
