import type { DemoProduct } from './demo-product.ts'
import { action, choice, event, float, measured, param, settable, whole, words, yesNo } from './model-words.ts'

export const waterPump: DemoProduct = {
  productID: 'DemoPump001',
  productName: '智慧水泵站',
  desc: '市政二次供水泵站：变频恒压供水，监测压力、流量、温度与振动，支持远程启停与设定。',
  deviceType: 1,
  netType: 3,
  dataProto: 2,
  logDays: 3,
  tags: [
    { key: '行业', value: '水务' },
    { key: '供应商', value: '清源泵业' },
  ],
  version: '2.0.0',
  model: {
    properties: [
      settable(['power', '运行开关'], yesNo('停机', '运行')),
      settable(['targetPressure', '设定压力', '恒压供水的目标值'], float('MPa', 0, 1.6, 0.01)),
      settable(['mode', '控制模式'], choice('自动', '手动', '检修')),
      measured(['outletPressure', '出口压力'], float('MPa', 0, 1.6, 0.001)),
      measured(['inletPressure', '进口压力'], float('MPa', 0, 1.6, 0.001)),
      measured(['flow', '瞬时流量'], float('m³/h', 0, 500, 0.1)),
      measured(['totalFlow', '累计流量'], float('m³', 0, 9_999_999, 0.1)),
      measured(['motorTemp', '电机温度'], float('℃', -20, 150, 0.1)),
      measured(['vibration', '振动速度'], float('mm/s', 0, 30, 0.01)),
      measured(['current', '电机电流'], float('A', 0, 200, 0.1)),
      measured(['speed', '电机转速'], whole('r/min', 0, 3_000)),
      measured(['waterLevel', '水箱液位'], float('m', 0, 6, 0.01)),
    ],
    events: [
      event(['dryRun', '缺水保护', '进口无水时自动停机'], 'fault', [
        param('inletPressure', '进口压力', float('MPa', 0, 1.6, 0.001)),
      ]),
      event(['overheat', '电机过热'], 'alert', [param('motorTemp', '电机温度', float('℃', -20, 150, 0.1))]),
      event(['maintain', '保养完成'], 'info', [param('worker', '保养人员', words(64))]),
    ],
    actions: [
      action(
        ['selfCheck', '设备自检'],
        [param('deep', '深度自检', yesNo('否', '是'))],
        [param('passed', '自检结果', yesNo('未通过', '通过'))],
      ),
      action(['switchPump', '切换备用泵'], [param('pump', '泵号', whole('', 1, 3))]),
    ],
  },
  curves: {
    power: { kind: 'constant', value: 1 },
    targetPressure: { kind: 'constant', value: 0.42 },
    mode: { kind: 'constant', value: 0 },
    outletPressure: { kind: 'walk', low: 0.38, high: 0.46 },
    inletPressure: { kind: 'walk', low: 0.16, high: 0.24 },
    flow: { kind: 'daily', low: 38, high: 126, noise: 0.08 },
    totalFlow: { kind: 'counter', low: 0, high: 9_999_999, perHour: 82 },
    motorTemp: { kind: 'daily', low: 44, high: 66, noise: 0.06 },
    vibration: { kind: 'walk', low: 1.1, high: 2.9 },
    current: { kind: 'daily', low: 21, high: 36, noise: 0.07 },
    speed: { kind: 'daily', low: 1_080, high: 1_460, noise: 0.05 },
    waterLevel: { kind: 'walk', low: 2.4, high: 4.6 },
  },
  happenings: [
    { event: 'maintain', everyHours: 120, params: { worker: '王师傅' } },
    { event: 'overheat', everyHours: 150, params: { motorTemp: 83.4 } },
    { event: 'dryRun', everyHours: 400, params: { inletPressure: 0.012 } },
  ],
}
