import type { DemoProduct } from './demo-product.ts'
import { action, choice, event, float, measured, param, settable, whole, yesNo } from './model-words.ts'

export const smartMeter: DemoProduct = {
  productID: 'DemoMeter01',
  productName: '三相智能电表',
  desc: '工商业用电计量：三相电压电流、功率因数、分时电量，支持远程拉合闸。',
  deviceType: 1,
  netType: 3,
  dataProto: 2,
  logDays: 1,
  tags: [
    { key: '行业', value: '能源' },
    { key: '供应商', value: '华能仪表' },
  ],
  version: '3.2.1',
  model: {
    properties: [
      settable(['relay', '继电器'], yesNo('拉闸', '合闸')),
      settable(['tariff', '费率时段'], choice('平', '峰', '谷', '尖')),
      settable(['reportPeriod', '上报周期'], whole('s', 5, 3_600)),
      measured(['voltageA', 'A 相电压'], float('V', 0, 500, 0.1)),
      measured(['voltageB', 'B 相电压'], float('V', 0, 500, 0.1)),
      measured(['voltageC', 'C 相电压'], float('V', 0, 500, 0.1)),
      measured(['currentA', 'A 相电流'], float('A', 0, 300, 0.01)),
      measured(['power', '有功功率'], float('kW', 0, 500, 0.01)),
      measured(['powerFactor', '功率因数'], float('', 0, 1, 0.001)),
      measured(['frequency', '频率'], float('Hz', 45, 55, 0.01)),
      measured(['energy', '正向有功电量'], float('kWh', 0, 99_999_999, 0.01)),
    ],
    events: [
      event(['powerOff', '停电'], 'fault', [param('voltageA', 'A 相电压', float('V', 0, 500, 0.1))]),
      event(['coverOpen', '开盖'], 'alert', [param('times', '累计次数', whole('次', 0, 9_999))]),
      event(['freeze', '日冻结'], 'info', [param('energy', '冻结电量', float('kWh', 0, 99_999_999, 0.01))]),
    ],
    actions: [action(['clearDemand', '需量清零'], [], [param('ok', '结果', yesNo('失败', '成功'))])],
  },
  curves: {
    relay: { kind: 'constant', value: 1 },
    tariff: { kind: 'constant', value: 0 },
    reportPeriod: { kind: 'constant', value: 60 },
    voltageA: { kind: 'walk', low: 226, high: 236 },
    voltageB: { kind: 'walk', low: 225, high: 235 },
    voltageC: { kind: 'walk', low: 226, high: 237 },
    currentA: { kind: 'daily', low: 12, high: 88, noise: 0.1 },
    power: { kind: 'daily', low: 6.5, high: 54, noise: 0.1 },
    powerFactor: { kind: 'walk', low: 0.91, high: 0.99 },
    frequency: { kind: 'walk', low: 49.95, high: 50.05 },
    energy: { kind: 'counter', low: 0, high: 99_999_999, perHour: 30 },
  },
  happenings: [
    { event: 'freeze', everyHours: 24, params: { energy: 182_640.5 } },
    { event: 'coverOpen', everyHours: 1_400, params: { times: 1 } },
    { event: 'powerOff', everyHours: 1_800, params: { voltageA: 3.2 } },
  ],
}
