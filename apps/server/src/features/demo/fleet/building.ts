import type { DemoProduct } from './demo-product.ts'
import { action, choice, event, float, measured, param, settable, whole, words, yesNo } from './model-words.ts'

export const buildingGateway: DemoProduct = {
  productID: 'DemoGateway',
  productName: '楼宇网关',
  desc: '楼宇自控网关：汇聚楼层的温湿度与空气质量传感器，联动新风与照明。',
  deviceType: 2,
  netType: 4,
  dataProto: 2,
  logDays: 3,
  tags: [
    { key: '行业', value: '楼宇' },
    { key: '供应商', value: '安居智控' },
  ],
  version: '1.4.0',
  model: {
    properties: [
      settable(['freshAir', '新风档位'], choice('关闭', '低', '中', '高')),
      settable(['lighting', '公共照明'], yesNo('关', '开')),
      measured(['cpu', 'CPU 占用'], float('%', 0, 100, 0.1)),
      measured(['memory', '内存占用'], float('%', 0, 100, 0.1)),
      measured(['signal', '信号强度'], whole('dBm', -120, 0)),
      measured(['children', '在线子设备'], whole('台', 0, 64)),
      measured(['uptimeTotal', '累计运行'], float('h', 0, 999_999, 0.1)),
    ],
    events: [
      event(['restarted', '网关重启'], 'info', [param('reason', '原因', words(64))]),
      event(['busFault', '总线故障'], 'fault', [param('port', '端口', whole('', 1, 8))]),
    ],
    actions: [action(['reboot', '重启网关'], [param('delay', '延时', whole('s', 0, 600))])],
  },
  curves: {
    freshAir: { kind: 'constant', value: 1 },
    lighting: { kind: 'constant', value: 1 },
    cpu: { kind: 'walk', low: 8, high: 42 },
    memory: { kind: 'walk', low: 38, high: 61 },
    signal: { kind: 'walk', low: -86, high: -61 },
    children: { kind: 'constant', value: 5 },
    uptimeTotal: { kind: 'counter', low: 0, high: 999_999, perHour: 1 },
  },
  happenings: [
    { event: 'restarted', everyHours: 96, params: { reason: '计划重启' } },
    { event: 'busFault', everyHours: 300, params: { port: 2 } },
  ],
}

export const airSensor: DemoProduct = {
  productID: 'DemoSensor1',
  productName: '楼层空气传感器',
  desc: '楼宇网关的子设备：温湿度、二氧化碳与 PM2.5。',
  deviceType: 3,
  netType: 6,
  dataProto: 2,
  logDays: 1,
  tags: [{ key: '行业', value: '楼宇' }],
  version: '1.1.0',
  model: {
    properties: [
      settable(['period', '采样周期'], whole('s', 5, 3_600)),
      measured(['temperature', '温度'], float('℃', -20, 60, 0.1)),
      measured(['humidity', '湿度'], float('%RH', 0, 100, 0.1)),
      measured(['co2', '二氧化碳'], whole('ppm', 0, 5_000)),
      measured(['pm25', 'PM2.5'], whole('μg/m³', 0, 500)),
      measured(['battery', '电量'], whole('%', 0, 100)),
    ],
    events: [event(['lowBattery', '电量低'], 'alert', [param('battery', '电量', whole('%', 0, 100))])],
    actions: [action(['blink', '定位闪灯'], [param('seconds', '时长', whole('s', 1, 60))])],
  },
  curves: {
    period: { kind: 'constant', value: 60 },
    temperature: { kind: 'daily', low: 20.5, high: 26.5 },
    humidity: { kind: 'daily', low: 38, high: 62, noise: 0.08 },
    co2: { kind: 'daily', low: 430, high: 930, noise: 0.06 },
    pm25: { kind: 'walk', low: 12, high: 58 },
    battery: { kind: 'walk', low: 71, high: 93 },
  },
  happenings: [{ event: 'lowBattery', everyHours: 2_000, params: { battery: 14 } }],
}
