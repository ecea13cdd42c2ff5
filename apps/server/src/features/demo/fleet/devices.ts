/** The 200 devices: who they are, where they stand, and how they are doing. Pure. */
import { airSensor, buildingGateway } from './building.ts'
import { makeChance } from './chance.ts'
import { type DemoCity, demoCities } from './cities.ts'
import { coldChain } from './cold-chain.ts'
import type { DemoProduct } from './demo-product.ts'
import { smartMeter } from './smart-meter.ts'
import { waterPump } from './water-pump.ts'

export interface DemoDevice {
  product: DemoProduct
  deviceName: string
  alias: string
  place: DemoCity
  longitude: number
  latitude: number
  address: string
  /** live: the platform plays it; away: left so many hours ago; new: never connected. */
  state: 'live' | 'away' | 'new'
  awayHours: number
  version: string
  /** Device name of its gateway; '': none. */
  gateway: string
  tags: Array<{ key: string; value: string }>
}

interface Series {
  product: DemoProduct
  prefix: string
  count: number
  /** Places of those that are away, that never came, and that an upgrade of the past failed on. */
  away: number[]
  fresh: number[]
  behind?: number[]
  alias(city: DemoCity, nr: number): string
  address(city: DemoCity, nr: number): string
}

/** What pumps ran before the upgrade of the past (make/operations.ts). */
export const oldPumpVersion = '1.9.4'

const roads = ['人民路', '中山路', '建设大道', '解放路', '和平街', '科技园路', '滨江大道', '环城南路']
const road = (nr: number) => `${roads[nr % roads.length]} ${18 + ((nr * 37) % 480)} 号`

const series: Series[] = [
  {
    product: waterPump,
    prefix: 'pump',
    count: 36,
    away: [7, 19, 28],
    fresh: [35],
    behind: [11, 24],
    alias: ({ city }, nr) => `${city}${['城东', '城西', '滨江'][nr % 3]}供水泵站`,
    address: ({ province, city }, nr) => `${province}${city}${road(nr)}泵房`,
  },
  {
    product: smartMeter,
    prefix: 'meter',
    count: 72,
    away: [5, 17, 30, 41, 52, 66],
    fresh: [11, 38, 70, 71],
    alias: ({ city }, nr) => `${city}${['工业园', '商业中心', '产业大厦', '物流园'][nr % 4]} ${1 + (nr % 9)} 号配电柜`,
    address: ({ province, city }, nr) => `${province}${city}${road(nr + 3)}配电室`,
  },
  {
    product: buildingGateway,
    prefix: 'gw',
    count: 12,
    away: [9],
    fresh: [],
    alias: ({ city }, nr) => `${city}${['国际中心', '科创大厦', '金融广场'][nr % 3]}网关`,
    address: ({ province, city }, nr) => `${province}${city}${road(nr + 5)}`,
  },
  {
    product: coldChain,
    prefix: 'cold',
    count: 20,
    away: [6, 13],
    fresh: [18, 19],
    alias: ({ city }, nr) => `${city}冷链 ${String(nr + 1).padStart(2, '0')} 号车`,
    address: ({ province, city }, nr) => `${province}${city}${road(nr + 1)}冷链仓`,
  },
]

const sensorsPerGateway = 5
const awayHours = [52, 76, 30, 118, 44, 97]

function makeOne(one: Series, nr: number): DemoDevice {
  const { product } = one
  const deviceName = `${one.prefix}-${String(nr + 1).padStart(3, '0')}`
  const chance = makeChance(deviceName)
  // Every second, so that neighbours of a list are not neighbours on the map.
  const place = demoCities[(nr * 7) % demoCities.length] as DemoCity
  const state = one.away.includes(nr) ? 'away' : one.fresh.includes(nr) ? 'new' : 'live'
  return {
    product,
    deviceName,
    alias: one.alias(place, nr),
    place,
    longitude: round(place.longitude + chance.between(-0.18, 0.18)),
    latitude: round(place.latitude + chance.between(-0.14, 0.14)),
    address: one.address(place, nr),
    state,
    awayHours: state === 'away' ? (awayHours[nr % awayHours.length] ?? 48) : 0,
    version: one.behind?.includes(nr) ? oldPumpVersion : product.version,
    gateway: '',
    tags: [
      { key: '区域', value: place.region },
      { key: '城市', value: place.city },
      { key: '批次', value: nr % 3 === 0 ? '2025-四季度' : '2026-一季度' },
    ],
  }
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

function sensorsOf(gateway: DemoDevice, nr: number): DemoDevice[] {
  return Array.from({ length: sensorsPerGateway }, (_, i) => ({
    ...gateway,
    product: airSensor,
    deviceName: `air-${String(nr + 1).padStart(2, '0')}${i + 1}`,
    alias: `${gateway.alias.replace('网关', '')} ${(i + 1) * 3} 层`,
    address: `${gateway.address} ${(i + 1) * 3} 层`,
    version: airSensor.version,
    gateway: gateway.deviceName,
    tags: [...gateway.tags.slice(0, 2), { key: '楼层', value: `${(i + 1) * 3} 层` }],
  }))
}

export function demoDevices(): DemoDevice[] {
  return series.flatMap((one) =>
    Array.from({ length: one.count }, (_, nr) => makeOne(one, nr)).flatMap((device, nr) =>
      one.product === buildingGateway ? [device, ...sensorsOf(device, nr)] : [device],
    ),
  )
}
