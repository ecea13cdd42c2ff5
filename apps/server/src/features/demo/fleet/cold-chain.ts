import type { Translate } from '@ithings/contract/text.ts'
import type { DemoProduct } from './demo-product.ts'
import { action, choice, event, float, measured, param, settable, whole, words, yesNo } from './model-words.ts'

export const coldChain: DemoProduct = {
  productID: 'DemoCold001',
  productName: '冷链追踪器',
  desc: '冷藏车与保温箱的温度、位置与门磁监测。自定义二进制协议，由解析脚本转换为物模型。',
  deviceType: 1,
  netType: 3,
  dataProto: 1,
  logDays: 3,
  tags: [
    { key: '行业', value: '物流' },
    { key: '供应商', value: '极地物联' },
  ],
  version: '5.0.3',
  model: {
    properties: [
      settable(['targetTemp', '设定温度'], float('℃', -30, 25, 0.5)),
      settable(['cooler', '制冷机组'], yesNo('关', '开')),
      measured(['cargoTemp', '货舱温度'], float('℃', -40, 60, 0.1)),
      measured(['ambientTemp', '环境温度'], float('℃', -40, 80, 0.1)),
      measured(['humidity', '货舱湿度'], float('%RH', 0, 100, 0.1)),
      measured(['door', '货舱门'], choice('关闭', '打开')),
      measured(['carSpeed', '车速'], float('km/h', 0, 180, 0.1)),
      measured(['mileage', '累计里程'], float('km', 0, 9_999_999, 0.1)),
      measured(['battery', '电池电量'], whole('%', 0, 100)),
      measured(['waybill', '运单号'], words(32)),
    ],
    events: [
      event(['doorOpened', '途中开门'], 'alert', [param('seconds', '持续时间', whole('s', 0, 86_400))]),
      event(['overTemp', '货舱超温'], 'fault', [param('cargoTemp', '货舱温度', float('℃', -40, 60, 0.1))]),
      event(['delivered', '已送达'], 'info', [param('waybill', '运单号', words(32))]),
    ],
    actions: [
      action(['defrost', '立即除霜'], [param('minutes', '时长', whole('min', 1, 60))]),
      action(['locate', '立即定位'], []),
    ],
  },
  curves: {
    targetTemp: { kind: 'constant', value: 4 },
    cooler: { kind: 'constant', value: 1 },
    cargoTemp: { kind: 'daily', low: 2.6, high: 6.8, noise: 0.12 },
    ambientTemp: { kind: 'daily', low: 11, high: 27 },
    humidity: { kind: 'walk', low: 58, high: 82 },
    door: { kind: 'constant', value: 0 },
    carSpeed: { kind: 'walk', low: 18, high: 92 },
    mileage: { kind: 'counter', low: 0, high: 9_999_999, perHour: 46 },
    battery: { kind: 'walk', low: 64, high: 97 },
  },
  texts: { waybill: 'SF2611150087' },
  happenings: [
    { event: 'doorOpened', everyHours: 60, params: { seconds: 95 } },
    { event: 'overTemp', everyHours: 110, params: { cargoTemp: 9.6 } },
    { event: 'delivered', everyHours: 48, params: { waybill: 'SF2611150087' } },
  ],
}

/** Frames of the tracker: 0xCC, kind, then big-endian fields (custom topics only; see device-protocol.md 9). */
export const coldChainScript = (t: Translate) => `// ${t('冷链追踪器二进制协议')}
// ${t('上行：CC 01 货舱温度(int16,0.1℃) 环境温度(int16,0.1℃) 湿度(uint8,%) 门(uint8) 车速(uint16,0.1km/h) 电量(uint8,%)')}
// ${t('下行：没有定义 Down 函数，按 JSON 下发')}
function int16(bytes, at) {
  const value = (bytes[at] << 8) | bytes[at + 1]
  return value > 32767 ? value - 65536 : value
}

function thingPropertyUp(bytes) {
  if (bytes.length < 11 || bytes[0] !== 0xcc || bytes[1] !== 0x01) throw new Error('${t('不是属性帧')}')
  return {
    method: 'report',
    params: {
      cargoTemp: int16(bytes, 2) / 10,
      ambientTemp: int16(bytes, 4) / 10,
      humidity: bytes[6],
      door: bytes[7] === 0 ? 0 : 1,
      carSpeed: ((bytes[8] << 8) | bytes[9]) / 10,
      battery: bytes[10],
    },
  }
}
`
export const coldChainCase = {
  name: '运输途中的一帧',
  direction: 'up' as const,
  handler: 'thingPropertyUp',
  // 4.2 ℃, 23.5 ℃, 71 %, closed, 68.4 km/h, 88 %
  input: 'CC 01 00 2A 00 EB 47 00 02 AC 58',
}
