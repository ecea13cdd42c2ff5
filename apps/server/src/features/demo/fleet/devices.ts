/** The 200 devices: who they are, where they stand, and how they are doing. Pure. */
import type { Language, Translate } from '@ithings/contract/text.ts'
import { wordsFor } from '../words.ts'
import { airSensor, buildingGateway } from './building.ts'
import { makeChance } from './chance.ts'
import { citiesFor, type DemoCity } from './cities.ts'
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
  /** Not all of a city stand in the same road. */
  roadShift: number
  alias(t: Translate, city: DemoCity, nr: number): string
  address(t: Translate, road: Road): string
}

type Road = Pick<DemoCity, 'city' | 'province'> & { road: string; number: number }

/** What pumps ran before the upgrade of the past (make/operations.ts). */
export const oldPumpVersion = '1.9.4'

const roads = ['人民路', '中山路', '建设大道', '解放路', '和平街', '科技园路', '滨江大道', '环城南路']
const partsOfTown = ['城东', '城西', '滨江']
const sites = ['工业园', '商业中心', '产业大厦', '物流园']
const towers = ['国际中心', '科创大厦', '金融广场']
const oneOf = (t: Translate, names: string[], nr: number) => t(names[nr % names.length] ?? '')

const series: Series[] = [
  {
    product: waterPump,
    prefix: 'pump',
    count: 36,
    away: [7, 19, 28],
    fresh: [35],
    behind: [11, 24],
    roadShift: 0,
    alias: (t, { city }, nr) => t('{city}{part}供水泵站', { city, part: oneOf(t, partsOfTown, nr) }),
    address: (t, road) => t('{province}{city}{road} {number} 号泵房', road),
  },
  {
    product: smartMeter,
    prefix: 'meter',
    count: 72,
    away: [5, 17, 30, 41, 52, 66],
    fresh: [11, 38, 70, 71],
    roadShift: 3,
    alias: (t, { city }, nr) =>
      t('{city}{site} {number} 号配电柜', { city, site: oneOf(t, sites, nr), number: 1 + (nr % 9) }),
    address: (t, road) => t('{province}{city}{road} {number} 号配电室', road),
  },
  {
    product: buildingGateway,
    prefix: 'gw',
    count: 12,
    away: [9],
    fresh: [],
    roadShift: 5,
    alias: (t, { city }, nr) => t('{city}{tower}网关', { city, tower: oneOf(t, towers, nr) }),
    address: (t, road) => t('{province}{city}{road} {number} 号', road),
  },
  {
    product: coldChain,
    prefix: 'cold',
    count: 20,
    away: [6, 13],
    fresh: [18, 19],
    roadShift: 1,
    alias: (t, { city }, nr) => t('{city}冷链 {number} 号车', { city, number: String(nr + 1).padStart(2, '0') }),
    address: (t, road) => t('{province}{city}{road} {number} 号冷链仓', road),
  },
]

const roadOf = (t: Translate, nr: number) => ({ road: oneOf(t, roads, nr), number: 18 + ((nr * 37) % 480) })

const sensorsPerGateway = 5
const awayHours = [52, 76, 30, 118, 44, 97]

function makeOne(one: Series, nr: number, language: Language): DemoDevice {
  const t = wordsFor(language)
  const { product } = one
  const deviceName = `${one.prefix}-${String(nr + 1).padStart(3, '0')}`
  const chance = makeChance(deviceName)
  // Every second, so that neighbours of a list are not neighbours on the map.
  const cities = citiesFor(language)
  const place = cities[(nr * 7) % cities.length] as DemoCity
  const { city, province } = place
  const state = one.away.includes(nr) ? 'away' : one.fresh.includes(nr) ? 'new' : 'live'
  return {
    product,
    deviceName,
    alias: one.alias(t, place, nr),
    place,
    longitude: round(place.longitude + chance.between(-0.18, 0.18)),
    latitude: round(place.latitude + chance.between(-0.14, 0.14)),
    address: one.address(t, { city, province, ...roadOf(t, nr + one.roadShift) }),
    state,
    awayHours: state === 'away' ? (awayHours[nr % awayHours.length] ?? 48) : 0,
    version: one.behind?.includes(nr) ? oldPumpVersion : product.version,
    gateway: '',
    tags: [
      { key: t('区域'), value: place.region },
      { key: t('城市'), value: city },
      { key: t('批次'), value: nr % 3 === 0 ? t('2025-四季度') : t('2026-一季度') },
    ],
  }
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

function sensorsOf(gateway: DemoDevice, nr: number, t: Translate): DemoDevice[] {
  const { city } = gateway.place
  const tower = oneOf(t, towers, nr)
  return Array.from({ length: sensorsPerGateway }, (_, i) => (i + 1) * 3).map((floor, i) => ({
    ...gateway,
    product: airSensor,
    deviceName: `air-${String(nr + 1).padStart(2, '0')}${i + 1}`,
    alias: t('{city}{tower} {floor} 层', { city, tower, floor }),
    address: t('{address} {floor} 层', { address: gateway.address, floor }),
    version: airSensor.version,
    gateway: gateway.deviceName,
    tags: [...gateway.tags.slice(0, 2), { key: t('楼层'), value: t('{floor} 层', { floor }) }],
  }))
}

/** @param language of their names, which stand in cities of China or of the world */
export function demoDevices(language: Language): DemoDevice[] {
  return series.flatMap((one) =>
    Array.from({ length: one.count }, (_, nr) => makeOne(one, nr, language)).flatMap((device, nr) =>
      one.product === buildingGateway ? [device, ...sensorsOf(device, nr, wordsFor(language))] : [device],
    ),
  )
}
